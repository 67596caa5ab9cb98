//! Nothing hidden leaks: two worlds that differ only in identities hidden from a viewer, given the same
//! commands with the same public outcomes, look the same to that viewer, byte for byte: views, updates,
//! refusals, legal moves. That is the definition of "no leak", run on random worlds.
//!
//! `YIBU_CASES` sets the number of pairs, `YIBU_SEED` the seed (printed on failure).

mod observe;
mod onlooker;
mod pair;
mod probes;
mod servers;
mod worlds;

use observe::{Honest, LeakyCount, LeakyOrder, Observe};
use pair::Pair;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs so many pairs, shared out among the cores; a difference that a viewer could see, if any.
fn run(cases: u64, observe: &(dyn Observe + Sync)) -> (Pairs, Option<String>) {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..cores)
            .map(|core| {
                scope.spawn(move || run_part((core..cases).step_by(cores as usize), observe))
            })
            .collect();
        let mut all = (Pairs::default(), None);
        for part in parts {
            let (pairs, difference) = part.join().expect("a part runs to its end");
            all.0.add(&pairs);
            all.1 = all.1.or(difference);
        }
        all
    })
}

fn run_part(cases: impl Iterator<Item = u64>, observe: &dyn Observe) -> (Pairs, Option<String>) {
    let seed = number("YIBU_SEED", 0x5eed);
    let mut pairs = Pairs::default();
    for case in cases {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&case.to_le_bytes());
        let scope = MatchId(uuid::Uuid::nil());
        let mut draw = FairDraw::new("noninterference", scope, &Bytes32(bytes), &[]);
        let mut pair = Pair::new(&mut draw);
        if let Some(difference) = pair.live(&mut draw, observe, &mut pairs) {
            return (pairs, Some(format!("YIBU_SEED={seed} case {case}: {difference}")));
        }
        pairs.cases += 1;
    }
    (pairs, None)
}

/// How much was compared, so that a test that compares nothing fails.
#[derive(Default, Debug)]
struct Pairs {
    cases: u64,
    steps: u64,
    moves: u64,
    battles: u64,
    refusals: u64,
    arranged: u64,
    takeovers: u64,
}

impl Pairs {
    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.steps += other.steps;
        self.moves += other.moves;
        self.battles += other.battles;
        self.refusals += other.refusals;
        self.arranged += other.arranged;
        self.takeovers += other.takeovers;
    }
}

#[test]
fn hidden_identities_change_nothing_that_a_viewer_sees() {
    let cases = number("YIBU_CASES", 10_000);
    let (pairs, difference) = run(cases, &Honest);
    assert_eq!(difference, None);
    assert!(pairs.steps > 8 * cases, "the pairs lived too short to prove anything: {pairs:?}");
    assert!(pairs.battles > cases / 2, "too few battles: {pairs:?}");
    assert!(pairs.moves > 4 * cases && pairs.refusals > cases, "too little tried: {pairs:?}");
    assert!(pairs.takeovers > cases / 100 && pairs.arranged > cases / 4, "too tame: {pairs:?}");
}

#[test]
fn a_view_that_leaks_a_count_is_caught() {
    let (_, difference) = run(2_000, &LeakyCount);
    assert!(difference.is_some_and(|text| text.contains("view")), "the leak went unseen");
}

#[test]
fn a_view_that_leaks_by_its_order_is_caught() {
    let (_, difference) = run(2_000, &LeakyOrder);
    assert!(difference.is_some_and(|text| text.contains("view")), "the leak went unseen");
}
