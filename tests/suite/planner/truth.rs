//! The desks against the folded truth of random histories: whom a running clock concerns, and until when. The histories
//! are judged by the domain, with candidates, departures, eliminations and outages.

use super::rig::{Rig, Store};
use crate::read_models::histories::World;
use rusqlite::Connection;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, PlayerId, Time};
use yibu_domain::matches::events::TurnKind;
use yibu_domain::matches::{Live, MatchEvent};
use yibu_infrastructure::accounts::Place;
use yibu_infrastructure::accounts::reminders::NoticeKind;
use yibu_projections::Fact;

/// The clocks that concern people: their number, kind and deadline.
type Clocks = BTreeMap<(PlayerId, MatchId), (u32, TurnKind, Time)>;

/// Who is asked for what in which match.
type Votes = BTreeSet<(PlayerId, MatchId, &'static str)>;

/// The accounts' file, past the accounts.
fn file(rig: &Rig) -> Connection {
    let Place::Folder(folder) = &rig.place else { panic!("a file was expected") };
    Connection::open(folder.join("accounts.db")).unwrap()
}

/// Makes accounts for people whose ids are given; who is left out belongs to the house.
fn enrol(rig: &Rig, people: &BTreeSet<PlayerId>) {
    let on = file(rig);
    for (number, player) in people.iter().enumerate() {
        let (id, email) = (player.0.as_bytes().as_slice(), format!("p{number}@example.org"));
        let sql = "INSERT INTO players (player, house, created, recorded) VALUES (?1, 0, 0, 1)";
        on.execute(sql, (id,)).unwrap();
        let sql = "INSERT INTO accounts (player, email, email_key, password, locale, created) \
                   VALUES (?1, ?2, ?2, 'none', 'en', 0)";
        on.execute(sql, (id, &email)).unwrap();
    }
}

fn desks(rig: &Rig) -> Clocks {
    let on = file(rig);
    let mut desks = on.prepare("SELECT player, body FROM desks").unwrap();
    let rows = desks.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?)));
    let mut clocks = Clocks::new();
    for (player, body) in rows.unwrap().map(Result::unwrap) {
        let player = PlayerId(uuid::Uuid::from_slice(&player).unwrap());
        let body: Value = serde_json::from_str(&body).unwrap();
        for (id, clock) in body["desk"]["clocks"].as_object().unwrap() {
            let turn = u32::try_from(clock["turn"].as_u64().unwrap()).unwrap();
            let kind = serde_json::from_value(clock["kind"].clone()).unwrap();
            let deadline = Time(clock["deadline"].as_i64().unwrap());
            clocks.insert((player, id.parse().unwrap()), (turn, kind, deadline));
        }
    }
    clocks
}

fn concerned(live: &Live, people: &BTreeSet<PlayerId>, clocks: &mut Clocks) {
    let Some(turn) = live.turn() else { return };
    let own = live.person(turn.seat).map(|person| person.player);
    let seated = Seat::ALL.into_iter().filter_map(|seat| live.person(seat));
    let all = seated.chain(&live.sheet.people.candidates).map(|person| person.player);
    let whom: Vec<PlayerId> = match turn.kind {
        TurnKind::Vacant => all.collect(),
        TurnKind::Normal | TurnKind::TakeoverFirst => own.into_iter().collect(),
    };
    for player in whom.into_iter().filter(|player| people.contains(player)) {
        let clock = (turn.number, turn.kind, turn.deadline);
        clocks.insert((player, live.sheet.public.match_id), clock);
    }
}

/// Whose votes and answers are waited for.
fn asked(live: &Live, people: &BTreeSet<PlayerId>, votes: &mut Votes) {
    let public = &live.sheet.public;
    for seat in Seat::ALL.into_iter().filter(|seat| live.active(*seat)) {
        let person = live.person(seat).map(|person| person.player);
        let Some(player) = person.filter(|player| people.contains(player)) else { continue };
        let draw = public.draw.as_ref();
        if draw.is_some_and(|draw| draw.seat != seat && !draw.accepted.contains(&seat)) {
            votes.insert((player, public.match_id, NoticeKind::DrawVote.name()));
        }
        let proposal = live.sheet.own[seat].proposal.as_ref();
        if proposal.is_some_and(|proposal| proposal.seat != seat) {
            votes.insert((player, public.match_id, NoticeKind::TeamSurrenderVote.name()));
        }
    }
}

/// What notices call for by themselves: votes, and clocks, of which the running one alone may.
async fn called(rig: &Rig, people: &BTreeSet<PlayerId>, clocks: &Clocks) -> Votes {
    let mut votes = Votes::new();
    for player in people {
        let notices = rig.notices(*player).await;
        for notice in notices.into_iter().filter(|notice| !notice.done) {
            let clock = clocks.get(&(*player, notice.match_id)).map(|(turn, ..)| *turn);
            match notice.kind {
                NoticeKind::DrawVote | NoticeKind::TeamSurrenderVote => {
                    votes.insert((*player, notice.match_id, notice.kind.name()));
                }
                NoticeKind::YourTurn => assert_eq!(notice.turn, clock, "{notice:?}"),
                _ => {}
            }
        }
    }
    votes
}

/// Whether a decision is complete at this place of the log.
fn complete(world: &World, place: usize) -> bool {
    match world.log.get(place).map(|fed| &fed.fact) {
        Some(Ok(Fact::Match(_, event))) => event.event.input().is_some(),
        _ => true,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn desks_know_the_clocks_that_run_and_notices_the_votes_that_are_open() {
    let mut world = World::new(0xde5c, 16, 9);
    world.grow(6_000);
    let start = Time(1_690_000_000_000);
    let rig = Rig::new(Store::Sqlite, start).await;
    let house = |player: &PlayerId| player.0.as_bytes()[0] < 32;
    let people: BTreeSet<PlayerId> =
        world.players.iter().filter(|player| !house(player)).copied().collect();
    enrol(&rig, &people);
    rig.settle().await;
    let (mut batch, mut decisions) = (Vec::<MatchEvent>::new(), 0);
    let (mut running, mut voting) = (0, 0);
    for (place, fed) in world.log.iter().enumerate() {
        let Ok(Fact::Match(id, event)) = &fed.fact else { continue };
        batch.push(event.event.clone());
        if !complete(&world, place + 1) {
            continue;
        }
        rig.clock.set(event.at);
        rig.happens(*id, event.at, &batch).await;
        batch.clear();
        decisions += 1;
        if decisions % 3 == 0 {
            rig.settle().await;
        }
        if decisions % 90 == 0 {
            rig.settle().await;
            let (mut wanted, mut votes) = (Clocks::new(), Votes::new());
            for (id, _) in &world.matches {
                let state = world.at(*id, fed.position);
                if let Some(live) = state.live() {
                    concerned(live, &people, &mut wanted);
                    asked(live, &people, &mut votes);
                }
            }
            assert_eq!(desks(&rig), wanted, "at {}", fed.position);
            assert_eq!(called(&rig, &people, &wanted).await, votes, "at {}", fed.position);
            running += wanted.len();
            voting += votes.len();
        }
    }
    assert!(running > 100, "only {running} clocks ran");
    assert!(voting > 10, "only {voting} votes were waited for");
    let mut told = BTreeMap::<&str, u32>::new();
    for player in &people {
        for notice in rig.notices(*player).await {
            *told.entry(notice.kind.name()).or_default() += 1;
        }
    }
    for kind in [
        NoticeKind::YourTurn,
        NoticeKind::DrawVote,
        NoticeKind::TeamSurrenderVote,
        NoticeKind::TableFull,
        NoticeKind::TableStarted,
        NoticeKind::MatchEnded,
        NoticeKind::SeatLeft,
        NoticeKind::SeatTakenOver,
        NoticeKind::DeadlineMoved,
        NoticeKind::TimedOut,
        NoticeKind::Left,
    ] {
        assert!(told.contains_key(kind.name()), "{} among {told:?}", kind.name());
    }
    let rows: i64 = file(&rig)
        .query_row("SELECT COUNT(*) FROM planned_matches WHERE body LIKE '%identity%'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(rows, 0, "no board lies among the accounts");
}
