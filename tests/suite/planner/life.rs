//! A person's days, as the vectors tell them, lived through by the planner as it runs. May be cut off in the middle of
//! any step and go on in the next process.

use super::events::{
    begin, match_id, moved, nobody, skipped, taken_over, timed_out, turn, wait_opened,
};
use super::rig::Rig;
use crate::reminders::drive::settings;
use crate::reminders::story::{Event, Instant, Mail, Notice, SeatKind, Story, Told, What};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{FairDraw, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::MatchEvent;
use yibu_domain::matches::events::TurnKind;
use yibu_domain::reminders::TurnRef;
use yibu_infrastructure::accounts::reminders::NoticeKind;
use yibu_infrastructure::workers::planner::Step;

/// A match of the story: the person is South.
#[derive(Default)]
struct Table {
    begun: bool,
    /// The person sits there.
    seated: bool,
    turns: u32,
}

struct Life {
    person: PlayerId,
    names: Vec<String>,
    tables: BTreeMap<String, Table>,
    told: Told,
    /// Notices that were looked at.
    seen: u64,
}

impl Life {
    fn id(&self, table: &str) -> MatchId {
        match_id(self.names.iter().position(|name| name == table).unwrap())
    }

    fn name(&self, id: MatchId) -> String {
        self.names[usize::try_from(id.0.as_u128() - 1).unwrap()].clone()
    }

    async fn happens(&mut self, rig: &Rig, what: &What) {
        let (me, now) = (self.person, rig.now());
        match what {
            What::SettingsChanged { settings: new } => {
                return rig.accounts.set_reminder_settings(me, settings(new)).await.unwrap();
            }
            What::WaitChanged { minutes } => return rig.wait.set(*minutes),
            _ => {}
        }
        let name = what.table().unwrap().to_owned();
        let id = self.id(&name);
        let table = self.tables.entry(name).or_default();
        let mut events = Vec::new();
        if let What::TurnSeen { .. } = what {
            let seen = TurnRef { match_id: id, turn: table.turns };
            return rig.accounts.mark_turn_seen(me, seen).await.unwrap();
        }
        if !table.begun {
            events.extend(begin(id, [me, nobody(1), nobody(2), nobody(3)]));
            (table.begun, table.seated) = (true, true);
        }
        if !table.seated {
            events.push(taken_over(table.turns, Seat::S, me));
            table.seated = true;
        }
        events.extend(table.events(what, me, now));
        rig.happens(id, now, &events).await;
    }

    async fn take_down(&mut self, rig: &Rig) {
        let at = Instant(rig.now().0);
        for mail in rig.mails_to(self.person).await {
            let names = |turns: &[TurnRef]| turns.iter().map(|t| self.name(t.match_id)).collect();
            let mail = Mail {
                at,
                kind: serde_json::to_value(mail.kind).unwrap().as_str().unwrap().to_owned(),
                deadline: names(&mail.deadline),
                waiting: names(&mail.waiting),
                timed_out: names(&mail.timed_out),
            };
            self.told.mails.push(mail);
        }
        let of_clocks = [
            NoticeKind::Turn4h,
            NoticeKind::Turn1h,
            NoticeKind::TakeoverFirst1h,
            NoticeKind::TakeoverWait4h,
            NoticeKind::TakeoverWait1h,
        ];
        for notice in rig.notices(self.person).await {
            if notice.number > self.seen && of_clocks.contains(&notice.kind) {
                assert_eq!(notice.at, rig.now());
                let (table, kind) = (self.name(notice.match_id), notice.kind.name().to_owned());
                self.told.notices.push(Notice { at, table, kind });
            }
            self.seen = self.seen.max(notice.number);
        }
    }
}

impl Table {
    fn events(&mut self, what: &What, me: PlayerId, now: Time) -> Vec<MatchEvent> {
        match what {
            What::TurnStarted { seat_kind, deadline, .. } => {
                let kind = match seat_kind {
                    SeatKind::Normal => TurnKind::Normal,
                    SeatKind::TakeoverFirst => TurnKind::TakeoverFirst,
                };
                self.turns += 1;
                vec![turn(self.turns, Seat::S, kind, Time(deadline.0))]
            }
            What::TurnEnded { .. } => vec![skipped(self.turns, Seat::S)],
            What::TurnTimedOut { .. } => {
                self.seated = false;
                vec![timed_out(self.turns, Seat::S, me)]
            }
            What::DeadlineMoved { deadline, .. } => {
                vec![moved(self.turns, Seat::S, Time(deadline.0))]
            }
            What::TakeoverWaitOpened { deadline, .. } => {
                self.turns += 1;
                vec![wait_opened(self.turns, Seat::E, Time(deadline.0))]
            }
            What::TakeoverWaitClosed { .. } => {
                let over = taken_over(self.turns, Seat::E, nobody(9));
                self.turns += 1;
                let deadline = now + Span::hours(3);
                vec![over, turn(self.turns, Seat::E, TurnKind::TakeoverFirst, deadline)]
            }
            _ => Vec::new(),
        }
    }
}

/// Lets a future run for so long, more or less, and drops it.
async fn cut(work: impl Future, yields: u32) {
    let rest = async {
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
    };
    futures_util::future::select(pin!(work), pin!(rest)).await;
}

/// One step, which may be cut off first, and come after a restart.
async fn step(mut rig: Rig, crashes: &mut Option<FairDraw>) -> (Rig, Step) {
    if let Some(draw) = crashes {
        if draw.below(3) == 0 {
            let yields = draw.below(60) * draw.below(60);
            cut(rig.planner.step(), yields).await;
        }
        if draw.below(40) == 0 {
            rig = rig.reopened().await;
            assert_eq!(rig.planner.begin().await.unwrap(), Step::More);
        }
    }
    let step = rig.planner.step().await.unwrap();
    (rig, step)
}

/// What a person is told. The log is empty, and nothing is known of the person but the account.
pub(super) async fn live(
    mut rig: Rig,
    person: PlayerId,
    story: &Story,
    mut crashes: Option<FairDraw>,
) -> (Rig, Told) {
    let names: BTreeSet<&str> = story.events.iter().filter_map(|e| e.what.table()).collect();
    let names = names.into_iter().map(str::to_owned).collect();
    let (tables, told) = (BTreeMap::new(), Told::default());
    let mut life = Life { person, names, tables, told, seen: 0 };
    rig.accounts.set_reminder_settings(person, settings(&story.settings)).await.unwrap();
    rig.wait.set(story.wait_minutes);
    let mut wake = rig.settle().await.map(|at| Instant(at.0));
    let mut ahead: &[Event] = &story.events;
    while let Some(now) = ahead.first().map(|event| event.at).into_iter().chain(wake).min() {
        rig.clock.set(Time(now.0));
        let (happens, later) = ahead.split_at(ahead.iter().take_while(|e| e.at == now).count());
        ahead = later;
        for event in happens {
            life.happens(&rig, &event.what).await;
        }
        wake = loop {
            let stepped;
            (rig, stepped) = step(rig, &mut crashes).await;
            if let Step::Until(next) = stepped {
                break next.map(|at| Instant(at.0));
            }
        };
        assert!(wake.is_none_or(|wake| wake > now), "{now:?}: again at {wake:?}");
        life.take_down(&rig).await;
    }
    (rig, life.told)
}

/// What happens at one instant has an order only in the log: whoever changes the settings at the very instant of a
/// time-out may be heard first.
pub(super) fn ordered(story: &Story) -> bool {
    let out = |event: &&Event| matches!(event.what, What::TurnTimedOut { .. });
    let ends: BTreeSet<Instant> = story.events.iter().filter(out).map(|event| event.at).collect();
    let set = |event: &&Event| matches!(event.what, What::SettingsChanged { .. });
    !story.events.iter().filter(set).any(|event| ends.contains(&event.at))
}
