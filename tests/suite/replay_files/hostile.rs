//! Files that were not written by us: every fault is named with its place, and random damage is either refused on
//! reading or found by the rules.

use super::ended;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Value, json};
use yibu_api::files::Wrong;
use yibu_api::files::replay::{MOST_BYTES, ReplayFile, read, write};
use yibu_domain::matches::record::{Complete, Deed, Playback, Why};

fn sample() -> Complete {
    let records = ended(31, 5_000);
    let lost = |record: &Complete| {
        let deeds = record.events.iter().map(|told| &told.deed);
        deeds.filter(|deed| matches!(deed, Deed::SeatEliminated { .. })).count()
    };
    records.into_iter().max_by_key(lost).expect("a match that ended")
}

fn value(record: &Complete) -> Value {
    serde_json::from_str(&write(record).unwrap()).unwrap()
}

fn fault(value: &Value) -> (Wrong, String) {
    let fault = read(value.to_string().as_bytes()).expect_err("a fault");
    assert!(fault.to_string().chars().count() < 400, "{fault}");
    (fault.wrong, fault.at)
}

#[test]
fn faults_name_what_and_where() {
    let whole = value(&sample());
    type Case = (fn(&mut Value), Wrong, &'static str);
    let cases: [Case; 22] = [
        (|file| file["format"] = json!("other"), Wrong::OtherFormat, "format"),
        (|file| file["version"] = json!(3), Wrong::Version, "version"),
        (|file| file["version"] = json!("2"), Wrong::Version, "version"),
        (|file| file["more"] = json!(1), Wrong::Field, "more"),
        (|file| file["events"] = json!({}), Wrong::Field, "events"),
        (|file| file["events"][3]["kind"] = json!("won"), Wrong::Field, "events[3]"),
        (|file| file["events"][4]["more"] = json!(1), Wrong::Field, "events[4]"),
        (|file| file["events"][2] = json!(1), Wrong::Field, "events[2]"),
        (|file| file["events"][1]["at"] = json!("now"), Wrong::Field, "events[1].at"),
        (
            |file| file["seats"]["s"]["pieces"][7]["at"] = json!("s99"),
            Wrong::Position,
            "seats.s.pieces[7].at",
        ),
        (
            |file| file["seats"]["n"]["pieces"][1]["piece"] = json!("king"),
            Wrong::Piece,
            "seats.n.pieces[1].piece",
        ),
        (|file| file["seats"]["e"]["side"] = json!("red"), Wrong::Field, "seats.e.side"),
        (
            |file| file["seats"]["w"]["pieces"][0] = json!({"at": "w11", "piece": "bomb"}),
            Wrong::Formation,
            "seats.w.pieces[0]",
        ),
        (
            |file| file["seats"]["s"]["pieces"][0]["at"] = json!("e11"),
            Wrong::Formation,
            "seats.s.pieces[0]",
        ),
        (
            |file| file["seats"]["s"]["pieces"][4]["at"] = json!("s22"),
            Wrong::Formation,
            "seats.s.pieces[4]",
        ),
        (
            |file| {
                let taken = file["seats"]["s"]["pieces"][6]["at"].clone();
                file["seats"]["s"]["pieces"][7]["at"] = taken;
            },
            Wrong::Formation,
            "seats.s.pieces[7]",
        ),
        (
            |file| {
                let events = file["events"].as_array().unwrap().len();
                file["log"]["events"] = json!(events - 1);
            },
            Wrong::Count,
            "log.events",
        ),
        (|file| file["log"]["events"] = json!(-1), Wrong::Field, "log"),
        (
            |file| drop(file["seats"]["w"]["pieces"].as_array_mut().unwrap().pop()),
            Wrong::Formation,
            "seats.w.pieces",
        ),
        (
            |file| {
                let pieces = file["seats"]["s"]["pieces"].as_array_mut().unwrap();
                pieces.push(pieces[0].clone());
            },
            Wrong::TooMany,
            "seats.s.pieces",
        ),
        (|file| file["participants"][0]["player"] = json!("me"), Wrong::Field, "participants[0]"),
        (|file| drop(file.as_object_mut().unwrap().remove("log")), Wrong::Field, "log"),
    ];
    for (change, wrong, at) in cases {
        let mut file = whole.clone();
        change(&mut file);
        assert_eq!(fault(&file), (wrong, at.to_owned()));
    }
    let mut count = whole.clone();
    count["log"]["events"] = json!(whole["events"].as_array().unwrap().len());
    assert!(read(count.to_string().as_bytes()).is_ok(), "all events may be public");
    let mut twice = whole.clone();
    twice["seats"]["s"]["pieces"][7]["at"] = json!("s11");
    let told = read(twice.to_string().as_bytes()).unwrap_err().told;
    assert!(told.ends_with(" at s11: seats.s.pieces[0] stands there as well"), "{told}");
    let nested = format!("{{\"format\":{}", "[".repeat(40));
    assert_eq!(read(nested.as_bytes()).unwrap_err().wrong, Wrong::TooDeep);
    assert_eq!(read(&vec![b' '; MOST_BYTES + 1]).unwrap_err().wrong, Wrong::TooLarge);
    assert_eq!(read(b"{\"format\": \xff}").unwrap_err().wrong, Wrong::NotUtf8);
    assert_eq!(read(b"[]").unwrap_err().wrong, Wrong::OtherFormat);
    let long = json!({ "format": "yibu-replay", "version": 2, "match": "\u{1b}[2J".repeat(9_000) });
    let told = read(long.to_string().as_bytes()).unwrap_err().to_string();
    assert!(told.chars().count() < 400 && !told.contains('\u{1b}'), "{told}");
}

/// Every place of a document that is no list and no object.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(name, value)| leaves(value, &format!("{at}/{name}"), found));
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                leaves(value, &format!("{at}/{index}"), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

#[test]
fn an_event_that_was_changed_contradicts_the_rules() {
    let seed = 0x5eed_0001;
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let record = sample();
    let whole = value(&record);
    let started = record.events.iter().position(|told| told.deed.kind() == "started").unwrap();
    let mut places = Vec::new();
    for index in started..record.events.len() {
        leaves(&whole["events"][index], &format!("/events/{index}"), &mut places);
    }
    leaves(&whole["settlement"], "/settlement", &mut places);
    leaves(&whole["outcome"], "/outcome", &mut places);
    let pick = |dice: &mut ChaCha8Rng, bound: usize| dice.next_u64() as usize % bound;
    let (mut refused, mut found) = (0, 0);
    for round in 0..600 {
        let place = &places[pick(&mut dice, places.len())];
        let other = &places[pick(&mut dice, places.len())];
        let mut file = whole.clone();
        let new = whole.pointer(other).unwrap().clone();
        let old = std::mem::replace(file.pointer_mut(place).unwrap(), new.clone());
        // Names are whatever they are, and reasons are the administrator's own.
        if old == new || place.ends_with("nickname") || place.ends_with("reason") {
            continue;
        }
        match read(file.to_string().as_bytes()) {
            Err(fault) => {
                assert!(!fault.at.is_empty(), "seed {seed:x}, round {round}: {fault}");
                refused += 1;
            }
            Ok(ReplayFile::Complete(changed)) if *changed == record => {}
            Ok(ReplayFile::Complete(changed)) => {
                let mut playback = Playback::new(&changed);
                let wrong = playback.play();
                let Err(wrong) = wrong else {
                    panic!("seed {seed:x}, round {round}: {place}: {old} → {new}")
                };
                assert_eq!(playback.step(), Err(wrong.clone()), "it stays where it stopped");
                assert!(wrong.event <= changed.events.len() + 1);
                found += 1;
            }
            Ok(ReplayFile::Old(_)) => panic!("seed {seed:x}: another version"),
        }
    }
    assert!(refused > 50 && found > 50, "{refused} {found}");
}

#[test]
fn events_that_are_missing_twice_or_swapped_contradict_the_rules() {
    let seed = 0x5eed_0002;
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let record = sample();
    let started = record.events.iter().position(|told| told.deed.kind() == "started").unwrap();
    let last = record.events.len() - 1;
    for round in 0..120 {
        let at = started + dice.next_u32() as usize % (last - started);
        let mut changed = record.clone();
        match round % 3 {
            0 => drop(changed.events.remove(at)),
            1 => changed.events.insert(at, record.events[at].clone()),
            _ => changed.events.swap(at, at + 1),
        }
        // Numbered anew, so that not the numbers give it away.
        for (number, told) in (1..).zip(&mut changed.events) {
            told.number = number;
        }
        let wrong = Playback::new(&changed).play();
        assert!(wrong.is_err() || changed == record, "seed {seed:x}, round {round}, {at}");
    }
    let mut changed = record.clone();
    changed.events.pop();
    let wrong = Playback::new(&changed).play().unwrap_err();
    assert_eq!((wrong.why, wrong.event), (Why::Unfinished, record.events.len()));
    let mut changed = record.clone();
    let mut again = record.events[last].clone();
    again.number += 1;
    changed.events.push(again);
    let wrong = Playback::new(&changed).play().unwrap_err();
    assert_eq!((wrong.why, wrong.event), (Why::AfterEnd, record.events.len() + 1));
}

#[test]
fn random_damage_is_read_or_refused_and_never_worse() {
    let seed = 0x5eed_0003;
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let text = write(&sample()).unwrap().into_bytes();
    let mut whole = 0;
    for round in 0..1_500 {
        let mut bytes = text.clone();
        for _ in 0..=dice.next_u32() % 4 {
            let at = dice.next_u64() as usize % bytes.len();
            match dice.next_u32() % 5 {
                0 => bytes[at] = dice.next_u32() as u8,
                4 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + dice.next_u32() as u8 % 10,
                1 => drop(bytes.remove(at)),
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, b"[]{}\",:0\\"[dice.next_u32() as usize % 9]),
            }
        }
        match read(&bytes) {
            Ok(ReplayFile::Complete(record)) => {
                whole += 1;
                // Whatever it says now, it says it in bounded words.
                if let Err(wrong) = Playback::new(&record).play() {
                    let told = wrong.to_string();
                    assert!(told.chars().count() < 400, "seed {seed:x}, round {round}: {told}");
                }
            }
            Ok(ReplayFile::Old(_)) => panic!("seed {seed:x}, round {round}: another version"),
            Err(fault) => {
                let told = fault.to_string();
                assert!(told.chars().count() < 400, "seed {seed:x}, round {round}: {told}");
            }
        }
    }
    assert!(whole > 3, "some damage hits names and hashes only: {whole}");
}
