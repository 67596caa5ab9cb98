//! An outbox with a sender over doubles that do as they are told: a composer that says the same of everything, and
//! a post that takes, fails, refuses or hangs. Asserts nothing about the product.

use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::sync::Notify;
use uuid::Uuid;
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_infrastructure::accounts::outbox::{Destination, Job, Outbox, Posting};
use yibu_infrastructure::accounts::{Accounts, AccountsDb, Hashing, Place, Settings};
use yibu_infrastructure::mail::{Letter, Locale, Mail, MailFault, MailKind, Mailbox, NoMail};
use yibu_infrastructure::system::{Clock as _, Entropy, ManualClock};
use yibu_infrastructure::workers::{ComposeFault, Composed, Composer, Sender};
use yibu_tests::outbox::{self, Lying};
use yibu_tests::postgres::Cluster;

pub(super) const START: Time = Time(1_790_000_000_000);
pub(super) const TO: &str = "north@example.org";
pub(super) const PLAYER: PlayerId = PlayerId(Uuid::from_u128(7));

/// Where accounts are kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Store {
    Sqlite,
    Postgres,
}

pub(super) struct Stage {
    pub(super) accounts: Accounts,
    pub(super) outbox: Outbox,
    pub(super) clock: ManualClock,
    pub(super) post: Arc<Post>,
    pub(super) says: Arc<Says>,
    pub(super) place: Place,
    _folder: TempDir,
}

impl Stage {
    pub(super) async fn new(store: Store) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = match store {
            Store::Sqlite => Place::Folder(folder.path().to_owned()),
            Store::Postgres => Place::Postgres(Cluster::shared().database()),
        };
        let clock = ManualClock::at(START);
        let accounts = open(&place, &clock).await;
        let (post, says) = (Arc::new(Post::default()), Arc::new(Says::default()));
        Self { outbox: accounts.outbox(), accounts, clock, post, says, place, _folder: folder }
    }

    /// A security mail to an address lies there, for three days where nobody says otherwise.
    pub(super) async fn post(&self, id: u128, expires: Option<Time>) {
        let (now, posting) = (self.clock.now(), Posting::PasswordChanged);
        self.lay(id, &posting, now, expires).await.expect("posted");
    }

    /// A mail to an address is to lie there.
    pub(super) async fn lay(
        &self,
        id: u128,
        posting: &Posting,
        due: Time,
        expires: Option<Time>,
    ) -> Result<(), sqlx::Error> {
        let (id, expires) = (Uuid::from_u128(id), expires.unwrap_or(due + Span::hours(3 * 24)));
        let mail = Lying { id, player: PLAYER, to: TO, posting, due, expires };
        outbox::lay(&self.place, &mail).await
    }

    pub(super) fn sender(&self) -> Sender {
        self.sender_over(self.outbox.clone())
    }

    pub(super) fn sender_over(&self, outbox: Outbox) -> Sender {
        let clock = Arc::new(self.clock.clone());
        Sender::new(outbox, self.says.clone(), self.post.clone(), clock)
    }

    pub(super) async fn send(&self) -> usize {
        self.sender().send_due().await.expect("the outbox is there")
    }
}

/// The accounts at a place; another node's, where they are open already.
pub(super) async fn open(place: &Place, clock: &ManualClock) -> Accounts {
    let db = AccountsDb::open(place.clone()).await.expect("a database");
    let settings = Settings { hashing: Hashing::CHEAP, ..Settings::default() };
    let (mailbox, clock) = (Arc::new(NoMail), Arc::new(clock.clone()));
    Accounts::open(db, mailbox, clock, Entropy::seeded(1), settings).await.expect("accounts")
}

/// What the composer makes of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Said {
    #[default]
    Mail,
    Hold(Time),
    Drop,
    Fault,
    Hang,
}

#[derive(Default)]
pub(super) struct Says {
    said: Mutex<Said>,
    pub(super) asked: Notify,
}

impl Says {
    pub(super) fn say(&self, said: Said) {
        *self.said.lock().unwrap() = said;
    }
}

#[async_trait]
impl Composer for Says {
    async fn compose(&self, job: &Job) -> Result<Composed, ComposeFault> {
        self.asked.notify_one();
        let said = *self.said.lock().unwrap();
        match said {
            Said::Mail => {
                let Destination::Address(to) = job.to.clone() else { return Ok(Composed::Drop) };
                let kind = MailKind::PasswordChanged { site: "https://yibu.example/".into() };
                Ok(Composed::Send(Mail { to, locale: Locale::En, kind }))
            }
            Said::Hold(until) => Ok(Composed::Hold(until)),
            Said::Drop => Ok(Composed::Drop),
            Said::Fault => Err(ComposeFault("not now".into())),
            Said::Hang => std::future::pending().await,
        }
    }
}

/// What the post does with letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum How {
    #[default]
    Take,
    Fail,
    Refuse,
    HangBefore,
    HangAfter,
}

/// The letters that a mail server took, also where it could not say so any more.
#[derive(Default)]
pub(super) struct Post {
    how: Mutex<How>,
    letters: Mutex<Vec<Letter>>,
    pub(super) reached: Notify,
}

impl Post {
    pub(super) fn order(&self, how: How) {
        *self.how.lock().unwrap() = how;
    }

    /// The Message-IDs of what was taken, in order.
    pub(super) fn ids(&self) -> Vec<String> {
        self.letters.lock().unwrap().iter().map(|letter| letter.message_id.clone()).collect()
    }
}

#[async_trait]
impl Mailbox for Post {
    fn is_set_up(&self) -> bool {
        true
    }

    fn from(&self) -> &'static str {
        "Yibu <yibu@example.org>"
    }

    async fn deliver(&self, letter: &Letter) -> Result<(), MailFault> {
        let how = *self.how.lock().unwrap();
        match how {
            How::Take | How::HangAfter => self.letters.lock().unwrap().push(letter.clone()),
            How::Fail => return Err(MailFault::Server("it is away".into())),
            How::Refuse => return Err(MailFault::Refused(550)),
            How::HangBefore => {}
        }
        if how != How::Take {
            self.reached.notify_one();
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}
