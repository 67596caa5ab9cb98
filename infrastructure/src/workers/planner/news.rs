//! What an event of a match is to be told to whom in the app. Pure; notices that a clock causes by running are the
//! desk's.

use super::calls::{voters, waited_for};
use super::clocks::{concerned, partakers, seated};
use crate::accounts::reminders::{News, NoticeKind};
use yibu_domain::games::siguo::seat::{Seat, Side};
use yibu_domain::kernel::{PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::{Departed, ReleaseReason};
use yibu_domain::matches::view::{Phase, Sheet};

/// So long before a record expires, and before seats that are not ready are released, it is said.
const BEFORE: Span = Span::hours(24);

type Told = Vec<(PlayerId, News)>;

fn news(sheet: &Sheet, kind: NoticeKind) -> News {
    News { kind, match_id: sheet.public.match_id, seat: None, turn: None, deadline: None }
}

/// The same to several people.
fn all(news: News, players: impl IntoIterator<Item = PlayerId>) -> Told {
    players.into_iter().map(|player| (player, news)).collect()
}

/// What is told of an event. `sheet` is the match after it, `candidates` were open before it.
pub(super) fn of(event: &MatchEvent, candidates: &[PlayerId], sheet: &Sheet) -> Told {
    let news = |kind| news(sheet, kind);
    let about = |kind, seat| News { seat: Some(seat), ..news(kind) };
    let others = |seat: Seat| {
        seated(sheet).filter(move |(other, _)| *other != seat).map(|(_, player)| player)
    };
    let at = |seat: Seat| seated(sheet).find(|(other, _)| *other == seat).map(|(_, player)| player);
    let everybody = || seated(sheet).map(|(_, player)| player);
    match event {
        MatchEvent::SeatTaken(_) => full(sheet),
        MatchEvent::SeatReleased(parts) => {
            let told =
                |reason| matches!(reason, ReleaseReason::NotReady | ReleaseReason::Suspended);
            let facts = parts.secret.facts.as_ref().filter(|facts| told(facts.reason));
            let one =
                facts.map(|facts| (facts.person.player, about(NoticeKind::Released, facts.seat)));
            one.into_iter().collect()
        }
        MatchEvent::Started(_) => all(news(NoticeKind::TableStarted), everybody()),
        MatchEvent::TurnStarted(parts) => {
            let Some(part) = &parts.public else { return Told::new() };
            let turn = News {
                turn: Some(part.turn),
                deadline: Some(part.deadline),
                ..about(NoticeKind::YourTurn, part.seat)
            };
            all(turn, at(part.seat))
        }
        MatchEvent::DrawOffered(parts) => {
            let Some(part) = &parts.public else { return Told::new() };
            all(about(NoticeKind::DrawVote, part.seat), voters(sheet))
        }
        MatchEvent::TeamSurrenderProposed(parts) => {
            let proposals = Side::ALL.into_iter().filter_map(|side| parts.side.get(side));
            let told = proposals.flat_map(|part| {
                all(about(NoticeKind::TeamSurrenderVote, part.seat), at(part.seat.mate()))
            });
            told.collect()
        }
        MatchEvent::Left(parts) => departed(sheet, NoticeKind::Left, parts.public.as_ref()),
        MatchEvent::TimedOut(parts) => departed(sheet, NoticeKind::TimedOut, parts.public.as_ref()),
        MatchEvent::SeatTakenOver(parts) => {
            let Some(part) = &parts.public else { return Told::new() };
            all(about(NoticeKind::SeatTakenOver, part.seat), others(part.seat))
        }
        MatchEvent::CandidateLost(parts) => {
            let lost = parts.secret.facts.as_ref().map(|facts| facts.person.player);
            all(news(NoticeKind::CandidacyEnded), lost)
        }
        MatchEvent::TakeoverWaitExpired(_) => {
            all(news(NoticeKind::CandidacyEnded), candidates.iter().copied())
        }
        MatchEvent::DeadlineMoved(parts) => {
            let Some(part) = &parts.public else { return Told::new() };
            let moved = News {
                turn: Some(part.turn),
                deadline: Some(part.to),
                ..about(NoticeKind::DeadlineMoved, part.seat)
            };
            all(moved, concerned(sheet).into_keys())
        }
        MatchEvent::ReleaseMoved(parts) => {
            let Some(part) = &parts.public else { return Told::new() };
            let moved = News { deadline: Some(part.to), ..news(NoticeKind::DeadlineMoved) };
            all(moved, everybody())
        }
        MatchEvent::Ended(_) => {
            let ended = news(NoticeKind::MatchEnded);
            let mut told = match sheet.public.started {
                Some(_) => all(ended, partakers(sheet)),
                None => all(
                    ended,
                    sheet.own.iter().filter_map(|(_, own)| Some(own.person.as_ref()?.player)),
                ),
            };
            told.extend(all(news(NoticeKind::CandidacyEnded), candidates.iter().copied()));
            told
        }
        _ => Told::new(),
    }
}

/// Once the last seat is taken: whoever is not ready is waited for.
fn full(sheet: &Sheet) -> Told {
    let full = News { deadline: sheet.public.release, ..news(sheet, NoticeKind::TableFull) };
    all(full, waited_for(sheet))
}

/// A person is gone: told to the person and to all who still sit there.
fn departed(sheet: &Sheet, kind: NoticeKind, part: Option<&Departed>) -> Told {
    let Some(part) = part else { return Told::new() };
    let about = |kind| News { seat: Some(part.seat), ..news(sheet, kind) };
    let own = News { turn: Some(part.turn), ..about(kind) };
    let others = seated(sheet).map(|(_, player)| player);
    let mut told = vec![(part.person.player, own)];
    told.extend(all(about(NoticeKind::SeatLeft), others));
    told
}

/// When the match is to be told of again without an event: that its record expires, or that seats are released.
/// `Some(None)` when not at all, for that comes sooner than it could be said; `None` where the event changes nothing
/// about it.
pub(super) fn wake(event: &MatchEvent, sheet: &Sheet) -> Option<Option<Time>> {
    let (since, end) = match event {
        MatchEvent::Ended(_) => {
            let kept = expiry(sheet).filter(|_| sheet.public.started.is_some());
            (sheet.public.ended, kept)
        }
        MatchEvent::SeatTaken(_)
        | MatchEvent::SeatReleased(_)
        | MatchEvent::ReleaseMoved(_)
        | MatchEvent::Started(_) => (sheet.public.release_since, sheet.public.release),
        _ => return None,
    };
    let at = end.map(|end| end - BEFORE);
    Some(at.filter(|at| since.is_some_and(|since| since < *at)))
}

/// When the record of a match that ended expires.
pub(super) fn expiry(sheet: &Sheet) -> Option<Time> {
    sheet.public.ended.map(|ended| ended + sheet.public.rules.retention)
}

/// What is said then. Nothing once it is over.
pub(super) fn soon(sheet: &Sheet, now: Time) -> Told {
    let soon = |kind, deadline| News { deadline: Some(deadline), ..news(sheet, kind) };
    let ahead = |at: Option<Time>| at.filter(|at| now < *at);
    let told = match sheet.public.phase {
        Phase::Assembling => ahead(sheet.public.release)
            .map(|release| all(soon(NoticeKind::ReleaseSoon, release), waited_for(sheet))),
        Phase::Playing => None,
        Phase::Ended => ahead(expiry(sheet))
            .map(|expiry| all(soon(NoticeKind::ReplayExpires, expiry), partakers(sheet))),
    };
    told.unwrap_or_default()
}
