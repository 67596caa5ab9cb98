//! A thousand probes of addresses: who has an account shows neither in words nor in work, whichever door is asked.

use super::stage::{Stage, Store, open_accounts, origin, settings};
use std::sync::Arc;
use std::time::{Duration, Instant};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{
    Accounts, AccountsDb, CodeCaps, Place, Registration, Settings,
};
use yibu_infrastructure::mail::{DevMailbox, Locale};
use yibu_infrastructure::system::ManualClock;
use yibu_tests::postgres::{self, Cluster};

const MANY: u32 = 100_000;
const PAGE: &str = "https://play.example/reset";

fn generous() -> Settings {
    let code_caps = CodeCaps { network_hour: MANY, network_day: MANY, all_hour: MANY };
    Settings { code_caps, ..settings() }
}

/// What somebody who probes asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Door {
    Reset,
    Code,
    Login,
}

const DOORS: [Door; 3] = [Door::Reset, Door::Code, Door::Login];

async fn probe(accounts: &Accounts, door: Door, email: &str, network: u8) -> String {
    let from = origin(network);
    match door {
        Door::Reset => {
            format!("{:?}", accounts.request_reset(email, Locale::En, PAGE, &from).await)
        }
        Door::Code => format!("{:?}", accounts.request_code(email, Locale::En, &from).await),
        Door::Login => format!("{:?}", accounts.login(email, "seven old oak", &from).await),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_probes_tell_nothing_in_words_hashes_or_time() {
    let stage = Stage::with(Store::Sqlite, generous()).await;
    let known: Vec<String> = (0..8).map(|n| format!("known{n}@example.org")).collect();
    for n in 0..8 {
        stage.person(&format!("known{n}")).await;
    }
    let mut times = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
    let mut asked = 0;
    for round in 0..42_u8 {
        // Nobody's caps or throttles are in the way: both kinds are as new in every round.
        stage.pass(Span::hours(25));
        stage.accounts.sweep().await.unwrap();
        for (n, known) in known.iter().enumerate().take(4) {
            let unknown = format!("nobody{n}.{round}@example.org");
            for (at, door) in DOORS.into_iter().enumerate() {
                // Who is asked first changes, so that a warm cache helps both alike.
                let order = if (usize::from(round) + n) % 2 == 0 { [0, 1] } else { [1, 0] };
                let mut said = [String::new(), String::new()];
                for who in order {
                    let email = [known, &unknown][who];
                    let before = stage.accounts.hashes_done();
                    let since = Instant::now();
                    said[who] = probe(&stage.accounts, door, email, round).await;
                    times[at][who].push(since.elapsed());
                    let hashes = stage.accounts.hashes_done() - before;
                    assert_eq!(hashes, u64::from(door == Door::Login), "{door:?}");
                    asked += 1;
                }
                assert_eq!(said[0], said[1], "{door:?}");
                stage.pass(Span::seconds(61));
            }
        }
    }
    assert!(asked >= 1000, "{asked}");
    for (door, [known, unknown]) in DOORS.into_iter().zip(times) {
        let (known, unknown) = (median(known), median(unknown));
        let (less, more) = (known.min(unknown), known.max(unknown));
        // Far wider than the noise of a busy machine, far narrower than a hash or a letter left out.
        assert!(more < less * 2 + Duration::from_micros(500), "{door:?}: {known:?} {unknown:?}");
    }
}

/// What the database was asked for one probe. Looks for ended sessions are not a part of it: they are made every
/// second.
async fn statements(
    cluster: &Cluster,
    accounts: &Accounts,
    door: Door,
    email: &str,
) -> Vec<String> {
    let before = cluster.log().len();
    probe(accounts, door, email, 9).await;
    let log = cluster.log();
    let lines = log[before..].lines().filter_map(|line| line.split_once("execute "));
    let texts = lines.filter_map(|(_, rest)| rest.split_once(": "));
    let own = texts.filter(|(_, text)| !text.contains("session_ends"));
    own.map(|(_, text)| text.to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_hears_the_same_statements() {
    let cluster = Cluster::start(&postgres::Settings {
        lines: vec!["log_statement = 'all'".to_owned()],
        ..postgres::Settings::default()
    });
    let folder = tempfile::tempdir().unwrap();
    let db = AccountsDb::open(Place::Postgres(cluster.database())).await.unwrap();
    let mailbox = DevMailbox::open(db.clone(), folder.path().join("mail")).await.unwrap();
    let clock = ManualClock::at(super::stage::START);
    let letters = Arc::new(mailbox.clone());
    let accounts = open_accounts(db.clone(), letters, &clock, generous(), 0).await;
    let email = "known@example.org";
    accounts.request_code(email, Locale::En, &origin(1)).await.unwrap();
    let letter = mailbox.latest_to(email).await.unwrap().unwrap();
    let mut words = letter.plain.split_whitespace();
    let code = words.find(|word| word.len() == 6 && word.bytes().all(|b| b.is_ascii_digit()));
    let wish = Registration {
        email,
        code: code.unwrap(),
        nickname: "known",
        password: super::stage::PASSWORD,
        locale: Locale::En,
    };
    accounts.register(wish, &origin(1)).await.unwrap();
    for door in DOORS {
        clock.advance(Span::hours(1));
        let known = statements(&cluster, &accounts, door, email).await;
        let unknown = statements(&cluster, &accounts, door, "nobody@example.org").await;
        assert!(known.len() >= 5, "{door:?}: {known:?}");
        assert_eq!(known, unknown, "{door:?}");
    }
    db.close().await;
}
