//! A single move judged: its route, its battle, what it makes public. What follows from that is in `aftermath`.

use super::Ground;
use crate::games::siguo::battle::{Outcome, clash};
use crate::games::siguo::moves::route;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::Pos;
use crate::games::siguo::seat::Seat;
use std::fmt;

/// What a legal move does by itself.
#[derive(Clone, PartialEq, Eq)]
pub struct MoveResult {
    /// The way taken, both ends included.
    pub route: Vec<Pos>,
    /// Who stays.
    pub outcome: Outcome,
    /// What moved. Secret.
    pub attacker: Piece,
    /// What was attacked. Secret, a captured flag excepted.
    pub defender: Option<Piece>,
    /// Where the piece that moved started.
    pub attacker_handle: Pos,
    /// Whose piece was attacked.
    pub defender_seat: Option<Seat>,
    /// Where the attacked piece started.
    pub defender_handle: Option<Pos>,
    /// Flags that become public now, each with its position; in the order s, e, n, w.
    pub revealed: Vec<(Seat, Pos)>,
    /// The seat whose flag was captured.
    pub captured: Option<Seat>,
}

/// Tells no identities.
impl fmt::Debug for MoveResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MoveResult")
            .field("route", &self.route)
            .field("outcome", &self.outcome)
            .field("revealed", &self.revealed)
            .field("captured", &self.captured)
            .finish_non_exhaustive()
    }
}

/// Judges a move. Whether it is the seat's turn is not asked here.
///
/// `None`: the move is illegal, for whatever reason.
pub fn judge_move(ground: &Ground<'_>, seat: Seat, from: Pos, to: Pos) -> Option<MoveResult> {
    let position = ground.position;
    let route = route(&position.sight(seat), from, to)?;
    let attacker = position.piece(from)?;
    let defender = position.piece(to);
    let defender_seat = position.owner(to);
    let outcome = defender.map_or(Outcome::None, |defender| clash(attacker, defender));
    let lost = |owner: Seat| {
        (outcome.takes_attacker() && owner == seat && attacker == Piece::Commander)
            || (outcome.takes_defender()
                && defender_seat == Some(owner)
                && defender == Some(Piece::Commander))
    };
    let revealed = Seat::ALL
        .into_iter()
        .filter(|&owner| !ground.revealed[owner] && lost(owner))
        .filter_map(|owner| position.flag(owner).map(|flag| (owner, flag)))
        .collect();
    Some(MoveResult {
        route,
        outcome,
        attacker,
        defender,
        attacker_handle: position.handle(from)?,
        defender_seat,
        defender_handle: position.handle(to),
        revealed,
        captured: defender_seat.filter(|_| defender == Some(Piece::Flag)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::siguo::position::Position;
    use crate::games::siguo::rules::Options;
    use crate::games::siguo::seat::BySeat;

    fn pos(name: &str) -> Pos {
        name.parse().unwrap()
    }

    fn position(pieces: &[(&str, Seat, Piece)]) -> Position {
        let mut position = Position::default();
        for &(at, seat, piece) in pieces {
            position.place(pos(at), seat, piece);
        }
        position
    }

    fn judge(
        position: &Position,
        revealed: BySeat<bool>,
        from: &str,
        to: &str,
    ) -> Option<MoveResult> {
        let active = Options::FORMAL.seats;
        let ground = Ground { position, active, options: &Options::FORMAL, revealed, quiet: 0 };
        judge_move(&ground, Seat::S, pos(from), pos(to))
    }

    #[test]
    fn two_commanders_show_two_flags_once_and_in_seat_order() {
        let position = position(&[
            ("s13", Seat::S, Piece::Commander),
            ("s62", Seat::S, Piece::Flag),
            ("c32", Seat::E, Piece::Commander),
            ("e64", Seat::E, Piece::Flag),
        ]);
        let result = judge(&position, BySeat::default(), "s13", "c32").unwrap();
        assert_eq!(result.outcome, Outcome::Both);
        assert_eq!(result.revealed, [(Seat::S, pos("s62")), (Seat::E, pos("e64"))]);
        let known = BySeat { e: true, ..BySeat::default() };
        let result = judge(&position, known, "s13", "c32").unwrap();
        assert_eq!(result.revealed, [(Seat::S, pos("s62"))]);
    }

    #[test]
    fn a_bomb_takes_a_flag_and_both_go() {
        let position = position(&[("e63", Seat::S, Piece::Bomb), ("e62", Seat::E, Piece::Flag)]);
        let result = judge(&position, BySeat::default(), "e63", "e62").unwrap();
        assert_eq!((result.outcome, result.captured), (Outcome::Both, Some(Seat::E)));
        assert!(result.revealed.is_empty());
    }

    #[test]
    fn a_stranger_s_piece_an_empty_place_and_a_mate_are_refused_alike() {
        let position = position(&[
            ("e13", Seat::E, Piece::Major),
            ("s12", Seat::S, Piece::Major),
            ("s13", Seat::N, Piece::Major),
        ]);
        for (from, to) in
            [("e13", "e12"), ("c22", "c21"), ("s12", "s13"), ("s12", "s12"), ("s12", "e13")]
        {
            assert_eq!(judge(&position, BySeat::default(), from, to), None);
        }
    }

    #[test]
    fn debug_tells_no_identity() {
        let position = position(&[("s13", Seat::S, Piece::Bomb), ("c32", Seat::E, Piece::Major)]);
        let told = format!("{:?}", judge(&position, BySeat::default(), "s13", "c32"));
        assert!(!told.to_lowercase().contains("bomb") && !told.to_lowercase().contains("major"));
    }
}
