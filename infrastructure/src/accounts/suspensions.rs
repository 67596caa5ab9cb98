//! Whom administrators have barred, as it is asked at each login and before each table. Follows what the players'
//! streams say; must not decide who is barred.

use super::sessions::end_others;
use super::turns::Turn;
use super::{Accounts, Failure, rows};
use yibu_domain::kernel::PlayerId;

impl Accounts {
    /// Bars a player and ends all sessions. A repeat changes nothing. The caller leaves the seats and then calls
    /// [`Accounts::confirm_seats_left`].
    ///
    /// # Errors
    /// The database failed.
    pub async fn suspend(&self, player: PlayerId) -> Result<(), Failure> {
        let inner = &self.inner;
        let mut tx = inner.db.write(&[Turn::Account(player), Turn::Ends]).await?;
        let now = inner.clock.now();
        sqlx::query(
            "INSERT INTO suspensions (player, since) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        )
        .bind(rows::bytes(player.0))
        .bind(now.0)
        .execute(&mut *tx)
        .await?;
        let ended = end_others(&mut tx, player, None, now).await?;
        self.finish(tx, ended).await?;
        Ok(())
    }

    /// Lets a player in again. Who is not barred stays as before.
    ///
    /// # Errors
    /// The database failed.
    pub async fn reinstate(&self, player: PlayerId) -> Result<(), Failure> {
        sqlx::query("DELETE FROM suspensions WHERE player = $1")
            .bind(rows::bytes(player.0))
            .execute(self.inner.db.writing())
            .await?;
        Ok(())
    }

    /// Everybody who is barred.
    ///
    /// # Errors
    /// The database failed.
    pub async fn suspended(&self) -> Result<Vec<PlayerId>, Failure> {
        self.barred("SELECT player FROM suspensions ORDER BY since, player").await
    }

    /// Barred players whose seats are not known to be left.
    ///
    /// # Errors
    /// The database failed.
    pub async fn suspended_in_seats(&self) -> Result<Vec<PlayerId>, Failure> {
        self.barred("SELECT player FROM suspensions WHERE seats_left = 0 ORDER BY since, player")
            .await
    }

    /// Notes that a barred player holds no seat any more.
    ///
    /// # Errors
    /// The database failed.
    pub async fn confirm_seats_left(&self, player: PlayerId) -> Result<(), Failure> {
        sqlx::query("UPDATE suspensions SET seats_left = 1 WHERE player = $1")
            .bind(rows::bytes(player.0))
            .execute(self.inner.db.writing())
            .await?;
        Ok(())
    }

    async fn barred(&self, sql: &str) -> Result<Vec<PlayerId>, Failure> {
        let found = sqlx::query(sql).fetch_all(self.inner.db.reading()).await?;
        let players = found.iter().map(|row| rows::player(row, "player"));
        Ok(players.collect::<Result<_, _>>()?)
    }
}
