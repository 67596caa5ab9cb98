//! What can be posted, and posting it. Holds no secret: codes and links that open something are mailed at once
//! and never lie here.

use super::super::db::Conn;
use super::super::rows;
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::reminders;

/// How long a mail is tried where nobody says otherwise.
const LIFE: Span = Span::hours(3 * 24);

/// What is to be mailed, with what its text is made of when it is sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of", rename_all = "snake_case")]
pub enum Posting {
    /// The password was changed.
    PasswordChanged,
    /// The address was changed; goes to the old one.
    EmailChanged {
        /// The new address with most of it hidden.
        new_masked: String,
    },
    /// The account was deleted; goes to the address that it had.
    AccountDeleted,
    /// Turns that wait; written anew, or dropped, before each try.
    Turn(reminders::Mail),
    /// The replay of a match that ended; the file is made when it is sent.
    Replay {
        /// The match.
        match_id: MatchId,
    },
}

impl Posting {
    /// The kind's stable name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PasswordChanged => "password_changed",
            Self::EmailChanged { .. } => "email_changed",
            Self::AccountDeleted => "account_deleted",
            Self::Turn(_) => "turn",
            Self::Replay { .. } => "replay",
        }
    }
}

/// Never shows an address.
impl fmt::Debug for Posting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Posts a mail in the caller's transaction. `to` is the address; `None` stands for the one that is verified when
/// the mail is sent. It is sent from `due` on and given up at `expires` (`None`: after three days). No two
/// mails have the same `id`. Where the player's account is to be erased, post first: the language is read now.
///
/// # Errors
/// The database failed.
pub(crate) async fn post(
    tx: &mut Conn,
    id: Uuid,
    player: PlayerId,
    to: Option<&str>,
    posting: &Posting,
    due: Time,
    expires: Option<Time>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO outbox (id, player, recipient, locale, kind, body, since, due, expires) \
         VALUES ($1, $2, $3, (SELECT locale FROM accounts WHERE accounts.player = $2), \
         $4, $5, $6, $6, $7)",
    )
    .bind(rows::bytes(id))
    .bind(rows::bytes(player.0))
    .bind(to)
    .bind(posting.name())
    .bind(body(posting)?)
    .bind(due.0)
    .bind(expires.unwrap_or(due + LIFE).0)
    .execute(tx)
    .await?;
    Ok(())
}

/// What an open mail says from now on, in the transaction that found out.
///
/// # Errors
/// The database failed.
pub(crate) async fn rewrite(tx: &mut Conn, id: Uuid, posting: &Posting) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE outbox SET body = $2 WHERE id = $1 AND ended IS NULL")
        .bind(rows::bytes(id))
        .bind(body(posting)?)
        .execute(tx)
        .await?;
    Ok(())
}

fn body(posting: &Posting) -> Result<String, sqlx::Error> {
    serde_json::to_string(posting).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yibu_domain::reminders::{Mail, MailKind, TurnRef};

    #[test]
    fn postings_are_stored_under_stable_names() {
        let match_id = MatchId(Uuid::from_u128(1));
        let turn = Mail {
            kind: MailKind::Deadline,
            deadline: vec![TurnRef { match_id, turn: 3 }],
            waiting: Vec::new(),
            timed_out: Vec::new(),
        };
        let all = [
            Posting::PasswordChanged,
            Posting::EmailChanged { new_masked: "n***@example.org".into() },
            Posting::AccountDeleted,
            Posting::Turn(turn),
            Posting::Replay { match_id },
        ];
        for posting in all {
            let stored = body(&posting).unwrap();
            let named = format!("{{\"kind\":\"{}\"", posting.name());
            assert!(stored.starts_with(&named), "{stored}");
            assert_eq!(serde_json::from_str::<Posting>(&stored).unwrap(), posting);
            assert_eq!(format!("{posting:?}"), posting.name());
        }
    }
}
