//! Who may act as administrator: a table that follows what the site's stream says. Must not decide who
//! becomes one: the command line does, and notes it in the log first.

use super::{Accounts, Failure, rows};
use sqlx::Row;
use yibu_domain::kernel::{PlayerId, Time};

/// An administrator.
#[derive(Clone, PartialEq, Eq)]
pub struct Admin {
    /// The player.
    pub player: PlayerId,
    /// The verified address; `None` where the account was erased.
    pub email: Option<String>,
    /// Since when.
    pub granted: Time,
}

impl Accounts {
    /// Makes a player an administrator. A repeat changes nothing.
    ///
    /// # Errors
    /// The database failed, or there is no such player.
    pub async fn grant_admin(&self, player: PlayerId) -> Result<(), Failure> {
        let sql = "INSERT INTO admins (player, granted) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        let (player, now) = (rows::bytes(player.0), self.inner.clock.now());
        sqlx::query(sql).bind(player).bind(now.0).execute(self.inner.db.writing()).await?;
        Ok(())
    }

    /// Takes that back. A repeat changes nothing.
    ///
    /// # Errors
    /// The database failed.
    pub async fn revoke_admin(&self, player: PlayerId) -> Result<(), Failure> {
        let sql = "DELETE FROM admins WHERE player = $1";
        sqlx::query(sql).bind(rows::bytes(player.0)).execute(self.inner.db.writing()).await?;
        Ok(())
    }

    /// Whether a player is an administrator.
    ///
    /// # Errors
    /// The database failed.
    pub async fn is_admin(&self, player: PlayerId) -> Result<bool, Failure> {
        let found = sqlx::query("SELECT 1 FROM admins WHERE player = $1")
            .bind(rows::bytes(player.0))
            .fetch_optional(self.inner.db.reading())
            .await?;
        Ok(found.is_some())
    }

    /// All administrators, the first granted first.
    ///
    /// # Errors
    /// The database failed.
    pub async fn admins(&self) -> Result<Vec<Admin>, Failure> {
        let sql = "SELECT d.player, d.granted, a.email FROM admins d \
                   LEFT JOIN accounts a ON a.player = d.player ORDER BY d.granted, d.player";
        let found = sqlx::query(sql).fetch_all(self.inner.db.reading()).await?;
        let admins = found.iter().map(|row| {
            Ok(Admin {
                player: rows::player(row, "player")?,
                email: row.try_get("email")?,
                granted: rows::time(row, "granted")?,
            })
        });
        Ok(admins.collect::<Result<_, sqlx::Error>>()?)
    }
}
