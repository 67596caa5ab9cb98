//! `yibu simulate`: random players drive whole matches through the public API over HTTP, as any client would.
//! Also a library for tests, which drive a server through crashes with it. Must not know the server's inside.

mod api;
mod chance;
mod client;
mod eyes;
mod player;
mod table;
mod tally;

pub use client::ClientFault;
pub use player::Ack;
pub use tally::Summary;

use super::numbers::whole;
use super::{Outcome, console};
use chance::Chance;
use clap::Args;
use client::Client;
use player::Player;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use table::Tables;
use tally::Tally;
use tokio::sync::Mutex;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinSet;
use yibu_infrastructure::system::Entropy;

/// So long a server or its database may be away: as long as a restart takes.
const PATIENCE: Duration = Duration::from_secs(90);

/// Let random players play whole matches through the API
///
/// Registers four players for each match that runs at the same time (the codes come from the mailbox of a server
/// in development mode), and lets them match, arrange, get ready and play random legal moves, with a skip, a draw
/// offer or a surrender now and then, until every match is settled. Every answer is searched for pieces that
/// the player must not know. A server that does not answer for a while is asked again, for a minute and a half; what
/// was done is told also where that ends it. Exit code 1 when a match did not end or something hidden was shown.
#[derive(Args)]
pub struct Simulate {
    /// How many matches
    #[arg(value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u32>(1..))]
    matches: u32,
    /// The server; several nodes of one are given one by one, and players go over from one that is gone
    #[arg(
        long,
        env = "YIBU_URL",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:8080",
        value_name = "URL"
    )]
    url: Vec<String>,
    /// Decides what the players do; one of chance without it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
    /// How many matches at the same time
    #[arg(long, default_value_t = 2, value_name = "K", allow_negative_numbers = true, value_parser = whole::<u32>(1..))]
    parallel: u32,
    /// One player, one match after the other: house players take the other seats
    #[arg(long)]
    alone: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// What a simulation does.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server, or the nodes of one. Player n begins at the node n mod their number and goes over to the next
    /// where its own does not serve.
    pub urls: Vec<String>,
    /// How many matches.
    pub matches: u32,
    /// How many at the same time.
    pub parallel: u32,
    /// How many of the four seats are taken; others, house players say, must take the rest.
    pub seats: u32,
    /// Decides what the players do.
    pub seed: u64,
    /// How long a server that does not answer is waited for, each time. Commands in doubt are sent again under
    /// their key.
    pub patience: Duration,
    /// One in so many turns gives the seat up, so that matches end sooner; 0 = never.
    pub surrender_one_in: u32,
    /// Where acknowledged commands are told.
    pub acks: Option<UnboundedSender<Ack>>,
}

impl Options {
    /// A simulation against one server that stays up.
    pub fn new(url: impl Into<String>, matches: u32) -> Self {
        Self {
            urls: vec![url.into()],
            matches,
            parallel: 2,
            seats: 4,
            seed: 1,
            patience: Duration::from_secs(10),
            surrender_one_in: 400,
            acks: None,
        }
    }
}

/// Why a simulation did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum SimulationFault {
    /// No random numbers for names.
    #[error("no random numbers: {0}")]
    Chance(String),
    /// The server could not be reached, or answered with a fault.
    #[error(transparent)]
    Client(#[from] ClientFault),
    /// A command was refused that must not be.
    #[error("{command} was refused: {code}")]
    Refused {
        /// Which command.
        command: &'static str,
        /// The code.
        code: String,
    },
    /// Nothing happened at a table for a long time.
    #[error("nothing happens any more in match {0}")]
    Stalled(String),
    /// A part of this program failed.
    #[error("a player's task failed: {0}")]
    Task(String),
}

/// What all players share.
struct Shared {
    options: Options,
    tables: Tables,
    tally: Tally,
    /// Seats that are still to be taken.
    tickets: AtomicI64,
    /// One asks for a table at a time: two who ask different nodes together might open one each, and nobody
    /// else would ever come to those.
    asking: Mutex<()>,
}

impl Simulate {
    pub(super) async fn run(self) -> Outcome {
        let seed = match self.seed {
            Some(seed) => seed,
            None => u64::from_le_bytes(Entropy::system()?.salt()[..8].try_into()?),
        };
        let options = Options {
            // Two would meet at one table.
            parallel: if self.alone { 1 } else { self.parallel },
            seats: if self.alone { 1 } else { 4 },
            seed,
            urls: self.url.iter().map(|url| url.trim_end_matches('/').to_owned()).collect(),
            patience: PATIENCE,
            ..Options::new("", self.matches)
        };
        let bar = console::bar(u64::from(self.matches), "matches");
        let (summary, ended) = play(options, |ended| bar.set_position(ended)).await?;
        bar.finish_and_clear();
        if self.json {
            console::json(&summary)?;
        } else {
            summary.lines().iter().for_each(console::line);
        }
        ended?;
        let good = summary.leaks.is_empty() && summary.matches >= u64::from(self.matches);
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Plays the matches; `progress` hears how many have ended.
///
/// # Errors
/// See [`SimulationFault`]; the first of any player ends it all.
pub async fn run(options: Options, progress: impl Fn(u64)) -> Result<Summary, SimulationFault> {
    let (summary, ended) = play(options, progress).await?;
    ended.map(|()| summary)
}

/// Plays the matches, as [`run`] does; where something ends it early, what was done until then is told all the same.
///
/// # Errors
/// It cannot begin.
pub async fn play(
    options: Options,
    progress: impl Fn(u64),
) -> Result<(Summary, Result<(), SimulationFault>), SimulationFault> {
    let entropy = Entropy::system().map_err(|error| SimulationFault::Chance(error.to_string()))?;
    let tag: String = entropy.uuid().simple().to_string().chars().take(8).collect();
    let seats = i64::from(options.matches) * i64::from(options.seats);
    let at_once = i64::from(options.parallel.max(1)) * i64::from(options.seats);
    let players = u32::try_from(seats.min(at_once)).unwrap_or(options.seats);
    let shared = Arc::new(Shared {
        tables: Tables::default(),
        tally: Tally::default(),
        tickets: AtomicI64::new(seats),
        asking: Mutex::new(()),
        options,
    });
    // A server that is not there at all is said at once; patience is for one that stops and starts.
    for at in 0..shared.options.urls.len() {
        Client::new(&shared.options, at)?.reach().await?;
    }
    let mut tasks = JoinSet::new();
    for number in 0..players {
        let client = Client::new(&shared.options, number as usize)?;
        let chance = Chance::new(shared.options.seed, number);
        let player = Player::new(Arc::clone(&shared), client, chance, format!("{tag}{number}"));
        tasks.spawn(player.live());
    }
    let mut count = shared.tally.count();
    let ended = loop {
        tokio::select! {
            ended = tasks.join_next() => match ended {
                Some(Ok(Ok(()))) => {}
                Some(Ok(Err(fault))) => break Err(fault),
                Some(Err(error)) => break Err(SimulationFault::Task(error.to_string())),
                None => break Ok(()),
            },
            // The tally lives as long as this loop.
            _ = count.changed() => progress(*count.borrow_and_update()),
        }
    };
    let stopped = ended.as_ref().err().map(ToString::to_string);
    Ok((shared.tally.summary(shared.options.seed, stopped), ended))
}

impl Shared {
    /// One more seat to take, if any is left.
    fn ticket(&self) -> bool {
        self.tickets.fetch_sub(1, Ordering::AcqRel) > 0
    }
}
