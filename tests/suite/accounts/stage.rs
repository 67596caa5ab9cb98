//! A private set of accounts in a temporary folder or a database of its own, and short ways to do what every test does. Asserts
//! nothing about the product.

use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::{
    Accounts, AccountsDb, Asker, CodeCaps, CodeSent, Failure, Hashing, LoggedIn, Origin, Place,
    Refusal, Registered, Registration, Session, Settings,
};
use yibu_infrastructure::mail::{DevMailbox, Locale, Mailbox};
use yibu_infrastructure::system::{Entropy, ManualClock};
use yibu_tests::postgres::Cluster;

pub(super) const PASSWORD: &str = "seven old oaks";
pub(super) const START: Time = Time(1_790_000_000_000);

/// Where a test keeps its accounts.
#[derive(Clone, Copy)]
pub(super) enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    /// An empty place of the test's own.
    pub(super) fn place(self, folder: &Path) -> Place {
        match self {
            Self::Sqlite => Place::Folder(folder.to_owned()),
            Self::Postgres => Place::Postgres(Cluster::shared().database()),
        }
    }
}

pub(super) struct Stage {
    pub(super) accounts: Accounts,
    pub(super) clock: ManualClock,
    pub(super) mailbox: DevMailbox,
    pub(super) folder: TempDir,
    pub(super) place: Place,
}

/// The name of the database.
pub(super) fn database_of(place: &Place) -> &str {
    let Place::Postgres(url) = place else { panic!("a database was expected") };
    url.rsplit('/').next().and_then(|rest| rest.split('?').next()).expect("a name")
}

pub(super) fn settings() -> Settings {
    Settings {
        hashing: Hashing::CHEAP,
        hashing_at_once: 2,
        code_caps: CodeCaps { network_hour: 20, network_day: 30, all_hour: 1000 },
    }
}

impl Stage {
    pub(super) async fn new(store: Store) -> Self {
        Self::with(store, settings()).await
    }

    pub(super) async fn with(store: Store, settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let clock = ManualClock::at(START);
        let place = store.place(folder.path());
        Self::open(folder, place, clock, settings, 0).await
    }

    async fn open(
        folder: TempDir,
        place: Place,
        clock: ManualClock,
        settings: Settings,
        node: u64,
    ) -> Self {
        let db = AccountsDb::open(place.clone()).await.expect("a database");
        let mailbox =
            DevMailbox::open(db.clone(), folder.path().join("mail")).await.expect("a mailbox");
        let accounts = open_accounts(db, Arc::new(mailbox.clone()), &clock, settings, node).await;
        Self { accounts, clock, mailbox, folder, place }
    }

    /// Closes everything and opens it again, as a new process would.
    pub(super) async fn reopened(self) -> Self {
        self.accounts.db().close().await;
        let Self { accounts, mailbox, folder, clock, place } = self;
        drop((accounts, mailbox));
        Self::open(folder, place, clock, settings(), 0).await
    }

    /// Another process over the same database, with the same clock.
    pub(super) async fn node(&self, number: u64, settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::open(folder, self.place.clone(), self.clock.clone(), settings, number).await
    }

    pub(super) async fn ask(&self, email: &str) -> Result<CodeSent, Failure> {
        self.ask_from(email, &origin(1)).await
    }

    pub(super) async fn ask_from(&self, email: &str, from: &Origin) -> Result<CodeSent, Failure> {
        self.accounts.request_code(email, Locale::En, from).await
    }

    /// The code in the newest mail to the address.
    pub(super) async fn mailed_code(&self, email: &str) -> String {
        let letter = self.mailbox.latest_to(email).await.expect("a mailbox");
        let text = letter.expect("a letter").plain;
        text.split_whitespace()
            .find(|word| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit()))
            .expect("a code in the letter")
            .to_owned()
    }

    pub(super) async fn register_with(
        &self,
        email: &str,
        code: &str,
        nickname: &str,
    ) -> Result<Registered, Failure> {
        let wish = Registration { email, code, nickname, password: PASSWORD, locale: Locale::En };
        self.accounts.register(wish, &origin(1)).await
    }

    /// A whole registration, from an address of its own.
    pub(super) async fn person(&self, nickname: &str) -> Registered {
        let email = format!("{nickname}@example.org");
        self.ask(&email).await.expect("a code is mailed");
        let code = self.mailed_code(&email).await;
        self.register_with(&email, &code, nickname).await.expect("an account")
    }

    pub(super) async fn login(
        &self,
        email: &str,
        password: &str,
        from: &Origin,
    ) -> Result<LoggedIn, Failure> {
        self.accounts.login(email, password, from).await
    }

    /// One number from the database.
    pub(super) fn count(&self, sql: &str) -> i64 {
        // Read beside the accounts: what they keep is not theirs to tell.
        match &self.place {
            Place::Folder(folder) => {
                let on = rusqlite::Connection::open(folder.join("accounts.db")).expect("a file");
                on.query_row(sql, [], |row| row.get(0)).expect("a number")
            }
            Place::Postgres(_) => {
                let text = Cluster::shared().psql(database_of(&self.place), sql);
                text.parse().expect("a number")
            }
        }
    }

    /// Where the mail of this kind goes that waits in the outbox.
    pub(super) fn posted(&self, kind: &str) -> Vec<String> {
        let sql =
            format!("SELECT recipient FROM outbox WHERE kind = '{kind}' ORDER BY since, recipient");
        match &self.place {
            Place::Folder(folder) => {
                let on = rusqlite::Connection::open(folder.join("accounts.db")).expect("a file");
                let mut asked = on.prepare(&sql).expect("a query");
                let found = asked.query_map([], |row| row.get(0)).expect("rows");
                found.map(|text| text.expect("a text")).collect()
            }
            Place::Postgres(_) => {
                let text = Cluster::shared().psql(database_of(&self.place), &sql);
                text.lines().map(str::to_owned).collect()
            }
        }
    }

    pub(super) fn pass(&self, span: Span) {
        self.clock.advance(span);
    }
}

pub(super) async fn open_accounts(
    db: AccountsDb,
    mailbox: Arc<dyn Mailbox>,
    clock: &ManualClock,
    settings: Settings,
    node: u64,
) -> Accounts {
    // Time and node keep the numbers of two openings of one place apart.
    let now = yibu_infrastructure::system::Clock::now(clock);
    let entropy = Entropy::seeded(now.0.unsigned_abs() ^ (node << 48));
    Accounts::open(db, mailbox, Arc::new(clock.clone()), entropy, settings).await.expect("accounts")
}

/// A person who asks for a change, from a device that the accounts do not know, under this key.
pub(super) fn asker<'a>(session: &'a Session, from: &'a Origin, key: u128) -> Asker<'a> {
    Asker { session, origin: from, key: uuid::Uuid::from_u128(key) }
}

/// An origin in a network of its own.
pub(super) fn origin(network: u8) -> Origin {
    Origin::of([203, 0, 113, network].into())
}

/// What was refused, in the form in which two answers can be compared byte by byte.
pub(super) fn refused<T: std::fmt::Debug>(outcome: Result<T, Failure>) -> Refusal {
    match outcome {
        Err(Failure::Refused(refusal)) => refusal,
        other => panic!("a refusal was expected, not {other:?}"),
    }
}

pub(super) fn code_of<T: std::fmt::Debug>(outcome: Result<T, Failure>) -> &'static str {
    refused(outcome).code()
}

/// A code that is not this one.
pub(super) fn other_than(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}
