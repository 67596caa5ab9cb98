//! A forgotten password: links that are good once, and addresses without an account.

use super::stage::{PASSWORD, Stage, Store, asker, code_of, origin};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::RESET_LIFE;
use yibu_infrastructure::mail::Locale;

const NORTH: &str = "north@example.org";
const OTHER: &str = "nine young elms";
const PAGE: &str = "https://play.example/reset";
const MINUTE: Span = Span::seconds(60);

impl Stage {
    /// The token of a link that was just asked for and mailed.
    async fn mailed_token(&self, email: &str) -> String {
        let accounts = &self.accounts;
        accounts.request_reset(email, Locale::En, PAGE, &origin(1)).await.expect("a mail");
        let letter = self.mailbox.latest_to(email).await.unwrap().unwrap();
        let start = format!("{PAGE}#token=");
        let link = letter.plain.split_whitespace().find_map(|word| word.strip_prefix(&start));
        link.expect("a link in the letter").to_owned()
    }
}

pub(super) async fn a_link_is_good_once_and_for_half_an_hour(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let west = stage.person("west").await;
    stage.pass(MINUTE);
    for _ in 0..5 {
        code_of(stage.login(NORTH, "seven old elms", &origin(4)).await);
    }
    let token = stage.mailed_token(NORTH).await;
    assert_eq!(token.len(), 32, "128 bits");
    let signal = stage.accounts.watch(north.session.id).await.unwrap();
    for wrong in ["", "x", &token[1..], &"0".repeat(32), &"字".repeat(32)] {
        assert_eq!(code_of(stage.accounts.reset_password(wrong, OTHER).await), "RESET_INVALID");
    }
    let short = stage.accounts.reset_password(&token, "short").await;
    assert_eq!(code_of(short), "PASSWORD_TOO_SHORT");
    stage.pass(Span(RESET_LIFE.0 - 1));
    stage.accounts.reset_password(&token, OTHER).await.unwrap();
    assert_eq!(code_of(stage.accounts.reset_password(&token, OTHER).await), "RESET_INVALID");
    assert!(signal.is_cancelled());
    assert!(stage.accounts.authenticate(north.token.expose()).await.unwrap().is_none());
    assert!(stage.accounts.authenticate(west.token.expose()).await.unwrap().is_some());
    // What others guessed is forgotten.
    stage.login(NORTH, OTHER, &origin(4)).await.unwrap();
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(4)).await), "CREDENTIALS_WRONG");
    assert_eq!(stage.posted("password_changed"), [NORTH]);

    let token = stage.mailed_token(NORTH).await;
    stage.pass(RESET_LIFE);
    let before = stage.accounts.hashes_done();
    assert_eq!(code_of(stage.accounts.reset_password(&token, OTHER).await), "RESET_INVALID");
    assert_eq!(stage.accounts.hashes_done(), before);
}

pub(super) async fn a_later_link_voids_an_earlier_one_and_a_change_voids_both(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    stage.pass(MINUTE);
    let first = stage.mailed_token(NORTH).await;
    let again = stage.accounts.request_reset(NORTH, Locale::En, PAGE, &origin(1)).await;
    assert_eq!(code_of(again), "CODE_RATE_LIMITED");
    // Codes and links share the caps of an address.
    assert_eq!(code_of(stage.ask(NORTH).await), "CODE_RATE_LIMITED");
    stage.pass(MINUTE);
    let second = stage.mailed_token(NORTH).await;
    assert_eq!(code_of(stage.accounts.reset_password(&first, OTHER).await), "RESET_INVALID");
    let from = origin(1);
    let done = stage.accounts.change_password(asker(&north.session, &from, 1), PASSWORD, OTHER);
    done.await.unwrap();
    assert_eq!(code_of(stage.accounts.reset_password(&second, PASSWORD).await), "RESET_INVALID");
    stage.pass(MINUTE);
    let third = stage.mailed_token(NORTH).await;
    let race: Vec<_> = (0..10)
        .map(|n| {
            let (accounts, third) = (stage.accounts.clone(), third.clone());
            tokio::spawn(
                async move { accounts.reset_password(&third, &format!("{OTHER}{n}")).await },
            )
        })
        .collect();
    let mut done = 0;
    for task in race {
        done += usize::from(task.await.unwrap().is_ok());
    }
    assert_eq!(done, 1);
}

pub(super) async fn an_address_without_an_account_hears_of_it_and_nobody_else(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    stage.pass(MINUTE);
    let ask = async |email: &'static str| {
        format!("{:?}", stage.accounts.request_reset(email, Locale::En, PAGE, &origin(1)).await)
    };
    assert_eq!(ask(NORTH).await, ask("nobody@example.org").await);
    let letter = stage.mailbox.latest_to("nobody@example.org").await.unwrap().unwrap();
    assert_eq!(letter.kind, "no_account");
    assert!(!letter.plain.contains(PAGE));
    let letter = stage.mailbox.latest_to(NORTH).await.unwrap().unwrap();
    assert_eq!(letter.kind, "password_reset");
    // Neither token lies in the database.
    let token = letter.plain.split("#token=").nth(1).unwrap().split_whitespace().next().unwrap();
    let sql = format!(
        "SELECT COUNT(*) FROM resets WHERE LOWER(CAST(token AS TEXT)) LIKE '%{token}%' OR address LIKE '%{token}%'"
    );
    assert_eq!(stage.count(&sql), 0);
    assert_eq!(stage.count("SELECT COUNT(*) FROM resets"), 2);
}
