//! What `replay` shows of a small match: golden texts, and nothing hidden without the eyes for it.
//! `YIBU_BLESS=1` writes the golden texts anew.

use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use uuid::Uuid;
use yibu_api::cli::replay::{Eyes, History, ReplayFault};
use yibu_domain::games::siguo::notation::piece_letter;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::kernel::{Actor, FairDraw, MatchId, PlayerId, Span, Time};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::house::choose;
use yibu_domain::matches::view::view;
use yibu_domain::matches::{Choice, Guest, MatchCommand, RuleSet};
use yibu_infrastructure::executor::{MatchExecutor, Request, Settings};
use yibu_infrastructure::log::MemoryLog;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::system::{Entropy, ManualClock};

const ID: MatchId = MatchId(Uuid::from_u128(0x5150_0000_0000_4000_8000_0000_0000_0001));

/// A match after four people sat down and some steps were played by the policy of the house.
async fn small_match(steps: usize) -> Arc<dyn EventLog> {
    let clock = ManualClock::at(Time(1_790_000_000_000));
    let entropy = Entropy::seeded(11);
    let log: Arc<dyn EventLog> = Arc::new(MemoryLog::new(Arc::new(clock.clone()), entropy.clone()));
    let matches = MatchExecutor::new(
        Arc::clone(&log),
        Arc::new(clock.clone()),
        entropy.clone(),
        "node",
        "build",
        Settings::default(),
    );
    let players = [1, 2, 3, 4].map(|n| PlayerId(Uuid::from_u128(n)));
    let send = |player: PlayerId, command: MatchCommand| {
        clock.advance(Span::seconds(1));
        matches.execute(Request::new(ID.0, command, Actor::Player(player), Uuid::nil()))
    };
    for (n, player) in players.into_iter().enumerate() {
        let guest = Guest { player, occupant: Occupant::Player, nickname: 1 };
        let command = if n == 0 {
            let rules = RuleSet::formal(Span(0));
            MatchCommand::Open { match_id: ID, rules, seed: None, guest, nonce: None }
        } else {
            MatchCommand::TakeSeat { guest, nonce: None, tables: Choice::all(vec![ID]) }
        };
        send(player, command).await.unwrap();
    }
    for step in 0..steps {
        let state = matches.state(ID).await.unwrap().unwrap();
        let sheet = &state.live().unwrap().sheet;
        let purpose = format!("step/{step}");
        let wanted = players.into_iter().find_map(|player| {
            let view = view(sheet, sheet.audience(player)?);
            let mut dice = FairDraw::new(&purpose, ID, &sheet.public.commitment, &[]);
            Some((player, choose(&view, &mut dice)?))
        });
        let Some((player, command)) = wanted else { break };
        send(player, command).await.unwrap();
    }
    log
}

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/cli/golden").join(name);
    if std::env::var_os("YIBU_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, wanted, "{name}");
}

#[tokio::test]
async fn a_small_match_looks_as_it_did() {
    let log = small_match(44).await;
    let history = History::read(log.as_ref(), ID).await.unwrap();
    assert!(history.runs());
    let last = history.len();
    golden("public.txt", &history.text(last, Eyes::Public, false).unwrap());
    golden("north.txt", &history.text(last, Eyes::N, false).unwrap());
    golden("open.txt", &history.text(last, Eyes::Open, false).unwrap());
    golden("assembling.txt", &history.text(3, Eyes::Public, false).unwrap());
    let list: Vec<String> = history
        .list()
        .iter()
        .map(|line| format!("{} {} {}\n", line.version, line.at, line.what))
        .collect();
    golden("list.txt", &list.concat());
    assert!(matches!(history.shown(0, Eyes::Public), Err(ReplayFault::NoEvent(_))));
    assert!(matches!(history.shown(last + 1, Eyes::Open), Err(ReplayFault::NoEvent(_))));
    let other = MatchId(Uuid::from_u128(9));
    assert!(matches!(History::read(log.as_ref(), other).await, Err(ReplayFault::NoMatch(_))));
}

#[tokio::test]
async fn scripts_get_codes_and_no_prose() {
    let log = small_match(44).await;
    let history = History::read(log.as_ref(), ID).await.unwrap();
    let shown = serde_json::to_value(history.shown(history.len(), Eyes::Public).unwrap()).unwrap();
    assert_eq!((&shown["phase"], &shown["turn"]["kind"]), (&json!("playing"), &json!("normal")));
    assert_eq!(shown["seats"][1]["state"], "playing");
    assert_eq!(shown["last_move"]["from"], "w55");
    let early = serde_json::to_value(history.shown(3, Eyes::Public).unwrap()).unwrap();
    assert_eq!((&early["seats"][0]["state"], &early["turn"]), (&json!("hidden"), &json!(null)));
    let list = serde_json::to_value(history.list()).unwrap();
    assert_eq!(list[11]["action"]["kind"], "moved");
    for text in [shown.to_string(), early.to_string(), list.to_string()] {
        let strings = text.split('"').skip(1).step_by(2);
        let prose: Vec<_> = strings.filter(|word| word.contains(' ') || !word.is_ascii()).collect();
        assert!(prose.is_empty(), "{prose:?}");
    }
}

#[tokio::test]
async fn eyes_see_no_more_than_theirs_at_any_event() {
    let log = small_match(60).await;
    let history = History::read(log.as_ref(), ID).await.unwrap();
    for at in 1..=history.len() {
        for eyes in [Eyes::Public, Eyes::S, Eyes::E, Eyes::N, Eyes::W] {
            let shown = history.shown(at, eyes).unwrap();
            let hidden = shown.pieces.iter().filter(|shape| Some(shape.seat) != eyes.seat());
            let known: Vec<_> = hidden.filter_map(|shape| shape.identity).collect();
            assert!(known.iter().all(|piece| *piece == Piece::Flag), "{at} {eyes:?}");
        }
        let text = history.text(at, Eyes::Public, false).unwrap();
        let letters = Piece::ALL.into_iter().filter(|piece| *piece != Piece::Flag);
        assert!(!letters.map(piece_letter).any(|letter| text.contains(&format!("s{letter}"))));
    }
}
