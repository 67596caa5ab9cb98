//! The development mailbox: what it keeps, in which order, and for how long.

use super::stage::{START, Stage, Store, origin};
use yibu_domain::kernel::Span;
use yibu_infrastructure::mail::{KEPT, Letter, Locale, Mail, MailKind, Mailbox};

fn letter(number: u128) -> Letter {
    let mail = Mail {
        to: format!("n{number}@example.org"),
        locale: Locale::ZhHans,
        kind: MailKind::VerificationCode { code: format!("{number:06}"), minutes: 10 },
    };
    let at = START + Span(i64::try_from(number).unwrap_or_default());
    let job = uuid::Builder::from_u128(number).into_uuid();
    Letter::write(&mail, job, "Yibu <yibu@localhost>", at).expect("a letter")
}

pub(super) async fn a_letter_is_listed_read_and_lies_as_a_file(store: Store) {
    let stage = Stage::new(store).await;
    for locale in Locale::ALL {
        let email = format!("{locale}@example.org");
        stage.accounts.request_code(&email, locale, &origin(1)).await.unwrap();
        let kept = stage.mailbox.latest_to(&email.to_uppercase()).await.unwrap().unwrap();
        assert_eq!((kept.locale, kept.to.as_str(), kept.at), (locale, email.as_str(), START));
        let code = stage.mailed_code(&email).await;
        for part in [&kept.subject, &kept.plain, &kept.html] {
            assert!(part.contains(&code));
        }
        let file = std::fs::read(stage.mailbox.folder().join(&kept.file)).unwrap();
        assert!(file == kept.bytes && file.starts_with(b"From: Yibu <yibu@localhost>\r\n"));
        assert!(!kept.file.contains("example") && kept.file.ends_with(".eml"));
        assert!(stage.mailbox.get(kept.number).await.unwrap().unwrap() == kept);
    }
    assert!(stage.mailbox.get(-1).await.unwrap().is_none());
    let listed = stage.mailbox.list(2).await.unwrap();
    let to: Vec<_> = listed.iter().map(|letter| letter.to.as_str()).collect();
    assert_eq!(to, ["en@example.org", "zh-Hant@example.org"]);
}

pub(super) async fn the_same_letter_twice_counts_once(store: Store) {
    let stage = Stage::new(store).await;
    for _ in 0..3 {
        stage.mailbox.deliver(&letter(7)).await.unwrap();
    }
    assert_eq!(stage.mailbox.list(10).await.unwrap().len(), 1);
}

pub(super) async fn only_the_newest_are_kept(store: Store) {
    let stage = Stage::new(store).await;
    let beyond = 5;
    for number in 0..u128::from(KEPT) + beyond {
        stage.mailbox.deliver(&letter(number)).await.unwrap();
    }
    let listed = stage.mailbox.list(u32::MAX).await.unwrap();
    assert_eq!(listed.len(), KEPT as usize);
    assert_eq!(listed.last().unwrap().to, format!("n{beyond}@example.org"));
    let files = std::fs::read_dir(stage.mailbox.folder()).unwrap().count();
    assert_eq!(files, KEPT as usize);
}
