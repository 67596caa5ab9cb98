//! How a house player (陪练) plays: a pure choice from its own dark view, no better informed than a person in
//! that seat. Must not be given the truth, and need not be strong; it has to bring every match to an end.

use super::commands::MatchCommand;
use super::events::{Occupant, TurnKind};
use super::view::{MatchView, Phase, PublicView};
use crate::games::siguo::moves::Moves;
use crate::games::siguo::piece::Piece;
use crate::games::siguo::pos::{Pos, PosKind};
use crate::games::siguo::seat::{Seat, Side};
use crate::games::siguo::view::Sight;
use crate::kernel::FairDraw;

/// After so many moves in which nothing left the board, a draw is offered and accepted.
const QUIET: u32 = 60;
/// With so few men on the whole board a draw is accepted.
const FEW_MEN: usize = 12;
/// A side that cannot move more men than this has nearly lost.
const NEARLY_LOST: usize = 3;

/// What the house player in the viewer's seat does now; `None` when nothing waits for it.
pub fn choose(view: &MatchView, dice: &mut FairDraw) -> Option<MatchCommand> {
    let seat = view.seat()?;
    let own = view.own.as_ref()?;
    match view.public.phase {
        Phase::Assembling if own.ready => None,
        Phase::Assembling => Some(MatchCommand::Ready { nonce: None, expected: Some(own.version) }),
        Phase::Playing if view.public.seats[seat].active => {
            answer(view, seat).or_else(|| on_turn(view, seat, dice))
        }
        Phase::Playing | Phase::Ended => None,
    }
}

/// Whether any person (not house) still holds a seat, out or not.
pub fn persons_sit(public: &PublicView) -> bool {
    let mut seats = public.seats.iter().filter_map(|(_, seat)| seat.person.as_ref());
    seats.any(|person| person.occupant == Occupant::Player)
}

/// A proposal or an offer that waits for this seat.
fn answer(view: &MatchView, seat: Seat) -> Option<MatchCommand> {
    let public = &view.public;
    let proposal = view.own.as_ref()?.proposal.as_ref();
    if let Some(open) = proposal.filter(|open| open.seat != seat) {
        let proposal = Some(open.proposal);
        return Some(if nearly_lost(public, seat.side()) {
            MatchCommand::ConfirmTeamSurrender { proposal }
        } else {
            MatchCommand::DeclineTeamSurrender { proposal }
        });
    }
    let open = public.draw.as_ref()?;
    if open.seat == seat || open.accepted.contains(&seat) {
        return None;
    }
    let accept = pointless(public) || public.men.len() <= FEW_MEN;
    Some(MatchCommand::VoteDraw { offer: Some(open.offer), accept })
}

fn on_turn(view: &MatchView, seat: Seat, dice: &mut FairDraw) -> Option<MatchCommand> {
    let public = &view.public;
    let turn = public.turn.as_ref()?;
    if turn.seat != seat || turn.kind == TurnKind::Vacant {
        return None;
    }
    let opponent = seat.side().other().seats().into_iter().any(|seat| {
        let other = &public.seats[seat];
        other.active && other.person.is_some()
    });
    if pointless(public) && !turn.draw_offered && public.draw.is_none() && opponent {
        return Some(MatchCommand::OfferDraw);
    }
    let expected = Some(public.version);
    let (sight, moves) = (view.sight()?, view.legal_moves()?);
    match best(public, &sight, &moves, dice) {
        Some((from, to)) => {
            Some(MatchCommand::Move { from: from.to_string(), to: to.to_string(), expected })
        }
        None if public.seats[seat].skips_used < public.rules.skips => {
            Some(MatchCommand::Skip { expected })
        }
        None => Some(MatchCommand::Surrender),
    }
}

/// Nothing happens any more, or nobody is left to play for.
fn pointless(public: &PublicView) -> bool {
    let quiet = public.last_move.as_ref().is_some_and(|moved| moved.quiet >= QUIET);
    quiet || !persons_sit(public)
}

/// Men in headquarters never move again, so only the others count.
fn nearly_lost(public: &PublicView, side: Side) -> bool {
    let able = |side: Side| {
        let men = public.men.iter().filter(|man| man.seat.side() == side);
        men.filter(|man| man.at.kind() != PosKind::Headquarters).count()
    };
    able(side) <= NEARLY_LOST && able(side.other()) > 2 * NEARLY_LOST
}

fn best(
    public: &PublicView,
    sight: &Sight,
    moves: &Moves,
    dice: &mut FairDraw,
) -> Option<(Pos, Pos)> {
    let mut best = None;
    for (from, to) in moves.iter() {
        // The noise keeps it from walking to and fro, and every match another one.
        let score = worth(public, sight, from, to) + i64::from(dice.below(9));
        if best.is_none_or(|(most, _, _)| score > most) {
            best = Some((score, from, to));
        }
    }
    best.map(|(_, from, to)| (from, to))
}

/// What a move seems to be worth to somebody who sees only backs.
fn worth(public: &PublicView, sight: &Sight, from: Pos, to: Pos) -> i64 {
    let Some(own) = sight.identity(from) else { return i64::MIN / 2 };
    match public.men.iter().find(|man| man.at == to) {
        Some(man) if man.flag => 10_000,
        Some(man) => {
            let (percent, prize) = chances(own, man.piece, man.at);
            let stake =
                if own == Piece::Bomb { value(own) } else { value(own) * (100 - percent) / 100 };
            6 + prize * percent / 100 - stake
        }
        None => {
            let stuck = to.kind() == PosKind::Headquarters;
            let shelter = i64::from(to.kind() == PosKind::Camp) * 3;
            let leaves = i64::from(from.kind() == PosKind::Camp) * 2;
            let forward = distance(sight.seat(), public, from) - distance(sight.seat(), public, to);
            2 * forward + shelter - leaves - i64::from(stuck) * 500 - timid(own)
        }
    }
}

/// How likely an attack succeeds (percent), and what it wins, judged by whether the other man ever moved
/// and by where it stands.
fn chances(own: Piece, handle: Pos, at: Pos) -> (i64, i64) {
    let moved = handle != at;
    let back = handle.row() >= 5;
    let headquarters = handle.kind() == PosKind::Headquarters;
    if !moved && headquarters {
        // Every seat has its flag in one of two headquarters.
        return (if own == Piece::Engineer { 60 } else { 75 }, 90);
    }
    let against_ranks = match own {
        Piece::Commander => 88,
        Piece::General => 82,
        Piece::MajorGeneral => 72,
        Piece::Brigadier => 62,
        Piece::Colonel => 50,
        Piece::Major => 40,
        Piece::Captain => 30,
        Piece::Lieutenant => 18,
        Piece::Engineer => 6,
        Piece::Bomb => 100,
        Piece::Mine | Piece::Flag => 0,
    };
    if moved || !back {
        return (against_ranks, 40);
    }
    match own {
        // Mines lie in the two back rows only.
        Piece::Engineer => (45, 45),
        Piece::Bomb => (100, 25),
        _ => (against_ranks * 6 / 10, 35),
    }
}

const fn value(piece: Piece) -> i64 {
    match piece {
        Piece::Commander => 100,
        Piece::General => 80,
        Piece::MajorGeneral => 60,
        Piece::Brigadier => 45,
        Piece::Colonel => 34,
        Piece::Major => 25,
        Piece::Captain => 18,
        Piece::Lieutenant => 12,
        Piece::Engineer => 20,
        Piece::Bomb => 36,
        Piece::Mine | Piece::Flag => 500,
    }
}

/// Those that are better kept back for a while.
const fn timid(piece: Piece) -> i64 {
    match piece {
        Piece::Engineer | Piece::Bomb => 3,
        _ => 0,
    }
}

/// Steps on the grid to the nearest man of the other side.
fn distance(seat: Seat, public: &PublicView, from: Pos) -> i64 {
    let (x, y) = from.xy();
    let others = public.men.iter().filter(|man| man.seat.side() != seat.side());
    let steps = others.map(|man| {
        let (u, v) = man.at.xy();
        i64::from(x.abs_diff(u)) + i64::from(y.abs_diff(v))
    });
    steps.min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Actor, Bytes32, Ctx, Dated, Decider, Dice, MatchId, PlayerId, Span, Time};
    use crate::matches::view::view;
    use crate::matches::{Choice, Guest, Match, MatchState, RuleSet};

    /// A table at which the first `persons` are persons, who play like the house does, and the rest house.
    struct Table {
        state: MatchState,
        players: Vec<Actor>,
        dice: Dice,
        now: i64,
    }

    impl Table {
        fn new(seed: u8, persons: usize) -> Self {
            let ids = (0..4).map(|n| PlayerId(uuid::Uuid::from_u128(n + 1)));
            let players = ids
                .enumerate()
                .map(|(n, id)| if n < persons { Actor::Player(id) } else { Actor::House(id) });
            let players: Vec<_> = players.collect();
            let (state, dice) = (MatchState::default(), Dice::seeded([seed; 32]));
            let mut table = Self { state, players, dice, now: 1_000 };
            let match_id = MatchId(uuid::Uuid::from_u128(77));
            for n in 0..4 {
                let actor = table.players[n];
                let occupant = match actor {
                    Actor::House(_) => Occupant::House,
                    _ => Occupant::Player,
                };
                let player = actor.player().unwrap();
                let guest = Guest { player, occupant, nickname: 1 };
                let command = if n == 0 {
                    let rules = RuleSet::formal(Span(0));
                    MatchCommand::Open { match_id, rules, seed: None, guest, nonce: None }
                } else {
                    let tables = Choice::all(vec![match_id]);
                    MatchCommand::TakeSeat { guest, nonce: None, tables }
                };
                table.ask(actor, &command);
            }
            table
        }

        fn ask(&mut self, actor: Actor, command: &MatchCommand) {
            self.now += 1;
            let now = Time(self.now);
            let mut ctx = Ctx { now, actor, dice: &mut self.dice };
            let events = Match::decide(&self.state, command, &mut ctx);
            let events = events.unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
            for event in events {
                Match::evolve(&mut self.state, &Dated { at: now, event });
            }
        }

        /// Everybody does what the policy says until nobody has anything to do; returns the steps taken.
        fn play(&mut self) -> usize {
            for step in 0..6_000 {
                let acted = self.players.clone().into_iter().any(|actor| {
                    let sheet = &self.state.live().unwrap().sheet;
                    let Some(audience) = sheet.audience(actor.player().unwrap()) else {
                        return false;
                    };
                    let purpose = format!("house/{step}");
                    let seed = self.dice.bytes32();
                    let mut draw = FairDraw::new(&purpose, sheet.public.match_id, &seed, &[]);
                    match choose(&view(sheet, audience), &mut draw) {
                        Some(command) => {
                            self.ask(actor, &command);
                            true
                        }
                        None => false,
                    }
                });
                if !acted {
                    return step;
                }
            }
            panic!("the match does not end");
        }

        fn public(&self) -> &PublicView {
            &self.state.live().unwrap().sheet.public
        }
    }

    #[test]
    fn whole_matches_are_played_to_the_end_by_accepted_commands_alone() {
        for seed in 0..12 {
            let mut table = Table::new(seed, 4);
            let steps = table.play();
            assert_eq!(table.public().phase, Phase::Ended, "seed {seed} after {steps} steps");
            assert!(steps > 50, "seed {seed}: {steps}");
        }
    }

    #[test]
    fn a_table_without_persons_agrees_on_a_draw_at_once() {
        let mut table = Table::new(3, 0);
        table.play();
        assert_eq!(table.public().phase, Phase::Ended);
        assert!(table.public().last_move.is_none());
    }

    #[test]
    fn a_draw_is_declined_while_the_board_is_full() {
        let mut table = Table::new(5, 1);
        for actor in table.players.clone() {
            table.ask(actor, &MatchCommand::Ready { nonce: None, expected: None });
        }
        let first = table.public().turn.as_ref().unwrap().seat;
        let offerer = table.state.live().unwrap().person(first).unwrap().player;
        let actor = table.players.iter().find(|actor| actor.player() == Some(offerer));
        table.ask(*actor.unwrap(), &MatchCommand::OfferDraw);
        let sheet = &table.state.live().unwrap().sheet;
        let mut draw = FairDraw::new("t", sheet.public.match_id, &Bytes32([1; 32]), &[]);
        for actor in &table.players {
            let audience = sheet.audience(actor.player().unwrap()).unwrap();
            let view = view(sheet, audience);
            if view.seat() != Some(first) {
                let chosen = choose(&view, &mut draw);
                assert!(matches!(chosen, Some(MatchCommand::VoteDraw { accept: false, .. })));
            }
        }
    }
}
