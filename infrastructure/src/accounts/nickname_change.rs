//! Changing the nickname: twice in any 365 days. Old ones stay for the history of matches and become free for
//! others.

use super::commands::{Asker, Command, remember};
use super::db::Conn;
use super::turns::Turn;
use super::{Accounts, Failure, Refusal, names, rows};
use sqlx::Row as _;
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_domain::players::nickname::Nickname;

/// So many changes in any [`WINDOW`].
const MOST_CHANGES: usize = 2;

const WINDOW: Span = Span::hours(365 * 24);

/// How many changes of the nickname are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NicknameChanges {
    /// So many are allowed now.
    pub left: u32,
    /// When the next one is allowed; `None` when one is now.
    pub next: Option<Time>,
}

impl Accounts {
    /// How many changes of the nickname the player has left now.
    ///
    /// # Errors
    /// The database failed.
    pub async fn nickname_changes(&self, player: PlayerId) -> Result<NicknameChanges, Failure> {
        let mut on = self.inner.db.reading().acquire().await?;
        Ok(changes(&mut on, player, self.inner.clock.now()).await?)
    }

    /// Changes the nickname. The one that the player has already is no change.
    ///
    /// # Errors
    /// Refusals: `NICKNAME_INVALID`, `NICKNAME_LIMIT_REACHED`, `NICKNAME_TAKEN`, `SESSION_ENDED`,
    /// `IDEMPOTENCY_CONFLICT`.
    pub async fn change_nickname(&self, asker: Asker<'_>, nickname: &str) -> Result<(), Failure> {
        let plain = [nickname];
        let command = Command::of(&asker, "change_nickname", &plain, &[]);
        let work = async {
            let inner = &self.inner;
            let name = Nickname::parse(nickname).map_err(Refusal::NicknameInvalid)?;
            let input = self.input(&command).await?;
            let player = command.player;
            let id = rows::bytes(player.0);
            // Those of one player wait for each other, and so do those who swap their names.
            let mut tx = inner.db.write(&[Turn::Account(player), Turn::Nicknames]).await?;
            let now = inner.clock.now();
            let row = sqlx::query(
                "SELECT revision, display FROM nicknames WHERE player = $1 AND until IS NULL \
                 AND NOT EXISTS (SELECT 1 FROM deletions WHERE deletions.player = nicknames.player)",
            )
            .bind(&id)
            .fetch_optional(&mut *tx)
            .await?;
            // The session was ended a moment ago, with the account.
            let row = row.ok_or(Refusal::SessionEnded)?;
            if row.try_get::<String, _>("display")? != name.as_str() {
                if let Some(next) = changes(&mut tx, player, now).await?.next {
                    return Err(Refusal::NicknameLimitReached { retry_after: next - now }.into());
                }
                sqlx::query("UPDATE nicknames SET until = $2 WHERE player = $1 AND until IS NULL")
                    .bind(&id)
                    .bind(now.0)
                    .execute(&mut *tx)
                    .await?;
                let revision = rows::count(&row, "revision")? + 1;
                if !names::begin(&mut tx, player, revision, &name, now).await? {
                    return Err(Refusal::NicknameTaken.into());
                }
            }
            remember(&mut tx, &command, &input, now).await?;
            tx.commit().await?;
            Ok(())
        };
        self.once(&command, work).await
    }
}

/// The changes that are left at `now`: the first nickname was none.
async fn changes(
    on: &mut Conn,
    player: PlayerId,
    now: Time,
) -> Result<NicknameChanges, sqlx::Error> {
    let found = sqlx::query(
        "SELECT since FROM nicknames WHERE player = $1 AND revision > 1 AND since > $2 ORDER BY since",
    )
    .bind(rows::bytes(player.0))
    .bind((now - WINDOW).0)
    .fetch_all(on)
    .await?;
    let left = MOST_CHANGES.saturating_sub(found.len());
    let next = match found.first() {
        Some(oldest) if left == 0 => Some(rows::time(oldest, "since")? + WINDOW),
        _ => None,
    };
    Ok(NicknameChanges { left: u32::try_from(left).unwrap_or(u32::MAX), next })
}
