//! What is made of a job when it is sent: whom it goes to, in which language, and what a turn mail lists.

use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use uuid::Uuid;
use yibu_api::app::{Composing, Desks, Replays};
use yibu_api::graphql::ids::match_of;
use yibu_domain::kernel::{MatchId, PlayerId, Span, Time};
use yibu_domain::reminders::{self, MailKind as About, Retry, Settings, TurnRef};
use yibu_infrastructure::accounts::outbox::{Destination, Job, Posting};
use yibu_infrastructure::mail::{Letter, Locale, Mail, MailKind};
use yibu_infrastructure::system::Clock as _;
use yibu_infrastructure::workers::{ComposeFault, Composed, Composer};
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

/// A desk that says what the test wants.
struct Desk(Mutex<Retry>);

#[async_trait]
impl Desks for Desk {
    async fn retry(
        &self,
        _: Uuid,
        _: PlayerId,
        _: &reminders::Mail,
        _: Time,
    ) -> Result<Retry, ComposeFault> {
        Ok(self.0.lock().unwrap().clone())
    }

    async fn settings(&self, _: PlayerId) -> Result<Settings, ComposeFault> {
        Settings::parse("SMART", "00:00", "00:00", "Europe/Berlin")
            .map_err(|fault| ComposeFault(fault.to_string()))
    }

    async fn turn_off(&self, _: PlayerId) -> Result<(), ComposeFault> {
        Ok(())
    }
}

/// Files of every match but one.
struct Files;

#[async_trait]
impl Replays for Files {
    async fn file(&self, match_id: MatchId) -> Result<Option<(String, Vec<u8>)>, ComposeFault> {
        let found = match_id.0 != Uuid::nil();
        Ok(found.then(|| ("a.json".to_owned(), b"{}".to_vec())))
    }
}

fn composing(server: &TestApp, desk: &Arc<Desk>) -> Composing {
    let app = server.app();
    Composing {
        accounts: app.accounts().clone(),
        clock: Arc::new(server.clock.clone()),
        log: app.log_handle(),
        views: app.views().clone(),
        links: app.links().clone(),
        opt_out: app.opt_out().clone(),
        desks: desk.clone(),
        replays: Arc::new(Files),
    }
}

fn job(player: PlayerId, to: Destination, posting: Posting) -> Job {
    let (id, expires) = (Uuid::from_u128(3), Time(i64::MAX));
    Job { id, player, to, locale: Some(Locale::En), posting, expires, tries: 0 }
}

fn mail(composed: Composed) -> Mail {
    match composed {
        Composed::Send(mail) => mail,
        Composed::Hold(_) | Composed::Drop => panic!("a mail was expected"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_mail_says_what_is_true_now_and_nothing_of_anybody_else() {
    let server = TestApp::start().await;
    let table = Table::started(&server, "composed").await;
    let seen = table.view(&table.people[0]).await;
    let mover = &table.people[table.on_turn(&seen)];
    let me = mover.data("{ viewer { player { nickname } email } }", &serde_json::json!({})).await;
    let email = me["viewer"]["email"].as_str().unwrap();
    let player = server.app().accounts().player_by_email(email).await.unwrap().unwrap();
    let match_id = match_of(&table.id.clone().into()).unwrap();
    let turn = TurnRef { match_id, turn: 1 };
    let planned = reminders::Mail {
        kind: About::Normal,
        deadline: Vec::new(),
        waiting: vec![turn],
        timed_out: Vec::new(),
    };
    let desk = Arc::new(Desk(Mutex::new(Retry::Send(planned.clone()))));
    let composing = composing(&server, &desk);
    let job = job(player, Destination::Verified, Posting::Turn(planned));

    let made = mail(composing.compose(&job).await.unwrap());
    assert_eq!((made.to.as_str(), made.locale), (email, Locale::ZhHans));
    let MailKind::Turn(turn) = &made.kind else { panic!("a turn mail") };
    assert_eq!(turn.waiting[0].link, format!("http://{}/table/{}", server.addr, table.id));
    let left = turn.waiting[0].deadline.expect("the lobby knows it") - server.clock.now();
    assert!(left > Span::hours(2) && left <= Span::hours(16), "{left:?}");
    let token = server.app().opt_out().token(player);
    assert_eq!(turn.unsubscribe, format!("http://{}/unsubscribe/{token}", server.addr));
    let letter = Letter::write(&made, job.id, "yibu@example.org", server.clock.now()).unwrap();
    for number in 0..4 {
        assert!(!letter.plain.contains(&format!("composed{number}")), "{}", letter.plain);
    }

    let until = server.clock.now() + Span::hours(1);
    *desk.0.lock().unwrap() = Retry::Hold(until);
    assert!(matches!(composing.compose(&job).await.unwrap(), Composed::Hold(at) if at == until));
    *desk.0.lock().unwrap() = Retry::Drop;
    assert!(matches!(composing.compose(&job).await.unwrap(), Composed::Drop));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_find_their_receivers() {
    let server = TestApp::start().await;
    server.player("north").await;
    let accounts = server.app().accounts();
    let north = accounts.player_by_email("north@example.org").await.unwrap().unwrap();
    let gone = PlayerId(Uuid::from_u128(404));
    let composing = composing(&server, &Arc::new(Desk(Mutex::new(Retry::Drop))));
    let compose = async |player, to: Option<&str>, posting| {
        let to = to.map_or(Destination::Verified, |to| Destination::Address(to.to_owned()));
        composing.compose(&job(player, to, posting)).await.unwrap()
    };

    let made = mail(compose(north, Some("old@example.org"), Posting::PasswordChanged).await);
    assert_eq!((made.to.as_str(), made.locale), ("old@example.org", Locale::ZhHans));
    // The account is gone: the address and the language of the job are left.
    let made = mail(compose(gone, Some("old@example.org"), Posting::AccountDeleted).await);
    assert_eq!((made.to.as_str(), made.locale), ("old@example.org", Locale::En));
    assert!(matches!(compose(gone, None, Posting::PasswordChanged).await, Composed::Drop));

    let replay = |id| Posting::Replay { match_id: MatchId(Uuid::from_u128(id)) };
    let made = mail(compose(north, None, replay(1)).await);
    let MailKind::Replay(file) = &made.kind else { panic!("a replay") };
    assert_eq!((file.file_name.as_str(), &file.file[..]), ("a.json", &b"{}"[..]));
    assert!(matches!(compose(north, None, replay(0)).await, Composed::Drop), "no file any more");
}
