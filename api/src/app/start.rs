//! Starting and stopping: in which order stores open, read models follow, an outage is made good, and clocks
//! run again. Must not serve a request or run a timer before the outage before it is made good.

use super::opt_out::{self, OptOut};
use super::reading::{Clocks, LobbyTables};
use super::seal::{self, Seal};
use super::space::Space;
use super::{
    App, BUILD, Belonging, Composing, DEADLINES, LOBBY, Links, LogFeed, LogStore, Mail,
    ServeConfig, belonging, company, crier, departures, sweeping,
};
use crate::http::health::Readiness;
use crate::pulse::Pulse;
use std::fs::File;
use std::sync::Arc;
use thiserror::Error;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use yibu_domain::kernel::Actor;
use yibu_domain::site::{SITE, SiteCommand};
use yibu_infrastructure::accounts::{Accounts, AccountsDb};
use yibu_infrastructure::executor::{Executor, Gate, MatchExecutor, Matchmaker, Request};
use yibu_infrastructure::log::{OpenError, archive, stores};
use yibu_infrastructure::mail::{DevMailbox, Mailbox, NoMail, Smtp};
use yibu_infrastructure::system::{tighten, tighten_whole};
use yibu_infrastructure::workers::{NormalWait, OutageGate, Planner, Sender, Timer};
use yibu_projections::models::{
    self, AuditTrail, Deadlines, Leaderboard, Lobby, MatchActions, MatchViews,
};
use yibu_projections::{Engine, Views};

/// Folded states of players and of the site kept in memory.
const SMALL_CACHE: usize = 256;

/// Why a server cannot start.
#[derive(Debug, Error)]
pub enum StartFault {
    /// Development pages show every mail: they must not be reachable from outside.
    #[error("development mode listens on loopback only, not on {0}")]
    NotLoopback(std::net::SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(std::net::SocketAddr, std::io::Error),
    /// The log cannot be opened.
    #[error(transparent)]
    Log(#[from] OpenError),
    /// The accounts cannot be opened.
    #[error(transparent)]
    Accounts(#[from] yibu_infrastructure::accounts::OpenFault),
    /// The mail server's settings cannot be used.
    #[error("mail: {0}")]
    Mail(#[from] yibu_infrastructure::mail::SmtpFault),
    /// The read models cannot be opened.
    #[error(transparent)]
    Views(#[from] yibu_projections::ViewsError),
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn other(error: impl ToString) -> StartFault {
    StartFault::Other(error.to_string())
}

/// What runs beside the requests.
pub struct Workers {
    engine: Engine,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl App {
    /// Opens everything and starts the workers. When this returns, an outage before the start is made good,
    /// unfinished registrations are finished, and the server is ready.
    ///
    /// # Errors
    /// See [`StartFault`]; whatever was opened is let go.
    pub async fn start(config: &ServeConfig) -> Result<(Arc<Self>, Workers), StartFault> {
        config.judge()?;
        yibu_infrastructure::system::make_private(&config.data)
            .map_err(|error| other(format!("{}: {error}", config.data.display())))?;
        close_to_others(config);
        let held = hold(config)?;
        let store = config.log.store(&config.data);
        let archive = store.archive();
        let (clock, entropy) = (Arc::clone(&config.clock), config.entropy.clone());
        let log = stores::open(store, Arc::clone(&clock), entropy.clone()).await?;
        if let Some(folder) = &archive
            && let Err(incomplete) = archive::check(log.as_ref(), folder).await
        {
            log.close().await;
            return Err(other(incomplete));
        }
        // A log in memory begins anew each time.
        if config.log != LogStore::Memory {
            let place = config.log.accounts(&config.data);
            if let Belonging::Apart(problem) =
                belonging(log.as_ref(), &place).await.map_err(other)?
            {
                return Err(other(problem));
            }
        }
        let (accounts, mailbox, door) = open_accounts(config).await?;
        let seal = Seal::new(accounts.key(seal::KEY).await.map_err(other)?, entropy.clone());
        let opt_out = OptOut::new(accounts.key(opt_out::KEY).await.map_err(other)?);
        let views = Views::open(config.log.views(&config.data), models::all()).await?;

        let feed = Arc::new(LogFeed::new(Arc::clone(&log)));
        let engine = Engine::start(&views, feed).await.map_err(other)?;
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let pulse = Pulse::default();
        tasks.spawn(pulse.clone().carry(views.pulses(), stop.clone()));
        let lobby_changes = follow(&views, LOBBY, &stop, &tasks)?;
        let (said, announced) = watch::channel(None);
        let clock_changes = follow(&views, DEADLINES, &stop, &tasks)?;

        let node = config.node.as_str();
        let executor =
            |cache| (Arc::clone(&log), Arc::clone(&clock), entropy.clone(), node, BUILD, cache);
        let (a, b, c, d, e, f) = executor(SMALL_CACHE);
        let players = Executor::new(a, b, c, d, e, f);
        let (a, b, c, d, e, f) = executor(SMALL_CACHE);
        let site = Executor::new(a, b, c, d, e, f);
        let open_matches = MatchExecutor::new(
            Arc::clone(&log),
            Arc::clone(&clock),
            entropy.clone(),
            node,
            BUILD,
            config.executor,
        );
        let clocks = Arc::new(Clocks {
            log: Arc::clone(&log),
            views: views.clone(),
            changes: clock_changes,
        });
        let gate = OutageGate::new(open_matches.clone(), site.clone(), clocks.clone(), node);
        let gate = Arc::new(gate.allowing(config.operations.health.most_skew));
        let matches = open_matches.gated(gate.clone());
        let tables = Arc::new(LobbyTables { log: Arc::clone(&log), views: views.clone() });

        let normal_wait: Arc<dyn NormalWait> = Arc::new(site.clone());
        let company = Arc::new(company::Acquaintances { accounts: accounts.clone() });

        let app = Arc::new(Self {
            matchmaker: Matchmaker::new(matches.clone(), site.clone(), tables, company),
            match_views: MatchViews::new(&views),
            match_actions: MatchActions::new(&views),
            lobby: Lobby::new(&views),
            leaderboard: Leaderboard::new(&views),
            deadlines: Deadlines::new(&views),
            audit_trail: AuditTrail::new(&views),
            seal,
            readiness: Readiness::default(),
            limits: config.operations.health,
            space: Space::default(),
            tls: config.tls,
            clock,
            entropy,
            log,
            archive,
            _held: held,
            accounts,
            mailbox,
            links: Links::new(&config.public_url()),
            opt_out,
            matches: matches.clone(),
            players,
            site,
            gate: Arc::clone(&gate),
            normal_wait: Arc::clone(&normal_wait),
            views,
            lobby_changes,
            announced,
            pulse,
        });
        // In this order: what an outage moved is moved before any clock may run out.
        match gate.open().await {
            // It said so. Pages are served, and commands as soon as the clock is right.
            Err(_) if gate.is_off() => {}
            opened => opened.map_err(other)?,
        }
        app.found_site().await?;
        app.finish_registrations().await?;
        app.resume_departures().await;
        tasks.spawn({
            let (gate, stop) = (Arc::clone(&gate), stop.clone());
            async move { gate.run(stop).await }
        });
        tasks.spawn({
            let (timer, stop) = (Timer::new(matches, clocks), stop.clone());
            async move { timer.run(stop).await }
        });
        tasks.spawn({
            let (accounts, log) = (app.accounts.clone(), Arc::clone(&app.log));
            let planner = Planner::new(accounts, log, Arc::clone(&app.clock), normal_wait);
            let stop = stop.clone();
            async move { planner.run(stop).await }
        });
        tasks.spawn(crier::run(Arc::clone(&app.log), app.site.clone(), said, stop.clone()));
        tasks.spawn(sweeping::run(
            app.accounts.clone(),
            app.matches.clone(),
            Arc::clone(&app.clock),
            stop.clone(),
        ));
        if door.is_set_up() {
            let sender = app.sender(door);
            let stop = stop.clone();
            tasks.spawn(async move { sender.run(stop).await });
        }
        tasks.spawn(departures::run(Arc::clone(&app), stop.clone()));
        if app.limits.least_free > 0 {
            app.space.look(&config.data).await;
            tasks.spawn(app.space.clone().watch(
                config.data.clone(),
                app.log.writes(),
                stop.clone(),
            ));
        }
        app.readiness.open();
        Ok((app, Workers { engine, stop, tasks }))
    }

    /// The sender of what is in the outbox.
    fn sender(self: &Arc<Self>, door: Arc<dyn Mailbox>) -> Sender {
        let composing = Composing {
            accounts: self.accounts.clone(),
            clock: Arc::clone(&self.clock),
            log: Arc::clone(&self.log),
            views: self.views.clone(),
            links: self.links.clone(),
            opt_out: self.opt_out.clone(),
            desks: Arc::new(self.accounts.clone()),
            replays: Arc::new(Arc::downgrade(self)),
        };
        let outbox = self.accounts.outbox();
        Sender::new(outbox, Arc::new(composing), door, Arc::clone(&self.clock))
    }

    async fn found_site(&self) -> Result<(), StartFault> {
        let correlation = self.entropy.uuid();
        let request = Request::new(SITE, SiteCommand::Found, Actor::System, correlation);
        self.site.execute(request).await.map(|_| ()).map_err(other)
    }

    /// A crash may have come between an account and its first event.
    async fn finish_registrations(&self) -> Result<(), StartFault> {
        for pending in self.accounts.pending_registrations().await.map_err(other)? {
            let recorded = self.record_player(pending.player, pending.house).await;
            recorded.map_err(|error| other(error.message))?;
        }
        Ok(())
    }

    /// Takes no more commands, finishes those under way, stops the workers and closes the stores.
    pub async fn stop(&self, workers: Workers) {
        self.readiness.stop();
        self.matches.drain().await;
        workers.stop.cancel();
        workers.tasks.close();
        workers.tasks.wait().await;
        workers.engine.stop().await;
        self.log.close().await;
        self.views.close().await;
        self.accounts.db().close().await;
    }
}

/// What holds hidden pieces, addresses and password hashes is for this server's own user alone. Whoever made it wider,
/// or an older version, is told.
fn close_to_others(config: &ServeConfig) {
    let elsewhere = config.log.store(&config.data).archive().map(|folder| tighten_whole(&folder));
    for closed in [Some(tighten(&config.data)), elsewhere].into_iter().flatten() {
        let said = closed.to_string();
        if !said.is_empty() {
            tracing::warn!(folder = %config.data.display(), "{said}");
        }
        closed.warnings().for_each(|warning| tracing::warn!("{warning}"));
    }
}

/// Holds a data folder whose log is elsewhere against a second server: the socket for tools stands there.
fn hold(config: &ServeConfig) -> Result<Option<File>, StartFault> {
    if config.log == LogStore::Sqlite {
        return Ok(None);
    }
    let data = &config.data;
    let held = yibu_infrastructure::system::hold(data)
        .map_err(|error| other(format!("{}: {error}", data.display())))?;
    Ok(Some(held.ok_or_else(|| OpenError::InUse(data.clone()))?))
}

async fn open_accounts(
    config: &ServeConfig,
) -> Result<(Accounts, Option<DevMailbox>, Arc<dyn Mailbox>), StartFault> {
    let db = AccountsDb::open(config.log.accounts(&config.data)).await?;
    let (mailbox, door): (_, Arc<dyn Mailbox>) = match &config.mail {
        Mail::Development => {
            let folder = config.data.join("mail");
            let mailbox = DevMailbox::open(db.clone(), folder).await.map_err(other)?;
            (Some(mailbox.clone()), Arc::new(mailbox))
        }
        Mail::Smtp(settings) => (None, Arc::new(Smtp::new(settings)?)),
        Mail::None => (None, Arc::new(NoMail)),
    };
    let (clock, entropy) = (Arc::clone(&config.clock), config.entropy.clone());
    let accounts = Accounts::open(db, Arc::clone(&door), clock, entropy, config.accounts)
        .await
        .map_err(other)?;
    Ok((accounts, mailbox, door))
}

/// A wake-up for whoever watches one read model; the value is a position and only a hint.
fn follow(
    views: &Views,
    model: &'static str,
    stop: &CancellationToken,
    tasks: &TaskTracker,
) -> Result<watch::Receiver<u64>, StartFault> {
    let mut progress = views.progress(model).ok_or_else(|| other("a read model is missing"))?;
    let (send, receive) = watch::channel(progress.borrow().checkpoint);
    let stop = stop.clone();
    tasks.spawn(async move {
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                changed = progress.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
            }
            let checkpoint = progress.borrow_and_update().checkpoint;
            // Nobody may listen for a while.
            send.send_replace(checkpoint);
        }
    });
    Ok(receive)
}
