//! Two whole servers with the same people, ids and instants, and one history of commands. In the second, formations
//! differ where the viewer cannot look, and others do in private what the first does not have: marks, settings, looks,
//! proposals, candidacies. They live together until their public outcomes part.

use super::onlooker::Leak;
use super::pair::{pick, twin};
use crate::leaks::whole_match::player_of;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use yibu_api::graphql::ids::{Global, match_of};
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Bytes32, FairDraw, MatchId, PlayerId, Span};
use yibu_infrastructure::system::{Clock as _, Entropy};
use yibu_tests::app::TestApp;
use yibu_tests::client::Client;
use yibu_tests::letters::settle;
use yibu_tests::table::{Table, payload};

/// Half of the step in which something falls due: no outage, and no minute passes unseen.
const HALF: Span = Span::seconds(25);
/// Moves that a pair lives for at most.
const MOVES: u32 = 14;

/// One server and its people.
pub struct World {
    pub app: TestApp,
    pub table: Table,
    /// The players' ids, by seat.
    pub players: Vec<String>,
    addresses: Vec<String>,
    /// Somebody who has not played yet.
    looker: Client,
}

/// How much was compared, so that a test that compares nothing fails.
#[derive(Default, Debug)]
pub struct Compared {
    pub moves: u32,
    pub texts: usize,
    pub refusals: usize,
    pub turn_mails: usize,
    pub waits: usize,
}

pub struct Worlds {
    worlds: [World; 2],
    viewer: usize,
    draw: FairDraw,
    pub compared: Compared,
}

impl World {
    async fn new(seed: u64) -> Self {
        let app = TestApp::with(|config| config.entropy = Entropy::seeded(seed)).await;
        let table = Table::seated(&app, "w").await;
        let looker = app.player("looker").await;
        let (mut players, mut addresses) = (Vec::new(), Vec::new());
        for person in &table.people {
            let PlayerId(id) = player_of(person).await;
            players.push(Global::Player(PlayerId(id)).id().to_string());
            let data = person.data("{ viewer { email } }", &json!({})).await;
            addresses.push(data["viewer"]["email"].as_str().expect("an address").to_owned());
        }
        Self { app, table, players, addresses, looker }
    }

    pub fn id(&self) -> MatchId {
        match_of(&self.table.id.as_str().into()).expect("a match")
    }

    pub fn address(&self, seat: usize) -> String {
        self.addresses[seat].clone()
    }

    async fn arrange(&self, seat: usize, formation: &Formation) {
        let person = &self.table.people[seat];
        let version = self.table.glance(person, "privateVersion").await["privateVersion"].take();
        let pieces: Vec<Value> = formation
            .iter()
            .map(|(at, piece)| json!({ "at": at.to_string(), "piece": piece.code() }))
            .collect();
        let input = json!({ "expectedVersion": version, "formation": pieces });
        self.table.ok(person, "arrangeFormation", "ArrangeFormationInput", &input).await;
    }

    /// What whoever is on turn could do.
    async fn moves(&self, mover: usize) -> BTreeSet<(String, String)> {
        let selection = "legalMoves { from to }";
        let view = self.table.glance(&self.table.people[mover], selection).await;
        let text = |value: &Value| value.as_str().expect("a position").to_owned();
        let of = |from: &Value| {
            let to = from["to"].as_array().expect("a list").iter();
            to.map(|to| (text(&from["from"]), text(to))).collect::<Vec<_>>()
        };
        view["legalMoves"].as_array().expect("a list").iter().flat_map(of).collect()
    }

    /// What everybody at the table sees of how things stand.
    async fn public(&self) -> Value {
        let selection = "phase version turn { seat number } seats { piecesLeft eliminated active } \
            lastMove { from to route outcome captured revealed { seat at } }";
        self.table.glance(&self.table.people[0], selection).await
    }

    async fn on_turn(&self) -> usize {
        self.table.on_turn(&self.public().await)
    }

    /// Something that the viewer does not learn of.
    async fn secretly(&self, viewer: usize, step: u32) {
        let seat = (viewer + 1 + 2 * (step as usize / 4 % 2)) % 4;
        let person = &self.table.people[seat];
        match step % 4 {
            0 => {
                let board = self.table.glance(person, "board { seat handle faceDown }").await;
                let seen = board["board"].as_array().expect("a board").iter();
                let whose = ["S", "E", "N", "W"][viewer];
                let handle = seen.filter(|man| man["seat"] == whose && man["faceDown"] == true);
                let handle = handle.map(|man| man["handle"].clone()).next().expect("a man");
                let input = json!({ "handle": handle, "mark": "雷" });
                self.table.ok(person, "setMark", "SetMarkInput", &input).await;
            }
            1 => {
                self.table
                    .ok(person, "proposeTeamSurrender", "ProposeTeamSurrenderInput", &json!({}))
                    .await;
                let seen = self.table.glance(person, "teamSurrender { proposal }").await;
                let input = json!({ "proposal": seen["teamSurrender"]["proposal"] });
                let kind = "WithdrawTeamSurrenderInput";
                self.table.ok(person, "withdrawTeamSurrender", kind, &input).await;
            }
            2 => {
                let key = person.key();
                let input = json!({ "idempotencyKey": key, "mode": "OFF", "from": "01:00", "to": "02:00",
                    "zone": "Europe/Berlin" });
                let kind = "UpdateReminderSettingsInput";
                let set = person.mutate("updateReminderSettings", kind, "__typename", &input).await;
                assert_eq!(set["userErrors"], json!([]));
            }
            _ => {
                let turn = self.public().await["turn"].take();
                let mover = self.table.on_turn(&json!({ "turn": turn }));
                if mover != viewer {
                    let person = &self.table.people[mover];
                    let input = json!({ "idempotencyKey": person.key(), "matchId": self.table.id,
                        "turn": turn["number"] });
                    let kind = "MarkTurnSeenInput";
                    let seen = person.mutate("markTurnSeen", kind, "__typename", &input).await;
                    assert_eq!(seen["userErrors"], json!([]));
                }
            }
        }
    }
}

impl Worlds {
    /// Two tables that have started.
    pub async fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let scope = MatchId(uuid::Uuid::nil());
        let mut draw = FairDraw::new("noninterference", scope, &Bytes32(bytes), &[]);
        let worlds = [World::new(seed).await, World::new(seed).await];
        let viewer = draw.below(4) as usize;
        for (place, seat) in Seat::ALL.into_iter().enumerate() {
            let formation = Formation::random(seat, &mut draw);
            let hidden = place != viewer;
            let other = if hidden { twin(&formation, &mut draw) } else { formation.clone() };
            worlds[0].arrange(place, &formation).await;
            worlds[1].arrange(place, &other).await;
        }
        for world in &worlds {
            world.table.start().await;
        }
        let names = worlds.each_ref().map(|world| (&world.table.id, &world.players));
        assert_eq!(names[0], names[1], "the same chance gives the same names");
        Self { worlds, viewer, draw, compared: Compared::default() }
    }

    /// Lives until the public outcomes part, or long enough. A difference that the viewer could see is told.
    pub async fn live(&mut self, leak: Leak) -> Option<String> {
        let mut waited = false;
        for step in 0..MOVES {
            self.worlds[1].secretly(self.viewer, step).await;
            let mover = self.worlds[0].on_turn().await;
            if mover == self.viewer && !waited {
                self.wait(Span::seconds(15 * 60)).await;
                waited = true;
            }
            if let Some(difference) = self.compare(step % 4 != 0, leak).await {
                return Some(format!("move {step}: {difference}"));
            }
            if !self.step(mover).await {
                return None;
            }
            self.compared.moves += 1;
        }
        let parted = self.depart(leak).await;
        parted.map(|difference| format!("after a departure: {difference}"))
    }

    /// Whoever is on turn moves the same way in both worlds; false where the outcomes part.
    async fn step(&mut self, mover: usize) -> bool {
        let [first, second] = &self.worlds;
        let (one, two) = (first.moves(mover).await, second.moves(mover).await);
        let both: Vec<_> = one.intersection(&two).cloned().collect();
        let Some((from, to)) = pick(&mut self.draw, &both).cloned() else { return false };
        for world in &self.worlds {
            let person = &world.table.people[mover];
            let version = world.public().await["version"].take();
            let input = json!({ "from": from, "to": to, "expectedVersion": version });
            world.table.ok(person, "move", "MoveInput", &input).await;
        }
        self.alike().await
    }

    async fn alike(&self) -> bool {
        let [first, second] = &self.worlds;
        first.public().await == second.public().await
    }

    /// Somebody leaves on the own turn, and in the second world somebody looks at the vacancy.
    async fn depart(&mut self, leak: Leak) -> Option<String> {
        let mut mover = self.worlds[0].on_turn().await;
        if mover == self.viewer {
            if !self.step(mover).await {
                return None;
            }
            mover = self.worlds[0].on_turn().await;
        }
        for world in &self.worlds {
            world.table.ok(&world.table.people[mover], "leave", "LeaveInput", &json!({})).await;
        }
        let looker = &self.worlds[1].looker;
        let input = json!({ "idempotencyKey": looker.key() });
        let found = looker.mutate("matchTakeover", "MatchTakeoverInput", &payload(), &input).await;
        assert_eq!(found["match"]["role"], "CANDIDATE", "{found}");
        let differs = self.compare(false, leak).await;
        if differs.is_some() {
            return differs;
        }
        self.wait(Span::hours(4)).await;
        let world = &self.worlds[1];
        let kind = "WithdrawTakeoverInput";
        world.table.command(&world.looker, "withdrawTakeover", kind, &json!({})).await;
        self.compared.waits += 1;
        self.compare(true, leak).await
    }

    /// Lets so much time pass since the last move, and a little more; what falls due then does so in one instant.
    async fn wait(&mut self, span: Span) {
        self.level().await;
        for world in &self.worlds {
            world.app.pass(Span(span.0 - HALF.0)).await;
            world.app.pass(Span(2 * HALF.0)).await;
        }
        self.level().await;
    }

    /// Everything is told, and both clocks show the same.
    async fn level(&self) {
        for world in &self.worlds {
            settle(&world.app).await;
        }
        let times = self.worlds.each_ref().map(|world| world.app.clock.now());
        for world in &self.worlds {
            world.app.clock.set(times[0].max(times[1]));
        }
    }

    async fn compare(&mut self, some: bool, leak: Leak) -> Option<String> {
        self.level().await;
        let first = self.worlds[0].received(self.viewer, some, leak).await;
        let second = self.worlds[1].received(self.viewer, some, leak).await;
        let places = |seen: &[(String, String)]| {
            seen.iter().map(|(place, _)| place.clone()).collect::<Vec<_>>()
        };
        if places(&first) != places(&second) {
            return Some(format!("{:?} against {:?}", places(&first), places(&second)));
        }
        for ((place, one), (_, two)) in first.iter().zip(&second) {
            if one != two {
                return Some(format!("{place} differs:\n{one}\n{two}"));
            }
            self.compared.texts += 1;
            self.compared.refusals += usize::from(place.starts_with("refusal"));
            self.compared.turn_mails +=
                usize::from(place.starts_with("mail") && one.starts_with("turn"));
        }
        None
    }
}
