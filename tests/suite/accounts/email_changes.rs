//! Changing the address: proof of both ends, and the same answer whoever has the new one.

use super::stage::{PASSWORD, Stage, Store, asker, code_of, origin};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{CodeSent, Failure, Registered};

const NORTH: &str = "north@example.org";
const PINE: &str = "Pine@example.org";

impl Stage {
    async fn ask_change(
        &self,
        person: &Registered,
        email: &str,
        current: &str,
    ) -> Result<CodeSent, Failure> {
        let from = origin(1);
        self.accounts.request_email_change(&person.session, email, current, &from).await
    }

    async fn change_email(
        &self,
        person: &Registered,
        key: u128,
        email: &str,
        code: &str,
    ) -> Result<(), Failure> {
        let from = origin(1);
        let asker = asker(&person.session, &from, key);
        self.accounts.change_email(asker, email, code, PASSWORD).await
    }
}

pub(super) async fn the_code_goes_to_the_new_address_and_the_news_to_the_old(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let elsewhere = stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    assert_eq!(code_of(stage.ask_change(&north, PINE, "x").await), "PASSWORD_WRONG");
    assert_eq!(code_of(stage.ask_change(&north, "pine", PASSWORD).await), "EMAIL_INVALID");
    stage.ask_change(&north, PINE, PASSWORD).await.unwrap();
    let code = stage.mailed_code(PINE).await;
    let wrong = super::stage::other_than(&code);
    assert_eq!(code_of(stage.change_email(&north, 1, PINE, wrong).await), "CODE_WRONG");
    stage.change_email(&north, 1, PINE, &code).await.unwrap();
    stage.change_email(&north, 1, PINE, &code).await.unwrap();
    assert_eq!(code_of(stage.change_email(&north, 1, PINE, wrong).await), "IDEMPOTENCY_CONFLICT");

    assert!(stage.accounts.authenticate(elsewhere.token.expose()).await.unwrap().is_none());
    assert!(stage.accounts.authenticate(north.token.expose()).await.unwrap().is_some());
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(2)).await), "CREDENTIALS_WRONG");
    stage.login("pine@EXAMPLE.org", PASSWORD, &origin(2)).await.unwrap();
    assert_eq!(stage.posted("email_changed"), [NORTH]);
    let person = stage.accounts.person(north.player).await.unwrap().unwrap();
    assert_eq!(person.email, PINE);
    // The old address is free for somebody else.
    stage.pass(Span::seconds(60));
    stage.ask(NORTH).await.unwrap();
    let code = stage.mailed_code(NORTH).await;
    stage.register_with(NORTH, &code, "south").await.unwrap();
}

pub(super) async fn a_code_is_for_one_person_and_one_purpose(store: Store) {
    let stage = Stage::new(store).await;
    let (north, west) = (stage.person("north").await, stage.person("west").await);
    stage.ask_change(&north, PINE, PASSWORD).await.unwrap();
    let code = stage.mailed_code(PINE).await;
    assert_eq!(code_of(stage.register_with(PINE, &code, "pine").await), "CODE_WRONG");
    assert_eq!(code_of(stage.change_email(&west, 1, PINE, &code).await), "CODE_WRONG");
    assert_eq!(
        code_of(stage.change_email(&north, 1, "oak@example.org", &code).await),
        "CODE_WRONG"
    );
    stage.pass(Span::seconds(10 * 60));
    assert_eq!(code_of(stage.change_email(&north, 1, PINE, &code).await), "CODE_EXPIRED");
    stage.ask(PINE).await.unwrap();
    let code = stage.mailed_code(PINE).await;
    assert_eq!(code_of(stage.change_email(&north, 1, PINE, &code).await), "CODE_EXPIRED");
    // The address was registered while its code for the change was on its way.
    stage.pass(Span::seconds(60));
    stage.ask_change(&north, PINE, PASSWORD).await.unwrap();
    let late = stage.mailed_code(PINE).await;
    stage.register_with(PINE, &code, "pine").await.unwrap();
    assert_eq!(code_of(stage.change_email(&north, 2, PINE, &late).await), "CODE_WRONG");
}

pub(super) async fn an_address_with_an_account_is_answered_like_any_other(store: Store) {
    let stage = Stage::new(store).await;
    let (north, _) = (stage.person("north").await, stage.person("west").await);
    stage.pass(Span::seconds(60));
    let mut said = Vec::new();
    for email in ["west@example.org", "nobody@example.org"] {
        let before = stage.accounts.hashes_done();
        let mut answers = String::new();
        for _ in 0..2 {
            answers += &format!("{:?}", stage.ask_change(&north, email, PASSWORD).await);
        }
        for code in ["123456", "1", "2", "3", "4", "5", "6"] {
            answers += &format!("{:?}", stage.change_email(&north, 9, email, code).await);
        }
        said.push((answers, stage.accounts.hashes_done() - before));
    }
    assert_eq!(said[0], said[1]);
    let letter = stage.mailbox.latest_to("west@example.org").await.unwrap().unwrap();
    assert_eq!(letter.kind, "address_in_use");
}
