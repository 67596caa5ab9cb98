//! The same on whole servers: whatever a viewer is told in any way, mails, notices and refusals included, is the same
//! in worlds that differ only in what is hidden. A server costs much more than a state: these are samples.
//!
//! `YIBU_WORLDS` sets the number of pairs, `YIBU_SEED` the seed (printed on failure).

use super::number;
use super::onlooker::Leak;
use super::worlds::{Compared, Worlds};

async fn run(pairs: u64, leak: Leak) -> (Compared, Option<String>) {
    let seed = number("YIBU_SEED", 0x5eed);
    let mut all = Compared::default();
    for pair in 0..pairs {
        let mut worlds = Worlds::new(seed + pair).await;
        let difference = worlds.live(leak).await;
        let some = worlds.compared;
        all.moves += some.moves;
        all.texts += some.texts;
        all.refusals += some.refusals;
        all.turn_mails += some.turn_mails;
        all.waits += some.waits;
        if let Some(difference) = difference {
            return (all, Some(format!("YIBU_SEED={} pair 0: {difference}", seed + pair)));
        }
    }
    (all, None)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_a_viewer_is_told_depends_on_what_is_hidden() {
    let pairs = number("YIBU_WORLDS", 3);
    let (compared, difference) = run(pairs, Leak::None).await;
    assert_eq!(difference, None);
    assert!(u64::from(compared.moves) > 4 * pairs, "parted too soon: {compared:?}");
    assert!(compared.refusals > 40 && compared.texts > 200, "too little tried: {compared:?}");
    assert!(compared.turn_mails > 0 && compared.waits > 0, "too tame: {compared:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_notice_that_leaks_by_its_order_is_caught() {
    let (_, difference) = run(1, Leak::Notice).await;
    assert!(
        difference.is_some_and(|text| text.contains("notices differs")),
        "the leak went unseen"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_that_leaks_a_checksum_is_caught() {
    let (_, difference) = run(3, Leak::Mail).await;
    let mail = |text: String| text.lines().next().is_some_and(|line| line.contains("mail"));
    assert!(difference.is_some_and(mail), "the leak went unseen");
}
