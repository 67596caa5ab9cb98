//! Events of matches without their boards, as a planner needs them. They are not judged by anybody.

use uuid::Uuid;
use yibu_domain::games::siguo::seat::{BySeat, Seat, Side};
use yibu_domain::kernel::{Bytes32, MatchId, OutageId, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{
    CandidateLostSecret, CandidateMatchedSecret, DeadlineMoved, Departed, DrawLapsed, DrawOffered,
    DrawVoted, Ended, Joined, LapseReason, NoResultBy, Occupant, Opened, Outcome, Parts, Person,
    ProposalEnd, ProposalEndedSide, ProposedSide, ReadyCount, ReadySeat, RecordExpired,
    ReleaseMoved, ReleaseReason, SeatReleased, SeatReleasedSecret, SeatTaken, SeatTakenOver,
    SeatTakenSeat, Skipped, Started, TakeoverWaitOpened, TurnKind, TurnStarted,
};
use yibu_domain::matches::ruleset::RuleSet;

pub(super) fn match_id(number: usize) -> MatchId {
    MatchId(Uuid::from_u128(number as u128 + 1))
}

/// Somebody without an account.
pub(super) fn nobody(number: u128) -> PlayerId {
    PlayerId(Uuid::from_u128(0xff00 + number))
}

pub(super) fn person(player: PlayerId) -> Person {
    Person { player, occupant: Occupant::Player, joined: Joined::Full, nickname: 1 }
}

/// A table that opens and starts with these people in the order of the seats.
pub(super) fn begin(id: MatchId, people: [PlayerId; 4]) -> Vec<MatchEvent> {
    let opened = Opened {
        match_id: id,
        rules: RuleSet::formal(Span::hours(48)),
        draws: "test".to_owned(),
        commitment: Bytes32([0; 32]),
    };
    let seats = BySeat::from_fn(|seat| Some(person(people[seat.index()])));
    let taken = Seat::ALL.into_iter().zip(1..).map(|(seat, taken)| {
        let own = SeatTakenSeat { person: person(people[seat.index()]), men: Vec::new() };
        let part = SeatTaken { taken, release: None };
        MatchEvent::SeatTaken(Parts::public(part).with_seat(seat, own))
    });
    let opened = MatchEvent::Opened(Parts::public(opened));
    let started = MatchEvent::Started(Parts::public(Started { first: Seat::S, seats }));
    [opened].into_iter().chain(taken).chain([started]).collect()
}

pub(super) fn turn(turn: u32, seat: Seat, turn_kind: TurnKind, deadline: Time) -> MatchEvent {
    MatchEvent::TurnStarted(Parts::public(TurnStarted { turn, seat, turn_kind, deadline }))
}

pub(super) fn normal(number: u32, seat: Seat, deadline: Time) -> MatchEvent {
    turn(number, seat, TurnKind::Normal, deadline)
}

pub(super) fn skipped(turn: u32, seat: Seat) -> MatchEvent {
    MatchEvent::Skipped(Parts::public(Skipped { turn, seat, used: 1 }))
}

pub(super) fn timed_out(turn: u32, seat: Seat, player: PlayerId) -> MatchEvent {
    MatchEvent::TimedOut(Parts::public(departed(turn, seat, player)))
}

pub(super) fn left(turn: u32, seat: Seat, player: PlayerId) -> MatchEvent {
    MatchEvent::Left(Parts::public(departed(turn, seat, player)))
}

fn departed(turn: u32, seat: Seat, player: PlayerId) -> Departed {
    Departed { seat, tenure: 1, person: person(player), points: -9, turn }
}

pub(super) fn moved(turn: u32, seat: Seat, to: Time) -> MatchEvent {
    let outage = OutageId(Uuid::from_u128(u128::from(to.0.unsigned_abs())));
    MatchEvent::DeadlineMoved(Parts::public(DeadlineMoved { turn, seat, from: to, to, outage }))
}

pub(super) fn wait_opened(turn: u32, seat: Seat, deadline: Time) -> MatchEvent {
    MatchEvent::TakeoverWaitOpened(Parts::public(TakeoverWaitOpened { turn, seat, deadline }))
}

pub(super) fn candidate(match_id: MatchId, turn: u32, seat: Seat, player: PlayerId) -> MatchEvent {
    let facts = CandidateMatchedSecret { match_id, person: person(player), seat, turn };
    MatchEvent::CandidateMatched(Parts::secret(facts))
}

pub(super) fn lost(player: PlayerId, to: PlayerId) -> MatchEvent {
    let facts = CandidateLostSecret { person: person(player), to };
    MatchEvent::CandidateLost(Parts::secret(facts))
}

pub(super) fn taken_over(turn: u32, seat: Seat, player: PlayerId) -> MatchEvent {
    let part = SeatTakenOver { seat, person: person(player), tenure: 2, turn };
    MatchEvent::SeatTakenOver(Parts::public(part))
}

pub(super) fn release_moved(to: Time) -> MatchEvent {
    let outage = OutageId(Uuid::from_u128(u128::from(to.0.unsigned_abs())));
    MatchEvent::ReleaseMoved(Parts::public(ReleaseMoved { from: to, to, outage }))
}

/// Somebody who was not ready in time.
pub(super) fn released(seat: Seat, player: PlayerId) -> MatchEvent {
    let reason = ReleaseReason::NotReady;
    let mut parts = Parts::public(SeatReleased { taken: 3, ready: 0 });
    parts.secret.facts = Some(SeatReleasedSecret { seat, person: person(player), reason });
    MatchEvent::SeatReleased(parts)
}

/// Somebody is ready.
pub(super) fn ready(seat: Seat) -> MatchEvent {
    let own = ReadySeat { ready: true };
    MatchEvent::Ready(Parts::public(ReadyCount { ready: 1 }).with_seat(seat, own))
}

pub(super) fn draw_offered(offer: u32, seat: Seat) -> MatchEvent {
    MatchEvent::DrawOffered(Parts::public(DrawOffered { offer, seat }))
}

pub(super) fn draw_voted(offer: u32, seat: Seat, accept: bool) -> MatchEvent {
    MatchEvent::DrawVoted(Parts::public(DrawVoted { offer, seat, accept }))
}

pub(super) fn draw_lapsed(offer: u32, seat: Seat) -> MatchEvent {
    let reason = LapseReason::Declined;
    MatchEvent::DrawLapsed(Parts::public(DrawLapsed { offer, seat, reason }))
}

pub(super) fn proposed(proposal: u32, seat: Seat) -> MatchEvent {
    let part = ProposedSide { proposal, seat };
    MatchEvent::TeamSurrenderProposed(Parts::of_side(seat.side(), part))
}

pub(super) fn withdrawn(proposal: u32, side: Side) -> MatchEvent {
    let part = ProposalEndedSide { proposal, reason: ProposalEnd::Withdrawn };
    MatchEvent::TeamSurrenderEnded(Parts::of_side(side, part))
}

pub(super) fn record_expired(settled: Time) -> MatchEvent {
    MatchEvent::RecordExpired(Parts::public(RecordExpired { settled }))
}

pub(super) fn ended() -> MatchEvent {
    let outcome = Outcome::NoResult { by: NoResultBy::BothStuck };
    MatchEvent::Ended(Parts::public(Ended { outcome, lines: Vec::new() }))
}
