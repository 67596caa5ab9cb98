//! A world of deciders alone: states in a map, claims in a table, no store, no executor.

use super::model::{Names, Step, rules, time};
use super::{Came, World, at, happened};
use async_trait::async_trait;
use std::collections::BTreeMap;
use uuid::Uuid;
use yibu_domain::games::siguo::formation::Fault;
use yibu_domain::kernel::{
    Actor, Claim, Counter, Ctx, Dated, Decider, Dice, MatchId, OutageId, PlayerId, Time,
};
use yibu_domain::matches::{Choice, Match, MatchCommand, MatchEvent, MatchRefusal, MatchState};
use yibu_domain::site::{Site, SiteCommand, SiteEvent, SiteState};
use yibu_infrastructure::log::ClaimTable;

#[derive(Default)]
pub struct Pure {
    states: BTreeMap<MatchId, MatchState>,
    order: Vec<MatchId>,
    claims: ClaimTable,
    site: SiteState,
}

type Refused = (String, Vec<Fault>);

fn refused(refusal: &MatchRefusal) -> Refused {
    let faults = match refusal {
        MatchRefusal::IllegalFormation(faults) => faults.clone(),
        _ => Vec::new(),
    };
    (refusal.code().to_owned(), faults)
}

fn limit_code(counter: Counter) -> Refused {
    let code = match counter {
        Counter::Full => "FULL_LIMIT_REACHED",
        Counter::Takeover => "TAKEOVER_LIMIT_REACHED",
    };
    (code.to_owned(), Vec::new())
}

impl Pure {
    fn execute(
        &mut self,
        game: MatchId,
        command: &MatchCommand,
        actor: Actor,
        now: Time,
        dice: &mut Dice,
    ) -> Result<Vec<Dated<MatchEvent>>, Refused> {
        let state = self.states.entry(game).or_default();
        let mut ctx = Ctx { now, actor, dice };
        let events = Match::decide(state, command, &mut ctx).map_err(|r| refused(&r))?;
        let claims: Vec<Claim> = events.iter().flat_map(Match::claims).collect();
        self.claims.apply(&claims).map_err(|error| match error {
            yibu_infrastructure::log::port::AppendError::LimitReached { counter } => {
                limit_code(counter)
            }
            other => panic!("a claim that the decision should have refused: {other}"),
        })?;
        let events: Vec<_> = events.into_iter().map(|event| Dated { at: now, event }).collect();
        for event in &events {
            Match::evolve(state, event);
        }
        if !self.order.contains(&game) {
            self.order.push(game);
        }
        Ok(events)
    }

    fn clock(&mut self, until: Time, inclusive: bool) -> Vec<super::Happened> {
        let mut all = Vec::new();
        loop {
            let due = self.order.iter().filter_map(|game| {
                let due = self.states[game].live()?.due()?;
                let reached = if inclusive { due <= until } else { due < until };
                reached.then_some((due, *game))
            });
            // Earliest first; at the same instant in the order in which the matches were made.
            let Some((due, game)) = due.min_by_key(|(due, _)| *due) else { return all };
            let mut dice = Dice::seeded([0; 32]);
            let events = self.execute(game, &MatchCommand::Expire, Actor::Timer, due, &mut dice);
            let events = events.expect("the timer is never refused");
            assert!(!events.is_empty(), "a due deadline does something");
            all.extend(happened(game, events));
        }
    }

    fn match_new(&mut self, step: &Step, names: &mut Names) -> Came {
        let player = names.player(&step.actor);
        let guest = names.guest(&step.actor);
        let tables: Vec<MatchId> = (self.order.iter().copied())
            .filter(|game| {
                let live = self.states[game].live().expect("listed");
                !live.free_seats().is_empty() && live.seat_of(player).is_none()
            })
            .collect();
        let choices = tables.iter().map(|game| {
            let live = self.states[game].live().expect("listed");
            let seats = live.free_seats().iter().map(ToString::to_string).collect();
            (names.name(game.0).to_owned(), seats)
        });
        let choices = Some(choices.collect());
        let Some(game) = step.drawn_match().map(|name| names.game(&name)) else {
            let room = self.claims.apply(&[Claim::Room { counter: Counter::Full, player }]);
            assert!(room.is_err(), "a draw is missing but the limit is not reached");
            return Came { refused: Some(limit_code(Counter::Full)), choices, ..Came::default() };
        };
        let command = if tables.is_empty() {
            MatchCommand::Open { match_id: game, rules: rules(), seed: None, guest, nonce: None }
        } else {
            MatchCommand::TakeSeat { guest, nonce: None, tables: Choice::all(tables) }
        };
        let came = self.execute(game, &command, Actor::Player(player), at(step), &mut step.dice());
        Came { choices, ..came_of(game, came) }
    }

    fn match_takeover(&mut self, step: &Step, names: &mut Names) -> Came {
        let player = names.player(&step.actor);
        let guest = names.guest(&step.actor);
        let open: Vec<MatchId> = (self.order.iter().copied())
            .filter(|game| self.states[game].live().expect("listed").takeover_open_to(player))
            .collect();
        let choices = open.iter().map(|game| {
            let seat = self.states[game]
                .live()
                .and_then(yibu_domain::matches::Live::vacancy)
                .expect("vacant");
            (names.name(game.0).to_owned(), vec![seat.to_string()])
        });
        let choices = Some(choices.collect());
        let room = self.claims.apply(&[Claim::Room { counter: Counter::Takeover, player }]);
        let code = match (room, open.is_empty()) {
            (Err(_), _) => Some(limit_code(Counter::Takeover)),
            (Ok(()), true) => Some(refused(&MatchRefusal::NoVacancy)),
            (Ok(()), false) => None,
        };
        if code.is_some() {
            return Came { refused: code, choices, ..Came::default() };
        }
        let game = names.game(&step.drawn_match().expect("a drawn match"));
        let command = MatchCommand::MatchTakeover { guest, choices: Choice::all(open) };
        let came = self.execute(game, &command, Actor::Player(player), at(step), &mut step.dice());
        Came { choices, ..came_of(game, came) }
    }

    fn set_limits(&mut self, step: &Step, names: &mut Names) -> Came {
        let number = |name: &str| step.args[name].as_i64().expect("a whole number");
        let command = SiteCommand::SetLimits {
            full: number("full"),
            takeover: number("takeover"),
            reason: "scenario".parse().expect("a reason code"),
        };
        let actor = Actor::Admin(names.player(&step.actor));
        let mut dice = step.dice();
        let mut ctx = Ctx { now: at(step), actor, dice: &mut dice };
        let events = match Site::decide(&self.site, &command, &mut ctx) {
            Ok(events) => events,
            Err(refusal) => {
                let refused = Some((refusal.code().to_owned(), Vec::new()));
                return Came { refused, ..Came::default() };
            }
        };
        let mut came = Came::default();
        for event in events {
            self.claims.apply(&Site::claims(&event)).expect("limits are always granted");
            if let SiteEvent::LimitsSet(limits) = &event {
                came.limits = Some(limits.clone());
            }
            Site::evolve(&mut self.site, &Dated { at: at(step), event });
        }
        came
    }

    fn outage(&mut self, step: &Step) -> Came {
        let bound = |name: &str| time(step.args[name].as_i64().expect("an instant"));
        let (from, to) = (bound("from"), bound("to"));
        let outage = OutageId(Uuid::from_u128(0x0a7a6e));
        let mut came = Came::default();
        for game in self.order.clone() {
            let command = MatchCommand::MoveDeadline { outage, from, to };
            let events = self.execute(game, &command, Actor::System, at(step), &mut step.dice());
            came.events.extend(happened(game, events.expect("never refused")));
        }
        came
    }
}

fn came_of(game: MatchId, result: Result<Vec<Dated<MatchEvent>>, Refused>) -> Came {
    match result {
        Ok(events) => Came { events: happened(game, events), ..Came::default() },
        Err(code) => Came { refused: Some(code), ..Came::default() },
    }
}

#[async_trait]
impl World for Pure {
    async fn step(&mut self, step: &Step, names: &mut Names) -> Came {
        let clock = match step.command.as_str() {
            "outage" => self.clock(time(step.args["from"].as_i64().expect("from")), false),
            _ => self.clock(at(step), true),
        };
        let came = match step.command.as_str() {
            "match_new" => self.match_new(step, names),
            "takeover_match" => self.match_takeover(step, names),
            "set_limits" => self.set_limits(step, names),
            "outage" => self.outage(step),
            "tick" => Came::default(),
            _ => {
                let game = names.game(step.on.as_deref().expect("a match"));
                let player: PlayerId = names.player(&step.actor);
                let command = step.to_match(names);
                let result =
                    self.execute(game, &command, Actor::Player(player), at(step), &mut step.dice());
                came_of(game, result)
            }
        };
        Came { clock, ..came }
    }

    async fn state(&mut self, game: MatchId) -> MatchState {
        self.states[&game].clone()
    }
}
