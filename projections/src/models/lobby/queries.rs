//! Queries on the lobby. Answers about tables name players for the server's own use (matchmaking); what a
//! client may see of them is decided above.

use super::super::read;
use super::NAME;
use super::place::{Place, free_seats};
use crate::engine::{Views, ViewsError, id};
use sqlx::{Executor, Row as _};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{DEFAULT_LIMIT, MatchId, PlayerId, Time};
use yibu_domain::matches::view::Sheet;

/// A table that assembles and has room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenTable {
    /// Which.
    pub match_id: MatchId,
    /// Its free seats, in seat order.
    pub free: Vec<Seat>,
    /// Who sits there already, in seat order.
    pub players: Vec<PlayerId>,
    /// Seats ready.
    pub ready: u8,
}

/// A vacant seat on turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vacancy {
    /// In which match.
    pub match_id: MatchId,
    /// Which seat.
    pub seat: Seat,
    /// When the takeover wait runs out.
    pub deadline: Time,
}

/// What a player holds against the limits of now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Active seats joined before the start.
    pub full: u32,
    /// Active seats taken over.
    pub takeover: u32,
    /// The most of the first kind.
    pub full_limit: u32,
    /// The most of the second kind.
    pub takeover_limit: u32,
}

/// Queries on the lobby.
#[derive(Clone)]
pub struct Lobby {
    views: Views,
}

impl Lobby {
    /// Queries on an open store.
    pub fn new(views: &Views) -> Self {
        Self { views: views.clone() }
    }

    /// All tables that assemble and have a free seat, by id.
    ///
    /// # Errors
    /// The store failed.
    pub async fn assembling(&self) -> Result<Vec<OpenTable>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT sheet FROM lobby_tables_g{} WHERE free > 0 ORDER BY match_id",
            reading.generation()
        );
        let rows = reading.connection().fetch_all(sql.as_str()).await?;
        let tables = rows.iter().map(|row| {
            let sheet: Sheet = read(NAME, row.try_get(0)?)?;
            let persons = sheet.own.iter().filter_map(|(_, own)| own.person.as_ref());
            Ok(OpenTable {
                match_id: sheet.public.match_id,
                free: free_seats(&sheet),
                players: persons.map(|person| person.player).collect(),
                ready: sheet.public.ready,
            })
        });
        tables.collect()
    }

    /// All vacant seats on turn, by match id. Their wait may have run out already; the timer will see to it.
    ///
    /// # Errors
    /// The store failed.
    pub async fn vacancies(&self) -> Result<Vec<Vacancy>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT match_id, vacant, deadline FROM lobby_tables_g{} WHERE vacant IS NOT NULL ORDER BY match_id",
            reading.generation()
        );
        let rows = reading.connection().fetch_all(sql.as_str()).await?;
        let vacancies = rows.iter().map(|row| {
            let seat = usize::try_from(row.try_get::<i64, _>(1)?).unwrap_or(usize::MAX);
            let seat = Seat::ALL.get(seat).copied().ok_or(ViewsError::Document(NAME))?;
            let deadline = Time(row.try_get(2)?);
            Ok(Vacancy { match_id: MatchId(id(row, 0)?), seat, deadline })
        });
        vacancies.collect()
    }

    /// The player's matches that have not ended: first those in which something waits for the player, then
    /// by deadline, those without one last. At most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn tables_of(&self, player: PlayerId, limit: u32) -> Result<Vec<Place>, ViewsError> {
        let which = "ended IS NULL ORDER BY waits DESC, (deadline IS NULL), deadline, match_id";
        self.places(player, which, limit).await
    }

    /// The player's matches that have ended with the player in a seat, the latest first. At most `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn ended_of(&self, player: PlayerId, limit: u32) -> Result<Vec<Place>, ViewsError> {
        self.places(player, "ended IS NOT NULL ORDER BY ended DESC, match_id", limit).await
    }

    /// What the player is to one match, if it is among the player's.
    ///
    /// # Errors
    /// The store failed.
    pub async fn place(
        &self,
        player: PlayerId,
        match_id: MatchId,
    ) -> Result<Option<Place>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT facts FROM lobby_places_g{} WHERE player = $1 AND match_id = $2",
            reading.generation()
        );
        let query = sqlx::query(&sql)
            .bind(player.0.as_bytes().as_slice())
            .bind(match_id.0.as_bytes().as_slice());
        let row = reading.connection().fetch_optional(query).await?;
        row.map(|row| read(NAME, row.try_get(0)?)).transpose()
    }

    /// What the player holds, and the limits of now. The log's claims decide; this is for showing.
    ///
    /// # Errors
    /// The store failed.
    pub async fn counts(&self, player: PlayerId) -> Result<Counts, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let generation = reading.generation();
        let held = |counted| {
            format!(
                "(SELECT COUNT(*) FROM lobby_places_g{generation} WHERE player = $1 AND counted = {counted})"
            )
        };
        let sql = format!(
            "SELECT {}, {}, (SELECT full_limit FROM lobby_limits_g{generation}),
                    (SELECT takeover_limit FROM lobby_limits_g{generation})",
            held(1),
            held(2)
        );
        let query = sqlx::query(&sql).bind(player.0.as_bytes().as_slice());
        let row = reading.connection().fetch_one(query).await?;
        let number = |column: usize| -> Result<Option<u32>, sqlx::Error> {
            Ok(row.try_get::<Option<i64>, _>(column)?.and_then(|n| u32::try_from(n).ok()))
        };
        Ok(Counts {
            full: number(0)?.unwrap_or(0),
            takeover: number(1)?.unwrap_or(0),
            full_limit: number(2)?.unwrap_or(DEFAULT_LIMIT),
            takeover_limit: number(3)?.unwrap_or(DEFAULT_LIMIT),
        })
    }

    async fn places(
        &self,
        player: PlayerId,
        which: &str,
        limit: u32,
    ) -> Result<Vec<Place>, ViewsError> {
        let mut reading = self.views.read(NAME).await?;
        let sql = format!(
            "SELECT facts FROM lobby_places_g{} WHERE player = $1 AND {which} LIMIT $2",
            reading.generation()
        );
        let query = sqlx::query(&sql).bind(player.0.as_bytes().as_slice()).bind(i64::from(limit));
        let rows = reading.connection().fetch_all(query).await?;
        rows.iter().map(|row| read(NAME, row.try_get(0)?)).collect()
    }
}
