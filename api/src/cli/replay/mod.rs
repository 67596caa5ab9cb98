//! `yibu replay`: a match at any of its events, on the command line. Opening the hidden pieces of a match that
//! still runs is allowed only with `--unseal`, which is written into the log.

mod board;
mod file;

use super::admin::site;
use super::folder::{Folder, Named};
use super::numbers::whole;
use super::{Outcome, console};
use crate::app::replay_file::events_of;
use board::Shown;
pub(super) use board::{Shape, coloured, instant};
use clap::{Args, ValueEnum};
use std::process::ExitCode;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Dated, Event, MatchId, Reason};
use yibu_domain::matches::events::Action;
use yibu_domain::matches::view::{Audience, Phase};
use yibu_domain::matches::{MatchEvent, MatchState};
use yibu_domain::site::SiteCommand;
use yibu_infrastructure::log::port::{EventLog, Stored};

/// Show a match as it was at any of its events
///
/// The board is drawn with north above: s e n w name whose piece it is, ## is a piece that lies face down.
/// Without --as the public view is shown. A seat's own view, or all pieces open, of a match that still runs
/// needs --unseal: that is noted in the log for auditors, through the running server where there is one.
#[derive(Args)]
pub struct Replay {
    /// The match's id, as the API or as the log writes it
    #[arg(value_name = "MATCH", value_parser = super::match_id)]
    match_id: MatchId,
    /// After the match's event of this number; the last one without it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..))]
    at: Option<u64>,
    /// Through whose eyes
    #[arg(long = "as", value_enum, default_value_t = Eyes::Public)]
    eyes: Eyes,
    /// List the events instead of drawing the board
    #[arg(long, conflicts_with_all = ["at", "eyes", "unseal"])]
    list: bool,
    /// Write the complete replay file of a match that has ended, as its players get it, to the standard output
    #[arg(long, conflicts_with_all = ["at", "eyes", "list", "unseal"])]
    file: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Open a match that still runs; an optional reason is a code of a-z, 0-9 and underscores
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, default_missing_value = "inspection")]
    unseal: Option<Reason>,
    #[command(flatten)]
    folder: Named,
}

/// Through whose eyes a match is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Eyes {
    /// South's
    S,
    /// East's
    E,
    /// North's
    N,
    /// West's
    W,
    /// What everybody at the table sees
    Public,
    /// All pieces open
    Open,
}

impl Eyes {
    /// The seat, where it is one.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Self::S => Some(Seat::S),
            Self::E => Some(Seat::E),
            Self::N => Some(Seat::N),
            Self::W => Some(Seat::W),
            Self::Public | Self::Open => None,
        }
    }

    fn audience(self) -> Audience {
        self.seat().map_or(Audience::Departed, Audience::Seat)
    }
}

/// A match's whole history.
pub struct History {
    events: Vec<(Stored, Dated<MatchEvent>)>,
}

/// Why a match cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ReplayFault {
    /// No such stream.
    #[error("there is no match {0}")]
    NoMatch(MatchId),
    /// It has fewer events.
    #[error("the match has {0} events, from 1")]
    NoEvent(u64),
    /// It runs, and hidden pieces were asked for.
    #[error(
        "the match still runs: its hidden pieces are opened with --unseal only, which is noted in the log"
    )]
    Sealed,
    /// The log cannot be read.
    #[error("{0}")]
    Log(String),
}

impl Replay {
    pub(super) async fn run(self) -> Outcome {
        let folder = self.folder.find()?;
        if self.file {
            return file::run(&folder, self.match_id).await;
        }
        let opened = folder.read_log().await?;
        let history = History::read(opened.log.as_ref(), self.match_id).await;
        opened.log.close().await;
        let history = history?;
        if self.list {
            return self.list(&history);
        }
        let at = self.at.unwrap_or(history.len());
        // What is noted is noted for ever: it must be known before that there is something to show.
        if self.json {
            let shown = history.shown(at, self.eyes)?;
            self.unseal(&folder, &history).await?;
            console::json(&shown)?;
        } else {
            let text = history.text(at, self.eyes, console::colour())?;
            self.unseal(&folder, &history).await?;
            console::as_is(text.trim_end());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Notes that hidden pieces of a match that runs are shown, or refuses to show them.
    async fn unseal(
        &self,
        folder: &Folder,
        history: &History,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if history.runs() && self.eyes != Eyes::Public {
            let reason = self.unseal.clone().ok_or(ReplayFault::Sealed)?;
            let match_id = self.match_id;
            site(folder, SiteCommand::Unseal { match_id, reason }).await?;
            console::note("noted in the log: this match was unsealed");
        }
        Ok(())
    }

    fn list(&self, history: &History) -> Outcome {
        if self.json {
            console::json(&history.list())?;
        } else {
            for line in history.list() {
                console::line(format!("{:5}  {}  {}", line.version, line.at, line.what));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// One event in the list of a match: what everybody may know of it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Listed {
    /// Its number in the match.
    pub version: u64,
    /// When it counts, as UTC.
    pub at: String,
    /// The stored name.
    pub name: String,
    /// The public event, where it is one: what everybody may know.
    pub action: Option<Action>,
    /// In a few words, for a person.
    #[serde(skip)]
    pub what: String,
}

impl History {
    /// Reads a match.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub async fn read(log: &dyn EventLog, id: MatchId) -> Result<Self, ReplayFault> {
        let events = events_of(log, id).await;
        let events = events.map_err(|error| ReplayFault::Log(error.to_string()))?;
        if events.is_empty() {
            return Err(ReplayFault::NoMatch(id));
        }
        Ok(Self { events })
    }

    /// How many events it has.
    pub fn len(&self) -> u64 {
        self.events.len() as u64
    }

    /// Never: a match without events does not exist.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether the match has not ended.
    pub fn runs(&self) -> bool {
        let state = self.state(self.len());
        state.live().is_none_or(|live| live.phase() != Phase::Ended)
    }

    /// The match after its event of number `at`, through somebody's eyes, as text.
    ///
    /// # Errors
    /// There is no such event.
    pub fn text(&self, at: u64, eyes: Eyes, colour: bool) -> Result<String, ReplayFault> {
        Ok(self.shown(at, eyes)?.text(colour))
    }

    /// The same as a value for scripts.
    ///
    /// # Errors
    /// There is no such event.
    pub fn shown(&self, at: u64, eyes: Eyes) -> Result<Shown, ReplayFault> {
        let index = usize::try_from(at).ok().and_then(|at| at.checked_sub(1));
        let event = index.and_then(|index| self.events.get(index));
        let (stored, _) = event.ok_or(ReplayFault::NoEvent(self.len()))?;
        Shown::of(&self.state(at), stored, eyes).ok_or(ReplayFault::NoEvent(self.len()))
    }

    /// All events.
    pub fn list(&self) -> Vec<Listed> {
        let listed = self.events.iter().map(|(stored, dated)| Listed {
            version: stored.version,
            at: instant(dated.at),
            name: dated.event.name().to_owned(),
            action: dated.event.action(),
            what: board::words(&dated.event),
        });
        listed.collect()
    }

    fn state(&self, at: u64) -> MatchState {
        let mut state = MatchState::default();
        for (_, event) in self.events.iter().take(usize::try_from(at).unwrap_or(usize::MAX)) {
            state.evolve(event);
        }
        state
    }
}
