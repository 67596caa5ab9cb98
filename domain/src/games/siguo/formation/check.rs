//! The rules of formations, and every one that a given formation breaks.

use super::{Formation, SIZE, slots};
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::{Pos, PosKind};
use crate::games::siguo::seat::Seat;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A rule of formations, as named in refusals; in the order of the names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FormationRule {
    /// Bombs never start in row 1.
    BombInFrontRow,
    /// The flag stands in one of its two headquarters.
    FlagNotInHeadquarters,
    /// Mines lie in rows 5 and 6.
    MineNotInLastTwoRows,
    /// Every own position that is no camp holds a piece.
    PositionEmpty,
    /// No piece starts in a camp.
    PositionInCamp,
    /// No piece starts outside the own area.
    PositionNotOwn,
    /// The code names no piece.
    UnknownPiece,
    /// Too many or too few of a kind.
    WrongCount,
}

impl FormationRule {
    /// What is wrong, for a person: said of the position or the piece that the fault names.
    pub const fn words(self) -> &'static str {
        match self {
            Self::BombInFrontRow => "a bomb must not start in the front row",
            Self::FlagNotInHeadquarters => "the flag must start in a headquarters",
            Self::MineNotInLastTwoRows => "a mine must start in the last two rows",
            Self::PositionEmpty => "no piece stands there",
            Self::PositionInCamp => "no piece may start in a camp",
            Self::PositionNotOwn => "it is outside the seat's own area",
            Self::UnknownPiece => "it names no piece",
            Self::WrongCount => "there are too many or too few of it",
        }
    }
}

/// One broken rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Which rule.
    pub rule: FormationRule,
    /// Where: the position as given, or for counts and unknown pieces the piece's code.
    pub at: String,
}

impl Formation {
    /// Judges a formation as somebody sent it.
    ///
    /// # Errors
    /// Every broken rule, sorted by rule and place. A position outside the area breaks that one rule
    /// alone, but its piece still counts.
    pub fn check(seat: Seat, pieces: &BTreeMap<String, String>) -> Result<Self, Vec<Fault>> {
        let mut faults = BTreeSet::new();
        let mut fault = |rule, at: &str| {
            faults.insert(Fault { rule, at: at.to_owned() });
        };
        let mut counts = [0; 12];
        let mut placed = BTreeMap::new();
        let mut taken = BTreeSet::new();
        for (place, code) in pieces {
            let piece = code.parse::<Piece>().ok();
            if let Some(piece) = piece {
                counts[piece.index()] += 1;
            }
            let Some(pos) = place.parse::<Pos>().ok().filter(|pos| pos.seat() == Some(seat)) else {
                fault(FormationRule::PositionNotOwn, place);
                continue;
            };
            taken.insert(pos);
            if pos.kind() == PosKind::Camp {
                fault(FormationRule::PositionInCamp, place);
            }
            let Some(piece) = piece else {
                fault(FormationRule::UnknownPiece, code);
                continue;
            };
            if let Some(rule) = misplaced(piece, pos) {
                fault(rule, place);
            }
            placed.insert(pos, piece);
        }
        for pos in slots(seat).filter(|pos| !taken.contains(pos)) {
            fault(FormationRule::PositionEmpty, &pos.to_string());
        }
        for piece in Piece::ALL {
            if counts[piece.index()] != piece.count_per_seat() {
                fault(FormationRule::WrongCount, piece.code());
            }
        }
        // Without a fault the places are exactly the slots, in index order.
        let mut filled = [Piece::Flag; SIZE];
        for (slot, piece) in filled.iter_mut().zip(placed.into_values()) {
            *slot = piece;
        }
        if faults.is_empty() {
            Ok(Self { seat, pieces: filled })
        } else {
            Err(faults.into_iter().collect())
        }
    }
}

/// The rule that this piece breaks on this position of its own area, camps and counts apart.
fn misplaced(piece: Piece, pos: Pos) -> Option<FormationRule> {
    match piece {
        Piece::Flag if pos.kind() != PosKind::Headquarters => {
            Some(FormationRule::FlagNotInHeadquarters)
        }
        Piece::Mine if pos.row() < 5 => Some(FormationRule::MineNotInLastTwoRows),
        Piece::Bomb if pos.row() == 1 => Some(FormationRule::BombInFrontRow),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Bytes32, FairDraw, MatchId};

    /// A legal formation with some positions given anew; an empty code takes the position out.
    fn broken(changes: &[(&str, &str)]) -> Vec<(FormationRule, String)> {
        let codes = [10, 11, 10, 10, 9, 9, 0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8];
        let formation = slots(Seat::S).collect::<Vec<_>>().into_iter().rev().zip(codes);
        let fixed = BTreeMap::from([("s62", "flag"), ("s64", "mine")]);
        let mut pieces: BTreeMap<String, String> = formation
            .map(|(pos, code)| (pos.to_string(), Piece::ALL[code].to_string()))
            .chain(fixed.into_iter().map(|(at, piece)| (at.to_owned(), piece.to_owned())))
            .collect();
        for &(at, code) in changes {
            pieces.insert(at.to_owned(), code.to_owned());
        }
        pieces.retain(|_, code| !code.is_empty());
        let faults = Formation::check(Seat::S, &pieces).err().unwrap_or_default();
        faults.into_iter().map(|fault| (fault.rule, fault.at)).collect()
    }

    #[test]
    fn each_rule_names_its_place() {
        use FormationRule::*;
        type Case =
            (&'static [(&'static str, &'static str)], &'static [(FormationRule, &'static str)]);
        let cases: [Case; 7] = [
            (&[], &[]),
            (&[("s11", "bomb"), ("s61", "engineer")], &[(BombInFrontRow, "s11")]),
            (&[("s62", "engineer"), ("s11", "flag")], &[(FlagNotInHeadquarters, "s11")]),
            (
                &[("s65", "engineer"), ("s22", "mine"), ("s11", "")],
                &[(MineNotInLastTwoRows, "s22"), (PositionEmpty, "s11"), (PositionInCamp, "s22")],
            ),
            (
                &[("s11", ""), ("e11", "engineer"), ("s99", "")],
                &[(PositionEmpty, "s11"), (PositionNotOwn, "e11")],
            ),
            (&[("s11", "dragon")], &[(UnknownPiece, "dragon"), (WrongCount, "engineer")]),
            (
                &[("s11", "commander"), ("c22", "dragon"), ("", "mine")],
                &[
                    (PositionNotOwn, ""),
                    (PositionNotOwn, "c22"),
                    (WrongCount, "commander"),
                    (WrongCount, "engineer"),
                    (WrongCount, "mine"),
                ],
            ),
        ];
        for (changes, wanted) in cases {
            let wanted: Vec<_> = wanted.iter().map(|&(rule, at)| (rule, at.to_owned())).collect();
            assert_eq!(broken(changes), wanted, "{changes:?}");
        }
    }

    #[test]
    fn a_formation_drawn_for_another_seat_is_foreign_everywhere() {
        let drawn = Formation::random(
            Seat::E,
            &mut FairDraw::new("test", MatchId(uuid::Uuid::nil()), &Bytes32([1; 32]), &[]),
        );
        let placed: Vec<_> = drawn.iter().collect();
        let faults = Formation::from_pieces(Seat::S, &placed).unwrap_err();
        let count = |rule| faults.iter().filter(|fault| fault.rule == rule).count();
        assert_eq!(count(FormationRule::PositionNotOwn), 25);
        assert_eq!(count(FormationRule::PositionEmpty), 25);
        assert_eq!(faults.len(), 50);
    }
}
