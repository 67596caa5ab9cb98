//! New accounts: the order of judgement, races for a name or an address, and a crash before the event.

use super::stage::{PASSWORD, Stage, Store, code_of, origin, other_than};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::Registration;
use yibu_infrastructure::mail::Locale;

pub(super) async fn the_first_fault_in_order_is_told_and_costs_nothing(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    stage.ask("west@example.org").await.unwrap();
    let code = stage.mailed_code("west@example.org").await;
    let wrong = other_than(&code);
    let long = "ab".repeat(65);
    for (email, code, nickname, password, wanted) in [
        ("west", wrong, "系统", "x", "EMAIL_INVALID"),
        ("west@example.org", wrong, "系统", "x", "NICKNAME_INVALID"),
        ("west@example.org", wrong, "a\u{202e}b", "x", "NICKNAME_INVALID"),
        ("west@example.org", wrong, "north", "x", "PASSWORD_TOO_SHORT"),
        ("west@example.org", wrong, "north", long.as_str(), "PASSWORD_TOO_LONG"),
        ("west@example.org", wrong, "north", "Password123", "PASSWORD_TOO_COMMON"),
        ("west@example.org", wrong, "north", PASSWORD, "CODE_WRONG"),
        ("west@example.org", code.as_str(), "NORTH", PASSWORD, "NICKNAME_TAKEN"),
        ("west@example.org", code.as_str(), "ＮＯＲＴＨ", PASSWORD, "NICKNAME_TAKEN"),
    ] {
        let wish = Registration { email, code, nickname, password, locale: Locale::En };
        assert_eq!(code_of(stage.accounts.register(wish, &origin(1)).await), wanted);
    }
    // Only one try was spent, and the code is still good.
    let west = stage.register_with("west@example.org", &code, "  west ").await.unwrap();
    assert_eq!((west.nickname.as_str(), west.revision), ("west", 1));
    let person = stage.accounts.person(west.player).await.unwrap().unwrap();
    assert_eq!((person.email.as_str(), person.locale), ("west@example.org", Locale::En));
    let found = stage.accounts.player_by_email("WEST@example.org").await.unwrap();
    assert_eq!(found, Some(west.player));
}

pub(super) async fn twenty_want_one_nickname_and_one_gets_it(store: Store) {
    let stage = Stage::new(store).await;
    let mut ready = Vec::new();
    for number in 0..20 {
        let email = format!("n{number}@example.org");
        stage.ask(&email).await.unwrap();
        ready.push((stage.mailed_code(&email).await, email));
    }
    let race = ready.into_iter().enumerate().map(|(number, (code, email))| {
        let accounts = stage.accounts.clone();
        tokio::spawn(async move {
            let nickname = if number % 2 == 0 { "North" } else { "nORTH" };
            let wish = Registration {
                email: &email,
                code: &code,
                nickname,
                password: PASSWORD,
                locale: Locale::En,
            };
            accounts.register(wish, &origin(1)).await
        })
    });
    let mut won = Vec::new();
    for task in race.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(registered) => won.push(registered.player),
            lost => assert_eq!(code_of(lost), "NICKNAME_TAKEN"),
        }
    }
    assert_eq!(won.len(), 1);
    let found = stage.accounts.player_by_nickname("north").await.unwrap();
    assert_eq!(found, Some(won[0]));
    assert_eq!(stage.accounts.pending_registrations().await.unwrap().len(), 1);
}

pub(super) async fn twenty_use_one_code_and_one_account_is_made(store: Store) {
    let stage = Stage::new(store).await;
    stage.ask("north@example.org").await.unwrap();
    let code = stage.mailed_code("north@example.org").await;
    let race = (0..20).map(|number| {
        let (accounts, code) = (stage.accounts.clone(), code.clone());
        tokio::spawn(async move {
            let wish = Registration {
                email: "north@example.org",
                code: &code,
                nickname: &format!("north{number}"),
                password: PASSWORD,
                locale: Locale::En,
            };
            accounts.register(wish, &origin(1)).await
        })
    });
    let mut won = 0;
    for task in race.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(_) => won += 1,
            lost => assert_eq!(code_of(lost), "CODE_WRONG"),
        }
    }
    assert_eq!(won, 1);
    assert_eq!(stage.accounts.pending_registrations().await.unwrap().len(), 1);
}

pub(super) async fn a_registration_waits_for_its_event_over_a_restart(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    stage.pass(Span(1));
    let west = stage.person("west").await;
    let house = stage.accounts.house_player("House One").await.unwrap();
    let stage = stage.reopened().await;
    let pending = stage.accounts.pending_registrations().await.unwrap();
    let players: Vec<_> = pending.iter().map(|one| (one.player, one.revision, one.house)).collect();
    assert_eq!(players[0], (north.player, 1, false));
    assert_eq!(players.len(), 3);
    for wanted in [(west.player, 1, false), (house.player, 1, true)] {
        assert!(players.contains(&wanted));
    }
    for player in [north.player, north.player, house.player] {
        stage.accounts.confirm_recorded(player).await.unwrap();
    }
    let pending = stage.accounts.pending_registrations().await.unwrap();
    assert_eq!(pending.iter().map(|one| one.player).collect::<Vec<_>>(), [west.player]);
    // The account is whole all the while: its session and password hold.
    assert!(stage.accounts.authenticate(west.token.expose()).await.unwrap().is_some());
    stage.login("west@example.org", PASSWORD, &origin(1)).await.unwrap();
}
