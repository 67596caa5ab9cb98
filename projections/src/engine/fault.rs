//! What can go wrong while read models are kept or read. Messages name places, never contents.

use super::feed::FeedError;

/// The store of the read models failed.
#[derive(Debug, thiserror::Error)]
pub enum ViewsError {
    /// Another process, or another handle of this one, has the lock.
    #[error("the read models in this folder are in use by another process (views.lock is held)")]
    InUse,
    /// The folder or the lock file cannot be made.
    #[error("the folder of the read models cannot be used: {0}")]
    Folder(#[from] std::io::Error),
    /// The database failed.
    #[error("the database of the read models failed: {}", cause(.0))]
    Store(#[from] sqlx::Error),
    /// A stored document is not what the read model writes: rebuild it.
    #[error("a document of {0} cannot be read; it has to be rebuilt")]
    Document(&'static str),
    /// A document cannot be written.
    #[error("a document of {0} cannot be written")]
    Unwritable(&'static str),
    /// There is no read model of this name.
    #[error("there is no read model {0}")]
    Unknown(String),
    /// The handle was closed.
    #[error("the read models are closed")]
    Closed,
}

/// What failed. SQLite often says no more than that it could not read or write a file.
fn cause(error: &sqlx::Error) -> String {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    let short = code.filter(|code| code.len() < 5).and_then(|code| code.parse::<i32>().ok());
    let hint = if short.is_some_and(|code| code & 0xff == 10) {
        ": the disk is full, or fails"
    } else {
        ""
    };
    format!("{error}{hint}")
}

/// Why a projection did not advance.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The store failed; trying again may help.
    #[error(transparent)]
    Store(#[from] ViewsError),
    /// The log could not be read.
    #[error(transparent)]
    Feed(#[from] FeedError),
    /// An event that the projection cannot take in: it stands still before it.
    #[error("the event at position {position} cannot be taken in: {problem}")]
    Poison {
        /// Where.
        position: u64,
        /// Why, without anything of the payload.
        problem: String,
    },
    /// The generation was switched, or another worker took it over; nothing was written.
    #[error("another worker or generation took over")]
    Fenced,
    /// A worker of another process holds the lease: there is one worker for each read model.
    #[error("another process keeps it, or built it until a few seconds ago")]
    Held,
    /// A rebuild of this process is at it.
    #[error("a rebuild of it is under way already; wait until that one is done")]
    Rebuilding,
    /// The served tables have another shape than this program's: only a rebuild helps.
    #[error("the tables have an older shape")]
    Stale,
}

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl Fault {
    /// Whether trying the same again can succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Feed(error) => matches!(error, FeedError::Away(_)),
            Self::Held | Self::Rebuilding => true,
            Self::Store(error) => matches!(error, ViewsError::Store(_) | ViewsError::Folder(_)),
            Self::Poison { .. } | Self::Fenced | Self::Stale => false,
        }
    }
}
