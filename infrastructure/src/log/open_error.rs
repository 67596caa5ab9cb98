//! Why a store could not be opened: one list for all of them, in words that say what to do. Never holds a
//! password or a whole URL.

use super::archive;
use std::path::PathBuf;
use yibu_domain::kernel::Span;

/// Why the log could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process serves from this folder.
    #[error("{} is in use by another process; one process at a time may write here", .0.display())]
    InUse(PathBuf),
    /// The file is a database of something else.
    #[error("{} is not an event log", .0.display())]
    Foreign(PathBuf),
    /// A newer program wrote here.
    #[error("the log is of format {found}; this program knows formats up to {known}")]
    TooNew {
        /// What the store says.
        found: u32,
        /// What is known here.
        known: u32,
    },
    /// An older program wrote there, and this one was to read only.
    #[error(
        "the log is of format {found}; this program reads format {known}. `yibu migrate`, or the next start of a \
         server, brings it up to date"
    )]
    TooOld {
        /// What the store says.
        found: u32,
        /// What is read here.
        known: u32,
    },
    /// There is no log, and whoever only reads makes none.
    #[error(
        "{0} holds no log: is it the one that was meant? (`yibu serve` or `yibu migrate` would make one there)"
    )]
    Empty(String),
    /// Something that was acknowledged is missing.
    #[error(
        "the log ends at position {found}, but position {acknowledged} was acknowledged ({problem}). \
         Restore a backup. To go on without what is lost, remove {}", mark.display()
    )]
    Lost {
        /// Where the log ends.
        found: u64,
        /// Where it ended before.
        acknowledged: u64,
        /// What does not fit.
        problem: &'static str,
        /// The file that remembers.
        mark: PathBuf,
    },
    /// Events are archived, and nobody said where.
    #[error("{}", archive::UNNAMED)]
    ArchiveUnnamed,
    /// The store contradicts itself.
    #[error("the log is damaged: {0}")]
    Damaged(&'static str),
    /// The address of the database is none.
    #[error("the database's URL is not of the form postgres://user:password@host:port/database")]
    NotAUrl,
    /// This node's clock and the database's do not agree: deadlines would be early or late.
    #[error(
        "the database's clock differs from this machine's by {} ms (at most {} are allowed): \
         set both by the same time servers", skew.0, most.0
    )]
    Skewed {
        /// How far the database's clock is ahead.
        skew: Span,
        /// The most that is allowed, either way.
        most: Span,
    },
    /// The database's own error.
    #[error("the log cannot be opened: {0}")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The event store cannot be reached, or does not fit.
    #[error("the event store cannot be opened: {0}")]
    Server(String),
    /// The operating system's error.
    #[error("log.db and the files beside it cannot be opened: {0}")]
    Io(#[from] std::io::Error),
}
