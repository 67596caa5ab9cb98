//! The contract vectors of reminders, from the log to the outbox.

use super::life::live;
use super::rig::{Rig, Store};
use crate::reminders::vectors::{Vector, vectors};
use std::sync::Arc;
use yibu_domain::kernel::Time;
use yibu_tests::postgres::Cluster;

/// A little before the first thing happens.
fn start(vector: &Vector) -> Time {
    Time(vector.story.events.first().map_or(0, |event| event.at.0) - 60_000)
}

async fn holds(rig: Rig, nickname: &str, vector: &Vector, place: &str) -> Rig {
    let person = rig.person(nickname).await;
    let (rig, told) = live(rig, person, &vector.story, None).await;
    let place = format!("{place} ({}): {}", vector.name, vector.pins);
    assert_eq!(told.mails, vector.told.mails, "{place}");
    assert_eq!(told.notices, vector.told.notices, "{place}");
    rig
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reminder_vectors_hold_in_a_file() {
    for (path, vector) in vectors() {
        let rig = Rig::new(Store::Sqlite, start(&vector)).await;
        holds(rig, "north", &vector, &path.display().to_string()).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reminder_vectors_hold_in_a_database() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let place = Store::Postgres.place(folder.path());
    for (number, (path, vector)) in (0..).zip(vectors()) {
        let rig = Rig::at(place.clone(), start(&vector), Arc::clone(&folder), number).await;
        let name = rig.database();
        let rig = holds(rig, &format!("p{number}"), &vector, &path.display().to_string()).await;
        rig.accounts.db().close().await;
        // The next one's log and clock are others.
        for table in ["planner", "planned_matches", "desks", "notices", "outbox", "mailbox"] {
            Cluster::shared().psql(&name, &format!("DELETE FROM {table}"));
        }
    }
}
