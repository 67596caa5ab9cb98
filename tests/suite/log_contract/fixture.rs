//! A private, empty log per test with a clock that the test turns, and short ways to write commits.

use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;
use yibu_domain::kernel::{Actor, Claim, CommandId, PlayerId, Time};
use yibu_infrastructure::log::port::{
    AppendError, Commit, EventLog, Expected, Memo, NewEvent, Receipt, Stamp, Stored,
};
use yibu_infrastructure::log::{StoreConfig, archive, open};
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_tests::eventstore::EventStore;
use yibu_tests::postgres::Cluster;

/// When every test begins.
pub(crate) const DAWN: Time = Time(1_800_000_000_000);

/// A log and what it was opened with.
pub(crate) struct Fixture {
    pub(crate) log: Arc<dyn EventLog>,
    pub(crate) clock: ManualClock,
    pub(crate) entropy: Entropy,
    /// The store's files, where it has any; removed with the fixture.
    pub(crate) folder: TempDir,
}

pub(crate) async fn memory() -> Fixture {
    fixture(|_| StoreConfig::Memory).await
}

pub(crate) async fn sqlite() -> Fixture {
    fixture(|folder| StoreConfig::Sqlite { folder: folder.to_owned() }).await
}

pub(crate) async fn postgres() -> Fixture {
    postgres_at(&Cluster::shared().database()).await
}

/// A node of its own on a database, with the clock and the chance of every other.
pub(crate) async fn postgres_at(url: &str) -> Fixture {
    fixture(|folder| {
        let archive = Some(folder.join(archive::FOLDER));
        StoreConfig::Postgres { url: url.to_owned(), connections: 4, archive }
    })
    .await
}

/// An event store in this process; where `YIBU_EVENTSTORE_URL` names a real one, a fresh part of that one. The
/// claims are in a database of their own in either case.
pub(crate) async fn eventstore() -> Fixture {
    let url = match std::env::var("YIBU_EVENTSTORE_URL") {
        Ok(url) => format!("{url}#test-{}-", Entropy::system().unwrap().uuid()),
        Err(_) => EventStore::start().await.url(),
    };
    let claims = Cluster::shared().database();
    fixture(|_| StoreConfig::EventStore { url, claims }).await
}

async fn fixture(config: impl FnOnce(&Path) -> StoreConfig) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::at(DAWN);
    let entropy = Entropy::seeded(1);
    let store = config(folder.path());
    let log = open(store, Arc::new(clock.clone()), entropy.clone()).await.unwrap();
    Fixture { log, clock, entropy, folder }
}

impl Fixture {
    /// A commit of one event.
    pub(crate) fn commit(&self, stream: &str, expected: Expected) -> Commit {
        self.commit_of(stream, expected, 1)
    }

    /// A commit of several events.
    pub(crate) fn commit_of(&self, stream: &str, expected: Expected, events: usize) -> Commit {
        let event = |n: usize| NewEvent {
            id: self.entropy.event_id(),
            name: "test.happened.v1",
            payload: format!(r#"{{"n":{n},"text":"三 {stream}"}}"#),
        };
        Commit {
            stream: stream.to_owned(),
            expected,
            events: (0..events).map(event).collect(),
            stamp: Stamp {
                at: DAWN,
                actor: Actor::Player(player(1)),
                command: "try".to_owned(),
                command_id: Some(CommandId(self.entropy.uuid())),
                correlation: self.entropy.uuid(),
                causation: Some(self.entropy.event_id()),
                node: "node-a".to_owned(),
                build: "0.1.0".to_owned(),
            },
            claims: Vec::new(),
            memo: None,
        }
    }

    /// A commit of one event with claims, whatever the stream's version.
    pub(crate) fn claiming(&self, stream: &str, claims: Vec<Claim>) -> Commit {
        Commit { claims, ..self.commit(stream, Expected::Any) }
    }

    pub(crate) async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        self.log.append(commit).await
    }

    /// The whole log.
    pub(crate) async fn everything(&self) -> Vec<Stored> {
        self.log.read_all(0, usize::MAX).await.unwrap()
    }
}

pub(crate) fn player(n: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(n))
}

pub(crate) fn memo(account: u128, id: u128) -> Memo {
    Memo {
        account: player(account),
        id: CommandId(Uuid::from_u128(id)),
        input: [7; 32],
        result: "OK".to_owned(),
    }
}
