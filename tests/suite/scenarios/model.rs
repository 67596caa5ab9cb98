//! The scenario file as data, and the translation between its words and the domain's. Judges nothing.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::{Bytes32, Dice, MatchId, PlayerId, Time};
use yibu_domain::matches::events::{Joined, Occupant, Person, TurnKind};
use yibu_domain::matches::{Guest, MatchCommand, Placement, RuleSet};

/// Scenarios count seconds from here.
pub const START: i64 = 1_900_000_000_000;

#[derive(Deserialize)]
pub struct Scenario {
    pub index: u32,
    pub name: String,
    pub steps: Vec<Step>,
    #[serde(rename = "final")]
    pub end: End,
}

#[derive(Deserialize)]
pub struct End {
    pub players: BTreeMap<String, Value>,
    pub phases: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub struct Step {
    pub at: i64,
    pub actor: String,
    #[serde(rename = "match")]
    pub on: Option<String>,
    pub command: String,
    pub args: Map<String, Value>,
    pub expect: Expect,
}

#[derive(Deserialize)]
pub struct Expect {
    #[serde(default)]
    pub clock: Vec<Value>,
    pub ok: bool,
    #[serde(default)]
    pub events: Vec<Value>,
    pub error: Option<String>,
    pub broken: Option<Value>,
    #[serde(default)]
    pub state: BTreeMap<String, Value>,
    pub formation: Option<Value>,
    pub choices: Option<BTreeMap<String, Vec<String>>>,
}

pub fn time(seconds: i64) -> Time {
    Time(START + seconds * 1000)
}

pub fn seconds(time: Time) -> Value {
    let millis = time.0 - START;
    assert_eq!(millis % 1000, 0, "scenario times are whole seconds");
    json!(millis / 1000)
}

/// Names become ids and ids names again.
#[derive(Default)]
pub struct Names {
    names: BTreeMap<Uuid, String>,
}

impl Names {
    fn id(&mut self, kind: &str, name: &str) -> Uuid {
        let hash = blake3::hash(format!("{kind}/{name}").as_bytes());
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash.as_bytes()[..16]);
        let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
        self.names.insert(id, name.to_owned());
        id
    }

    pub fn player(&mut self, name: &str) -> PlayerId {
        PlayerId(self.id("player", name))
    }

    pub fn game(&mut self, name: &str) -> MatchId {
        MatchId(self.id("match", name))
    }

    pub fn name(&self, id: Uuid) -> &str {
        self.names.get(&id).map_or("(unknown)", String::as_str)
    }

    pub fn guest(&mut self, name: &str) -> Guest {
        Guest { player: self.player(name), occupant: Occupant::Player, nickname: 1 }
    }
}

impl Step {
    fn text(&self, name: &str) -> String {
        self.args[name].as_str().expect("a text argument").to_owned()
    }

    fn draw(&self) -> Option<&Map<String, Value>> {
        self.args.get("draw").and_then(Value::as_object)
    }

    /// The match that the injected draw yields.
    pub fn drawn_match(&self) -> Option<String> {
        Some(self.draw()?.get("match")?.as_str()?.to_owned())
    }

    /// Dice that yield what the step says.
    pub fn dice(&self) -> Dice {
        let mut dice = Dice::seeded([7; 32]);
        let Some(draw) = self.draw() else { return dice };
        let seat = draw.get("seat").and_then(Value::as_str).map(str::parse::<Seat>);
        if let Some(seat) = seat {
            let seat = seat.expect("a seat");
            dice = dice.forcing("seat", vec![seat.index() as u8]);
            let formation = formation(seat, &draw["formation"]);
            dice = dice.forcing("formation", formation.codes().to_vec());
        }
        if let Some(first) = draw.get("first").and_then(Value::as_str) {
            let first: Seat = first.parse().expect("a seat");
            dice = dice.forcing("first", vec![first.index() as u8]);
        }
        dice
    }

    /// The command to the match that the step names.
    pub fn to_match(&self, names: &mut Names) -> MatchCommand {
        match self.command.as_str() {
            "arrange" => {
                let pieces = self.args["formation"].as_object().expect("a formation").iter();
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let formation = pieces.map(|(at, piece)| (at.clone(), text(piece))).collect();
                MatchCommand::Arrange { formation, expected: None }
            }
            "swap" => MatchCommand::Swap { a: self.text("a"), b: self.text("b"), expected: None },
            "ready" => MatchCommand::Ready { nonce: None, expected: None },
            "unready" => MatchCommand::Unready { expected: None },
            "leave" => MatchCommand::Leave,
            "move" => {
                MatchCommand::Move { from: self.text("from"), to: self.text("to"), expected: None }
            }
            "skip" => MatchCommand::Skip { expected: None },
            "surrender" => MatchCommand::Surrender,
            "team_surrender_propose" => MatchCommand::ProposeTeamSurrender,
            "team_surrender_confirm" => MatchCommand::ConfirmTeamSurrender { proposal: None },
            "team_surrender_decline" => MatchCommand::DeclineTeamSurrender { proposal: None },
            "team_surrender_withdraw" => MatchCommand::WithdrawTeamSurrender { proposal: None },
            "draw_offer" => MatchCommand::OfferDraw,
            "draw_vote" => {
                let accept = self.args["accept"].as_bool().expect("accept");
                MatchCommand::VoteDraw { offer: None, accept }
            }
            "takeover_confirm" => MatchCommand::ConfirmTakeover,
            "takeover_withdraw" => MatchCommand::WithdrawTakeover,
            "setup" => MatchCommand::Place(Box::new(self.placement(names))),
            other => panic!("unknown scenario command {other}"),
        }
    }

    fn placement(&self, names: &mut Names) -> Placement {
        let seats = self.args["seats"].as_object().expect("seats");
        let person = |seat: Seat, names: &mut Names| {
            let entry = seats.get(&seat.to_string())?;
            let name = entry["person"].as_str()?;
            let joined = match entry["joined"].as_str() {
                Some("takeover") => Joined::Takeover,
                _ => Joined::Full,
            };
            let player = names.player(name);
            Some(Person { player, occupant: Occupant::Player, joined, nickname: 1 })
        };
        let eliminated = |seat: &Seat| {
            let entry = seats.get(&seat.to_string());
            entry.is_some_and(|entry| entry["eliminated"].as_bool().unwrap_or(false))
        };
        let pieces = self.args["pieces"].as_object().expect("pieces").iter();
        let men = pieces.map(|(at, man)| {
            let man = man.as_str().expect("seat:piece");
            let (seat, piece) = man.split_once(':').expect("seat:piece");
            let at: Pos = at.parse().expect("a position");
            let seat: Seat = seat.parse().expect("a seat");
            (at, seat, piece.parse::<Piece>().expect("a piece"))
        });
        let turn_kind = match self.args.get("turn_kind").and_then(Value::as_str) {
            Some("takeover_first") => TurnKind::TakeoverFirst,
            _ => TurnKind::Normal,
        };
        Placement {
            match_id: names.game(self.on.as_deref().expect("a match")),
            rules: rules(),
            seed: Bytes32([3; 32]),
            seats: BySeat::from_fn(|seat| person(seat, names)),
            eliminated: Seat::ALL.into_iter().filter(eliminated).collect(),
            men: men.collect(),
            turn: self.text("turn").parse().expect("a seat"),
            turn_kind,
        }
    }
}

/// The formal rules without the release of unready seats, as the vectors want.
pub fn rules() -> RuleSet {
    RuleSet::formal(yibu_domain::kernel::Span(0))
}

fn formation(seat: Seat, value: &Value) -> Formation {
    let pieces = value.as_object().expect("a formation").iter();
    let pieces = pieces.map(|(at, piece)| (at.clone(), piece.as_str().unwrap_or("").to_owned()));
    Formation::check(seat, &pieces.collect()).expect("a legal formation")
}
