//! Four people at a table, and the operations that they use. Picks moves; asserts nothing about the rules.

use super::app::TestApp;
use super::client::Client;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};
use std::sync::Mutex;

/// Everything that a page shows of a match.
pub const VIEW: &str = "id version privateVersion now role mySeat mySide myReady mySkipsLeft phase \
    openedAt startedAt endedAt seatsTaken seatsReady releaseAt commitment recordExpired myTurn \
    myPieces { handle identity at } marks { handle mark colour } \
    rules { name turnSeconds takeoverWaitSeconds skips points { win departure } } \
    seats { seat side person { player { id nickname house } joined nicknameThen } active vacant eliminated skipsUsed piecesLeft tenure } \
    turn { number seat kind since deadline drawOffered } \
    board { at seat handle identity faceDown } \
    legalMoves { from to } \
    lastMove { seat handle identity from to route outcome met { seat handle identity } revealed { seat at } captured } \
    drawOffer { offer seat accepted pending } teamSurrender { proposal seat } candidacy { seat deadline } \
    outcome { kind winner winBy drawBy noResultBy } settlement { person { player { nickname } } seat points result }";

/// The end of the list of public actions.
pub const ACTIONS: &str = "actions(last: 20) { totalCount pageInfo { hasPreviousPage hasNextPage startCursor endCursor } \
    edges { cursor node { version at kind seat side person { player { id } } turn deadline \
    move { seat handle identity from to route outcome met { seat handle identity } } offer accept points cause } } }";

/// The answer of every mutation to a match.
pub fn payload() -> String {
    format!("match {{ {VIEW} }} version privateVersion position")
}

/// A match with the people who sit there, in the order of the seats s, e, n, w.
pub struct Table {
    /// The match's id.
    pub id: String,
    /// Who sits where.
    pub people: Vec<Client>,
    /// How far the log had come with the last command: queries wait for that.
    after: Mutex<Value>,
    dice: ChaCha8Rng,
}

/// The place of a seat's letter in the order s, e, n, w.
pub fn index(seat: &Value) -> usize {
    let letter = seat.as_str().expect("a seat");
    ["S", "E", "N", "W"].iter().position(|name| *name == letter).expect("a seat")
}

/// Finds a match for a person and gives its view.
pub async fn match_new(client: &Client) -> Value {
    matched(client).await["match"].take()
}

/// Finds a match for a person and gives the whole answer.
async fn matched(client: &Client) -> Value {
    let input = json!({ "idempotencyKey": client.key() });
    let answer = client.mutate("matchNewGame", "MatchNewGameInput", &payload(), &input).await;
    assert_eq!(answer["userErrors"], json!([]), "{answer}");
    answer
}

fn stands_there(view: &Value, at: &str) -> bool {
    view["board"].as_array().is_some_and(|pieces| pieces.iter().any(|piece| piece["at"] == at))
}

impl Table {
    /// Four new people at one table, seated and not ready.
    pub async fn seated(app: &TestApp, prefix: &str) -> Self {
        Self::of(async |number| app.player(&format!("{prefix}{number}")).await).await
    }

    /// A table of four that come one after the other, seated and not ready.
    pub async fn of(person: impl AsyncFn(usize) -> Client) -> Self {
        let mut people: Vec<Option<Client>> = vec![None; 4];
        let (mut id, mut after) = (None, Value::Null);
        for number in 0..4 {
            let client = person(number).await;
            let answer = matched(&client).await;
            let view = &answer["match"];
            after = answer["position"].clone();
            let found = view["id"].as_str().expect("an id").to_owned();
            assert_eq!(*id.get_or_insert(found.clone()), found, "all meet at one table");
            people[index(&view["mySeat"])] = Some(client);
        }
        let people = people.into_iter().map(|seat| seat.expect("every seat is taken")).collect();
        let id = id.expect("a match");
        Self { id, people, after: Mutex::new(after), dice: ChaCha8Rng::seed_from_u64(5) }
    }

    /// Four new people whose match has started.
    pub async fn started(app: &TestApp, prefix: &str) -> Self {
        let table = Self::seated(app, prefix).await;
        table.start().await;
        table
    }

    /// All four get ready, which starts the match.
    pub async fn start(&self) {
        for person in &self.people {
            let version = self.view(person).await["privateVersion"].clone();
            let input = json!({ "expectedVersion": version });
            self.ok(person, "ready", "ReadyInput", &input).await;
        }
    }

    /// The match as a person sees it, from the query.
    pub async fn view(&self, person: &Client) -> Value {
        self.glance(person, &format!("{VIEW} {ACTIONS}")).await
    }

    /// Sends a command; match id and a fresh key are filled in.
    pub async fn command(&self, person: &Client, name: &str, kind: &str, input: &Value) -> Value {
        let mut input = input.clone();
        let fields = input.as_object_mut().expect("an object");
        fields.entry("matchId").or_insert_with(|| json!(self.id));
        fields.entry("idempotencyKey").or_insert_with(|| json!(person.key()));
        let answer = person.mutate(name, kind, &payload(), &input).await;
        self.note(&answer);
        answer
    }

    /// Sends a command that must stand and gives the view.
    pub async fn ok(&self, person: &Client, name: &str, kind: &str, input: &Value) -> Value {
        let answer = self.command(person, name, kind, input).await;
        assert_eq!(answer["userErrors"], json!([]), "{name}: {}", answer["userErrors"]);
        answer["match"].clone()
    }

    /// Whoever is on turn, by the view of a person.
    pub fn on_turn(&self, view: &Value) -> usize {
        index(&view["turn"]["seat"])
    }

    /// A random legal move of whoever sees this view on the own turn.
    pub fn any_move(&mut self, view: &Value) -> (String, String) {
        let all: Vec<(String, String)> = view["legalMoves"]
            .as_array()
            .expect("a list")
            .iter()
            .flat_map(|moves| {
                let from = moves["from"].as_str().expect("a position").to_owned();
                let to = moves["to"].as_array().expect("a list").clone();
                to.into_iter()
                    .map(move |to| (from.clone(), to.as_str().expect("a position").to_owned()))
            })
            .collect();
        // Attacks first, so that matches end in some hundred moves: no target but an enemy's is occupied.
        let attacks: Vec<_> =
            all.iter().filter(|(_, to)| stands_there(view, to)).cloned().collect();
        let choice = if attacks.is_empty() { all } else { attacks };
        let pick = usize::try_from(self.dice.next_u32()).expect("fits") % choice.len();
        choice[pick].clone()
    }

    /// Plays one random move with as little to read as a move needs; gives the phase after it.
    pub async fn ply(&mut self) -> String {
        let seen = self.glance(&self.people[0], "turn { seat }").await;
        let mover = self.people[self.on_turn(&seen)].clone();
        let view =
            self.glance(&mover, "version mySeat legalMoves { from to } board { at seat }").await;
        let (from, to) = self.any_move(&view);
        let input = json!({
            "matchId": self.id,
            "idempotencyKey": mover.key(),
            "from": from,
            "to": to,
            "expectedVersion": view["version"],
        });
        let answer = mover.mutate("move", "MoveInput", "match { phase } position", &input).await;
        assert_eq!(answer["userErrors"], json!([]), "{answer}");
        self.note(&answer);
        answer["match"]["phase"].as_str().expect("a phase").to_owned()
    }

    /// A part of the match as a person sees it, from the query.
    pub async fn glance(&self, person: &Client, selection: &str) -> Value {
        let query = format!(
            "query($id: ID!, $after: LogPosition) {{ match(id: $id, after: $after) {{ {selection} }} }}"
        );
        let after = self.after.lock().expect("not poisoned").clone();
        let variables = json!({ "id": self.id, "after": after });
        let mut answer = person.send(&query, &variables).await;
        let errors = &answer["errors"];
        let stranger = errors[0]["extensions"]["code"] == "MATCH_NOT_FOUND";
        assert!(errors.is_null() || stranger, "{query}: {answer}");
        answer["data"]["match"].take()
    }

    fn note(&self, answer: &Value) {
        if !answer["position"].is_null() {
            *self.after.lock().expect("not poisoned") = answer["position"].clone();
        }
    }
}
