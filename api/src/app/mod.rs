//! The composition root: opens the stores, connects the two wings by their small traits, and holds what the
//! doors need. Must not decide anything, and must be the only place that knows both wings.

mod ailments;
mod belonging;
mod company;
mod composing;
mod config;
mod crier;
mod departures;
mod feed;
mod figures;
mod links;
mod opt_out;
mod overseeing;
mod reading;
pub mod replay_file;
mod seal;
mod space;
mod start;
mod sweeping;

pub use ailments::HealthLimits;
pub use belonging::{Belonging, Unread, belonging};
pub use composing::{Composing, Desks, Replays};
pub use config::{BUILD, LogStore, Mail, Operations, ServeConfig};
pub use feed::LogFeed;
pub use links::Links;
pub use opt_out::OptOut;
pub use overseeing::ModelStatus;
pub use reading::{DEADLINES, LEADERBOARD, LOBBY, MATCH_ACTIONS, MATCH_VIEWS};
pub use replay_file::{REPLAYS, RecordFault, ReplayFile};
pub use seal::Seal;
pub use start::{StartFault, Workers};

use crate::graphql::errors::{fault, newer, unavailable};
use crate::http::health::{Readiness, Stage};
use crate::http::unsubscribe::Stop;
use crate::pulse::Pulse;
use async_graphql::Error;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;
use yibu_domain::kernel::{Actor, PlayerId};
use yibu_domain::players::{Player, PlayerCommand};
use yibu_domain::site::{Announcement, Site};
use yibu_infrastructure::accounts::Accounts;
use yibu_infrastructure::executor::{Executor, MatchExecutor, Matchmaker, Rejected, Request};
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::mail::DevMailbox;
use yibu_infrastructure::system::{Clock, Entropy};
use yibu_infrastructure::workers::{NormalWait, OutageGate};
use yibu_projections::Views;
use yibu_projections::models::{
    AuditTrail, Deadlines, Leaderboard, Lobby, MatchActions, MatchViews,
};

/// Everything behind the doors.
pub struct App {
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    log: Arc<dyn EventLog>,
    archive: Option<PathBuf>,
    /// Holds the data folder against a second server, where its log does not.
    _held: Option<File>,
    accounts: Accounts,
    mailbox: Option<DevMailbox>,
    links: Links,
    opt_out: OptOut,
    matches: MatchExecutor,
    matchmaker: Matchmaker,
    players: Executor<Player>,
    site: Executor<Site>,
    gate: Arc<OutageGate>,
    normal_wait: Arc<dyn NormalWait>,
    views: Views,
    match_views: MatchViews,
    match_actions: MatchActions,
    lobby: Lobby,
    leaderboard: Leaderboard,
    deadlines: Deadlines,
    audit_trail: AuditTrail,
    lobby_changes: watch::Receiver<u64>,
    announced: watch::Receiver<Option<Announcement>>,
    pulse: Pulse,
    seal: Seal,
    readiness: Readiness,
    limits: HealthLimits,
    space: space::Space,
    tls: bool,
}

impl App {
    /// The source of time.
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// The source of chance.
    pub fn entropy(&self) -> &Entropy {
        &self.entropy
    }

    /// The event log.
    pub fn log(&self) -> &dyn EventLog {
        self.log.as_ref()
    }

    /// The folder of archived matches, where there is one.
    pub fn archive(&self) -> Option<&Path> {
        self.archive.as_deref()
    }

    /// A handle to the event log, for tools and tests.
    pub fn log_handle(&self) -> Arc<dyn EventLog> {
        Arc::clone(&self.log)
    }

    /// The accounts.
    pub fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// The development mailbox, where there is one.
    pub fn mailbox(&self) -> Option<&DevMailbox> {
        self.mailbox.as_ref()
    }

    /// Where mails lead.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// The tokens in turn mails.
    pub fn opt_out(&self) -> &OptOut {
        &self.opt_out
    }

    /// What stops turn mails.
    pub fn unsubscribing(&self) -> Arc<dyn Stop> {
        self.opt_out.stopping(self.accounts.clone(), Arc::new(self.accounts.clone()))
    }

    /// The executor of matches.
    pub fn matches(&self) -> &MatchExecutor {
        &self.matches
    }

    /// The executor of players.
    pub fn players(&self) -> &Executor<Player> {
        &self.players
    }

    /// The executor of the site.
    pub fn site(&self) -> &Executor<Site> {
        &self.site
    }

    /// The watch over outages.
    pub fn outages(&self) -> &OutageGate {
        &self.gate
    }

    /// The administrator's wait before normal turn mails.
    pub fn normal_wait(&self) -> &dyn NormalWait {
        self.normal_wait.as_ref()
    }

    /// Finds tables and vacancies.
    pub fn matchmaker(&self) -> &Matchmaker {
        &self.matchmaker
    }

    /// The read models' store.
    pub fn views(&self) -> &Views {
        &self.views
    }

    /// Queries on the lobby.
    pub fn lobby(&self) -> &Lobby {
        &self.lobby
    }

    /// Wakes when the lobby has changed.
    pub fn lobby_changes(&self) -> watch::Receiver<u64> {
        self.lobby_changes.clone()
    }

    /// What is announced to everybody. Wakes when that changes, here or at another node.
    pub fn announced(&self) -> watch::Receiver<Option<Announcement>> {
        self.announced.clone()
    }

    /// Wakes those who watch a match.
    pub fn pulse(&self) -> &Pulse {
        &self.pulse
    }

    /// Seals positions of the log.
    pub fn seal(&self) -> &Seal {
        &self.seal
    }

    /// Whether work is welcome.
    pub fn is_ready(&self) -> bool {
        self.readiness.is_ready()
    }

    /// The sign of readiness.
    pub fn readiness(&self) -> &Readiness {
        &self.readiness
    }

    /// Whether something new may begin here: a match, a takeover.
    ///
    /// # Errors
    /// The server drains.
    pub fn welcome(&self) -> Result<(), Error> {
        if self.readiness.stage() == Stage::Draining { Err(unavailable()) } else { Ok(()) }
    }

    /// Whether the server is reached by TLS.
    pub fn is_tls(&self) -> bool {
        self.tls
    }

    /// Writes a new player's first event and notes that it is there. May be repeated.
    ///
    /// # Errors
    /// Faults; the account then stays noted as unfinished, and the next start finishes it.
    pub async fn record_player(&self, player: PlayerId, house: bool) -> Result<(), Error> {
        let actor = if house { Actor::House(player) } else { Actor::Player(player) };
        let correlation = self.entropy.uuid();
        let request = Request::new(player.0, PlayerCommand::Register, actor, correlation);
        match self.players.execute(request).await {
            Ok(_) => {}
            Err(Rejected::Unavailable) => return Err(unavailable()),
            Err(Rejected::Newer(problem)) => return Err(newer(problem)),
            Err(rejection) => return Err(fault(rejection)),
        }
        let confirmed = self.accounts.confirm_recorded(player).await;
        confirmed.map_err(crate::graphql::errors::account_fault)
    }
}
