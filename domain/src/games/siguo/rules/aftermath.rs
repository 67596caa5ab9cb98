//! What follows on the board from an action: who falls, whether it is over, whose turn it is.

use super::{BothStuck, Ground, Order};
use crate::games::siguo::moves::any_move;
use crate::games::siguo::position::Position;
use crate::games::siguo::seat::{BySeat, Seat, Side};
use serde::{Deserialize, Serialize};

/// Why a seat is eliminated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Its flag was captured.
    FlagCaptured,
    /// Its player surrendered for himself.
    Surrender,
    /// It had no legal move when its turn came.
    NoMoves,
}

/// What a win on the board rests on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinBy {
    /// All seats of the other side are eliminated.
    Board,
    /// Nobody can move, and the option says that the side to move loses.
    BothStuck,
}

/// How the board ends a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardEnd {
    /// A side has won.
    Win {
        /// Which.
        side: Side,
        /// On what ground.
        by: WinBy,
    },
    /// No active seat has a legal move.
    NoResult,
    /// Too many moves without a loss.
    Draw,
}

/// What follows on the board from an action.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aftermath {
    /// Who falls, in order. All pieces of an eliminated seat leave the board at once.
    pub eliminated: Vec<(Seat, Cause)>,
    /// The end, if this is it.
    pub end: Option<BoardEnd>,
    /// Whose turn it is next; none at the end.
    pub next: Option<Seat>,
}

/// What follows on the board after an action whose own result is already in `ground` (the pieces moved and
/// lost, and `quiet` counted). `first` is the elimination that the action itself causes (a captured flag, a
/// surrender); it is applied first. `turn_of` has the turn; `passes` says whether it goes on now: after a
/// surrender off turn it stays, and nobody is eliminated for want of a move.
///
/// In order: a side without seats loses; nobody can move; too many moves without a loss; the turn passes
/// and eliminates every active seat on its way that cannot move.
pub fn aftermath(
    ground: &Ground<'_>,
    turn_of: Seat,
    passes: bool,
    first: Option<(Seat, Cause)>,
) -> Aftermath {
    let mut field = Field { position: ground.position.clone(), active: ground.active };
    let mut eliminated = Vec::new();
    let mut quiet = ground.quiet;
    if let Some((seat, cause)) = first {
        field.eliminate(seat);
        eliminated.push((seat, cause));
        quiet = 0;
    }
    let order = ground.options.order;
    let next = if passes { next_active(order, field.active, turn_of) } else { Some(turn_of) };
    let end = field
        .winner()
        .or_else(|| field.stuck(ground.options.both_stuck, next.unwrap_or(turn_of)))
        .or_else(|| {
            ground.options.no_loss_draw.filter(|&most| quiet >= most).map(|_| BoardEnd::Draw)
        });
    if end.is_some() || !passes {
        return Aftermath { eliminated, end, next: next.filter(|_| end.is_none()) };
    }
    let mut next = next;
    while let Some(seat) = next.filter(|&seat| !field.can_move(seat)) {
        field.eliminate(seat);
        eliminated.push((seat, Cause::NoMoves));
        if let Some(end) = field.winner() {
            return Aftermath { eliminated, end: Some(end), next: None };
        }
        next = next_active(order, field.active, seat);
    }
    Aftermath { eliminated, end: None, next }
}

/// The active seat that follows in the order of play; the same seat when it is the only one left.
pub fn next_active(order: Order, active: BySeat<bool>, after: Seat) -> Option<Seat> {
    let step = match order {
        Order::Ccw => 1,
        Order::Cw => 3,
    };
    (1..=4).map(|n| Seat::ALL[(after.index() + n * step) % 4]).find(|&seat| active[seat])
}

/// The board while its consequences are worked out.
struct Field {
    position: Position,
    active: BySeat<bool>,
}

impl Field {
    fn eliminate(&mut self, seat: Seat) {
        self.active[seat] = false;
        self.position.remove_seat(seat);
    }

    fn can_move(&self, seat: Seat) -> bool {
        any_move(&self.position.sight(seat))
    }

    fn winner(&self) -> Option<BoardEnd> {
        let gone = |side: &Side| side.seats().iter().all(|&seat| !self.active[seat]);
        let loser = Side::ALL.into_iter().find(gone)?;
        Some(BoardEnd::Win { side: loser.other(), by: WinBy::Board })
    }

    fn stuck(&self, meaning: BothStuck, to_move: Seat) -> Option<BoardEnd> {
        if Seat::ALL.into_iter().any(|seat| self.active[seat] && self.can_move(seat)) {
            return None;
        }
        Some(match meaning {
            BothStuck::NoResult => BoardEnd::NoResult,
            BothStuck::MoverLoses => {
                BoardEnd::Win { side: to_move.side().other(), by: WinBy::BothStuck }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::siguo::piece::Piece;
    use crate::games::siguo::rules::Options;

    /// Seats with a lonely captain each can move; the others hold a flag only.
    fn position(movable: &str) -> Position {
        let mut position = Position::default();
        for seat in Seat::ALL {
            position.place(format!("{seat}62").parse().unwrap(), seat, Piece::Flag);
            if movable.contains(seat.letter()) {
                position.place(format!("{seat}13").parse().unwrap(), seat, Piece::Captain);
            }
        }
        position
    }

    fn after(
        movable: &str,
        options: Options,
        passes: bool,
        first: Option<(Seat, Cause)>,
        quiet: u32,
    ) -> Aftermath {
        let (position, revealed) = (position(movable), BySeat::default());
        let ground = Ground {
            position: &position,
            active: options.seats,
            options: &options,
            revealed,
            quiet,
        };
        aftermath(&ground, Seat::S, passes, first)
    }

    #[test]
    fn stuck_seats_on_the_way_fall_and_the_side_may_lose_by_it() {
        let after_skip = after("sn", Options::FORMAL, true, None, 0);
        assert_eq!(after_skip.eliminated, [(Seat::E, Cause::NoMoves)]);
        assert_eq!((after_skip.end, after_skip.next), (None, Some(Seat::N)));
        let after_skip = after("s", Options::FORMAL, true, None, 0);
        let fallen = [Seat::E, Seat::N, Seat::W].map(|seat| (seat, Cause::NoMoves));
        assert_eq!(after_skip.eliminated, fallen);
        assert_eq!(after_skip.end, Some(BoardEnd::Win { side: Side::Red, by: WinBy::Board }));
        assert_eq!(after_skip.next, None);
    }

    #[test]
    fn a_surrender_off_turn_passes_no_turn_and_fells_nobody_else() {
        let surrender = Some((Seat::E, Cause::Surrender));
        let after = after("se", Options::FORMAL, false, surrender, 0);
        assert_eq!(after.eliminated, [(Seat::E, Cause::Surrender)]);
        assert_eq!((after.end, after.next), (None, Some(Seat::S)));
    }

    #[test]
    fn nobody_can_move_ends_it_as_the_option_says() {
        assert_eq!(after("", Options::FORMAL, true, None, 0).end, Some(BoardEnd::NoResult));
        let options = Options { both_stuck: BothStuck::MoverLoses, ..Options::FORMAL };
        let red = Some(BoardEnd::Win { side: Side::Red, by: WinBy::BothStuck });
        assert_eq!(after("", options, true, None, 0).end, red);
        // East is gone, so the turn would pass to North, and Red loses.
        let blue = Some(BoardEnd::Win { side: Side::Blue, by: WinBy::BothStuck });
        assert_eq!(after("", options, true, Some((Seat::E, Cause::FlagCaptured)), 0).end, blue);
    }

    #[test]
    fn enough_quiet_moves_are_a_draw_before_a_stuck_seat_falls() {
        let options = Options { no_loss_draw: Some(70), ..Options::FORMAL };
        assert_eq!(after("sn", options, true, None, 70).end, Some(BoardEnd::Draw));
        assert_eq!(after("senw", options, true, None, 69).end, None);
        // A fallen seat's pieces left the board: the count begins anew.
        assert_eq!(after("senw", options, true, Some((Seat::S, Cause::Surrender)), 70).end, None);
    }

    #[test]
    fn the_turn_passes_either_way_round_and_over_absent_seats() {
        let all = Options::FORMAL.seats;
        assert_eq!(next_active(Order::Ccw, all, Seat::W), Some(Seat::S));
        assert_eq!(next_active(Order::Cw, all, Seat::S), Some(Seat::W));
        let duel = BySeat { s: true, w: true, ..BySeat::default() };
        assert_eq!(next_active(Order::Ccw, duel, Seat::S), Some(Seat::W));
        assert_eq!(next_active(Order::Ccw, duel, Seat::W), Some(Seat::S));
        assert_eq!(next_active(Order::Ccw, BySeat::default(), Seat::W), None);
        let options = Options { seats: duel, ..Options::FORMAL };
        let gone = after("sw", options, true, Some((Seat::W, Cause::FlagCaptured)), 0);
        assert_eq!(gone.end, Some(BoardEnd::Win { side: Side::Red, by: WinBy::Board }));
    }
}
