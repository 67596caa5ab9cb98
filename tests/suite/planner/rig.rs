//! Accounts, a log in memory, a clock and a planner over them, for one test. Asserts nothing about the product.

use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;
use yibu_domain::kernel::{Actor, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::{Match, MatchEvent};
use yibu_domain::reminders::{Mail, Wait};
use yibu_infrastructure::accounts::outbox::{End, Posting};
use yibu_infrastructure::accounts::reminders::{Notice, NoticeKind};
use yibu_infrastructure::accounts::{
    Accounts, AccountsDb, CodeCaps, Hashing, OpenFault, Origin, Place, Registration, Settings,
};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::{Commit, EventLog, Expected, NewEvent, Stamp};
use yibu_infrastructure::log::stores::{self, StoreConfig};
use yibu_infrastructure::mail::{DevMailbox, Locale};
use yibu_infrastructure::system::{Clock, Entropy, ManualClock};
use yibu_infrastructure::workers::planner::Step;
use yibu_infrastructure::workers::{NormalWait, Planner};
use yibu_tests::postgres::Cluster;

/// Where accounts are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    pub(super) fn place(self, folder: &Path) -> Place {
        match self {
            Self::Sqlite => Place::Folder(folder.to_owned()),
            Self::Postgres => Place::Postgres(Cluster::shared().database()),
        }
    }
}

/// An administrator's wait that a test may change.
#[derive(Default)]
pub(super) struct SetWait(AtomicU32);

impl SetWait {
    pub(super) fn set(&self, minutes: u32) {
        self.0.store(minutes, Ordering::SeqCst);
    }
}

#[async_trait]
impl NormalWait for SetWait {
    async fn wait(&self) -> Result<Wait, String> {
        Wait::minutes(self.0.load(Ordering::SeqCst)).map_err(|fault| fault.to_string())
    }
}

pub(super) struct Rig {
    pub(super) accounts: Accounts,
    pub(super) mailbox: DevMailbox,
    pub(super) clock: ManualClock,
    pub(super) log: Arc<dyn EventLog>,
    pub(super) wait: Arc<SetWait>,
    pub(super) planner: Planner,
    pub(super) place: Place,
    entropy: Entropy,
    folder: Arc<TempDir>,
    opened: u64,
}

impl Rig {
    pub(super) async fn new(store: Store, start: Time) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = store.place(folder.path());
        Self::at(place, start, Arc::new(folder), 0).await
    }

    /// Over a database that may hold something, with a log of its own that is empty. The number keeps its chance
    /// apart from that of others over that database.
    pub(super) async fn at(place: Place, start: Time, folder: Arc<TempDir>, number: u64) -> Self {
        let clock = ManualClock::at(start);
        let entropy = Entropy::seeded(number);
        let log = stores::open(StoreConfig::Memory, Arc::new(clock.clone()), entropy.clone());
        let log = log.await.unwrap();
        let wait = Arc::new(SetWait::default());
        wait.set(15);
        Self::open(place, clock, log, wait, folder, number).await
    }

    async fn open(
        place: Place,
        clock: ManualClock,
        log: Arc<dyn EventLog>,
        wait: Arc<SetWait>,
        folder: Arc<TempDir>,
        opened: u64,
    ) -> Self {
        let db = loop {
            match AccountsDb::open(place.clone()).await {
                // A process that another test starts has the lock for an instant.
                Err(OpenFault::InUse) => tokio::task::yield_now().await,
                opened => break opened.unwrap(),
            }
        };
        let mails = tempfile::tempdir_in(folder.path()).unwrap().keep();
        let mailbox = DevMailbox::open(db.clone(), mails).await.unwrap();
        let (door, of_now) = (Arc::new(mailbox.clone()), Arc::new(clock.clone()));
        let many = u32::MAX;
        let settings = Settings {
            hashing: Hashing::CHEAP,
            hashing_at_once: 2,
            code_caps: CodeCaps { network_hour: many, network_day: many, all_hour: many },
        };
        let entropy = Entropy::seeded(clock.now().0.unsigned_abs() ^ (opened << 52));
        let accounts =
            Accounts::open(db, door, of_now.clone(), entropy.clone(), settings).await.unwrap();
        let planner = Planner::new(accounts.clone(), Arc::clone(&log), of_now, wait.clone());
        Self { accounts, mailbox, clock, log, wait, planner, place, entropy, folder, opened }
    }

    /// Another node over the same accounts and the same log.
    pub(super) async fn node(&self, number: u64) -> Self {
        let (clock, log) = (self.clock.clone(), Arc::clone(&self.log));
        let (wait, folder) = (Arc::clone(&self.wait), Arc::clone(&self.folder));
        Self::open(self.place.clone(), clock, log, wait, folder, self.opened + number).await
    }

    /// Closes the accounts and opens them again, as the next process does.
    pub(super) async fn reopened(self) -> Self {
        self.accounts.db().close().await;
        let Self { accounts, mailbox, clock, log, wait, planner, place, folder, opened, .. } = self;
        drop((accounts, mailbox, planner));
        Self::open(place, clock, log, wait, folder, opened + 1).await
    }

    /// The same accounts beside a log that holds nothing.
    pub(super) async fn with_new_log(self) -> Self {
        let mut rig = self.reopened().await;
        let log =
            stores::open(StoreConfig::Memory, Arc::new(rig.clock.clone()), rig.entropy.clone());
        rig.log = log.await.unwrap();
        let (accounts, clock) = (rig.accounts.clone(), Arc::new(rig.clock.clone()));
        rig.planner = Planner::new(accounts, Arc::clone(&rig.log), clock, rig.wait.clone());
        rig
    }

    /// The name of the database.
    pub(super) fn database(&self) -> String {
        let Place::Postgres(url) = &self.place else { panic!("a database was expected") };
        let name = url.rsplit('/').next().and_then(|rest| rest.split('?').next());
        name.expect("a name").to_owned()
    }

    pub(super) fn now(&self) -> Time {
        self.clock.now()
    }

    /// Somebody with an account.
    pub(super) async fn person(&self, nickname: &str) -> PlayerId {
        let email = format!("{nickname}@example.org");
        let origin = Origin::of([203, 0, 113, 1].into());
        self.accounts.request_code(&email, Locale::En, &origin).await.unwrap();
        let letter = self.mailbox.latest_to(&email).await.unwrap().unwrap().plain;
        let digits = |word: &&str| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit());
        let code = letter.split_whitespace().find(digits).unwrap();
        let (password, locale) = ("seven old oaks", Locale::En);
        let wish = Registration { email: &email, code, nickname, password, locale };
        self.accounts.register(wish, &origin).await.unwrap().player
    }

    /// The log takes events of a match that happen at `at`.
    pub(super) async fn happens(&self, id: MatchId, at: Time, events: &[MatchEvent]) {
        let new = |event| codec::new_event(self.entropy.event_id(), event).unwrap();
        self.append(id, at, events.iter().map(new).collect()).await;
    }

    /// The log takes an event of a name that nobody knows.
    pub(super) async fn happens_as(&self, name: &'static str, id: MatchId, at: Time) {
        let event = NewEvent { id: self.entropy.event_id(), name, payload: "{}".to_owned() };
        self.append(id, at, vec![event]).await;
    }

    async fn append(&self, id: MatchId, at: Time, events: Vec<NewEvent>) {
        let stamp = Stamp {
            at,
            actor: Actor::System,
            command: "test".to_owned(),
            command_id: None,
            correlation: self.entropy.uuid(),
            causation: None,
            node: "test".to_owned(),
            build: "test".to_owned(),
        };
        let commit = Commit {
            stream: stream_name::<Match>(id.0),
            expected: Expected::Any,
            events,
            stamp,
            claims: Vec::new(),
            memo: None,
        };
        self.log.append(commit).await.unwrap();
    }

    /// Steps until there is nothing more to do before the instant that is returned.
    pub(super) async fn settle(&self) -> Option<Time> {
        loop {
            match self.planner.step().await.unwrap() {
                Step::More => {}
                Step::Until(next) => return next,
            }
        }
    }

    /// Turns the clock from one instant that the planner asks for to the next, up to `until`.
    pub(super) async fn live_until(&self, until: Time) {
        while let Some(next) = self.settle().await.filter(|next| *next <= until) {
            self.clock.set(next);
        }
        self.clock.set(until);
        self.settle().await;
    }

    /// Takes everything out of the outbox, as the sender does.
    pub(super) async fn posted(&self) -> Vec<(PlayerId, Posting)> {
        let (outbox, now) = (self.accounts.outbox(), self.now());
        let mut posted = Vec::new();
        while let Some(lease) = outbox.lease(now, now + Span::hours(1)).await.unwrap() {
            posted.push((lease.job.player, lease.job.posting.clone()));
            outbox.end(&lease, End::Sent, now).await.unwrap();
        }
        posted
    }

    /// The turn mails of a person in the outbox, which are taken out.
    pub(super) async fn mails_to(&self, player: PlayerId) -> Vec<Mail> {
        let posted = self.posted().await.into_iter().filter(|(to, _)| *to == player);
        let mails = posted.filter_map(|(_, posting)| match posting {
            Posting::Turn(mail) => Some(mail),
            _ => None,
        });
        mails.collect()
    }

    /// A person's notices, the first first.
    pub(super) async fn notices(&self, player: PlayerId) -> Vec<Notice> {
        let mut found = self.accounts.notices(player, None, 1000).await.unwrap();
        found.reverse();
        found
    }

    /// What they say.
    pub(super) async fn kinds(&self, player: PlayerId) -> Vec<NoticeKind> {
        self.notices(player).await.iter().map(|notice| notice.kind).collect()
    }
}
