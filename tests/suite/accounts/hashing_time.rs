//! That an unknown address takes the time of a known one. Compares medians, generously: it is there to
//! find a forgotten hash, not to measure noise.

use super::stage::{PASSWORD, Stage, origin, settings};
use std::time::{Duration, Instant};
use yibu_domain::kernel::Span;
use yibu_infrastructure::accounts::{Hashing, Settings};

#[tokio::test]
async fn an_unknown_address_costs_the_same_hash() {
    // Dear enough to outweigh everything else that a login does.
    let hashing = Hashing { memory: 8 * 1024, passes: 3 };
    let stage = Stage::with(Settings { hashing, ..settings() }).await;
    stage.person("north").await;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for round in 0..9 {
        stage.pass(Span::hours(25));
        known.push(timed(&stage, "north@example.org").await);
        unknown.push(timed(&stage, &format!("n{round}@example.org")).await);
    }
    let (known, unknown) = (median(known), median(unknown));
    assert!(known < unknown * 2 && unknown < known * 2, "{known:?} {unknown:?}");
    assert!(stage.login("north@example.org", PASSWORD, &origin(2)).await.is_ok());
}

async fn timed(stage: &Stage, email: &str) -> Duration {
    let begun = Instant::now();
    assert!(stage.login(email, "seven old elms", &origin(1)).await.is_err());
    begun.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
