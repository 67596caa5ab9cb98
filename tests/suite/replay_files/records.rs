//! Random matches as files: of the schema, judged by the rules to the same end, read back as they were.

use super::{Events, histories, record};
use crate::read_models::histories::World;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use yibu_api::files::replay::{ReplayFile, read, write};
use yibu_api::http::schemas;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::{PlayerId, fold};
use yibu_domain::matches::events::Action;
use yibu_domain::matches::record::{Complete, Deed, Playback};
use yibu_domain::matches::{Match, MatchEvent, MatchState};

/// The schema that is served, as a judge.
fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(schemas::REPLAY).unwrap();
    jsonschema::meta::validate(&schema).expect("a schema of its own draft");
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Everybody who sat there after the start.
fn sat(events: &Events) -> BTreeSet<PlayerId> {
    let mut sat = BTreeSet::new();
    for event in events {
        match event.event.action() {
            Some(Action::Started(part)) => {
                sat.extend(part.seats.iter().filter_map(|(_, one)| Some(one.as_ref()?.player)));
            }
            Some(Action::SeatTakenOver(part)) => {
                sat.insert(part.person.player);
            }
            _ => {}
        }
    }
    sat
}

fn is_end(event: &MatchEvent) -> bool {
    matches!(event, MatchEvent::Ended(_))
}

#[test]
fn a_record_of_any_match_is_of_the_schema_and_follows_the_rules() {
    let schema = schema();
    let (mut kinds, mut whys, mut houses) = (BTreeMap::new(), BTreeSet::new(), 0);
    let (mut records, mut erased, mut running) = (0, 0, 0);
    for seed in 1..=4 {
        let mut world = World::new(seed, 14, 6);
        world.grow(9_000);
        for (id, events) in histories(&world) {
            let started = events.iter().any(|one| matches!(one.event, MatchEvent::Started(_)));
            let over = events.iter().position(|one| is_end(&one.event));
            let Some(record) = record(&events) else {
                assert!(!started || over.is_none(), "seed {seed}, {id}");
                running += 1;
                continue;
            };
            assert!(started && over.is_some(), "seed {seed}, {id}");
            records += 1;
            let text = write(&record).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            let faults: Vec<_> =
                schema.iter_errors(&value).map(|fault| fault.to_string()).collect();
            assert_eq!(faults, Vec::<String>::new(), "seed {seed}, {id}");
            let back = read(text.as_bytes()).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            assert_eq!(back, ReplayFile::Complete(Box::new(record.clone())), "seed {seed}, {id}");

            let mut playback = Playback::new(&record);
            playback.play().unwrap_or_else(|wrong| panic!("seed {seed}, {id}: {wrong}"));
            assert_eq!(playback.done(), record.events.len());
            let end: MatchState = fold::<Match>(&events);
            let truth = end.position().unwrap();
            for at in Pos::all() {
                let there = truth.owner(at).map(|seat| (seat, truth.piece(at)));
                assert_eq!(playback.look(at), there, "seed {seed}, {id}, {at}");
            }
            record.check_draws().unwrap_or_else(|fault| panic!("seed {seed}, {id}: {fault}"));

            let sat = sat(&events);
            for player in world.players.iter().filter(|player| !sat.contains(player)) {
                assert!(!text.contains(&player.to_string()), "seed {seed}: {player} only looked");
            }
            for told in &record.events {
                *kinds.entry(told.deed.kind()).or_insert(0) += 1;
            }
            whys.extend(
                record.participants.iter().filter_map(|one| one.left_why).map(|why| why as u8),
            );
            houses += record.participants.iter().filter(|one| one.house).count();
            erased += record.participants.iter().filter(|one| one.nickname.is_none()).count();
        }
    }
    assert!(records > 40 && running > 4, "{records} {running}");
    assert!(houses > 10 && erased > 4 && whys.len() == 2, "{houses} {erased} {whys:?}");
    let rare = ["release_moved", "takeover_wait_expired", "seat_taken_over", "draw_agreed"];
    for kind in ["deadline_moved", "voided", "surrendered", "seat_eliminated", "draw_lapsed"] {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
    for kind in rare.into_iter().chain(["team_surrender_confirmed", "seat_vacated", "skipped"]) {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn the_same_events_and_names_give_the_same_bytes_whatever_comes_after_the_end() {
    let mut world = World::new(7, 14, 4);
    world.grow(6_000);
    let early = histories(&world);
    world.pass(yibu_domain::kernel::Span::hours(200));
    let late = histories(&world);
    let mut expired = 0;
    for (id, events) in &early {
        let Some(first) = record(events) else { continue };
        let again = record(&late[id]).unwrap();
        assert_eq!(write(&first).unwrap(), write(&again).unwrap());
        expired += usize::from(late[id].len() > events.len());
    }
    assert!(expired > 3, "{expired}");
}

#[test]
fn a_record_tells_the_pieces_as_they_were_set_up() {
    let mut records = super::ended(11, 4_000).into_iter();
    let record = records.find(|record| {
        let mut captures = record.events.iter();
        captures.any(|told| matches!(&told.deed, Deed::Moved(part) if !part.removed.is_empty()))
    });
    let record: Complete = record.expect("a match with a battle");
    let mut standing: BTreeMap<_, _> = record
        .seats
        .iter()
        .flat_map(|(seat, setup)| setup.pieces.iter().map(move |one| (one.at, (seat, one.piece))))
        .collect();
    assert_eq!(standing.len(), 100);
    for told in &record.events {
        let (Deed::Moved(_) | Deed::SeatEliminated { .. }) = &told.deed else { continue };
        let removed = match &told.deed {
            Deed::Moved(part) => &part.removed,
            Deed::SeatEliminated { removed, .. } => removed,
            _ => unreachable!("only these take pieces away"),
        };
        for gone in removed {
            assert_eq!(standing.remove(&gone.start), Some((gone.seat, gone.piece)));
        }
    }
    let mut playback = Playback::new(&record);
    playback.play().unwrap();
    assert_eq!(Pos::all().filter(|at| playback.look(*at).is_some()).count(), standing.len());
}

#[test]
fn draws_that_were_changed_do_not_hold() {
    let record = super::ended(12, 3_000).remove(0);
    let count = record.check_draws().unwrap();
    assert!(count >= 9, "four seats, four formations, the first mover: {count}");
    for index in 0..count {
        let mut changed = record.clone();
        changed.draws.draws[index].nonces[0].value.0[0] ^= 1;
        let formation = changed.draws.draws[index].choices.is_empty();
        // Another nonce may give the same seat, but hardly the same formation.
        assert!(changed.check_draws().is_err() || !formation, "draw {index}");
    }
    let mut changed = record;
    changed.draws.seed.0[0] ^= 1;
    let fault = changed.check_draws().unwrap_err().to_string();
    assert!(fault.contains("promised"), "{fault}");
}
