//! One step: what the log has since the last one, what is due, and all that follows, in one transaction.

use super::alive::come_alive;
use super::calls::{calls, closed};
use super::clocks::{advance, candidates, concerned, happenings, partakers};
use super::{PlanFault, Planner, news};
use crate::accounts::outbox::Posting;
use crate::accounts::reminders::{Call, Checkpoint, Followed, Kept, News, Plan};
use crate::executor::aggregate_id;
use crate::log::codec::{self, CodecError};
use crate::log::port::Stored;
use std::collections::{HashMap, HashSet};
use yibu_domain::kernel::{Dated, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::view::Sheet;
use yibu_domain::matches::{Match, MatchEvent};
use yibu_domain::reminders::{Happening, Wait};

/// Events taken in by one step.
const EVENTS: usize = 256;

/// The same while the history before the first start is followed, of which nobody is told.
const HISTORY: usize = 4096;

/// Desks and matches that are due, looked at in one step.
const DUE: u32 = 256;

/// How long an undelivered turn mail may still become a true one.
const LIFE: Span = Span::hours(72);

/// What a step found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// There may be more to do.
    More,
    /// Nothing before then, unless something changes.
    Until(Option<Time>),
}

/// An event of a match.
struct Occurrence {
    match_id: MatchId,
    first: bool,
    event: Dated<MatchEvent>,
}

/// The matches' events among those read, the last event that was, and what could not be read after it.
fn occurrences(read: &[Stored]) -> (Vec<Occurrence>, Option<&Stored>, Option<CodecError>) {
    let (mut found, mut last) = (Vec::new(), None);
    for stored in read {
        if let Some(id) = aggregate_id::<Match>(&stored.stream) {
            let event = match codec::decode(stored) {
                Ok(event) => event,
                Err(error) => return (found, last, Some(error)),
            };
            found.push(Occurrence { match_id: MatchId(id), first: stored.version == 1, event });
        }
        last = Some(stored);
    }
    (found, last, None)
}

/// What a person's desk is to take in, in order.
enum Heard {
    Happened(Happening),
    Told(News),
    Closed(MatchId, Call),
    Replay(MatchId, Time),
}

impl Planner {
    /// Takes in what the log has and looks at what is due, a bounded piece of it. Dropped midway, or beaten by another
    /// node, it has changed nothing.
    ///
    /// # Errors
    /// See [`PlanFault`].
    pub async fn step(&self) -> Result<Step, PlanFault> {
        match self.advance().await {
            Err(PlanFault::Lost(id)) if self.accounts.planned().await?.0.live => {
                tracing::warn!(%id, "a match cannot be followed on: the planner follows the log anew");
                self.accounts.forget_plan().await?;
                Ok(Step::More)
            }
            stepped => stepped,
        }
    }

    async fn advance(&self) -> Result<Step, PlanFault> {
        let (known, next) = self.accounts.planned().await?;
        let most = if known.live { EVENTS } else { HISTORY };
        let read = self.log.read_all(known.position, most).await?;
        let full = read.len() == most;
        let wait = self.wait.wait().await.map_err(PlanFault::Wait)?;
        let (found, last, broken) = occurrences(&read);
        let now = self.clock.now();
        let nothing = last.is_none() && next.is_none_or(|next| next > now);
        if known.live && nothing && known.wait == wait.in_minutes() {
            return broken.map_or(Ok(Step::Until(next)), |broken| Err(broken.into()));
        }
        let mut plan = self.accounts.plan().await?;
        if plan.checkpoint() != known {
            return Ok(Step::More);
        }
        let caught_up = !full && broken.is_none();
        let reached = Checkpoint {
            position: last.map_or(known.position, |last| last.position),
            live: known.live || caught_up,
            wait: wait.in_minutes(),
            event: last.map(|last| last.id).or(known.event),
        };
        let mut matches = known_matches(&mut plan, &found).await?;
        if known.live {
            if known.wait != reached.wait {
                plan.wake_all(now).await?;
            }
            let heard = follow(&found, &mut matches)?;
            self.tell(&mut plan, &matches, heard, wait, now).await?;
        } else {
            for occurrence in &found {
                entry(&mut matches, occurrence)?;
            }
        }
        for (id, followed) in matches {
            if followed.sheet.public.record_expired {
                plan.gone.push(id);
            } else {
                plan.matches.push((id, followed));
            }
        }
        if !known.live && reached.live {
            come_alive(&mut plan, now).await?;
        }
        plan.finish(reached).await?;
        broken.map_or(Ok(Step::More), |broken| Err(broken.into()))
    }

    /// Notes on each desk what its person is to hear, looks at these desks and at those that are due, and puts what
    /// follows into the plan.
    async fn tell(
        &self,
        plan: &mut Plan,
        matches: &HashMap<MatchId, Followed>,
        mut heard: Vec<(PlayerId, Time, Heard)>,
        wait: Wait,
        now: Time,
    ) -> Result<(), PlanFault> {
        for (id, followed) in plan.expiring(now, DUE).await? {
            // What has an event in this step is heard of again in the next one.
            if matches.contains_key(&id) {
                continue;
            }
            let Some(mut followed) = followed else {
                plan.gone.push(id);
                continue;
            };
            let soon = news::soon(&followed.sheet, now).into_iter();
            heard.extend(soon.map(|(player, news)| (player, now, Heard::Told(news))));
            followed.wake = None;
            plan.matches.push((id, followed));
        }
        let players: HashSet<PlayerId> = heard.iter().map(|(player, ..)| *player).collect();
        let players: Vec<PlayerId> = players.into_iter().collect();
        let mut desks = plan.desks_of(&players).await?;
        for kept in plan.due(now, DUE).await? {
            desks.entry(kept.player).or_insert(kept);
        }
        for (player, at, heard) in heard {
            // House players, and whoever has erased the account, have no desk.
            let Some(kept) = desks.get_mut(&player) else { continue };
            match heard {
                Heard::Happened(happening) => kept.note(at, happening),
                Heard::Told(news) => kept.tell(news, at),
                Heard::Closed(match_id, call) => kept.close(match_id, call),
                Heard::Replay(match_id, expires) => {
                    plan.post(player, &Posting::Replay { match_id }, now, expires).await?;
                }
            }
        }
        let mut desks: Vec<Kept> = desks.into_values().collect();
        desks.sort_unstable_by_key(|kept| kept.player);
        for kept in &mut desks {
            let seen = kept.desk().look(wait, now);
            if let Some(mail) = seen.mail {
                plan.post(kept.player, &Posting::Turn(mail), now, now + LIFE).await?;
            }
            for notice in seen.notices {
                kept.tell(notice.into(), now);
            }
            kept.wake = seen.wake;
        }
        plan.desks.extend(desks);
        Ok(())
    }
}

async fn known_matches(
    plan: &mut Plan,
    found: &[Occurrence],
) -> Result<HashMap<MatchId, Followed>, PlanFault> {
    let ids: HashSet<MatchId> = found.iter().map(|occurrence| occurrence.match_id).collect();
    let ids: Vec<MatchId> = ids.into_iter().collect();
    Ok(plan.known(&ids).await?)
}

/// The match of an event, with the event taken in.
fn entry<'m>(
    matches: &'m mut HashMap<MatchId, Followed>,
    occurrence: &Occurrence,
) -> Result<&'m mut Followed, PlanFault> {
    let Occurrence { match_id, first, event } = occurrence;
    let lost = || PlanFault::Lost(*match_id);
    if *first {
        let sheet = Sheet::begin(event).ok_or_else(lost)?;
        matches.insert(*match_id, Followed { sheet, wake: None });
    }
    let followed = matches.get_mut(match_id).ok_or_else(lost)?;
    if !first {
        advance(&mut followed.sheet, event);
    }
    if let Some(wake) = news::wake(&event.event, &followed.sheet) {
        followed.wake = wake;
    }
    Ok(followed)
}

/// Takes events in; what each person hears of them, in order.
fn follow(
    found: &[Occurrence],
    matches: &mut HashMap<MatchId, Followed>,
) -> Result<Vec<(PlayerId, Time, Heard)>, PlanFault> {
    let mut heard = Vec::new();
    for occurrence in found {
        let Occurrence { match_id, event, .. } = occurrence;
        let sheet = matches.get(match_id).map(|followed| &followed.sheet);
        let (before, called, open) = sheet
            .map(|sheet| (concerned(sheet), calls(sheet), candidates(sheet)))
            .unwrap_or_default();
        let sheet = &entry(matches, occurrence)?.sheet;
        // First: what the event itself tells may call for the same again.
        let closed = closed(&called, &calls(sheet)).into_iter();
        heard.extend(
            closed.map(|(player, call)| (player, event.at, Heard::Closed(*match_id, call))),
        );
        let noted = happenings(*match_id, &event.event, &before, &concerned(sheet)).into_iter();
        heard.extend(noted.map(|(player, note)| (player, event.at, Heard::Happened(note))));
        let told = news::of(&event.event, &open, sheet).into_iter();
        heard.extend(told.map(|(player, news)| (player, event.at, Heard::Told(news))));
        if let MatchEvent::Ended(_) = event.event
            && let Some(expires) = news::expiry(sheet)
        {
            let replay = |player| (player, event.at, Heard::Replay(*match_id, expires));
            heard.extend(partakers(sheet).map(replay));
        }
    }
    Ok(heard)
}
