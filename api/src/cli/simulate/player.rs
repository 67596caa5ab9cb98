//! One random player: an account, and one match after the other. Decides from its own view alone.

use super::api::{self, Account, Payload, View};
use super::client::{Client, code_in};
use super::{Chance, Shared, SimulationFault, eyes};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where others of this process sit at the table and tell, the server is asked only this often besides.
const LOOK: Duration = Duration::from_millis(500);
/// Where nobody tells it is asked this often.
const LOOK_ALONE: Duration = Duration::from_millis(50);
/// Nothing happening at a table for so long is enough.
const STALLED: Duration = Duration::from_secs(120);

/// A command that the server has acknowledged: it must be in the log for ever, and once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ack {
    /// The match's global id.
    pub match_id: String,
    /// The command's kind.
    pub kind: &'static str,
    /// The command's key.
    pub key: String,
    /// From and to, where it is a move.
    pub squares: Option<(String, String)>,
    /// The public version that the player was told.
    pub version: u64,
}

/// A player.
pub(super) struct Player {
    shared: Arc<Shared>,
    client: Client,
    chance: Chance,
    name: String,
}

/// What a player does next.
enum Act {
    Do { kind: &'static str, field: &'static str, input: &'static str, more: Value },
    Wait,
}

fn act(kind: &'static str, field: &'static str, input: &'static str, more: Value) -> Act {
    Act::Do { kind, field, input, more }
}

impl Player {
    pub(super) fn new(shared: Arc<Shared>, client: Client, chance: Chance, name: String) -> Self {
        Self { shared, client, chance, name }
    }

    /// Registers and plays until no seat is left to take.
    pub(super) async fn live(mut self) -> Result<(), SimulationFault> {
        self.register().await?;
        while self.shared.ticket() {
            self.play().await?;
        }
        self.shared.tally.retried(self.client.retries());
        Ok(())
    }

    async fn register(&mut self) -> Result<(), SimulationFault> {
        let email = format!("sim-{}@example.com", self.name);
        let input = json!({ "input": { "email": email } });
        let sent: Account = self.client.ask("requestCode", api::REQUEST_CODE, &input).await?;
        granted("requestCode", &sent.user_errors)?;
        let page = self.client.page("/dev/mail").await?;
        let code = code_in(&page, &email).unwrap_or_default();
        let password = format!("p-{}", self.chance.hex());
        let input = json!({ "input": {
            "email": email, "code": code, "nickname": format!("s{}", self.name),
            "password": password, "bearer": true,
        } });
        let made: Account = self.client.ask("register", api::REGISTER, &input).await?;
        granted("register", &made.user_errors)?;
        self.client.log_in(made.token.unwrap_or_default());
        Ok(())
    }

    async fn play(&mut self) -> Result<(), SimulationFault> {
        let nonce = if self.chance.one_in(2) { json!(self.chance.hex()) } else { Value::Null };
        let shared = Arc::clone(&self.shared);
        let turn = shared.asking.lock().await;
        let more = json!({ "nonce": nonce });
        let matched = self.send("match", "matchNewGame", "MatchNewGameInput", more).await?;
        drop(turn);
        let Some(mut view) = matched.shown else {
            let code =
                matched.user_errors.first().map_or_else(String::new, |error| error.code.clone());
            return Err(SimulationFault::Refused { command: "matchNewGame", code });
        };
        let mut news = self.shared.tables.watch(&view.id);
        let look = if self.shared.options.seats < 4 { LOOK_ALONE } else { LOOK };
        let mut last = Instant::now();
        while view.phase != "ENDED" {
            match self.decide(&view) {
                Act::Do { kind, field, input, mut more } => {
                    last = Instant::now();
                    more["matchId"] = json!(view.id);
                    let payload = self.send(kind, field, input, more).await?;
                    match payload.shown {
                        Some(next) => view = next,
                        None => return Ok(()),
                    }
                }
                Act::Wait => {
                    let before = view.version;
                    let wait = news.wait_for(|news| news.concerns(&view));
                    // Others of this process, or the server itself when nobody tells.
                    let after = match tokio::time::timeout(look, wait).await {
                        Ok(Ok(news)) => news.position.clone(),
                        _ => None,
                    };
                    match self.look(&view.id, after).await? {
                        Some(next) => view = next,
                        None => return Ok(()),
                    }
                    if view.version != before {
                        last = Instant::now();
                    }
                    if last.elapsed() > STALLED {
                        return Err(SimulationFault::Stalled(view.id));
                    }
                }
            }
        }
        self.shared.tally.ended(&view);
        self.shared.tables.forget(&view.id);
        Ok(())
    }

    fn decide(&mut self, view: &View) -> Act {
        let version = json!({ "expectedVersion": view.version });
        let own = json!({ "expectedVersion": view.private_version });
        if view.phase == "ASSEMBLING" {
            return match view.my_ready {
                Some(false) if self.chance.one_in(3) => self.swap(view, own),
                Some(false) => act("ready", "ready", "ReadyInput", own),
                _ => Act::Wait,
            };
        }
        let mine = |seat: &String| Some(seat) == view.my_seat.as_ref();
        if let Some(offer) = view.draw_offer.as_ref().filter(|offer| offer.pending.iter().any(mine))
        {
            let more = json!({ "offer": offer.offer, "accept": self.chance.one_in(3) });
            return act("vote_draw", "voteDraw", "VoteDrawInput", more);
        }
        if let Some(open) = view.team_surrender.as_ref().filter(|open| !mine(&open.seat)) {
            let more = json!({ "proposal": open.proposal, "accept": self.chance.one_in(2) });
            return act(
                "answer_team_surrender",
                "answerTeamSurrender",
                "AnswerTeamSurrenderInput",
                more,
            );
        }
        if !view.my_turn {
            return Act::Wait;
        }
        if self.chance.one_in(self.shared.options.surrender_one_in) {
            return act("surrender", "surrender", "SurrenderInput", json!({}));
        }
        if self.chance.one_in(300) && view.team_surrender.is_none() {
            let input = "ProposeTeamSurrenderInput";
            return act("propose_team_surrender", "proposeTeamSurrender", input, json!({}));
        }
        let offered = view.turn.as_ref().is_some_and(|turn| turn.draw_offered);
        if self.chance.one_in(100) && view.draw_offer.is_none() && !offered {
            return act("offer_draw", "offerDraw", "OfferDrawInput", json!({}));
        }
        if self.chance.one_in(60) && view.my_skips_left.is_some_and(|left| left > 0) {
            return act("skip", "skip", "SkipInput", version);
        }
        self.any_move(view, version)
    }

    /// A legal move, a capture every other time where there is one.
    fn any_move(&mut self, view: &View, mut more: Value) -> Act {
        let all = view.legal_moves.iter().flat_map(|one| one.to.iter().map(|to| (&one.from, to)));
        let mut moves: Vec<_> = all.collect();
        let held = |at: &String| view.board.iter().any(|man| man.at == *at);
        if self.chance.one_in(2) && moves.iter().any(|(_, to)| held(to)) {
            moves.retain(|(_, to)| held(to));
        }
        match self.chance.pick(&moves) {
            Some((from, to)) => {
                more["from"] = json!(from);
                more["to"] = json!(to);
                act("move", "move", "MoveInput", more)
            }
            None => act("surrender", "surrender", "SurrenderInput", json!({})),
        }
    }

    /// Two own pieces change places, which may break the rules of formations.
    fn swap(&mut self, view: &View, mut more: Value) -> Act {
        let places: Vec<&String> = view.board.iter().map(|man| &man.at).collect();
        let (Some(a), Some(b)) = (self.chance.pick(&places), self.chance.pick(&places)) else {
            return Act::Wait;
        };
        more["a"] = json!(a);
        more["b"] = json!(b);
        act("swap", "swapPieces", "SwapPiecesInput", more)
    }

    /// Looks at the match.
    async fn look(
        &mut self,
        id: &str,
        after: Option<String>,
    ) -> Result<Option<View>, SimulationFault> {
        let variables = json!({ "id": id, "after": after });
        let view: Option<View> = self.client.ask("match", &api::query(), &variables).await?;
        if let Some(view) = &view {
            self.shared.tally.looked(eyes::leaks(view));
            self.shared.tables.tell(view, None);
        }
        Ok(view)
    }

    /// Sends a command under a key of its own, again and again until it is answered.
    async fn send(
        &mut self,
        kind: &'static str,
        field: &'static str,
        input: &'static str,
        mut more: Value,
    ) -> Result<Payload, SimulationFault> {
        let key = self.key();
        more["idempotencyKey"] = json!(key);
        let squares = more["from"].as_str().zip(more["to"].as_str());
        let squares = squares.map(|(from, to)| (from.to_owned(), to.to_owned()));
        let variables = json!({ "input": more });
        let begun = Instant::now();
        let answer = self.client.ask(field, &api::mutation(field, input), &variables).await;
        let payload: Payload = answer?;
        if let Some(view) = &payload.shown {
            self.shared.tally.looked(eyes::leaks(view));
            self.shared.tables.tell(view, payload.position.as_ref());
        }
        match payload.user_errors.first() {
            Some(error) => self.shared.tally.refused(&error.code),
            None => {
                self.shared.tally.acknowledged(kind, begun.elapsed());
                self.tell_ack(kind, key, squares, &payload);
            }
        }
        Ok(payload)
    }

    fn tell_ack(
        &self,
        kind: &'static str,
        key: String,
        squares: Option<(String, String)>,
        payload: &Payload,
    ) {
        let (Some(acks), Some(view)) = (&self.shared.options.acks, &payload.shown) else { return };
        let version = payload.version.unwrap_or(view.version);
        let ack = Ack { match_id: view.id.clone(), kind, key, squares, version };
        // Nobody may listen any more.
        let _ = acks.send(ack);
    }

    /// A new key. Its bits come from the seed and the player's own name: no two players share one.
    fn key(&mut self) -> String {
        let mut bits = blake3::Hasher::new_derive_key("yibu-simulate-key/1");
        bits.update(self.name.as_bytes()).update(self.chance.hex().as_bytes());
        let bytes = bits.finalize();
        let some: [u8; 16] = std::array::from_fn(|at| bytes.as_bytes()[at]);
        uuid::Builder::from_random_bytes(some).into_uuid().to_string()
    }
}

fn granted(command: &'static str, errors: &[api::UserError]) -> Result<(), SimulationFault> {
    match errors.first() {
        None => Ok(()),
        Some(error) => Err(SimulationFault::Refused { command, code: error.code.clone() }),
    }
}
