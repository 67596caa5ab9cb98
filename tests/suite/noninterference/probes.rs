//! Every mutation of the schema, asked for in ways that are refused: what the refusals say is a part of what a viewer
//! sees. Asserts that none was forgotten, and nothing else.

use async_graphql_parser::parse_schema;
use async_graphql_parser::types::{TypeKind, TypeSystemDefinition};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use yibu_tests::table::VIEW;

/// What would not be refused, or mails something that is drawn by chance.
const NOT_TRIED: [&str; 5] =
    ["matchNewGame", "requestCode", "requestReset", "logout", "endOtherSessions"];

/// Those that have no idempotency key.
const KEYLESS: [&str; 5] =
    ["login", "register", "requestEmailChange", "resetPassword", "endSession"];

/// Those that are answered with the view of a match.
const SHOWING: [&str; 17] = [
    "answerTeamSurrender",
    "arrangeFormation",
    "confirmTakeover",
    "leave",
    "matchTakeover",
    "move",
    "offerDraw",
    "proposeTeamSurrender",
    "ready",
    "setMark",
    "skip",
    "surrender",
    "swapPieces",
    "unready",
    "voteDraw",
    "withdrawTakeover",
    "withdrawTeamSurrender",
];

/// A mutation that will be refused.
pub struct Probe {
    pub name: &'static str,
    pub query: String,
    pub input: Value,
}

/// Probes by somebody who sees this view of a match, with the ids of the own and of another player.
pub fn probes(view: &Value, email: &str, other: &str, key: impl Fn() -> String) -> Vec<Probe> {
    let id = &view["id"];
    let nowhere = json!("6d00000000000040008000000000000001");
    let men: Vec<&Value> = view["board"].as_array().expect("a board").iter().collect();
    let own = |man: &&&Value| man["seat"] == view["mySeat"];
    let mine: Vec<&&Value> = men.iter().filter(own).collect();
    let others: Vec<&&Value> = men.iter().filter(|man| !own(man)).collect();
    let version = &view["version"];
    let mut wanted = Vec::new();
    // Each of the others' men, walked and struck at from wherever the viewer's stand: never the viewer's to move.
    for (number, man) in others.iter().enumerate().step_by(7) {
        let to = mine.get(number % mine.len().max(1)).map_or(&man["at"], |own| &own["at"]);
        wanted.push((
            "move",
            json!({ "matchId": id, "expectedVersion": version, "from": man["at"], "to": to }),
        ));
        wanted.push((
            "setMark",
            json!({ "matchId": id, "handle": man["handle"], "mark": "too long" }),
        ));
    }
    for pair in mine.windows(2).step_by(9) {
        let [a, b] = pair else { continue };
        wanted.push((
            "move",
            json!({ "matchId": id, "expectedVersion": version, "from": a["at"], "to": b["at"] }),
        ));
        wanted.push((
            "swapPieces",
            json!({ "matchId": id, "expectedVersion": 1, "a": a["at"], "b": b["at"] }),
        ));
        wanted.push(("setMark", json!({ "matchId": id, "handle": a["handle"], "mark": "雷" })));
    }
    let reason = "curious";
    let wrong = "not the pass phrase";
    for (name, input) in [
        ("skip", json!({ "matchId": id, "expectedVersion": 1 })),
        ("arrangeFormation", json!({ "matchId": id, "expectedVersion": 1, "formation": [] })),
        ("ready", json!({ "matchId": id, "expectedVersion": 1 })),
        ("unready", json!({ "matchId": id, "expectedVersion": 1 })),
        ("voteDraw", json!({ "matchId": id, "offer": 99, "accept": true })),
        ("answerTeamSurrender", json!({ "matchId": id, "proposal": 99, "accept": true })),
        ("answerTeamSurrender", json!({ "matchId": id, "proposal": 1, "accept": false })),
        ("withdrawTeamSurrender", json!({ "matchId": id, "proposal": 1 })),
        ("confirmTakeover", json!({ "matchId": id })),
        ("withdrawTakeover", json!({ "matchId": id })),
        ("markTurnSeen", json!({ "matchId": id, "turn": 999 })),
        ("leave", json!({ "matchId": nowhere })),
        ("surrender", json!({ "matchId": nowhere })),
        ("offerDraw", json!({ "matchId": nowhere })),
        ("proposeTeamSurrender", json!({ "matchId": nowhere })),
        ("matchTakeover", json!({})),
        ("markNoticesRead", json!({ "upTo": "nonsense" })),
        (
            "updateReminderSettings",
            json!({ "mode": "OFF", "from": "00:00", "to": "00:00", "zone": "Nowhere/Land" }),
        ),
        ("adminVoidMatch", json!({ "matchId": id, "reason": reason })),
        ("adminSuspend", json!({ "playerId": other, "reason": reason })),
        ("adminReinstate", json!({ "playerId": other, "reason": reason })),
        ("adminAdjustPoints", json!({ "playerId": other, "points": 1, "reason": reason })),
        ("adminSetLimits", json!({ "full": 1, "takeover": 1, "reason": reason })),
        ("adminSetNormalMailWait", json!({ "minutes": 1, "reason": reason })),
        ("adminSetRelease", json!({ "hours": 1, "reason": reason })),
        ("adminSetAnnouncement", json!({ "text": "x", "reason": reason })),
        ("changeLocale", json!({ "locale": "ZH_HANS" })),
        ("changeNickname", json!({ "nickname": "" })),
        ("changePassword", json!({ "current": wrong, "password": "another pass phrase" })),
        ("changeEmail", json!({ "current": wrong, "code": "000000", "email": "new@example.org" })),
        ("deleteAccount", json!({ "password": wrong })),
        ("requestEmailChange", json!({ "current": wrong, "email": "new@example.org" })),
        ("login", json!({ "email": email, "password": wrong })),
        (
            "register",
            json!({ "email": email, "code": "000000", "nickname": "x", "password": "another pass phrase" }),
        ),
        ("resetPassword", json!({ "token": "00", "password": "another pass phrase" })),
        ("endSession", json!({ "sessionId": "nonsense" })),
    ] {
        wanted.push((name, input));
    }
    let probe = |(name, mut input): (&'static str, Value)| {
        if !KEYLESS.contains(&name) {
            input["idempotencyKey"] = json!(key());
        }
        let showing = SHOWING.contains(&name);
        let selection = if showing {
            format!("match {{ {VIEW} }} version privateVersion")
        } else {
            "__typename".to_owned()
        };
        let kind = format!("{}{}Input", name[..1].to_uppercase(), &name[1..]);
        let query = format!(
            "mutation($input: {kind}!) {{ {name}(input: $input) {{ {selection} \
             userErrors {{ code field message retryAfter brokenRules {{ rule at }} }} }} }}"
        );
        Probe { name, query, input }
    };
    wanted.into_iter().map(probe).collect()
}

#[test]
fn every_mutation_is_probed() {
    let text = include_str!("../../../api/schema.graphql");
    let schema = parse_schema(text).expect("a schema");
    let fields = schema.definitions.into_iter().filter_map(|definition| match definition {
        TypeSystemDefinition::Type(named) if named.node.name.node == "Mutation" => {
            match named.node.kind {
                TypeKind::Object(object) => Some(object.fields),
                _ => None,
            }
        }
        _ => None,
    });
    let known: BTreeSet<String> =
        fields.flatten().map(|field| field.node.name.node.to_string()).collect();
    let man = |seat: &str, at: &str| json!({ "seat": seat, "at": at, "handle": at });
    let view = json!({ "id": "x", "version": 1, "mySeat": "S",
        "board": [man("S", "s11"), man("S", "s12"), man("E", "e11")] });
    let probes = probes(&view, "a@example.org", "y", String::new);
    let tried: BTreeSet<String> = probes.iter().map(|probe| probe.name.to_owned()).collect();
    let tried = tried.into_iter().chain(NOT_TRIED.map(str::to_owned)).collect::<BTreeSet<_>>();
    assert_eq!(tried, known);
}
