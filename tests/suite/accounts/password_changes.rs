//! Changing the password and the language: who stays, who ends, what a key is good for.

use super::stage::{PASSWORD, Stage, Store, asker, code_of, origin};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::Failure;
use yibu_infrastructure::mail::Locale;

const NORTH: &str = "north@example.org";
const OTHER: &str = "nine young elms";

pub(super) async fn all_other_sessions_end_at_once_and_the_address_is_told(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let elsewhere = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    let west = stage.person("west").await;
    let signal = stage.accounts.watch(elsewhere.session.id).await.unwrap();
    let from = origin(3);
    let done = stage.accounts.change_password(asker(&north.session, &from, 1), PASSWORD, OTHER);
    done.await.unwrap();
    assert!(signal.is_cancelled());
    let here = async |token: &str| stage.accounts.authenticate(token).await.unwrap().is_some();
    assert!(!here(elsewhere.token.expose()).await);
    assert!(here(north.token.expose()).await && here(west.token.expose()).await);
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "CREDENTIALS_WRONG");
    stage.login(NORTH, OTHER, &origin(2)).await.unwrap();
    assert_eq!(stage.posted("password_changed"), [NORTH]);
}

pub(super) async fn a_wrong_password_changes_nothing_and_is_slowed_down(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let from = origin(3);
    let change = async |current: &str, new: &str| {
        stage.accounts.change_password(asker(&north.session, &from, 1), current, new).await
    };
    for (new, code) in [
        ("short", "PASSWORD_TOO_SHORT"),
        ("password123", "PASSWORD_TOO_COMMON"),
        (&"x1".repeat(100), "PASSWORD_TOO_LONG"),
    ] {
        assert_eq!(code_of(change(PASSWORD, new).await), code);
    }
    for _ in 0..5 {
        assert_eq!(code_of(change("seven old elms", OTHER).await), "PASSWORD_WRONG");
    }
    // Whoever found an open browser does not guess on; the owner still gets in at the door.
    let before = stage.accounts.hashes_done();
    assert_eq!(code_of(change(PASSWORD, OTHER).await), "LOGIN_THROTTLED");
    assert_eq!(stage.accounts.hashes_done(), before);
    stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    stage.pass(Span::seconds(30));
    change(PASSWORD, OTHER).await.unwrap();
    assert_eq!(stage.posted("password_changed").len(), 1);
}

pub(super) async fn a_key_is_good_for_one_change(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let from = origin(3);
    let change = async |key: u128, current: &str, new: &str| {
        stage.accounts.change_password(asker(&north.session, &from, key), current, new).await
    };
    change(1, PASSWORD, OTHER).await.unwrap();
    // Sent again, it is the same change; nothing is mailed twice.
    change(1, PASSWORD, OTHER).await.unwrap();
    assert_eq!(stage.posted("password_changed").len(), 1);
    for (current, new) in [(PASSWORD, "ten small oaks"), ("x", OTHER), (OTHER, PASSWORD)] {
        assert_eq!(code_of(change(1, current, new).await), "IDEMPOTENCY_CONFLICT");
    }
    let other = stage.accounts.change_locale(asker(&north.session, &from, 1), Locale::En).await;
    assert_eq!(code_of(other), "IDEMPOTENCY_CONFLICT");
    // Somebody else's key is another key.
    let west = stage.person("west").await;
    let done = stage.accounts.change_password(asker(&west.session, &from, 1), PASSWORD, OTHER);
    done.await.unwrap();
    change(2, OTHER, PASSWORD).await.unwrap();
    stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
}

pub(super) async fn twenty_changes_of_one_password_are_one(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    // Half of them under one key, the others under keys of their own; from networks of their own, so that none is
    // slowed down by the others.
    let race: Vec<_> = (0_u8..20)
        .map(|n| {
            let (accounts, session) = (stage.accounts.clone(), north.session.clone());
            let mut from = origin(n);
            from.mark = Some(north.mark.clone());
            tokio::spawn(async move {
                let key = if n % 2 == 0 { 0 } else { u128::from(n) };
                let new = if n % 2 == 0 { OTHER.to_owned() } else { format!("{OTHER} {n}") };
                let asker = asker(&session, &from, key);
                (n, accounts.change_password(asker, PASSWORD, &new).await)
            })
        })
        .collect();
    let (mut shared, mut own) = (0, 0);
    for task in race {
        let (n, outcome): (u8, Result<(), Failure>) = task.await.unwrap();
        match outcome {
            Ok(()) if n % 2 == 0 => shared += 1,
            Ok(()) => own += 1,
            Err(failure) => {
                let code = code_of::<()>(Err(failure));
                assert!(["PASSWORD_WRONG", "LOGIN_THROTTLED"].contains(&code), "{code}");
            }
        }
    }
    // One change was made: by one of the keys of their own, or by the shared one, which all who had it are told
    // unless they were slowed down.
    assert!(own == 1 && shared == 0 || own == 0 && shared >= 1, "{own} {shared}");
    assert_eq!(stage.posted("password_changed").len(), 1);
}

pub(super) async fn the_language_of_mails_changes(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let from = origin(1);
    for (key, locale) in [(1, Locale::ZhHant), (2, Locale::ZhHans), (1, Locale::ZhHant)] {
        stage.accounts.change_locale(asker(&north.session, &from, key), locale).await.unwrap();
    }
    // The third was the first again, which was done long ago.
    let person = stage.accounts.person(north.player).await.unwrap().unwrap();
    assert_eq!(person.locale, Locale::ZhHans);
}
