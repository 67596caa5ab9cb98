//! Hand-made positions: one rule each, with what a piece can reach and what an action leads to.

use super::{Act, Final, OptionsText, Table, placed, sorted};
use serde::Deserialize;
use std::collections::BTreeMap;
use yibu_domain::games::siguo::battle::Outcome;
use yibu_domain::games::siguo::moves::{legal_moves, targets};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::rules::Cause;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_tests::vectors::{h16, items, siguo};

#[derive(Deserialize)]
struct Item {
    index: u32,
    name: String,
    options: OptionsText,
    active: Vec<Seat>,
    to_move: Seat,
    pieces: BTreeMap<Pos, String>,
    legal: Legal,
    checks: Vec<Check>,
}

#[derive(Deserialize)]
struct Legal {
    count: usize,
    hash: String,
    moves: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Check {
    Targets { from: Pos, to: Vec<String> },
    Illegal { from: Pos, to: Pos },
    Move { from: Pos, to: Pos, result: Judged },
    Skip { result: Judged },
    Surrender { result: Judged },
}

#[derive(Deserialize)]
struct Judged {
    route: Option<Vec<Pos>>,
    outcome: Option<Outcome>,
    attacker: Option<Piece>,
    defender: Option<Piece>,
    revealed: Vec<(Seat, Pos)>,
    eliminated: Vec<(Seat, Cause)>,
    next: Option<Seat>,
    r#final: Option<Final>,
    pieces: BTreeMap<Pos, String>,
    board: String,
}

#[test]
fn position_vectors_are_judged_alike() {
    for item in items::<Item>(&siguo("positions.json")) {
        let name = format!("position {} {}", item.index, item.name);
        let mut table = Table::new(item.options.options());
        table.active = BySeat::from_fn(|seat| item.active.contains(&seat));
        table.position = placed(&item.pieces);
        let legal = table.legal(item.to_move);
        assert_eq!(legal.len(), item.legal.count, "{name}: number of legal moves");
        if let Some(wanted) = &item.legal.moves {
            assert_eq!(&sorted(legal.clone()), wanted, "{name}: legal moves");
        }
        assert_eq!(h16(legal), item.legal.hash, "{name}: legal moves");
        for (number, check) in item.checks.iter().enumerate() {
            run(&table, item.to_move, check, &format!("{name}, check {number}"));
        }
    }
}

fn run(table: &Table, seat: Seat, check: &Check, place: &str) {
    let (act, result) = match check {
        Check::Targets { from, to } => {
            let owner =
                table.position.owner(*from).unwrap_or_else(|| panic!("{place}: nothing there"));
            let sight = table.position.sight(owner);
            let reached = targets(&sight, *from);
            assert_eq!(reached, legal_moves(&sight).from(*from), "{place}");
            let reached = sorted(reached.iter().map(|pos| pos.to_string()).collect());
            return assert_eq!(&reached, to, "{place}: targets of {from}");
        }
        Check::Illegal { from, to } => {
            let judged = table.clone().act(seat, Act::Move(*from, *to));
            return assert!(judged.is_none(), "{place}: {from}-{to} must be illegal");
        }
        Check::Move { from, to, result } => (Act::Move(*from, *to), result),
        Check::Skip { result } => (Act::Skip, result),
        Check::Surrender { result } => (Act::Surrender, result),
    };
    let mut table = table.clone();
    let (moved, after) = table.act(seat, act).unwrap_or_else(|| panic!("{place}: illegal"));
    let moved = moved.as_ref();
    assert_eq!(moved.map(|moved| &moved.route), result.route.as_ref(), "{place}: route");
    assert_eq!(moved.map(|moved| moved.outcome), result.outcome, "{place}: outcome");
    assert_eq!(moved.map(|moved| moved.attacker), result.attacker, "{place}: attacker");
    assert_eq!(moved.and_then(|moved| moved.defender), result.defender, "{place}: defender");
    let revealed = moved.map(|moved| moved.revealed.clone()).unwrap_or_default();
    assert_eq!(revealed, result.revealed, "{place}: revealed flags");
    assert_eq!(after.eliminated, result.eliminated, "{place}: eliminations");
    assert_eq!(after.next, result.next, "{place}: next");
    assert_eq!(after.end.map(Final::from), result.r#final, "{place}: final");
    assert_eq!(table.pieces(), result.pieces, "{place}: pieces");
    assert_eq!(table.hash(), result.board, "{place}: board");
}
