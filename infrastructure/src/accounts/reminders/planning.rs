//! What the planner keeps: how far it has followed the log, and the matches as they are there. A [`Plan`] is its one
//! transaction: place in the log, desks, notices and mails change together, and only if nobody was faster. Must not
//! judge anything.

use super::super::db::Row;
use super::super::outbox::{self, Posting};
use super::super::turns::{Turn, Tx};
use super::super::{Accounts, Broken, rows};
use super::calls::{self, Calling};
use super::desks::{self, Kept};
use sqlx::Row as _;
use std::collections::HashMap;
use yibu_domain::kernel::{EventId, MatchId, PlayerId, Time};
use yibu_domain::matches::view::Sheet;

/// Matches in one statement.
const AT_ONCE: usize = 500;

/// How far the planner has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Checkpoint {
    /// The last position of the log that was taken in; 0 at the beginning.
    pub(crate) position: u64,
    /// It has caught up with the history before it.
    pub(crate) live: bool,
    /// The administrator's wait of the last looks, in minutes.
    pub(crate) wait: u32,
    /// The event at that position; none at the beginning.
    pub(crate) event: Option<EventId>,
}

/// A match as the planner sees it, without its board.
pub(crate) struct Followed {
    pub(crate) sheet: Sheet,
    /// When it is to be told that the record expires, or that seats are released, soon.
    pub(crate) wake: Option<Time>,
}

/// One step of the planner: what is to be written all at once, or not at all.
pub(crate) struct Plan {
    accounts: Accounts,
    tx: Tx,
    checkpoint: Checkpoint,
    /// Desks that changed.
    pub(crate) desks: Vec<Kept>,
    /// Matches that changed.
    pub(crate) matches: Vec<(MatchId, Followed)>,
    /// Matches that are over and done with.
    pub(crate) gone: Vec<MatchId>,
}

const CHECKPOINT: &str = "SELECT position, live, wait, event FROM planner WHERE id = 1";

fn checkpoint(row: Option<&Row>) -> Result<Checkpoint, sqlx::Error> {
    let Some(row) = row else { return Ok(Checkpoint::default()) };
    Ok(Checkpoint {
        position: rows::number(row, "position")?,
        live: rows::flag(row, "live")?,
        wait: rows::count(row, "wait")?,
        event: match row.try_get::<Option<Vec<u8>>, _>("event")? {
            Some(_) => Some(EventId(rows::id(row, "event")?)),
            None => None,
        },
    })
}

impl Accounts {
    /// How far the planner has come, and when something is due by what it knows.
    pub(crate) async fn planned(&self) -> Result<(Checkpoint, Option<Time>), Broken> {
        let on = self.inner.db.reading();
        let row = sqlx::query(CHECKPOINT).fetch_optional(on).await?;
        let sql = "SELECT MIN(wake) AS wake FROM (SELECT MIN(wake) AS wake FROM desks \
                   UNION ALL SELECT MIN(wake) AS wake FROM planned_matches) wakes";
        let next = sqlx::query(sql).fetch_one(on).await?;
        Ok((checkpoint(row.as_ref())?, next.try_get::<Option<i64>, _>("wake")?.map(Time)))
    }

    /// Begins a step, alone among all nodes.
    pub(crate) async fn plan(&self) -> Result<Plan, Broken> {
        let mut tx = self.inner.db.write(&[Turn::Desks]).await?;
        let row = sqlx::query(CHECKPOINT).fetch_optional(&mut *tx).await?;
        let checkpoint = checkpoint(row.as_ref())?;
        let (desks, matches, gone) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Plan { accounts: self.clone(), tx, checkpoint, desks, matches, gone })
    }

    /// Forgets how far the planner has come and every match: it follows the log anew. Desks stay.
    pub(crate) async fn forget_plan(&self) -> Result<(), Broken> {
        let mut tx = self.inner.db.write(&[Turn::Desks]).await?;
        for sql in ["DELETE FROM planned_matches", "DELETE FROM planner"] {
            sqlx::query(sql).execute(&mut *tx).await?;
        }
        Ok(tx.commit().await?)
    }
}

impl Plan {
    /// Where this step begins.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        self.checkpoint
    }

    /// These matches, where they are known and can be read.
    pub(crate) async fn known(
        &mut self,
        ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Followed>, Broken> {
        let mut found = HashMap::new();
        for some in ids.chunks(AT_ONCE) {
            let sql = format!(
                "SELECT match_id, body, wake FROM planned_matches WHERE match_id IN ({})",
                rows::marks(some.len(), 1)
            );
            let ids = some.iter().map(|id| rows::bytes(id.0));
            let query = ids.fold(sqlx::query(&sql), sqlx::query::Query::bind);
            for row in query.fetch_all(&mut *self.tx).await? {
                let (id, followed) = followed(&row)?;
                found.extend(followed.map(|followed| (id, followed)));
            }
        }
        Ok(found)
    }

    /// Every match.
    pub(crate) async fn everything(&mut self) -> Result<Vec<(MatchId, Followed)>, Broken> {
        let sql = "SELECT match_id, body, wake FROM planned_matches ORDER BY match_id";
        let rows = sqlx::query(sql).fetch_all(&mut *self.tx).await?;
        let all = rows.iter().map(followed).collect::<Result<Vec<_>, _>>()?;
        Ok(all.into_iter().filter_map(|(id, followed)| Some((id, followed?))).collect())
    }

    /// Matches of which something is due by `now`, at most `limit`; without what cannot be read.
    pub(crate) async fn expiring(
        &mut self,
        now: Time,
        limit: u32,
    ) -> Result<Vec<(MatchId, Option<Followed>)>, Broken> {
        let sql = "SELECT match_id, body, wake FROM planned_matches WHERE wake <= $1 \
                   ORDER BY wake, match_id LIMIT $2";
        let query = sqlx::query(sql).bind(now.0).bind(i64::from(limit));
        let rows = query.fetch_all(&mut *self.tx).await?;
        Ok(rows.iter().map(followed).collect::<Result<_, _>>()?)
    }

    /// The desks of these players; of persons with an account alone.
    pub(crate) async fn desks_of(
        &mut self,
        players: &[PlayerId],
    ) -> Result<HashMap<PlayerId, Kept>, Broken> {
        Ok(desks::load(&mut self.tx, players).await?)
    }

    /// Desks that are to be looked at by `now`, at most `limit`.
    pub(crate) async fn due(&mut self, now: Time, limit: u32) -> Result<Vec<Kept>, Broken> {
        Ok(desks::due(&mut self.tx, now, limit).await?)
    }

    /// Every desk that has a row.
    pub(crate) async fn every_desk(&mut self) -> Result<Vec<Kept>, Broken> {
        Ok(desks::all(&mut self.tx).await?)
    }

    /// Every notice that calls for something and is not done yet.
    pub(crate) async fn calling(&mut self) -> Result<Vec<Calling>, Broken> {
        Ok(calls::calling(&mut self.tx).await?)
    }

    /// Makes every desk on which something is ahead due at `now`.
    pub(crate) async fn wake_all(&mut self, now: Time) -> Result<(), Broken> {
        let sql = "UPDATE desks SET wake = $1 WHERE wake > $1";
        sqlx::query(sql).bind(now.0).execute(&mut *self.tx).await?;
        Ok(())
    }

    /// Posts a mail to the player's verified address.
    pub(crate) async fn post(
        &mut self,
        player: PlayerId,
        posting: &Posting,
        due: Time,
        expires: Time,
    ) -> Result<(), Broken> {
        let id = self.accounts.inner.entropy.uuid();
        outbox::post(&mut self.tx, id, player, None, posting, due, Some(expires)).await?;
        Ok(())
    }

    /// Writes everything. The log is taken in up to where `reached` says.
    pub(crate) async fn finish(mut self, reached: Checkpoint) -> Result<(), Broken> {
        let rung: Vec<PlayerId> = self
            .desks
            .iter()
            .filter(|kept| !kept.news.is_empty() || kept.settles())
            .map(|kept| kept.player)
            .collect();
        let matches = self.matches.iter();
        let matches =
            matches.map(|(id, followed)| Ok((id, rows::text(&followed.sheet)?, followed.wake)));
        let matches = matches.collect::<Result<Vec<_>, sqlx::Error>>()?;
        let into = "planned_matches (match_id, body, wake)";
        let then =
            "ON CONFLICT (match_id) DO UPDATE SET body = excluded.body, wake = excluded.wake";
        rows::insert(&mut self.tx, (into, 3, then), &matches, |query, (id, body, wake)| {
            query.bind(rows::bytes(id.0)).bind(body.as_str()).bind(wake.map(|wake| wake.0))
        })
        .await?;
        for id in &self.gone {
            sqlx::query("DELETE FROM planned_matches WHERE match_id = $1")
                .bind(rows::bytes(id.0))
                .execute(&mut *self.tx)
                .await?;
        }
        desks::save(&mut self.tx, &mut self.desks).await?;
        if reached != self.checkpoint {
            let sql = "INSERT INTO planner (id, position, live, wait, event) \
                       VALUES (1, $1, $2, $3, $4) ON CONFLICT (id) DO UPDATE SET \
                       position = excluded.position, live = excluded.live, \
                       wait = excluded.wait, event = excluded.event";
            sqlx::query(sql)
                .bind(rows::signed(reached.position))
                .bind(i64::from(reached.live))
                .bind(i64::from(reached.wait))
                .bind(reached.event.map(|event| rows::bytes(event.0)))
                .execute(&mut *self.tx)
                .await?;
        }
        self.tx.commit().await?;
        self.accounts.inner.bells.ring(rung);
        Ok(())
    }
}

fn followed(row: &Row) -> Result<(MatchId, Option<Followed>), sqlx::Error> {
    let id = MatchId(rows::id(row, "match_id")?);
    let wake = row.try_get::<Option<i64>, _>("wake")?.map(Time);
    // Another version of the program may have written it: then the log says it anew.
    Ok((id, rows::json(row, "body").ok().map(|sheet| Followed { sheet, wake })))
}
