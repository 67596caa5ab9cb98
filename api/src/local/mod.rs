//! The local socket: how commands of the same machine ask the serving process for what only it may do, for
//! the data belongs to it. JSON lines: one question, then progress, then one answer. Must be reachable by
//! the server's own user alone.

mod client;
mod rebuilds;
mod server;
mod work;

pub use client::{AskFault, ask, is_served};
pub use server::{Listening, listen};
pub use work::{administrators, administrators_of, archive, rebuild, site, standing};

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use yibu_domain::kernel::{MatchId, PlayerId, Reason, Time};
use yibu_domain::site::{Outage, SiteCommand};
use yibu_infrastructure::workers::archiving::Moved;

/// A shared database has its archive wherever all nodes see it.
pub(crate) const NO_ARCHIVE: &str = "no folder for archived matches is named: set YIBU_ARCHIVE (log.archive) to one that all nodes see";

/// The socket's name in the data folder.
pub const SOCKET: &str = "yibu.sock";

/// Where the socket of a data folder is.
pub fn socket(data: &Path) -> PathBuf {
    data.join(SOCKET)
}

/// A question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Ask {
    /// How the server is.
    Status,
    /// Build read models anew; all of them when none is named.
    Rebuild {
        /// Their names.
        names: Vec<String>,
    },
    /// Give the site a command, as the server itself.
    Site {
        /// Which.
        command: SiteCommand,
    },
    /// Begin nothing new.
    Drain,
    /// Make an outage good that the operator knows of.
    Outage {
        /// When it began.
        from: Time,
        /// When it ended; now where it is not given.
        to: Option<Time>,
        /// Why.
        reason: Reason,
    },
    /// Move closed matches to the archive.
    Archive {
        /// Those whose last event is at least so many days old.
        days: u16,
    },
    /// Change or list the administrators.
    Administrators {
        /// How.
        change: Change,
    },
    /// Suspend a player or let one in again, as the server itself.
    Standing {
        /// The account's address.
        email: String,
        /// Whether the player is to be suspended.
        suspended: bool,
        /// Why.
        reason: Reason,
    },
    /// Make the replay file of a match that ended.
    ReplayFile {
        /// Which.
        match_id: MatchId,
    },
}

/// What becomes of the administrators.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum Change {
    /// One more.
    Grant {
        /// The account's address.
        email: String,
    },
    /// One less.
    Revoke {
        /// The account's address.
        email: String,
    },
    /// None.
    List,
}

/// A line of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// Work is under way.
    Progress(Progress),
    /// The last line: it is done.
    Done(Answer),
    /// The last line: it is not.
    Failed {
        /// Why, for a person.
        problem: String,
    },
}

/// How far long work is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Which read model, or what else is done.
    pub name: String,
    /// Everything up to this position was worked on.
    pub position: u64,
    /// Where the log ended when it began.
    pub head: u64,
    /// Whether it was under way already, for somebody else.
    #[serde(default)]
    pub joined: bool,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum Answer {
    /// To [`Ask::Status`].
    Status(Status),
    /// To [`Ask::Rebuild`].
    Rebuilt {
        /// Each read model, in the order in which they were done.
        models: Vec<Rebuilt>,
    },
    /// To [`Ask::Site`].
    Noted,
    /// To [`Ask::Drain`].
    Draining,
    /// To [`Ask::Outage`].
    Outage {
        /// When it began.
        from: Time,
        /// When it ended.
        to: Time,
        /// What of it the log had already, and has for another reason.
        known: Vec<Outage>,
        /// What of it was too short to move anything.
        short: Vec<(Time, Time)>,
        /// So many deadlines moved.
        moved: usize,
    },
    /// To [`Ask::Archive`].
    Archived {
        /// What was moved.
        moved: Moved,
    },
    /// To [`Ask::Administrators`]: those that there are now.
    Administrators {
        /// The first granted first.
        all: Vec<Administrator>,
    },
    /// To [`Ask::Standing`].
    Standing {
        /// Whose.
        player: PlayerId,
    },
    /// To [`Ask::ReplayFile`].
    ReplayFile {
        /// What is in it; absent where the match did not end or never started.
        text: Option<String>,
    },
}

/// An administrator.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Administrator {
    /// The player.
    pub player: PlayerId,
    /// The account's address; absent where the account was erased.
    pub email: Option<String>,
    /// Since when, in milliseconds since 1970.
    pub granted: Time,
}

/// How a server is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Status {
    /// The program's version.
    pub build: String,
    /// The server's process.
    pub process: u32,
    /// The address that it listens on.
    pub address: String,
    /// Whether it takes work.
    pub ready: bool,
    /// The log's last position.
    pub head: u64,
    /// Matches that somebody watches now.
    pub watched: usize,
}

/// A read model that was built anew.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rebuilt {
    /// Which.
    pub name: String,
    /// Everything up to this position is in it.
    pub position: u64,
    /// Whether it equals the one before row for row; absent where that cannot be said.
    pub same: Option<bool>,
}
