//! Logging in: wrong and right, and how guessing is slowed down.

use super::stage::{PASSWORD, Stage, Store, code_of, origin, refused};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{Failure, LoggedIn, Refusal};

const NORTH: &str = "north@example.org";

fn wait(outcome: Result<LoggedIn, Failure>) -> i64 {
    match refused(outcome) {
        Refusal::LoginThrottled { retry_after } => retry_after.0 / 1000,
        other => panic!("a wait was expected, not {other:?}"),
    }
}

pub(super) async fn address_and_password_make_a_session(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let mut from = origin(3);
    from.device = "Tablet".into();
    let login = stage.login(" North@Example.ORG", PASSWORD, &from).await.unwrap();
    assert_eq!(login.player, north.player);
    assert_ne!(login.token, north.token);
    let session = stage.accounts.authenticate(login.token.expose()).await.unwrap().unwrap();
    assert_eq!(session, login.session);
    assert_eq!((session.device.as_str(), session.network.as_str()), ("Tablet", "203.0.113.3"));
    for (email, password, wanted) in [
        ("north", PASSWORD, "EMAIL_INVALID"),
        (NORTH, "seven old oak", "CREDENTIALS_WRONG"),
        (NORTH, "", "CREDENTIALS_WRONG"),
        ("nobody@example.org", PASSWORD, "CREDENTIALS_WRONG"),
    ] {
        assert_eq!(code_of(stage.login(email, password, &from).await), wanted);
    }
    let huge = "x".repeat(1_000_000);
    assert_eq!(code_of(stage.login(NORTH, &huge, &from).await), "CREDENTIALS_WRONG");
}

pub(super) async fn an_address_is_shut_after_five_failures_for_times_that_double(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    let mut network = 10;
    let mut guess = async |password: &'static str| {
        // Another network each time: the address itself is what is slowed down.
        network += 1;
        stage.login(NORTH, password, &origin(network)).await
    };
    for _ in 0..5 {
        assert_eq!(code_of(guess("seven old elms").await), "CREDENTIALS_WRONG");
    }
    for seconds in [30, 60, 120, 240, 480, 900, 900] {
        // Even the right password is not judged, and asking does not prolong the wait.
        assert_eq!(wait(guess(PASSWORD).await), seconds);
        stage.pass(Span(seconds * 1000 - 1));
        assert_eq!(wait(guess(PASSWORD).await), 0);
        stage.pass(Span(1));
        assert_eq!(code_of(guess("seven old elms").await), "CREDENTIALS_WRONG");
    }
    stage.pass(Span::seconds(900));
    guess(PASSWORD).await.unwrap();
    // A success forgets the failures.
    for _ in 0..5 {
        assert_eq!(code_of(guess("seven old elms").await), "CREDENTIALS_WRONG");
    }
    wait(guess(PASSWORD).await);
    // So does a day without any.
    stage.pass(Span::hours(24));
    for _ in 0..5 {
        assert_eq!(code_of(guess("seven old elms").await), "CREDENTIALS_WRONG");
    }
    wait(guess(PASSWORD).await);
}

pub(super) async fn waits_survive_a_restart(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    for _ in 0..5 {
        code_of(stage.login(NORTH, "seven old elms", &origin(1)).await);
    }
    let stage = stage.reopened().await;
    assert_eq!(wait(stage.login(NORTH, PASSWORD, &origin(2)).await), 30);
}

pub(super) async fn a_network_is_shut_after_fifty_failures_on_whatever_address(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    for number in 0..50 {
        let email = format!("n{number}@example.org");
        assert_eq!(code_of(stage.login(&email, PASSWORD, &origin(7)).await), "CREDENTIALS_WRONG");
    }
    assert_eq!(wait(stage.login(NORTH, PASSWORD, &origin(7)).await), 30);
    stage.login(NORTH, PASSWORD, &origin(8)).await.unwrap();
    stage.pass(Span::seconds(30));
    stage.login(NORTH, PASSWORD, &origin(7)).await.unwrap();
    // A success elsewhere in the network does not wash it clean.
    assert_eq!(
        code_of(stage.login("n@example.org", PASSWORD, &origin(7)).await),
        "CREDENTIALS_WRONG"
    );
    assert_eq!(wait(stage.login(NORTH, PASSWORD, &origin(7)).await), 60);
}

pub(super) async fn fifty_guesses_at_the_same_instant_are_five(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    let race = (0..50).map(|network| {
        let accounts = stage.accounts.clone();
        tokio::spawn(async move { accounts.login(NORTH, "seven old elms", &origin(network)).await })
    });
    let mut judged = 0;
    for task in race.collect::<Vec<_>>() {
        match code_of(task.await.unwrap()) {
            "CREDENTIALS_WRONG" => judged += 1,
            other => assert_eq!(other, "LOGIN_THROTTLED"),
        }
    }
    assert_eq!(judged, 5);
}
