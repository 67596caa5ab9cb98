//! How an account goes. Marked first, with every session ended; erased last, when the caller has left the seats and
//! written the last event. What lies between is resumed by whoever finds the mark. Must not know matches.

use super::commands::{Asker, Command, remember};
use super::outbox::Posting;
use super::sessions::end_others;
use super::throttle::Bucket;
use super::turns::Turn;
use super::{Accounts, Email, Failure, Refusal, rows, throttle};
use sqlx::Row as _;
use yibu_domain::kernel::PlayerId;

/// Every table that holds something of a player, by its column `player`: all of it is erased. `players` is not
/// among them: the bare id stands in matches for ever; nor are `accounts` and `deletions`, which go last. A new
/// table of that kind is a line here.
const ERASED: [&str; 11] = [
    "sessions",
    "devices",
    "networks",
    "nicknames",
    "account_commands",
    "suspensions",
    "admins",
    "outbox",
    "desks",
    "notices",
    "marks",
];

/// The same by the address that the account had.
const ERASED_BY_ADDRESS: [&str; 3] = ["codes", "code_sends", "resets"];

impl Accounts {
    /// Marks the own account as going, for good, and ends all its sessions. The caller leaves the seats, writes the
    /// last event and then calls [`Accounts::erase`], now or after a restart.
    ///
    /// # Errors
    /// Refusals: `LOGIN_THROTTLED`, `PASSWORD_WRONG`, `IDEMPOTENCY_CONFLICT`.
    pub async fn begin_deletion(&self, asker: Asker<'_>, password: &str) -> Result<(), Failure> {
        let secret = [password];
        let command = Command::of(&asker, "delete_account", &[], &secret);
        let work = async {
            let inner = &self.inner;
            let proven = self.prove(command.player, password, asker.origin).await?;
            let input = self.input(&command).await?;
            let turns = [Turn::Account(proven.player), Turn::Ends];
            let mut tx = inner.db.write(&turns).await?;
            let now = inner.clock.now();
            let marked = sqlx::query(
                "INSERT INTO deletions (player, asked) \
                 SELECT player, $3 FROM accounts WHERE player = $1 AND password = $2 \
                 ON CONFLICT DO NOTHING",
            )
            .bind(rows::bytes(proven.player.0))
            .bind(&proven.password)
            .bind(now.0)
            .execute(&mut *tx)
            .await?;
            if marked.rows_affected() == 0 {
                return Err(Refusal::PasswordWrong.into());
            }
            remember(&mut tx, &command, &input, now).await?;
            let ended = end_others(&mut tx, proven.player, None, now).await?;
            self.finish(tx, ended).await?;
            Ok(())
        };
        self.once(&command, work).await
    }

    /// The accounts that are going, those asked for first before the others.
    ///
    /// # Errors
    /// The database failed.
    pub async fn pending_deletions(&self) -> Result<Vec<PlayerId>, Failure> {
        let sql = "SELECT player FROM deletions ORDER BY asked, player";
        let found = sqlx::query(sql).fetch_all(self.inner.db.reading()).await?;
        let players = found.iter().map(|row| rows::player(row, "player"));
        Ok(players.collect::<Result<_, _>>()?)
    }

    /// Erases everything of an account that is going, tells its address, and takes the mark away. An account that
    /// is not going is left alone; a repeat changes nothing.
    ///
    /// # Errors
    /// The database failed; nothing was erased.
    pub async fn erase(&self, player: PlayerId) -> Result<(), Failure> {
        let inner = &self.inner;
        let id = rows::bytes(player.0);
        let turns = [Turn::Account(player), Turn::Ends, Turn::Desks];
        let mut tx = inner.db.write(&turns).await?;
        let now = inner.clock.now();
        let going = sqlx::query("SELECT 1 FROM deletions WHERE player = $1")
            .bind(&id)
            .fetch_optional(&mut *tx)
            .await?;
        if going.is_none() {
            return Ok(());
        }
        let row = sqlx::query("SELECT email FROM accounts WHERE player = $1")
            .bind(&id)
            .fetch_optional(&mut *tx)
            .await?;
        let email = match row {
            Some(row) => Some(Email::parse(&row.try_get::<String, _>("email")?)?),
            None => None,
        };
        let ended = end_others(&mut tx, player, None, now).await?;
        for table in ERASED {
            let sql = format!("DELETE FROM {table} WHERE player = $1");
            sqlx::query(&sql).bind(&id).execute(&mut *tx).await?;
        }
        if let Some(email) = &email {
            for table in ERASED_BY_ADDRESS {
                let sql = format!("DELETE FROM {table} WHERE address = $1");
                sqlx::query(&sql).bind(email.key()).execute(&mut *tx).await?;
            }
            throttle::empty(&mut tx, Bucket::new("address", &[email.key().as_bytes()])).await?;
            // In the language that the account still has.
            self.security_mail(&mut tx, player, email, &Posting::AccountDeleted, now).await?;
        }
        for sql in
            ["DELETE FROM accounts WHERE player = $1", "DELETE FROM deletions WHERE player = $1"]
        {
            sqlx::query(sql).bind(&id).execute(&mut *tx).await?;
        }
        self.finish(tx, ended).await?;
        Ok(())
    }
}
