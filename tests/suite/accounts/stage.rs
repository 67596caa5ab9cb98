//! A private set of accounts in a temporary folder, and short ways to do what every test does. Asserts
//! nothing about the product.

use std::sync::Arc;
use tempfile::TempDir;
use yibu_domain::kernel::{Span, Time};
use yibu_infrastructure::accounts::{
    Accounts, AccountsDb, CodeCaps, CodeSent, Failure, Hashing, LoggedIn, Origin, Refusal,
    Registered, Registration, Settings,
};
use yibu_infrastructure::mail::{DevMailbox, Locale, Mailbox};
use yibu_infrastructure::system::{Entropy, ManualClock};

pub(super) const PASSWORD: &str = "seven old oaks";
pub(super) const START: Time = Time(1_790_000_000_000);

pub(super) struct Stage {
    pub(super) accounts: Accounts,
    pub(super) clock: ManualClock,
    pub(super) mailbox: DevMailbox,
    pub(super) folder: TempDir,
}

pub(super) fn settings() -> Settings {
    Settings {
        hashing: Hashing::CHEAP,
        hashing_at_once: 2,
        code_caps: CodeCaps { network_hour: 20, network_day: 30, all_hour: 1000 },
    }
}

impl Stage {
    pub(super) async fn new() -> Self {
        Self::with(settings()).await
    }

    pub(super) async fn with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let clock = ManualClock::at(START);
        Self::open(folder, clock, settings).await
    }

    async fn open(folder: TempDir, clock: ManualClock, settings: Settings) -> Self {
        let db = AccountsDb::open(folder.path()).await.expect("a database");
        let mailbox =
            DevMailbox::open(db.clone(), folder.path().join("mail")).await.expect("a mailbox");
        let accounts = open_accounts(db, Arc::new(mailbox.clone()), &clock, settings).await;
        Self { accounts, clock, mailbox, folder }
    }

    /// Closes everything and opens it again, as a new process would.
    pub(super) async fn reopened(self) -> Self {
        self.accounts.db().close().await;
        let Self { accounts, mailbox, folder, clock } = self;
        drop((accounts, mailbox));
        Self::open(folder, clock, settings()).await
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

    pub(super) fn pass(&self, span: Span) {
        self.clock.advance(span);
    }
}

pub(super) async fn open_accounts(
    db: AccountsDb,
    mailbox: Arc<dyn Mailbox>,
    clock: &ManualClock,
    settings: Settings,
) -> Accounts {
    // The clock's time keeps the numbers of two openings of one folder apart.
    let now = yibu_infrastructure::system::Clock::now(clock);
    let entropy = Entropy::seeded(now.0.unsigned_abs());
    Accounts::open(db, mailbox, Arc::new(clock.clone()), entropy, settings).await.expect("accounts")
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
