//! How fast the rules are: a seat's legal moves, and whole random matches with the views of all audiences.

use crate::figure::Figure;
use std::hint::black_box;
use std::time::Instant;
use uuid::Uuid;
use yibu_domain::games::siguo::moves::legal_moves;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::games::siguo::view::Sight;
use yibu_domain::kernel::{
    Actor, Bytes32, Ctx, Dated, Decider, Dice, FairDraw, MatchId, PlayerId, Span, Time,
};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::view::{Audience, Phase, view};
use yibu_domain::matches::{Choice, Guest, Match, MatchCommand, MatchState, RuleSet};

fn player(n: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(n))
}

/// Decides and folds one command; the state is as before if it is refused.
fn give(state: &mut MatchState, now: Time, actor: u128, command: &MatchCommand, seed: u64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut dice = Dice::seeded(bytes);
    let mut ctx = Ctx { now, actor: Actor::Player(player(actor)), dice: &mut dice };
    for event in Match::decide(state, command, &mut ctx).unwrap_or_default() {
        Match::evolve(state, &Dated { at: now, event });
    }
}

/// A match that has just started.
fn started(seed: u64) -> MatchState {
    let mut state = MatchState::default();
    let now = Time(1_900_000_000_000);
    for n in 1..=4 {
        let guest = Guest { player: player(n), occupant: Occupant::Player, nickname: 1 };
        let command = match n {
            1 => MatchCommand::Open {
                match_id: MatchId(Uuid::from_u128(9)),
                rules: RuleSet::formal(Span(0)),
                seed: None,
                guest,
                nonce: None,
            },
            _ => MatchCommand::TakeSeat { guest, nonce: None, tables: Choice::default() },
        };
        give(&mut state, now, n, &command, seed * 100 + n as u64);
    }
    for n in 1..=4 {
        let ready = MatchCommand::Ready { nonce: None, expected: None };
        give(&mut state, now, n, &ready, seed * 100 + 10 + n as u64);
    }
    state
}

struct Played {
    plies: u64,
    sights: Vec<Sight>,
}

/// Plays to the end with random moves; every audience's view is made after every ply.
fn play(seed: u64, collect: bool) -> Played {
    let mut state = started(seed);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut draw = FairDraw::new("bench", MatchId(Uuid::nil()), &Bytes32(bytes), &[]);
    let mut played = Played { plies: 0, sights: Vec::new() };
    let mut now = Time(1_900_000_000_001);
    loop {
        let Some(live) = state.live() else { return played };
        let Some(turn) = live.turn().filter(|_| live.phase() == Phase::Playing) else {
            return played;
        };
        let seat = turn.seat;
        let Some(actor) = live.person(seat).map(|person| person.player.0.as_u128()) else {
            return played;
        };
        let own = view(&live.sheet, Audience::Seat(seat));
        let Some(moves) = own.legal_moves() else { return played };
        if collect && let Some(sight) = own.sight() {
            played.sights.push(sight);
        }
        let pick = draw.below(u32::try_from(moves.len()).unwrap_or(0)) as usize;
        let Some((from, to)) = moves.iter().nth(pick) else { return played };
        let command =
            MatchCommand::Move { from: from.to_string(), to: to.to_string(), expected: None };
        give(&mut state, now, actor, &command, played.plies);
        now = now + Span(1);
        played.plies += 1;
        if let Some(live) = state.live() {
            for seat in Seat::ALL {
                black_box(view(&live.sheet, Audience::Seat(seat)));
            }
            black_box(view(&live.sheet, Audience::Departed));
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Legal moves over every position of some games, and whole games scaled to 230 plies.
pub(crate) fn run() -> Vec<Figure> {
    let sights: Vec<Sight> = (0..20).flat_map(|seed| play(seed, true).sights).collect();
    let legal = (0..9).map(|_| {
        let start = Instant::now();
        for sight in &sights {
            black_box(legal_moves(black_box(sight)));
        }
        start.elapsed().as_secs_f64() * 1e6 / sights.len() as f64
    });
    let legal = median(legal.collect());
    let games = (0..60).map(|seed| {
        let start = Instant::now();
        let plies = play(1000 + seed, false).plies.max(1);
        start.elapsed().as_secs_f64() * 1e3 * 230.0 / plies as f64
    });
    let game = median(games.collect());
    vec![
        Figure::alone("legal_moves_of_a_seat", legal, "us").at_most(3.0),
        Figure::alone("random_match_of_230_plies_with_all_views", game, "ms").at_most(2.0),
    ]
}
