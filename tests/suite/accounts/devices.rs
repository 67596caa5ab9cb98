//! Device marks: an owner's known device stays open while others guess.

use super::stage::{PASSWORD, Stage, Store, code_of, origin};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::Origin;

const NORTH: &str = "north@example.org";

fn with_mark(network: u8, mark: &str) -> Origin {
    Origin { mark: Some(mark.to_owned()), ..origin(network) }
}

pub(super) async fn a_known_device_is_not_locked_out_by_others(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let stranger = "ab".repeat(32);
    for round in 0..60 {
        // From the owner's own network, with and without a mark of their own.
        let from = if round % 2 == 0 { origin(1) } else { with_mark(1, &stranger) };
        code_of(stage.login(NORTH, "seven old elms", &from).await);
        code_of(stage.login(&format!("n{round}@example.org"), PASSWORD, &origin(1)).await);
    }
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(1)).await), "LOGIN_THROTTLED");
    let login = stage.login(NORTH, PASSWORD, &with_mark(1, &north.mark)).await.unwrap();
    assert_eq!(login.mark, north.mark);
    // Which does not open the door for the others.
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &origin(1)).await), "LOGIN_THROTTLED");
}

pub(super) async fn a_known_device_that_guesses_is_slowed_down_itself(store: Store) {
    let stage = Stage::new(store).await;
    let north = stage.person("north").await;
    let own = with_mark(1, &north.mark);
    for _ in 0..10 {
        assert_eq!(code_of(stage.login(NORTH, "seven old elms", &own).await), "CREDENTIALS_WRONG");
    }
    assert_eq!(code_of(stage.login(NORTH, PASSWORD, &own).await), "LOGIN_THROTTLED");
    // The account is open elsewhere, and here again after the wait.
    stage.login(NORTH, PASSWORD, &origin(2)).await.unwrap();
    stage.pass(Span::seconds(30));
    stage.login(NORTH, PASSWORD, &own).await.unwrap();
}

pub(super) async fn a_mark_of_another_account_or_without_form_is_worth_nothing(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    let west = stage.person("west").await;
    for _ in 0..5 {
        code_of(stage.login(NORTH, "seven old elms", &origin(2)).await);
    }
    for mark in [west.mark.as_str(), "", "x", &"zz".repeat(32), &"00".repeat(32)] {
        let from = with_mark(3, mark);
        assert_eq!(code_of(stage.login(NORTH, PASSWORD, &from).await), "LOGIN_THROTTLED");
    }
    stage.pass(Span::seconds(30));
    // A mark that the device has from another account stays its mark; one without form is replaced.
    let login = stage.login(NORTH, PASSWORD, &with_mark(3, &west.mark)).await.unwrap();
    assert_eq!(login.mark, west.mark);
    let login = stage.login(NORTH, PASSWORD, &with_mark(3, "x")).await.unwrap();
    assert_eq!(login.mark.len(), 64);
}
