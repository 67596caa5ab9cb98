//! Looks through everything that people received for what they must not know. The truth comes from the log,
//! through the domain; the scanner knows no resolver and trusts no field's name.

mod told;
pub(crate) mod whole_match;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use yibu_api::app::App;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{Dated, Decider, MatchId, PlayerId};
use yibu_domain::matches::view::Audience;
use yibu_domain::matches::{Match, MatchEvent, MatchState};
use yibu_infrastructure::executor::stream_name;
use yibu_infrastructure::log::codec;

/// What a match held, as the log tells it.
pub(crate) struct Truth {
    /// What each person ever knew by right: the own seat's men by handle, while they sat there.
    known: BTreeMap<PlayerId, BTreeSet<(Seat, String, &'static str)>>,
    /// Flags that the rules made public, by handle.
    flags: BTreeSet<(Seat, String)>,
    /// Texts that nobody may receive: seed, nonces.
    secrets: BTreeSet<String>,
    /// People who were candidates and never sat there.
    only_candidates: BTreeSet<PlayerId>,
}

impl Truth {
    /// Reads the truth of a match.
    pub(crate) async fn of(app: &App, id: MatchId) -> Self {
        let stream = stream_name::<Match>(id.0);
        let stored = app.log().read_stream(&stream, 0, 100_000).await.expect("readable");
        let events: Vec<Dated<MatchEvent>> =
            stored.iter().map(|stored| codec::decode(stored).expect("known events")).collect();
        let mut truth = Self {
            known: BTreeMap::new(),
            flags: BTreeSet::new(),
            secrets: BTreeSet::new(),
            only_candidates: BTreeSet::new(),
        };
        let mut sat = BTreeSet::new();
        let mut state = MatchState::default();
        for event in &events {
            Match::evolve(&mut state, event);
            truth.take_in(&state, &mut sat);
        }
        for stored in &stored {
            truth.note_secrets(&serde_json::from_str(&stored.payload).expect("JSON"));
        }
        truth.only_candidates.retain(|player| !sat.contains(player));
        truth
    }

    fn take_in(&mut self, state: &MatchState, sat: &mut BTreeSet<PlayerId>) {
        let live = state.live().expect("an open match");
        for man in live.sheet.public.men.iter().filter(|man| man.flag) {
            self.flags.insert((man.seat, man.piece.to_string()));
        }
        let players: Vec<PlayerId> = live.sheet.people.roles.keys().copied().collect();
        for player in players {
            match live.sheet.audience(player) {
                Some(Audience::Seat(seat)) => {
                    sat.insert(player);
                    let men = live.sheet.own[seat].men.iter();
                    let men = men.map(|man| (seat, man.piece.to_string(), man.identity.code()));
                    self.known.entry(player).or_default().extend(men);
                }
                Some(Audience::Candidate(_)) => {
                    self.only_candidates.insert(player);
                }
                Some(Audience::Departed) | None => {}
            }
        }
    }

    /// Seeds and nonces: every text of 64 hexadecimal digits in a stored secret part.
    fn note_secrets(&mut self, payload: &Value) {
        fn walk(value: &Value, found: &mut BTreeSet<String>) {
            match value {
                Value::String(text)
                    if text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit()) =>
                {
                    found.insert(text.clone());
                }
                Value::Array(items) => items.iter().for_each(|item| walk(item, found)),
                Value::Object(fields) => fields.values().for_each(|item| walk(item, found)),
                _ => {}
            }
        }
        walk(&payload["secret"], &mut self.secrets);
    }

    /// How many identities the person was told by right.
    pub(crate) fn known_to(&self, player: PlayerId) -> usize {
        self.known.get(&player).map_or(0, BTreeSet::len)
    }

    /// Everything in words of a mail that nobody may read, or only who was a candidate.
    fn spoken(&self, words: &str) -> Vec<String> {
        let secrets = self.secrets.iter().cloned();
        let candidates = self.only_candidates.iter().map(|who| who.0.simple().to_string());
        secrets.chain(candidates).filter(|hidden| words.contains(hidden.as_str())).collect()
    }

    /// Everything in these texts that the person must not know.
    pub(crate) fn leaks(&self, player: PlayerId, heard: &[String]) -> Vec<String> {
        let mut leaks = Vec::new();
        for text in heard {
            for secret in &self.secrets {
                if text.contains(secret.as_str()) {
                    leaks.push(format!("a secret of the draws: {secret}"));
                }
            }
            for candidate in self.only_candidates.iter().filter(|who| **who != player) {
                if text.contains(&candidate.0.simple().to_string())
                    || text.contains(&candidate.to_string())
                {
                    leaks.push(format!("a candidate: {candidate}"));
                }
            }
            let value: Value = serde_json::from_str(text).expect("JSON");
            self.walk(player, &value, None, &mut leaks);
        }
        leaks
    }

    /// Walks a payload; `seat` is the viewer's own by the match view around it.
    fn walk(&self, player: PlayerId, value: &Value, seat: Option<Seat>, leaks: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                let own = match fields.get("mySeat") {
                    Some(mine) => seat_of(mine),
                    None => seat,
                };
                for (name, inner) in fields {
                    if let Some(code) = identity(inner) {
                        self.judge(player, value, code, own, leaks);
                    } else {
                        let _ = name;
                        self.walk(player, inner, own, leaks);
                    }
                }
            }
            Value::Array(items) => {
                for item in items {
                    match identity(item) {
                        Some(code) => leaks.push(format!("a bare identity in a list: {code}")),
                        None => self.walk(player, item, seat, leaks),
                    }
                }
            }
            _ => {}
        }
    }

    /// An identity stands in an object: whose man is that, and may the person know?
    fn judge(
        &self,
        player: PlayerId,
        man: &Value,
        code: &'static str,
        own: Option<Seat>,
        leaks: &mut Vec<String>,
    ) {
        let handle = man["handle"].as_str().unwrap_or_default().to_owned();
        let whose = seat_of(&man["seat"]).or(own);
        let allowed = whose.is_some_and(|seat| {
            let flag = code == Piece::Flag.code() && self.flags.contains(&(seat, handle.clone()));
            let known = self.known.get(&player);
            let by_right = own == Some(seat)
                && known.is_some_and(|known| known.contains(&(seat, handle.clone(), code)));
            flag || by_right
        });
        if !allowed {
            leaks.push(format!("{code} at handle {handle:?} of {whose:?}, seen from {own:?}"));
        }
    }
}

fn seat_of(value: &Value) -> Option<Seat> {
    value.as_str()?.to_ascii_lowercase().parse().ok()
}

/// The piece that a text names, in whatever case.
fn identity(value: &Value) -> Option<&'static str> {
    let text = value.as_str()?.to_ascii_lowercase();
    Piece::ALL.into_iter().map(Piece::code).find(|code| *code == text)
}

#[test]
fn the_scanner_bites() {
    let mut truth = Truth {
        known: BTreeMap::new(),
        flags: BTreeSet::new(),
        secrets: BTreeSet::from(["ab".repeat(32)]),
        only_candidates: BTreeSet::from([PlayerId(uuid::Uuid::from_u128(9))]),
    };
    let me = PlayerId(uuid::Uuid::from_u128(1));
    truth.known.insert(me, BTreeSet::from([(Seat::S, "s11".to_owned(), "bomb")]));
    let board = |seat: &str, handle: &str, identity: &str| {
        format!(
            r#"{{"mySeat":"S","board":[{{"seat":"{seat}","handle":"{handle}","identity":"{identity}"}}]}}"#
        )
    };
    let leaks = |text: String| truth.leaks(me, &[text]).len();
    assert_eq!(leaks(board("S", "s11", "BOMB")), 0);
    assert_eq!(leaks(board("S", "s11", "MINE")), 1);
    assert_eq!(leaks(board("E", "e11", "BOMB")), 1);
    assert_eq!(leaks(board("S", "s11", "BOMB").replace("\"mySeat\":\"S\"", "\"mySeat\":null")), 1);
    assert_eq!(leaks(r#"{"hint":"general"}"#.to_owned()), 1);
    assert_eq!(leaks(r#"{"list":["MINE"]}"#.to_owned()), 1);
    assert_eq!(leaks(format!(r#"{{"x":"{}"}}"#, "ab".repeat(32))), 1);
    assert_eq!(leaks(r#"{"x":"p00000000000000000000000000000009"}"#.to_owned()), 1);
}
