//! That an unknown address costs the work of a known one. Counts hashes, which outweigh all else that a
//! login does by far; a clock on the wall would measure the neighbours.

use super::stage::{PASSWORD, Stage, Store, code_of, origin};
use yibu_domain::kernel::Span;

pub(super) async fn an_unknown_address_costs_the_same_hash(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    for email in ["north@example.org", "nobody@example.org"] {
        for password in ["seven old elms", "", "x", &"long ".repeat(1000)] {
            let before = stage.accounts.hashes_done();
            let outcome = stage.login(email, password, &origin(1)).await;
            assert_eq!(code_of(outcome), "CREDENTIALS_WRONG");
            assert_eq!(stage.accounts.hashes_done() - before, 1, "{email}");
        }
    }
    // Knowing the right password of somebody else's account changes nothing.
    assert_eq!(
        code_of(stage.login("nobody@example.org", PASSWORD, &origin(1)).await),
        "CREDENTIALS_WRONG"
    );
}

pub(super) async fn what_is_shut_or_wrong_costs_no_hash(store: Store) {
    let stage = Stage::new(store).await;
    stage.person("north").await;
    for _ in 0..5 {
        code_of(stage.login("north@example.org", "seven old elms", &origin(1)).await);
    }
    let before = stage.accounts.hashes_done();
    for _ in 0..20 {
        let shut = stage.login("north@example.org", PASSWORD, &origin(1)).await;
        assert_eq!(code_of(shut), "LOGIN_THROTTLED");
        let wrong = stage.register_with("west@example.org", "123456", "west").await;
        assert_eq!(code_of(wrong), "CODE_WRONG");
    }
    assert_eq!(stage.accounts.hashes_done(), before);
    stage.pass(Span::seconds(30));
    stage.login("north@example.org", PASSWORD, &origin(1)).await.unwrap();
}
