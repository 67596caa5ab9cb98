//! Closed matches in segment files: everything reads as before, every step may be the last, and a segment that is
//! damaged or gone is named.

mod faults;

use crate::cli::{audited, copy, played, text, yibu};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use yibu_api::app::LogStore;
use yibu_api::cli::replay::{Eyes, History};
use yibu_api::local;
use yibu_domain::kernel::{MatchId, Span, Time};
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::archive::{FOLDER, Pointer, Segment, file, list};
use yibu_infrastructure::log::custody::Shelf;
use yibu_infrastructure::log::port::{EventLog, Stored};
use yibu_infrastructure::log::{StoreConfig, open, open_to_read};
use yibu_infrastructure::system::{Clock, Entropy, SystemClock};
use yibu_infrastructure::workers::archiving::Moved;
use yibu_tests::app::TestApp;

async fn writing(folder: &Path) -> Arc<dyn EventLog> {
    let store = StoreConfig::Sqlite { folder: folder.to_owned() };
    open(store, Arc::new(SystemClock::new()), Entropy::seeded(1)).await.unwrap()
}

async fn everything(log: &dyn EventLog) -> Vec<Stored> {
    log.read_all(0, usize::MAX >> 1).await.unwrap()
}

async fn archived(log: &dyn EventLog, folder: &Path, now: Time) -> Result<Moved, String> {
    local::archive(log, &folder.join(FOLDER), now, 3, |_| {}).await
}

/// The matches of a log and what a replay shows of each at its end.
async fn shown(log: &dyn EventLog) -> Vec<String> {
    let mut shown = Vec::new();
    for event in everything(log).await.iter().filter(|event| event.version == 1) {
        if let Some(id) = aggregate_id::<Match>(&event.stream).filter(|id| !id.is_nil()) {
            let history = History::read(log, MatchId(id)).await.unwrap();
            shown.push(history.text(history.len(), Eyes::Open, false).unwrap());
        }
    }
    shown
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archived_matches_read_as_before_and_steps_go_on() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    played(&server, 2).await;
    let now = server.clock.now();
    let log = server.app().log_handle();
    let folder = server.folder.path().to_owned();
    let before = everything(log.as_ref()).await;
    let replays = shown(log.as_ref()).await;
    assert_eq!(replays.len(), 2);

    let early = archived(log.as_ref(), &folder, now + Span::hours(71)).await;
    let early = early.unwrap();
    assert_eq!(early, Moved { young: 2, ..Moved::default() }, "the players' retention is not over");
    server.stop().await;
    drop(log);
    let untouched = copy(&folder);
    server.restart().await;
    let log = server.app().log_handle();
    let later = now + Span::hours(73);
    let moved = archived(log.as_ref(), &folder, later).await.unwrap();
    assert_eq!((moved.segments, moved.streams), (1, 2));
    let of_matches = before.iter().filter(|event| event.stream.starts_with("match-")).count();
    assert_eq!(moved.events, of_matches as u64);
    assert_eq!(archived(log.as_ref(), &folder, later).await, Ok(Moved::default()));

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let place = folder.join(FOLDER);
    assert_eq!((mode(&place), mode(&file(&place, 1))), (0o700, 0o600), "for their owner alone");

    // All readers: the log itself, replays, audit, rebuild; also after a start.
    let raw = log.custody().unwrap().read_all(0, usize::MAX >> 1).await.unwrap();
    let pointers = raw.iter().filter(|event| Pointer::read(&event.payload).is_some());
    assert_eq!(pointers.count(), of_matches);
    assert!(everything(log.as_ref()).await.starts_with(&before));
    assert_eq!(shown(log.as_ref()).await, replays);
    let views = server.app().views();
    let rebuilt = local::rebuild(views, Arc::clone(&log), Vec::new(), |_| {}).await.unwrap();
    assert!(rebuilt.iter().all(|model| model.same == Some(true)), "{rebuilt:?}");
    drop(log);
    server.restart().await;
    assert_eq!(shown(server.app().log()).await, replays);
    server.stop().await;
    let report = audited(&folder).await;
    assert!(report.is_clean() && report.matches == 2, "{report:?}");

    interrupted(untouched.path(), &folder, later, moved).await;
    damaged(&folder).await;
}

/// A run that ended after the segment stood, or between two commits, is finished by the next one.
async fn interrupted(data: &Path, whole: &Path, now: Time, wanted: Moved) {
    let (archive, segment) = (data.join(FOLDER), file(&whole.join(FOLDER), 1));
    fs::create_dir_all(&archive).unwrap();
    fs::copy(segment, file(&archive, 1)).unwrap();
    fs::write(archive.join(".000002.making"), "half a segm").unwrap();
    let log = writing(data).await;
    let header = Segment::open(&archive, 1).unwrap().header().clone();
    let keeper = log.custody().unwrap();
    let frame = &header.frames[0];
    let last = keeper.read_stream(&frame.stream, frame.to - 1, 1).await.unwrap().remove(0);
    let shelf = Shelf {
        stream: frame.stream.clone(),
        from: frame.from,
        to: frame.to,
        hash: last.hash,
        pointer: Pointer { segment: 1, frame: 0 }.text(),
    };
    let first = keeper.shelve(vec![shelf]).await.unwrap();
    let before = everything(log.as_ref()).await;
    let moved = archived(log.as_ref(), data, now).await.unwrap();
    assert_eq!(moved, Moved { events: wanted.events - first, ..wanted });
    assert_eq!(list(&archive).unwrap(), [1]);
    assert!(everything(log.as_ref()).await == before);

    // Nobody archives beside another; and a lost segment's number is not given away.
    let held = fs::File::options().write(true).open(archive.join("archive.lock")).unwrap();
    held.lock().unwrap();
    let beside = archived(log.as_ref(), data, now).await.unwrap_err();
    assert!(beside.contains("another process archives"), "{beside}");
    drop(held);
    fs::remove_file(file(&archive, 1)).unwrap();
    let lost = archived(log.as_ref(), data, now).await.unwrap_err();
    assert!(lost.contains("000001.segment") && lost.contains("missing"), "{lost}");
    log.close().await;
}

/// Whatever byte of a segment is changed, reading says which file is damaged, and nothing wrong is read.
async fn damaged(data: &Path) {
    let path = file(&data.join(FOLDER), 1);
    let good = fs::read(&path).unwrap();
    let before = everything(reading(data).await.as_ref()).await;
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut bad = good.clone();
        bad[at] ^= 0x20;
        fs::write(&path, &bad).unwrap();
        let log = reading(data).await;
        match log.read_all(0, usize::MAX >> 1).await {
            Err(error) => assert!(error.to_string().contains("000001.segment"), "{at}: {error}"),
            Ok(events) => assert!(events == before, "byte {at}: something else was read"),
        }
    }
    fs::write(&path, &good[..good.len() - 7]).unwrap();
    let log = reading(data).await;
    let cut = log.read_all(0, usize::MAX >> 1).await.unwrap_err().to_string();
    assert!(cut.contains("cut short"), "{cut}");
    log.close().await;
    // Whoever looks is told once, and not of accounts, which are well.
    fs::write(&path, "no segment").unwrap();
    let doctor = text(&yibu(data, &["doctor"]).stdout);
    let bad = |what: &str| {
        doctor.lines().filter(|line| line.starts_with(&format!("BAD   {what}"))).count()
    };
    assert_eq!((bad("archive"), bad("accounts")), (1, 0), "{doctor}");
    fs::write(&path, good).unwrap();
}

async fn reading(data: &Path) -> Arc<dyn EventLog> {
    let store = StoreConfig::Sqlite { folder: data.to_owned() };
    open_to_read(store, Arc::new(SystemClock::new()), Entropy::seeded(1)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_does_not_start_without_a_segment_and_names_it() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    played(&server, 1).await;
    let later = server.clock.now() + Span::hours(73);
    let (log, data) = (server.app().log_handle(), server.folder.path().to_owned());
    assert_eq!(archived(log.as_ref(), &data, later).await.unwrap().segments, 1);
    server.stop().await;
    drop(log);
    let path = file(&data.join(FOLDER), 1);
    let whole = fs::read(&path).unwrap();

    fs::remove_file(&path).unwrap();
    let missing = server.refused().await.to_string();
    assert!(missing.contains("000001.segment: it is missing"), "{missing}");
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let cut = server.refused().await.to_string();
    assert!(cut.contains("000001.segment: it is cut short"), "{cut}");
    assert!(cut.contains("from a backup"), "{cut}");

    fs::write(&path, &whole).unwrap();
    server.restart().await;
}
