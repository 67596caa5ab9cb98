//! Properties of the rules over random formations and random play: what holds in every game. Tests only.

use super::board::board;
use super::formation::{Formation, slots};
use super::moves::{Moves, any_move, legal_moves, route, targets};
use super::piece::Piece;
use super::pos::Pos;
use super::position::Position;
use super::rules::{Cause, Ground, MoveResult, Options, aftermath, judge_move};
use super::seat::{BySeat, Seat};
use crate::kernel::{Bytes32, FairDraw, MatchId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// A formal game played at random from a seed.
struct Game {
    draw: FairDraw,
    position: Position,
    active: BySeat<bool>,
    turn: Option<Seat>,
}

impl Game {
    fn new(seed: [u8; 32]) -> Self {
        let mut draw =
            FairDraw::new("random game", MatchId(uuid::Uuid::nil()), &Bytes32(seed), &[]);
        let mut position = Position::default();
        for seat in Seat::ALL {
            position.set_formation(&Formation::random(seat, &mut draw));
        }
        Self { draw, position, active: Options::FORMAL.seats, turn: Some(Seat::S) }
    }

    fn ground(&self) -> Ground<'_> {
        Ground {
            position: &self.position,
            active: self.active,
            options: &Options::FORMAL,
            revealed: BySeat::default(),
            quiet: 0,
        }
    }

    /// Plays a random legal move; the move and its judgement, unless the game is over.
    fn play(&mut self) -> Option<(Pos, Pos, MoveResult)> {
        let seat = self.turn?;
        let all: Vec<_> = legal_moves(&self.position.sight(seat)).iter().collect();
        let pick = self.draw.below(u32::try_from(all.len()).unwrap());
        let (from, to) = all[pick as usize];
        let result = judge_move(&self.ground(), seat, from, to).unwrap();
        self.position.apply_move(from, to, result.outcome);
        let first = result.captured.map(|captured| (captured, Cause::FlagCaptured));
        let after = aftermath(&self.ground(), seat, true, first);
        for (fallen, _) in after.eliminated {
            self.position.remove_seat(fallen);
            self.active[fallen] = false;
        }
        self.turn = after.next;
        Some((from, to, result))
    }

    fn count(&self) -> usize {
        Seat::ALL.into_iter().map(|seat| self.position.pieces(seat).count()).sum()
    }
}

fn along_one_line(way: &[Pos]) -> bool {
    board().rays(way[0]).iter().any(|ray| ray.starts_with(&way[1..]))
}

/// A route that the rules allow, whoever chose it.
fn assert_route(position: &Position, from: Pos, to: Pos, way: &[Pos]) {
    assert_eq!((way.first(), way.last()), (Some(&from), Some(&to)));
    assert!(way.windows(2).all(|step| board().neighbours(step[0]).contains(step[1])));
    assert!(way[1..way.len() - 1].iter().all(|&at| position.owner(at).is_none()));
    assert_eq!(way.iter().collect::<BTreeSet<_>>().len(), way.len());
    if way.len() > 2 {
        assert!(way.iter().all(|&at| board().rail().contains(at)));
        assert!(along_one_line(way) || position.piece(from) == Some(Piece::Engineer));
    }
}

fn assert_moves(position: &Position, seat: Seat) {
    let sight = position.sight(seat);
    let moves: Moves = legal_moves(&sight);
    let listed: BTreeSet<(Pos, Pos)> = moves.iter().collect();
    assert_eq!(listed.len(), moves.len());
    assert_eq!(moves.is_empty(), !any_move(&sight));
    assert!(moves.iter().is_sorted());
    for from in Pos::all() {
        assert_eq!(targets(&sight, from), moves.from(from));
        for to in Pos::all() {
            let legal = listed.contains(&(from, to));
            assert_eq!(moves.is_legal(from, to), legal);
            match route(&sight, from, to) {
                Some(way) => assert_route(position, from, to, &way),
                None => assert!(!legal),
            }
            if legal {
                assert_eq!(position.owner(from), Some(seat));
                assert!(position.owner(to).is_none_or(|owner| owner.side() != seat.side()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_piece_appears_or_vanishes_without_a_battle_or_an_elimination(seed: [u8; 32]) {
        let mut game = Game::new(seed);
        for _ in 0..2000 {
            let (before, active) = (game.count(), game.active);
            let Some((from, to, result)) = game.play() else { break };
            prop_assert!(game.position.owner(from).is_none());
            if active == game.active {
                let lost = usize::from(result.outcome.takes_attacker())
                    + usize::from(result.outcome.takes_defender());
                prop_assert_eq!(game.count(), before - lost);
            }
            if !result.outcome.takes_attacker() && game.position.owner(to).is_some() {
                prop_assert_eq!(game.position.handle(to), Some(result.attacker_handle));
                prop_assert_eq!(game.position.piece(to), Some(result.attacker));
            }
            for seat in Seat::ALL {
                let handles: BTreeSet<Pos> = game.position.pieces(seat).map(|piece| piece.1).collect();
                prop_assert_eq!(handles.len(), game.position.pieces(seat).count());
                prop_assert!(handles.iter().all(|handle| handle.seat() == Some(seat)));
                prop_assert!(game.active[seat] || handles.is_empty());
            }
        }
    }

    #[test]
    fn moves_and_routes_agree(seed: [u8; 32], plies in 0..250) {
        let mut game = Game::new(seed);
        for _ in 0..plies {
            if game.play().is_none() {
                break;
            }
        }
        for seat in Seat::ALL {
            assert_moves(&game.position, seat);
        }
    }

    #[test]
    fn a_sight_knows_nothing_of_foreign_identities(seed: [u8; 32], other: [u8; 32]) {
        let (mine, theirs) = (Game::new(seed).position, Game::new(other).position);
        let mut mixed = theirs.clone();
        for (at, _, piece) in mine.pieces(Seat::E) {
            mixed.place(at, Seat::E, piece);
        }
        prop_assert!(mixed.sight(Seat::E) == mine.sight(Seat::E));
        prop_assert_eq!(legal_moves(&mixed.sight(Seat::E)), legal_moves(&mine.sight(Seat::E)));
    }

    #[test]
    fn random_formations_are_legal_and_survive_storage(seed: [u8; 32]) {
        for seat in Seat::ALL {
            let formation = Formation::random(seat, &mut FairDraw::new("f", MatchId(uuid::Uuid::nil()), &Bytes32(seed), &[]));
            let named: BTreeMap<String, String> =
                formation.iter().map(|(at, piece)| (at.to_string(), piece.to_string())).collect();
            prop_assert!(Formation::check(seat, &named) == Ok(formation.clone()));
            let stored = serde_json::to_string(&formation).unwrap();
            prop_assert!(serde_json::from_str::<Formation>(&stored).unwrap() == formation);
            prop_assert!(Formation::from_codes(seat, &formation.codes()) == Some(formation));
        }
    }

    #[test]
    fn wild_input_is_refused_with_sorted_faults(
        pieces in proptest::collection::btree_map(
            "([senwc][0-7][0-6]|.{0,4})", "(flag|mine|bomb|engineer|司令|.{0,5})", 0..30,
        )
    ) {
        let faults = Formation::check(Seat::N, &pieces).unwrap_err();
        prop_assert!(!faults.is_empty() && faults.is_sorted());
    }
}

#[test]
fn every_formation_is_as_likely_where_it_can_be_counted() {
    let mut draw = FairDraw::new("spread", MatchId(uuid::Uuid::nil()), &Bytes32([7; 32]), &[]);
    let mut mines: BTreeMap<Pos, u32> = BTreeMap::new();
    for _ in 0..4000 {
        let formation = Formation::random(Seat::S, &mut draw);
        for (at, piece) in formation.iter() {
            if piece == Piece::Mine {
                *mines.entry(at).or_default() += 1;
            }
        }
    }
    // A third of the nine free places each; a headquarters only when the flag stands in the other (half).
    assert_eq!(
        mines.keys().copied().collect::<Vec<_>>(),
        slots(Seat::S).skip(15).collect::<Vec<_>>()
    );
    for (at, count) in mines {
        let wanted = if board().headquarters().contains(at) { 667 } else { 1333 };
        assert!(count.abs_diff(wanted) < 150, "{at}: {count}");
    }
}
