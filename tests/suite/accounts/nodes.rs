//! Several nodes on one database: caps, tries, names, throttles and keys are as exact as with one. Each race goes
//! through two sets of accounts with connections of their own, as two processes have.

use super::stage::{PASSWORD, Stage, Store, code_of, origin, other_than, settings};
use std::collections::HashMap;
use yibu_api::app::Seal;
use yibu_infrastructure::accounts::{Accounts, CodeCaps, Failure, Registration, Settings};
use yibu_infrastructure::mail::Locale;
use yibu_infrastructure::system::Entropy;

const NORTH: &str = "north@example.org";

/// Two nodes over one empty database.
async fn two(settings: Settings) -> (Stage, Stage) {
    let one = Stage::with(Store::Postgres, settings).await;
    let two = one.node(2, settings).await;
    (one, two)
}

/// Does the same on both nodes many times at the same instant; counts the outcomes by code, `OK` for success.
async fn race<
    T: std::fmt::Debug + Send + 'static,
    F: Future<Output = Result<T, Failure>> + Send + 'static,
>(
    nodes: (&Stage, &Stage),
    times: usize,
    act: impl Fn(Accounts, usize) -> F,
) -> HashMap<&'static str, usize> {
    let running: Vec<_> = (0..times)
        .map(|n| {
            let node = if n % 2 == 0 { nodes.0 } else { nodes.1 };
            tokio::spawn(act(node.accounts.clone(), n))
        })
        .collect();
    let mut outcomes = HashMap::new();
    for task in running {
        let outcome = task.await.unwrap();
        let code = if outcome.is_ok() { "OK" } else { code_of(outcome) };
        *outcomes.entry(code).or_default() += 1;
    }
    outcomes
}

async fn register(
    accounts: Accounts,
    email: String,
    code: String,
    nickname: String,
) -> Result<(), Failure> {
    let wish = Registration {
        email: &email,
        code: &code,
        nickname: &nickname,
        password: PASSWORD,
        locale: Locale::En,
    };
    accounts.register(wish, &origin(1)).await.map(|_| ())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_address_gets_one_mail() {
    let (a, b) = two(settings()).await;
    let asked = race((&a, &b), 50, |accounts, _| async move {
        accounts.request_code(NORTH, Locale::En, &origin(1)).await
    });
    assert_eq!(asked.await, HashMap::from([("OK", 1), ("CODE_RATE_LIMITED", 49)]));
    assert_eq!(a.mailbox.list(100).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn caps_of_a_network_and_of_all_are_exact() {
    let caps = CodeCaps { network_hour: 7, network_day: 30, all_hour: 11 };
    let (a, b) = two(Settings { code_caps: caps, ..settings() }).await;
    for (network, wanted) in [(1, 7), (2, 4)] {
        let asked = race((&a, &b), 30, |accounts, n| async move {
            let email = format!("n{n}.{network}@example.org");
            accounts.request_code(&email, Locale::En, &origin(network)).await
        });
        assert_eq!(asked.await["OK"], wanted, "network {network}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_code_takes_five_tries_and_makes_one_account() {
    let (a, b) = two(settings()).await;
    // The first round opens the connections; the others meet at the same instant.
    for round in 0..3 {
        let email = format!("n{round}@example.org");
        a.ask(&email).await.unwrap();
        let wrong = other_than(&b.mailed_code(&email).await);
        let tried = race((&a, &b), 30, |accounts, _| {
            register(accounts, email.clone(), wrong.into(), "north".into())
        });
        let wanted = HashMap::from([("CODE_WRONG", 5), ("CODE_TRIES_USED", 25)]);
        assert_eq!(tried.await, wanted, "round {round}");
    }

    b.ask("west@example.org").await.unwrap();
    let code = a.mailed_code("west@example.org").await;
    let used = race((&a, &b), 20, |accounts, n| {
        register(accounts, "west@example.org".into(), code.clone(), format!("west{n}"))
    });
    assert_eq!(used.await, HashMap::from([("OK", 1), ("CODE_WRONG", 19)]));
    assert_eq!(b.accounts.pending_registrations().await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_nickname_is_won_once() {
    let (a, b) = two(settings()).await;
    let mut codes = Vec::new();
    for n in 0..20 {
        let email = format!("n{n}@example.org");
        a.ask(&email).await.unwrap();
        codes.push((email.clone(), a.mailed_code(&email).await));
    }
    let won = race((&a, &b), 20, |accounts, n| {
        let (email, code) = codes[n].clone();
        let nickname = if n % 3 == 0 { "North" } else { "nORTH" };
        register(accounts, email, code, nickname.into())
    });
    assert_eq!(won.await, HashMap::from([("OK", 1), ("NICKNAME_TAKEN", 19)]));
    let made = race((&a, &b), 20, |accounts, _| async move { accounts.house_player("Pine").await });
    assert_eq!(made.await, HashMap::from([("OK", 20)]));
    let pending = a.accounts.pending_registrations().await.unwrap();
    assert_eq!(pending.iter().filter(|one| one.house).count(), 1, "one house player of that name");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_guesses_at_the_same_instant_are_five() {
    let (a, b) = two(settings()).await;
    a.person("north").await;
    let guessed = race((&a, &b), 50, |accounts, n| async move {
        let from = origin(u8::try_from(n).unwrap());
        accounts.login(NORTH, "seven old elms", &from).await
    });
    let wanted = HashMap::from([("CREDENTIALS_WRONG", 5), ("LOGIN_THROTTLED", 45)]);
    assert_eq!(guessed.await, wanted);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_position_sealed_by_one_node_opens_at_the_other_and_after_a_restart() {
    let (a, b) = two(settings()).await;
    let asked: Vec<_> = (0..20)
        .map(|n| {
            let accounts = if n % 2 == 0 { a.accounts.clone() } else { b.accounts.clone() };
            tokio::spawn(async move { accounts.key("log_position").await.unwrap() })
        })
        .collect();
    let mut keys = Vec::new();
    for key in asked {
        keys.push(key.await.unwrap());
    }
    keys.dedup();
    let [key] = keys[..] else { panic!("one key was expected, not {}", keys.len()) };
    assert_ne!(a.accounts.key("something else").await.unwrap(), key);
    let token = Seal::new(key, Entropy::seeded(1)).seal(42);
    let a = a.reopened().await;
    let later = Seal::new(a.accounts.key("log_position").await.unwrap(), Entropy::seeded(2));
    assert_eq!(later.open(&token), Some(42));
    let foreign = Seal::new([0; 32], Entropy::seeded(1)).seal(42);
    assert_eq!(later.open(&foreign), None);
}
