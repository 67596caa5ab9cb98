//! The site: what administrators set for everybody, outages, and who opened a sealed match. One stream,
//! `site-` followed by the nil id.

mod announcement;
mod events;
mod refusal;

pub use announcement::{Announcement, MOST_CHARACTERS as ANNOUNCEMENT_MOST};
pub use events::{
    Administrator, AnnouncementChange, Declared, Founded, Limits, NormalMailWait, Release,
    SiteEvent, Unsealing,
};
pub use refusal::SiteRefusal;

use crate::kernel::{
    Actor, Claim, Counter, Ctx, Dated, Decider, MatchId, OutageId, PlayerId, Reason, Span, Time,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The aggregate of the site.
pub struct Site;

/// The id of the one site stream.
pub const SITE: uuid::Uuid = uuid::Uuid::nil();

/// Settings of now. Durations of matches are not among them: those are a rule set's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteState {
    /// The first settings are written down.
    pub founded: bool,
    /// Full matches per player, 0…100.
    pub full: u32,
    /// Takeovers per player, 0…100.
    pub takeover: u32,
    /// After so many hours with four seated, seats that are not ready are released; 0 = never.
    pub release_unready_hours: u32,
    /// For so many minutes a turn is on before a normal mail tells of it, 1…1440.
    pub normal_mail_wait_minutes: u32,
    /// What the banner says, if anything.
    pub announcement: Option<Announcement>,
    /// Outages so far, in order of their end.
    pub outages: Vec<Outage>,
    /// Who may act as administrator.
    pub admins: BTreeSet<PlayerId>,
}

/// A stretch in which no node could serve.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outage {
    /// Names it in every deadline that it moves.
    pub outage: OutageId,
    /// The last sign of service before it.
    pub from: Time,
    /// When service came back.
    pub to: Time,
    /// How it was noticed.
    pub cause: OutageCause,
}

/// How an outage was noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutageCause {
    /// A gap between heartbeats: the server was down, frozen, or its clock was set forward.
    Gap,
    /// An operator declared it.
    Declared,
}

impl Default for SiteState {
    fn default() -> Self {
        Self {
            founded: false,
            full: crate::kernel::DEFAULT_LIMIT,
            takeover: crate::kernel::DEFAULT_LIMIT,
            release_unready_hours: 48,
            normal_mail_wait_minutes: 15,
            announcement: None,
            outages: Vec::new(),
            admins: BTreeSet::new(),
        }
    }
}

impl SiteState {
    /// The release of unready seats as a length of time; zero = never.
    pub fn release_unready(&self) -> Span {
        Span::hours(i64::from(self.release_unready_hours))
    }

    /// How long a turn is on before a normal mail tells of it.
    pub fn normal_mail_wait(&self) -> Span {
        Span::seconds(60 * i64::from(self.normal_mail_wait_minutes))
    }

    /// The known outages that have a part in a stretch, in order of their end. No two have one in common.
    pub fn known(&self, from: Time, to: Time) -> impl Iterator<Item = &Outage> {
        self.outages.iter().filter(move |known| known.from < to && from < known.to)
    }

    /// What of a stretch no known outage covers, in order.
    pub fn uncovered(&self, from: Time, to: Time) -> Vec<(Time, Time)> {
        let (mut left, mut at) = (Vec::new(), from);
        for known in self.known(from, to) {
            left.push((at, known.from));
            at = at.at_least(known.to);
        }
        left.push((at, to));
        left.retain(|(from, to)| from < to);
        left
    }

    /// Keeps the order of ends: an operator may declare an outage that lies before a known one.
    fn note(&mut self, outage: Outage) {
        let place = self.outages.partition_point(|known| known.to <= outage.to);
        self.outages.insert(place, outage);
    }
}

/// What may be asked of the site.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SiteCommand {
    /// Writes the first settings down, so that the log and not the program says what they were. A repeat
    /// changes nothing.
    Found,
    /// Sets both limits.
    SetLimits {
        /// Full matches per player.
        full: i64,
        /// Takeovers per player.
        takeover: i64,
        /// Why.
        reason: Reason,
    },
    /// Sets the release of unready seats.
    SetRelease {
        /// Hours; 0 = never.
        hours: i64,
        /// Why.
        reason: Reason,
    },
    /// Sets the wait before normal turn mails.
    SetNormalMailWait {
        /// Minutes.
        minutes: i64,
        /// Why.
        reason: Reason,
    },
    /// Sets what the banner says to everybody.
    SetAnnouncement {
        /// The text; absent or blank = none.
        text: Option<String>,
        /// Why.
        reason: Reason,
    },
    /// Notes an outage.
    NoteOutage(Outage),
    /// Declares by hand that nobody could play for a while, though the server ran. The same stretch again
    /// changes nothing.
    DeclareOutage {
        /// Names it in every deadline that it moves.
        outage: OutageId,
        /// When it began.
        from: Time,
        /// When it ended.
        to: Time,
        /// Why.
        reason: Reason,
    },
    /// Notes that somebody opens a match that still runs, with all identities.
    Unseal {
        /// Which match.
        match_id: MatchId,
        /// Why.
        reason: Reason,
    },
    /// Makes a player an administrator; the server's own command alone. A repeat changes nothing.
    GrantAdmin {
        /// Who.
        player: PlayerId,
    },
    /// Takes that back; the server's own command alone. A repeat changes nothing.
    RevokeAdmin {
        /// Who.
        player: PlayerId,
    },
}

impl Decider for Site {
    const CATEGORY: &'static str = "site";
    type State = SiteState;
    type Command = SiteCommand;
    type Event = SiteEvent;
    type Refusal = SiteRefusal;

    fn decide(
        state: &SiteState,
        command: &SiteCommand,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<SiteEvent>, SiteRefusal> {
        if matches!(ctx.actor, Actor::Player(_) | Actor::House(_)) {
            return Err(SiteRefusal::NotAllowed);
        }
        match command {
            SiteCommand::Found if state.founded => Ok(Vec::new()),
            SiteCommand::Found => Ok(vec![SiteEvent::Founded(Founded {
                full: state.full,
                takeover: state.takeover,
                release_hours: state.release_unready_hours,
            })]),
            SiteCommand::SetLimits { full, takeover, reason } => {
                let limit = |value: i64| {
                    u32::try_from(value).ok().filter(|v| *v <= 100).ok_or(SiteRefusal::InvalidLimit)
                };
                let (full, takeover) = (limit(*full)?, limit(*takeover)?);
                Ok(vec![SiteEvent::LimitsSet(Limits { full, takeover, reason: reason.clone() })])
            }
            SiteCommand::SetRelease { hours, reason } => {
                let hours = u32::try_from(*hours).ok().filter(|hours| *hours <= 720);
                let hours = hours.ok_or(SiteRefusal::InvalidRelease)?;
                Ok(vec![SiteEvent::ReleaseSet(Release { hours, reason: reason.clone() })])
            }
            SiteCommand::SetNormalMailWait { minutes, reason } => {
                let minutes = u32::try_from(*minutes).ok().filter(|m| (1..=1440).contains(m));
                let minutes = minutes.ok_or(SiteRefusal::InvalidWait)?;
                let reason = reason.clone();
                Ok(vec![SiteEvent::NormalMailWaitSet(NormalMailWait { minutes, reason })])
            }
            SiteCommand::SetAnnouncement { text, reason } => {
                let text = announcement::checked(text.as_deref().unwrap_or_default())?;
                let reason = reason.clone();
                Ok(vec![SiteEvent::AnnouncementSet(AnnouncementChange { text, reason })])
            }
            SiteCommand::NoteOutage(outage) => {
                // Two nodes may notice the same gap: whoever comes second notes what is not covered yet.
                let covered = state.outages.iter().map(|known| known.to).max();
                let from = covered.map_or(outage.from, |to| to.max(outage.from));
                if outage.to > ctx.now || outage.from >= outage.to {
                    return Err(SiteRefusal::InvalidOutage);
                }
                Ok(if from < outage.to {
                    vec![SiteEvent::OutageEnded(Outage { from, ..outage.clone() })]
                } else {
                    Vec::new()
                })
            }
            SiteCommand::DeclareOutage { outage, from, to, reason } => {
                if *to > ctx.now || from >= to {
                    return Err(SiteRefusal::InvalidOutage);
                }
                let declared = |known: &&Outage| known.cause == OutageCause::Declared;
                let same = |known: &Outage| (known.from, known.to) == (*from, *to);
                if state.outages.iter().filter(declared).any(same) {
                    return Ok(Vec::new());
                }
                if let Some(known) = state.known(*from, *to).next() {
                    let (from, to) = (known.from, known.to);
                    return Err(SiteRefusal::OutageOverlaps { from, to });
                }
                let (outage, from, to, reason) = (*outage, *from, *to, reason.clone());
                Ok(vec![SiteEvent::OutageDeclared(Declared { outage, from, to, reason })])
            }
            SiteCommand::Unseal { match_id, reason } => Ok(vec![SiteEvent::Unsealed(Unsealing {
                match_id: *match_id,
                by: ctx.actor.player(),
                reason: reason.clone(),
            })]),
            // An administrator makes no other: whoever takes an account over must not be able to stay.
            SiteCommand::GrantAdmin { .. } | SiteCommand::RevokeAdmin { .. }
                if ctx.actor != Actor::System =>
            {
                Err(SiteRefusal::NotAllowed)
            }
            SiteCommand::GrantAdmin { player } if state.admins.contains(player) => Ok(Vec::new()),
            SiteCommand::GrantAdmin { player } => {
                Ok(vec![SiteEvent::AdminGranted(Administrator { player: *player })])
            }
            SiteCommand::RevokeAdmin { player } if !state.admins.contains(player) => Ok(Vec::new()),
            SiteCommand::RevokeAdmin { player } => {
                Ok(vec![SiteEvent::AdminRevoked(Administrator { player: *player })])
            }
        }
    }

    fn evolve(state: &mut SiteState, event: &Dated<SiteEvent>) {
        match &event.event {
            SiteEvent::Founded(first) => {
                state.founded = true;
                state.full = first.full;
                state.takeover = first.takeover;
                state.release_unready_hours = first.release_hours;
            }
            SiteEvent::LimitsSet(limits) => {
                state.full = limits.full;
                state.takeover = limits.takeover;
            }
            SiteEvent::ReleaseSet(release) => state.release_unready_hours = release.hours,
            SiteEvent::NormalMailWaitSet(wait) => state.normal_mail_wait_minutes = wait.minutes,
            SiteEvent::AnnouncementSet(change) => {
                let said = |text: &String| Announcement { text: text.clone(), since: event.at };
                state.announcement = change.text.as_ref().map(said);
            }
            SiteEvent::OutageEnded(outage) => state.note(outage.clone()),
            SiteEvent::OutageDeclared(declared) => {
                let Declared { outage, from, to, .. } = *declared;
                state.note(Outage { outage, from, to, cause: OutageCause::Declared });
            }
            SiteEvent::Unsealed(_) => {}
            SiteEvent::AdminGranted(part) => {
                state.admins.insert(part.player);
            }
            SiteEvent::AdminRevoked(part) => {
                state.admins.remove(&part.player);
            }
        }
    }

    fn claims(event: &SiteEvent) -> Vec<Claim> {
        match event {
            SiteEvent::Founded(first) => vec![
                Claim::Limit { counter: Counter::Full, most: first.full },
                Claim::Limit { counter: Counter::Takeover, most: first.takeover },
            ],
            SiteEvent::LimitsSet(limits) => vec![
                Claim::Limit { counter: Counter::Full, most: limits.full },
                Claim::Limit { counter: Counter::Takeover, most: limits.takeover },
            ],
            _ => Vec::new(),
        }
    }
}
