//! People: addresses, codes, passwords, sessions and nicknames, in plain erasable tables, in a file or in
//! PostgreSQL.
//! Nothing of it enters the event log; whoever registers a player there does so by the opaque id that
//! [`Accounts::register`] gives.

mod admins;
pub mod backup;
pub mod carry;
mod codes;
mod commands;
mod db;
mod deletion;
mod email;
mod email_change;
mod ends;
mod failure;
mod hashing;
mod holdings;
mod keys;
mod links;
mod live;
mod login;
mod marks;
mod names;
mod nickname_change;
mod origin;
pub mod outbox;
mod password;
mod password_change;
mod people;
mod proof;
mod register;
pub mod reminders;
mod resets;
mod rows;
mod schema;
mod security;
mod sends;
mod sessions;
mod settings;
mod skeletons;
mod suspensions;
mod sweep;
mod throttle;
mod turns;

pub use admins::Admin;
pub use codes::{CODE_LIFE, CODE_TRIES, CodeSent};
pub use commands::Asker;
pub(crate) use db::Row;
pub use db::{AccountsDb, OpenFault, Place};
pub use email::Email;
pub use failure::{Broken, Failure, Refusal};
pub use holdings::{HeldDevice, HeldMark, HeldNickname, Holdings};
pub use links::{Link, LinkKind, MatchingTurn, Standing};
pub use login::LoggedIn;
pub use marks::{MarkWish, Wished};
pub use names::{HousePlayer, Named};
pub use nickname_change::NicknameChanges;
pub use origin::Origin;
pub use password::{LEAST_CHARACTERS as PASSWORD_LEAST, MOST_CHARACTERS as PASSWORD_MOST};
pub use people::Person;
pub use register::{PendingRegistration, Registered, Registration};
pub use resets::RESET_LIFE;
pub use sessions::{IDLE, Session, SessionId, SessionToken};
pub use settings::{CodeCaps, Hashing, Settings};

use crate::mail::Mailbox;
use crate::system::{Clock, Entropy};
use hashing::Hasher;
use live::Live;
use reminders::Bells;
use std::sync::Arc;

/// The accounts of a server. Clones share everything.
///
/// Refusals leave nothing behind but what counts attempts; a future that is dropped midway leaves either
/// all or nothing of its change.
#[derive(Clone)]
pub struct Accounts {
    inner: Arc<Inner>,
}

struct Inner {
    db: AccountsDb,
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    mailbox: Arc<dyn Mailbox>,
    settings: Settings,
    hasher: Hasher,
    live: Live,
    bells: Bells,
}

impl Accounts {
    /// Accounts over an open database. Where other processes use it too, sessions that they end are followed
    /// until the database closes.
    ///
    /// # Errors
    /// The hashing settings are out of range, or the database failed.
    pub async fn open(
        db: AccountsDb,
        mailbox: Arc<dyn Mailbox>,
        clock: Arc<dyn Clock>,
        entropy: Entropy,
        settings: Settings,
    ) -> Result<Self, Broken> {
        skeletons::fill(&db).await?;
        let hasher = Hasher::new(settings.hashing, settings.hashing_at_once, &entropy).await?;
        let (live, bells) = (Live::default(), Bells::default());
        let inner = Arc::new(Inner { db, clock, entropy, mailbox, settings, hasher, live, bells });
        ends::follow(&inner);
        reminders::follow(&inner);
        Ok(Self { inner })
    }

    /// How many passwords were hashed or compared since the start: by far the dearest work here, and a
    /// figure to watch.
    pub fn hashes_done(&self) -> u64 {
        self.inner.hasher.done()
    }

    /// The database below, for the development mailbox and for backups.
    pub fn db(&self) -> &AccountsDb {
        &self.inner.db
    }
}
