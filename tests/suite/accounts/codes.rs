//! Codes by mail: their life, their tries, the caps on mails, and that nobody learns who has an account.

use super::stage::{Stage, Store, code_of, open_accounts, origin, other_than, refused, settings};
use std::sync::Arc;
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{AccountsDb, CODE_LIFE, CodeCaps, Origin, Refusal, Settings};
use yibu_infrastructure::mail::{Letter, Locale, MailFault, Mailbox, NoMail};
use yibu_infrastructure::system::ManualClock;

const MINUTE: Span = Span::seconds(60);

fn wait<T: std::fmt::Debug>(outcome: Result<T, yibu_infrastructure::accounts::Failure>) -> i64 {
    match refused(outcome) {
        Refusal::CodeRateLimited { retry_after } => retry_after.0,
        other => panic!("a cap was expected, not {other:?}"),
    }
}

pub(super) async fn a_code_lives_ten_minutes_to_the_millisecond(store: Store) {
    let stage = Stage::new(store).await;
    for (age, wanted) in [(Span(CODE_LIFE.0 - 1), None), (CODE_LIFE, Some("CODE_EXPIRED"))] {
        let email = format!("w{}@example.org", age.0);
        stage.ask(&email).await.unwrap();
        let code = stage.mailed_code(&email).await;
        stage.pass(age);
        let outcome = stage.register_with(&email, &code, &format!("w{}", age.0)).await;
        match wanted {
            None => assert!(outcome.is_ok()),
            Some(wanted) => assert_eq!(code_of(outcome), wanted),
        }
    }
}

pub(super) async fn a_code_takes_five_tries(store: Store) {
    let stage = Stage::new(store).await;
    stage.ask("west@example.org").await.unwrap();
    let code = stage.mailed_code("west@example.org").await;
    for _ in 0..4 {
        let wrong = other_than(&code);
        assert_eq!(
            code_of(stage.register_with("west@example.org", wrong, "west").await),
            "CODE_WRONG"
        );
    }
    // The fifth try may still be the right one; spaces and the address's case do not matter.
    let spaced = format!(" {} {}\n", &code[..3], &code[3..]);
    stage.register_with("West@Example.org", &spaced, "west").await.unwrap();

    stage.ask("east@example.org").await.unwrap();
    let code = stage.mailed_code("east@example.org").await;
    for wrong in ["", "12345", other_than(&code), "１２３４５６", "x"] {
        assert_eq!(
            code_of(stage.register_with("east@example.org", wrong, "east").await),
            "CODE_WRONG"
        );
    }
    assert_eq!(
        code_of(stage.register_with("east@example.org", &code, "east").await),
        "CODE_TRIES_USED"
    );
    // A new code has tries of its own, and the old one is void.
    stage.pass(MINUTE);
    stage.ask("east@example.org").await.unwrap();
    let new = stage.mailed_code("east@example.org").await;
    assert_ne!(new, code);
    assert_eq!(code_of(stage.register_with("east@example.org", &code, "east").await), "CODE_WRONG");
    stage.register_with("east@example.org", &new, "east").await.unwrap();
}

pub(super) async fn a_code_fits_its_own_address_only_and_only_once(store: Store) {
    let stage = Stage::new(store).await;
    stage.ask("west@example.org").await.unwrap();
    stage.ask("east@example.org").await.unwrap();
    let code = stage.mailed_code("west@example.org").await;
    assert_eq!(code_of(stage.register_with("east@example.org", &code, "east").await), "CODE_WRONG");
    assert_eq!(
        code_of(stage.register_with("south@example.org", &code, "south").await),
        "CODE_WRONG"
    );
    stage.register_with("west@example.org", &code, "west").await.unwrap();
    assert_eq!(
        code_of(stage.register_with("west@example.org", &code, "west2").await),
        "CODE_WRONG"
    );
}

pub(super) async fn an_address_gets_one_mail_a_minute_five_an_hour_ten_a_day(store: Store) {
    let stage = Stage::with(
        store,
        Settings {
            code_caps: CodeCaps { network_hour: 1000, network_day: 1000, all_hour: 1000 },
            ..settings()
        },
    )
    .await;
    let ask = async || stage.ask("west@example.org").await;
    ask().await.unwrap();
    assert_eq!(wait(ask().await), MINUTE.0);
    stage.pass(Span(MINUTE.0 - 1));
    assert_eq!(wait(ask().await), 1);
    // Case makes no other address.
    assert_eq!(wait(stage.ask("WEST@example.org").await), 1);
    stage.pass(Span(1));
    for _ in 0..4 {
        ask().await.unwrap();
        stage.pass(MINUTE);
    }
    // Five in the hour that began five minutes ago.
    let hour = Span::hours(1);
    assert_eq!(wait(ask().await), hour.0 - 5 * MINUTE.0);
    stage.pass(Span(hour.0 - 5 * MINUTE.0));
    for _ in 0..5 {
        ask().await.unwrap();
        stage.pass(MINUTE);
    }
    // Ten in the day that began 65 minutes ago; other addresses are not concerned.
    let left = Span::hours(24).0 - 65 * MINUTE.0;
    assert_eq!(wait(ask().await), left);
    stage.ask("east@example.org").await.unwrap();
    stage.pass(Span(left - 1));
    assert_eq!(wait(ask().await), 1);
    stage.pass(Span(1));
    ask().await.unwrap();
}

pub(super) async fn a_network_and_the_whole_have_caps(store: Store) {
    let stage = Stage::with(
        store,
        Settings {
            code_caps: CodeCaps { network_hour: 3, network_day: 5, all_hour: 8 },
            ..settings()
        },
    )
    .await;
    let mut number = 0;
    let mut ask = async |from: &Origin| {
        number += 1;
        stage.ask_from(&format!("n{number}@example.org"), from).await
    };
    let v6 = |text: &str| Origin::of(text.parse().unwrap());
    // One /64 is one network, however many addresses it has.
    for host in ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:ff::3"] {
        ask(&v6(host)).await.unwrap();
    }
    let hour = Span::hours(1);
    assert_eq!(wait(ask(&v6("2001:db8:1:2:abcd::4")).await), hour.0);
    // Its neighbour is another.
    ask(&v6("2001:db8:1:3::1")).await.unwrap();
    for _ in 0..3 {
        ask(&origin(9)).await.unwrap();
    }
    assert_eq!(wait(ask(&origin(9)).await), hour.0);
    // The mapped form of an IPv4 address is that address.
    assert_eq!(wait(ask(&v6("::ffff:203.0.113.9")).await), hour.0);
    ask(&origin(10)).await.unwrap();
    assert_eq!(wait(ask(&origin(11)).await), hour.0);
    stage.pass(hour);
    ask(&origin(11)).await.unwrap();
    ask(&origin(9)).await.unwrap();
    ask(&origin(9)).await.unwrap();
    // Five in the day.
    assert_eq!(wait(ask(&origin(9)).await), Span::hours(23).0);
}

pub(super) async fn refused_requests_do_not_count(store: Store) {
    let stage = Stage::new(store).await;
    stage.ask("west@example.org").await.unwrap();
    for _ in 0..30 {
        wait(stage.ask("west@example.org").await);
        assert_eq!(code_of(stage.ask("west").await), "EMAIL_INVALID");
    }
    stage.pass(MINUTE);
    stage.ask("west@example.org").await.unwrap();
    assert_eq!(stage.mailbox.list(100).await.unwrap().len(), 2);
}

pub(super) async fn fifty_requests_at_the_same_instant_are_one_mail(store: Store) {
    let stage = Stage::new(store).await;
    let asked = (0..50).map(|_| {
        let accounts = stage.accounts.clone();
        tokio::spawn(async move {
            accounts.request_code("west@example.org", Locale::En, &origin(1)).await.is_ok()
        })
    });
    let mut sent = 0;
    for task in asked.collect::<Vec<_>>() {
        sent += usize::from(task.await.unwrap());
    }
    assert_eq!((sent, stage.mailbox.list(100).await.unwrap().len()), (1, 1));
}

pub(super) async fn a_thousand_answers_do_not_tell_who_has_an_account(store: Store) {
    let stage = Stage::with(
        store,
        Settings {
            code_caps: CodeCaps { network_hour: 10_000, network_day: 10_000, all_hour: 10_000 },
            ..settings()
        },
    )
    .await;
    stage.person("north").await;
    // North's next mail may go after a minute; everything else about that address is as new.
    stage.pass(MINUTE);
    let known = probe(&stage, "north@example.org", 0).await;
    assert!(known.contains("CodeSent") && known.contains("CodeTriesUsed"));
    assert!(known.contains("CredentialsWrong") && known.contains("LoginThrottled"));
    for network in 1..100 {
        // 15 answers each, from a network each: one would be shut after 50 failures.
        let unknown = probe(&stage, &format!("nobody{network}@example.org"), network).await;
        assert_eq!(unknown, known);
    }
    // What the owner of the address reads is another matter.
    let letter = stage.mailbox.latest_to("north@example.org").await.unwrap().unwrap();
    assert_eq!(letter.kind, "already_registered");
}

async fn probe(stage: &Stage, email: &str, network: u8) -> String {
    let mut said = String::new();
    for _ in 0..2 {
        said += &format!("{:?}\n", stage.ask(email).await);
    }
    for code in ["123456", "000000", "x", "1", "2", "3"] {
        said += &format!("{:?}\n", stage.register_with(email, code, "west").await);
    }
    for _ in 0..7 {
        let from = origin(network + 100);
        said += &format!("{:?}\n", stage.login(email, "seven old oak", &from).await);
    }
    said
}

pub(super) async fn without_mail_nothing_begins(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let db = AccountsDb::open(store.place(folder.path())).await.unwrap();
    let clock = ManualClock::at(super::stage::START);
    let accounts = open_accounts(db, Arc::new(NoMail), &clock, settings(), 0).await;
    for email in ["west@example.org", "broken"] {
        let asked = accounts.request_code(email, Locale::En, &origin(1)).await;
        assert_eq!(code_of(asked), "MAIL_UNAVAILABLE");
        let wish = yibu_infrastructure::accounts::Registration {
            email,
            code: "123456",
            nickname: "west",
            password: "short",
            locale: Locale::En,
        };
        assert_eq!(code_of(accounts.register(wish, &origin(1)).await), "MAIL_UNAVAILABLE");
    }
}

/// A set-up that takes no letter.
struct Broken;

#[async_trait::async_trait]
impl Mailbox for Broken {
    fn is_set_up(&self) -> bool {
        true
    }
    fn from(&self) -> &'static str {
        "yibu@localhost"
    }
    async fn deliver(&self, _: &Letter) -> Result<(), MailFault> {
        Err(MailFault::File(std::io::Error::other("full")))
    }
}

pub(super) async fn a_letter_that_was_not_taken_does_not_count(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let db = AccountsDb::open(store.place(folder.path())).await.unwrap();
    let clock = ManualClock::at(super::stage::START);
    let accounts = open_accounts(db, Arc::new(Broken), &clock, settings(), 0).await;
    for _ in 0..12 {
        let asked = accounts.request_code("west@example.org", Locale::En, &origin(1)).await;
        assert_eq!(code_of(asked), "MAIL_UNAVAILABLE");
    }
}
