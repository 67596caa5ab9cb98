//! The sender's way out, against a real mail server in a process of its own: TLS, login, what arrives, and what
//! becomes of a letter that is refused, put off, or cut short.

use super::stage::{Stage, Store, TO};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;
use yibu_domain::kernel::{MatchId, Span, Time};
use yibu_domain::reminders::{self, Zone};
use yibu_infrastructure::mail::{
    Letter, Locale, Mail, MailFault, MailKind, Mailbox as _, ReplayMail, Smtp, SmtpSettings,
    TurnLine, TurnMail,
};
use yibu_infrastructure::system::Clock as _;
use yibu_infrastructure::workers::Sender;
use yibu_infrastructure::workers::mailing::LEASE;
use yibu_tests::smtp::{Door, SmtpServer, USER};

const FROM: &str = "异步 <yibu@mail.test>";
const AT: Time = Time(1_790_000_000_000);

fn settings(server: &SmtpServer) -> SmtpSettings {
    SmtpSettings {
        url: server.url(),
        from: FROM.into(),
        authorities: std::fs::read(server.authority()).ok(),
        patience: Duration::from_secs(20),
    }
}

fn letter(locale: Locale, kind: MailKind) -> Letter {
    let mail = Mail { to: TO.into(), locale, kind };
    Letter::write(&mail, Uuid::from_u128(9), FROM, AT).unwrap()
}

fn changed() -> MailKind {
    MailKind::PasswordChanged { site: "https://yibu.example/".into() }
}

#[tokio::test]
async fn a_letter_goes_by_tls_and_login_and_arrives_as_written() {
    for door in [Door::StartTls, Door::Tls] {
        let mut server = SmtpServer::start(door, true).await;
        let smtp = Smtp::new(&settings(&server)).unwrap();
        smtp.look().await.unwrap();
        // The second goes over the same connection.
        for locale in [Locale::ZhHans, Locale::En] {
            let letter = letter(locale, changed());
            smtp.deliver(&letter).await.unwrap();
            let taken = server.taken().await;
            assert!(taken.tls, "{door:?}");
            assert_eq!(taken.login.as_deref(), Some(USER));
            assert_eq!(
                (taken.sender.as_str(), &taken.to[..]),
                ("yibu@mail.test", &[TO.into()][..])
            );
            assert_eq!(taken.headers["Subject"], letter.subject);
            assert_eq!(taken.headers["Message-ID"], letter.message_id);
            assert_eq!(taken.headers["From"], FROM);
            assert_eq!(taken.parts["text/plain"].replace("\r\n", "\n"), letter.plain);
            assert_eq!(taken.parts["text/html"].replace("\r\n", "\n"), letter.html);
            assert!(!taken.headers.contains_key("List-Unsubscribe"));
        }
    }
}

#[tokio::test]
async fn a_turn_mail_and_a_replay_arrive_whole() {
    let mut server = SmtpServer::start(Door::Plain, false).await;
    let smtp = Smtp::new(&settings(&server)).unwrap();
    let base = "https://yibu.example";
    let line = |id: u128, minutes: i64| TurnLine {
        match_id: MatchId(Uuid::from_u128(id)),
        link: format!("{base}/table/{id}"),
        deadline: Some(AT + Span::seconds(minutes * 60)),
    };
    let turn = TurnMail {
        kind: reminders::MailKind::Deadline,
        deadline: vec![line(0xa1, 50)],
        waiting: vec![line(0xa2, 200), line(0xa3, 900)],
        timed_out: vec![line(0xa4, -5)],
        zone: Zone::default(),
        unsubscribe: format!("{base}/unsubscribe/{}", "0123456789abcdef".repeat(6)),
    };
    smtp.deliver(&letter(Locale::ZhHans, MailKind::Turn(turn.clone()))).await.unwrap();
    let taken = server.taken().await;
    assert!(!taken.tls);
    assert_eq!(taken.headers["Subject"], "1 桌将在 1 小时内超时");
    assert_eq!(taken.headers["List-Unsubscribe"], format!("<{}>", turn.unsubscribe));
    assert_eq!(taken.headers["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
    let plain = &taken.parts["text/plain"];
    for wanted in [
        "牌桌 0000a1：还剩 50 分钟（9月21日 23:03 截止）",
        "牌桌 0000a2：还剩 3 小时 20 分钟（9月22日 01:33 截止）",
        "https://yibu.example/table/163",
        "牌桌 0000a4",
        turn.unsubscribe.as_str(),
    ] {
        assert!(plain.contains(wanted), "{wanted}\n{plain}");
    }
    assert_eq!(plain.matches("还剩").count(), 3, "what ran out has nothing left");

    let file = format!("{{\"moves\": \"{}\"}}\n", "车马炮 ".repeat(40_000));
    let replay = ReplayMail {
        match_id: MatchId(Uuid::from_u128(0xa5)),
        link: format!("{base}/replay"),
        file_name: "0000a5.yibu-replay.json".into(),
        file: file.clone().into_bytes(),
    };
    smtp.deliver(&letter(Locale::En, MailKind::Replay(replay))).await.unwrap();
    let taken = server.taken().await;
    assert_eq!(taken.headers["Subject"], "Replay of table 0000a5");
    assert_eq!(taken.files.len(), 1);
    assert_eq!(taken.files[0].name, "0000a5.yibu-replay.json");
    assert_eq!(taken.files[0].kind, "application/json");
    assert!(taken.files[0].text == file, "the file came as it was");
    assert!(taken.parts["text/plain"].contains("https://yibu.example/replay"));
    assert!(taken.raw.lines().all(|line| line.len() <= 998));
}

#[tokio::test]
async fn nothing_is_handed_to_a_server_that_is_not_the_one() {
    for door in [Door::StartTls, Door::Tls] {
        let mut server = SmtpServer::start(door, true).await;
        let stranger = SmtpSettings { authorities: None, ..settings(&server) };
        let fault = Smtp::new(&stranger).unwrap().deliver(&letter(Locale::En, changed())).await;
        let fault = fault.unwrap_err();
        assert!(matches!(fault, MailFault::Server(_)), "{fault}");
        // A wrong password is the operator's to mend: the mail waits.
        let mut wrong = settings(&server);
        wrong.url = wrong.url.replace("p%3Aw", "q%3Aw");
        let fault = Smtp::new(&wrong).unwrap().deliver(&letter(Locale::En, changed())).await;
        let fault = fault.unwrap_err();
        assert!(!fault.is_final() && fault.to_string().contains("535"), "{fault}");
        assert!(!fault.to_string().contains("mail.test"), "{fault}");
        Smtp::new(&settings(&server)).unwrap().look().await.unwrap();
        server.order("accept").await;
    }
    // A server without STARTTLS gets nothing where it is demanded.
    let server = SmtpServer::start(Door::Plain, false).await;
    let mut demanding = settings(&server);
    demanding.url = demanding.url.replace("?tls=none", "");
    let fault = Smtp::new(&demanding).unwrap().deliver(&letter(Locale::En, changed())).await;
    assert!(matches!(fault, Err(MailFault::Server(_))), "{fault:?}");
}

#[tokio::test]
async fn refusals_and_delays_are_told_apart_and_say_no_address() {
    let mut server = SmtpServer::start(Door::Plain, false).await;
    let impatient = SmtpSettings { patience: Duration::from_secs(1), ..settings(&server) };
    let smtp = Smtp::new(&impatient).unwrap();
    let letter = letter(Locale::En, changed());
    for (order, word, last) in
        [("refuse", "refused", true), ("defer", "deferred", false), ("stall", "stalled", false)]
    {
        server.order(order).await;
        let fault = smtp.deliver(&letter).await.unwrap_err();
        server.word(word).await;
        assert_eq!(fault.is_final(), last, "{order}: {fault}");
        assert!(!fault.to_string().contains("north"), "{order}: {fault}");
    }
    server.order("accept").await;
    smtp.deliver(&letter).await.unwrap();
    server.taken().await;
    server.kill();
    let fault = smtp.deliver(&letter).await.unwrap_err();
    assert!(!fault.is_final(), "{fault}");
}

#[tokio::test]
async fn a_mail_server_that_dies_gets_the_same_letter_again() {
    let stage = Stage::new(Store::Sqlite).await;
    let mut server = SmtpServer::start(Door::StartTls, false).await;
    let smtp = Arc::new(Smtp::new(&settings(&server)).unwrap());
    let clock = Arc::new(stage.clock.clone());
    let sender = Sender::new(stage.outbox.clone(), stage.says.clone(), smtp, clock);
    stage.post(1, None).await;

    // It takes the letter and dies before it can say so.
    server.order("die").await;
    assert_eq!(sender.send_due().await.unwrap(), 1);
    let first = server.taken().await;
    assert_eq!(stage.outbox.figures(stage.clock.now()).await.unwrap().retrying, 1);
    // Nobody is there.
    server.kill();
    stage.clock.advance(Span::seconds(30));
    assert_eq!(sender.send_due().await.unwrap(), 1);
    // It dies without having taken anything.
    server.restart().await;
    server.order("die-silent").await;
    stage.clock.advance(Span::seconds(60));
    assert_eq!(sender.send_due().await.unwrap(), 1);
    server.restart().await;
    stage.clock.advance(LEASE);
    assert_eq!(sender.send_due().await.unwrap(), 1);
    let again = server.taken().await;
    assert_eq!(again.headers["Message-ID"], first.headers["Message-ID"]);
    assert_eq!(stage.outbox.figures(stage.clock.now()).await.unwrap().sent, 1);
    stage.clock.advance(Span::hours(2));
    assert_eq!(sender.send_due().await.unwrap(), 0);
}
