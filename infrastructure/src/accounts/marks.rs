//! Private marks on others' pieces: plain erasable rows of one person and one match. Knows no rule of a match:
//! whoever calls has judged that the person sits there and that the piece may be marked. The senders' keys are
//! remembered among those of all changes in the accounts.

use super::{Accounts, Failure, Row, rows};
use sqlx::Row as _;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::{CommandId, MatchId, PlayerId, Time};
use yibu_domain::matches::{Mark, MarkColour};

/// A wish to note something.
pub struct MarkWish<'a> {
    /// Who.
    pub player: PlayerId,
    /// The sender's own name for the wish.
    pub key: CommandId,
    /// The match.
    pub match_id: MatchId,
    /// The piece, by its handle as it was sent.
    pub handle: &'a str,
    /// The text as it was sent; absent = none.
    pub text: Option<&'a str>,
    /// The colour; absent = none.
    pub colour: Option<MarkColour>,
}

impl MarkWish<'_> {
    /// The same for the same wish, whatever its key.
    fn input(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("yibu mark input 1");
        hasher.update(self.match_id.0.as_bytes());
        let colour = self.colour.map_or("", MarkColour::name);
        for part in [self.handle, self.text.unwrap_or_default(), colour] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}

/// What is known of a wish by its key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wished {
    /// Nothing: it is new.
    New,
    /// The same wish was granted before.
    Repeated,
    /// Another wish was granted under this key.
    Conflict,
}

impl Accounts {
    /// Whether the wish came before.
    ///
    /// # Errors
    /// The database failed.
    pub async fn mark_wished(&self, wish: &MarkWish<'_>) -> Result<Wished, Failure> {
        let row = sqlx::query("SELECT input FROM account_commands WHERE player = $1 AND key = $2")
            .bind(rows::bytes(wish.player.0))
            .bind(rows::bytes(wish.key.0))
            .fetch_optional(self.inner.db.reading())
            .await?;
        let Some(row) = row else { return Ok(Wished::New) };
        let same = rows::bytes32(&row, "input")? == wish.input();
        Ok(if same { Wished::Repeated } else { Wished::Conflict })
    }

    /// Notes the mark on the piece, or takes the mark there away. Does nothing unless the wish is new.
    ///
    /// # Errors
    /// The database failed.
    pub async fn set_mark(
        &self,
        wish: &MarkWish<'_>,
        piece: Pos,
        mark: Option<&Mark>,
    ) -> Result<Wished, Failure> {
        let inner = &self.inner;
        let now = inner.clock.now();
        let player = rows::bytes(wish.player.0);
        let mut tx = inner.db.write(&[]).await?;
        let begun = sqlx::query(
            "INSERT INTO account_commands (player, key, input, result, at) \
             VALUES ($1, $2, $3, 'OK', $4) ON CONFLICT DO NOTHING",
        )
        .bind(player.as_slice())
        .bind(rows::bytes(wish.key.0))
        .bind(wish.input().as_slice())
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        if begun.rows_affected() == 0 {
            drop(tx);
            return self.mark_wished(wish).await;
        }
        let sql = match mark {
            Some(_) => {
                "INSERT INTO marks (player, match_id, handle, mark, colour, at) \
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (player, match_id, handle) \
                 DO UPDATE SET mark = excluded.mark, colour = excluded.colour, at = excluded.at"
            }
            None => "DELETE FROM marks WHERE player = $1 AND match_id = $2 AND handle = $3",
        };
        let query = sqlx::query(sql)
            .bind(player.as_slice())
            .bind(rows::bytes(wish.match_id.0))
            .bind(piece.to_string());
        let query = match mark {
            Some(mark) => {
                query.bind(mark.text()).bind(mark.colour().map(MarkColour::name)).bind(now.0)
            }
            None => query,
        };
        query.execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(Wished::New)
    }

    /// What the person noted in a match, by handle.
    ///
    /// # Errors
    /// The database failed.
    pub async fn marks_of(
        &self,
        player: PlayerId,
        match_id: MatchId,
    ) -> Result<Vec<(Pos, Mark)>, Failure> {
        let sql = "SELECT handle, mark, colour FROM marks WHERE player = $1 AND match_id = $2 \
                   ORDER BY handle";
        let found = sqlx::query(sql)
            .bind(rows::bytes(player.0))
            .bind(rows::bytes(match_id.0))
            .fetch_all(self.inner.db.reading())
            .await?;
        let marks: Vec<_> = found.iter().map(noted).collect::<Result<_, sqlx::Error>>()?;
        Ok(marks.into_iter().flatten().collect())
    }

    /// The matches in which nobody has noted anything since `before`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn marked_matches(&self, before: Time) -> Result<Vec<MatchId>, Failure> {
        let sql =
            "SELECT match_id FROM marks GROUP BY match_id HAVING MAX(at) <= $1 ORDER BY match_id";
        let found = sqlx::query(sql).bind(before.0).fetch_all(self.inner.db.reading()).await?;
        let ids = found.iter().map(|row| rows::id(row, "match_id").map(MatchId));
        Ok(ids.collect::<Result<_, sqlx::Error>>()?)
    }

    /// Erases everybody's marks of a match.
    ///
    /// # Errors
    /// The database failed.
    pub async fn drop_marks(&self, match_id: MatchId) -> Result<(), Failure> {
        sqlx::query("DELETE FROM marks WHERE match_id = $1")
            .bind(rows::bytes(match_id.0))
            .execute(self.inner.db.writing())
            .await?;
        Ok(())
    }
}

/// A mark and the piece that it is on. Only handles and checked marks are ever written.
pub(super) fn noted(row: &Row) -> Result<Option<(Pos, Mark)>, sqlx::Error> {
    let (handle, text): (String, String) = (row.try_get("handle")?, row.try_get("mark")?);
    let colour: Option<String> = row.try_get("colour")?;
    let colour = colour.and_then(|name| name.parse().ok());
    Ok(handle.parse().ok().zip(Mark::parse(&text, colour).ok().flatten()))
}
