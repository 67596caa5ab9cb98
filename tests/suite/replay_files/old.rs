//! Files of version 1: what is there is read and played, what is missing is said, nothing is made up.

use super::ended;
use serde_json::{Map, Value, json};
use yibu_api::cli::replay::Eyes;
use yibu_api::cli::replay_file::Scene;
use yibu_api::files::Wrong;
use yibu_api::files::replay::{ReplayFile, read};
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::matches::record::{Complete, Deed, Old, OldPlayback, Why};

/// A record of today as an older program might have written it.
fn older(record: &Complete, identities: bool, results: bool) -> Value {
    let mut board = Map::new();
    for (seat, setup) in record.seats.iter() {
        for one in &setup.pieces {
            let mut piece = json!({ "seat": seat });
            if identities {
                piece["piece"] = json!(one.piece);
            }
            board.insert(one.at.to_string(), piece);
        }
    }
    let moves = record.events.iter().filter_map(|told| match &told.deed {
        Deed::Moved(part) => {
            let mut step = json!({ "from": part.from, "to": part.to });
            if results {
                step["result"] = json!(part.outcome);
            }
            Some(step)
        }
        _ => None,
    });
    // Until a seat fell otherwise than by its flag: older files know of no other events.
    json!({ "format": "yibu-replay", "version": 1, "board": board, "moves": moves.collect::<Vec<_>>() })
}

fn sample() -> Complete {
    let plain = |record: &Complete| {
        let kinds: Vec<_> = record.events.iter().map(|told| told.deed.kind()).collect();
        !kinds.contains(&"seat_eliminated")
            && kinds.iter().filter(|kind| **kind == "moved").count() > 20
            && record
                .events
                .iter()
                .any(|told| matches!(&told.deed, Deed::Moved(part) if !part.removed.is_empty()))
    };
    ended(41, 6_000).into_iter().find(plain).expect("a match of moves and battles alone")
}

fn old(file: &Value) -> Old {
    match read(file.to_string().as_bytes()) {
        Ok(ReplayFile::Old(old)) => old,
        other => panic!("{other:?}"),
    }
}

fn play(old: &Old) -> Result<usize, Why> {
    let mut playback = OldPlayback::new(old);
    loop {
        match playback.step() {
            Ok(true) => {}
            Ok(false) => return Ok(playback.done()),
            Err(wrong) => return Err(wrong.why),
        }
    }
}

#[test]
fn a_file_is_played_as_far_as_it_tells() {
    let record = sample();
    let moves = record.events.iter().filter(|told| told.deed.kind() == "moved").count();
    for (identities, results) in [(true, true), (true, false), (false, true)] {
        let old = old(&older(&record, identities, results));
        assert_eq!(play(&old), Ok(moves));
        assert_eq!(old.unknown(), if identities { 0 } else { 100 });
    }
    let silent = old(&older(&record, false, false));
    assert_eq!(play(&silent), Err(Why::UnknownResult));
    let file = ReplayFile::Old(silent);
    let scene = Scene::of(&file, Some(0), Eyes::Open).unwrap();
    assert!(scene.pieces.iter().all(|shape| shape.identity.is_none()));
    let text = scene.text(false);
    for told in ["missing: the identities of 100 pieces", "missing: people", "contradiction: event"]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn a_contradiction_leaves_the_board_as_it_was() {
    let record = sample();
    let mut file = older(&record, true, true);
    let wrong = json!({ "from": "s62", "to": "s61" });
    file["moves"].as_array_mut().unwrap().insert(3, wrong);
    let old = old(&file);
    let mut playback = OldPlayback::new(&old);
    for _ in 0..3 {
        assert_eq!(playback.step(), Ok(true));
    }
    let before: Vec<_> = Pos::all().map(|at| playback.look(at)).collect();
    let found = playback.step().unwrap_err();
    assert_eq!((found.event, found.why), (4, Why::Illegal));
    assert_eq!(Pos::all().map(|at| playback.look(at)).collect::<Vec<_>>(), before);
}

#[test]
fn bad_files_are_named() {
    let base = json!({ "format": "yibu-replay", "version": 1, "board": {}, "moves": [] });
    let fault = |change: fn(&mut Value)| {
        let mut file = base.clone();
        change(&mut file);
        let fault = read(file.to_string().as_bytes()).unwrap_err();
        (fault.wrong, fault.at)
    };
    let at = |at: &str| at.to_owned();
    assert_eq!(fault(|f| f["board"] = json!({"s99": {}})), (Wrong::Position, at("board.s99")));
    assert_eq!(fault(|f| f["board"] = json!({"s11": {}})), (Wrong::Field, at("board.s11.seat")));
    let king = fault(|f| f["board"] = json!({"s11": {"seat": "s", "piece": "king"}}));
    assert_eq!(king, (Wrong::Piece, at("board.s11.piece")));
    assert_eq!(
        fault(|f| f["moves"] = json!([{"from": "s11"}])),
        (Wrong::Position, at("moves[0].to"))
    );
    let result = fault(|f| f["moves"] = json!([{"from": "s11", "to": "s12", "result": "win"}]));
    assert_eq!(result, (Wrong::Field, at("moves[0]")));
    assert_eq!(fault(|f| f["moves"] = json!(7)), (Wrong::Field, at("moves")));
    let crowd = fault(|f| {
        let all = Pos::all().take(26).map(|at| (at.to_string(), json!({ "seat": "E" })));
        f["board"] = Value::Object(all.collect());
    });
    assert_eq!(crowd, (Wrong::TooMany, at("board")));
    assert!(matches!(read(base.to_string().as_bytes()), Ok(ReplayFile::Old(_))));
}
