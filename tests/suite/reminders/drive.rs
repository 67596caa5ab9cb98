//! Lets the planner live through a story: looks exactly when it asked to be woken or something happens.

use super::story::{Event, Instant, Mail, Notice, SeatKind, Settings, Story, Told, What};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::matches::events::TurnKind;
use yibu_domain::reminders::{self, Desk, Happening, Plan, TurnRef, Wait};

pub fn settings(text: &Settings) -> reminders::Settings {
    let window = &text.window;
    reminders::Settings::parse(&text.mode, &window.from, &window.to, &text.zone).unwrap()
}

/// The story's matches under ids of the same order, and the number of each one's turn.
struct Tables {
    names: Vec<String>,
    turns: BTreeMap<String, u32>,
    /// The last turn of each that ran out.
    ran_out: BTreeMap<String, u32>,
}

impl Tables {
    fn of(story: &Story) -> Self {
        let names: BTreeSet<&str> = story.events.iter().filter_map(|e| e.what.table()).collect();
        let names = names.into_iter().map(str::to_owned).collect();
        Self { names, turns: BTreeMap::new(), ran_out: BTreeMap::new() }
    }

    fn id(&self, table: &str) -> MatchId {
        let place = self.names.iter().position(|name| name == table).expect("a known match");
        MatchId(Uuid::from_u128(place as u128))
    }

    /// The match of a turn, which must have the number that is known of it.
    fn name(&self, turn: TurnRef, known: &BTreeMap<String, u32>) -> String {
        let name = &self.names[turn.match_id.0.as_u128() as usize];
        assert_eq!(known.get(name), Some(&turn.turn), "the turn of {name}");
        name.clone()
    }

    fn happening(&mut self, what: &What) -> Option<Happening> {
        let mut started = |table: &str, kind, deadline: Instant| {
            let turn = self.turns.entry(table.to_owned()).or_default();
            *turn += 1;
            (*turn, kind, Time(deadline.0))
        };
        let begun = match what {
            What::TurnStarted { table, seat_kind, deadline } => {
                let kind = match seat_kind {
                    SeatKind::Normal => TurnKind::Normal,
                    SeatKind::TakeoverFirst => TurnKind::TakeoverFirst,
                };
                Some(started(table, kind, *deadline))
            }
            What::TakeoverWaitOpened { table, deadline } => {
                Some(started(table, TurnKind::Vacant, *deadline))
            }
            _ => None,
        };
        let match_id = what.table().map(|table| self.id(table));
        Some(match (what, match_id, begun) {
            (_, Some(match_id), Some((turn, kind, deadline))) => {
                Happening::Started { match_id, turn, kind, deadline }
            }
            (What::TurnEnded { .. } | What::TakeoverWaitClosed { .. }, Some(match_id), _) => {
                Happening::Ended { match_id }
            }
            (What::TurnTimedOut { table }, Some(match_id), _) => {
                let turn = self.turns.get(table).copied().unwrap_or_default();
                self.ran_out.insert(table.clone(), turn);
                Happening::TimedOut { match_id }
            }
            (What::TurnSeen { table }, Some(match_id), _) => {
                let turn = self.turns.get(table).copied().unwrap_or_default();
                Happening::Seen(TurnRef { match_id, turn })
            }
            (What::DeadlineMoved { deadline, .. }, Some(match_id), _) => {
                Happening::DeadlineMoved { match_id, deadline: Time(deadline.0) }
            }
            (What::SettingsChanged { settings: new }, ..) => {
                Happening::SettingsChanged(settings(new))
            }
            _ => return None,
        })
    }

    fn take_down(&self, told: &mut Told, at: Instant, plan: &Plan) {
        if let Some(mail) = &plan.mail {
            let names = |list: &[TurnRef], known: &BTreeMap<String, u32>| {
                list.iter().map(|&turn| self.name(turn, known)).collect()
            };
            told.mails.push(Mail {
                at,
                kind: serde_json::to_value(mail.kind).unwrap().as_str().unwrap().to_owned(),
                deadline: names(&mail.deadline, &self.turns),
                waiting: names(&mail.waiting, &self.turns),
                timed_out: names(&mail.timed_out, &self.ran_out),
            });
        }
        told.notices.extend(plan.notices.iter().map(|notice| Notice {
            at,
            table: self.name(notice.turn, &self.turns),
            kind: serde_json::to_value(notice.kind).unwrap().as_str().unwrap().to_owned(),
        }));
    }
}

/// What the planner tells. Between looks the desk lies in a store.
///
/// # Panics
/// When it wants to be woken in the past, or is woken for nothing.
pub fn drive(story: &Story) -> Told {
    let (mut told, mut tables) = (Told::default(), Tables::of(story));
    let mut desk = Desk::new(settings(&story.settings));
    let mut wait = story.wait_minutes;
    let mut ahead: &[Event] = &story.events;
    let mut wake: Option<Instant> = None;
    while let Some(now) = ahead.first().map(|event| event.at).into_iter().chain(wake).min() {
        let (happens, later) = ahead.split_at(ahead.iter().take_while(|e| e.at == now).count());
        ahead = later;
        for event in happens {
            if let What::WaitChanged { minutes } = event.what {
                wait = minutes;
            } else if let Some(happening) = tables.happening(&event.what) {
                desk.note(Time(now.0), happening);
            }
        }
        let stored = serde_json::to_string(&desk).unwrap();
        assert_eq!(serde_json::from_str::<Desk>(&stored).unwrap(), desk, "{stored}");
        let plan = desk.look(Wait::minutes(wait).unwrap(), Time(now.0));
        let moved = plan.mail.is_some() || !plan.notices.is_empty();
        assert!(moved || !happens.is_empty(), "woken for nothing at {now:?}");
        assert!(plan.wake.is_none_or(|wake| wake > Time(now.0)), "{now:?}: {plan:?}");
        tables.take_down(&mut told, now, &plan);
        wake = plan.wake.map(|wake| Instant(wake.0));
    }
    told
}
