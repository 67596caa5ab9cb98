//! A segment that is damaged or gone: the audit names it and goes on behind it, and no backup is taken without it.

use super::{archived, writing};
use crate::cli::{audited, copy, played, text, yibu};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::log::archive::{FOLDER, Segment, file};
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;

/// A folder with two archived matches.
async fn folder() -> tempfile::TempDir {
    let clock = ManualClock::at(SystemClock::new().now() - Span::hours(24 * 6));
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), LogStore::Sqlite, clock).await;
    played(&server, 2).await;
    server.stop().await;
    let folder = copy(server.folder.path());
    let log = writing(folder.path()).await;
    let now = SystemClock::new().now();
    assert_eq!(archived(log.as_ref(), folder.path(), now).await.unwrap().streams, 2);
    log.close().await;
    folder
}

fn segment(folder: &Path) -> PathBuf {
    file(&folder.join(FOLDER), 1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_damaged_frame_does_not_hide_what_else_is_wrong() {
    let folder = folder().await;
    let data = folder.path();
    let clean = audited(data).await;
    assert!(clean.is_clean() && clean.matches == 2 && clean.commands > 0, "{clean:?}");

    // The first frame of one match; and, behind it, an event of somebody else.
    let frame = Segment::open(&data.join(FOLDER), 1).unwrap().header().frames[0].clone();
    let mut bytes = fs::read(segment(data)).unwrap();
    let body = bytes.len() as u64
        - Segment::open(&data.join(FOLDER), 1)
            .unwrap()
            .header()
            .frames
            .iter()
            .map(|frame| frame.length)
            .sum::<u64>();
    bytes[usize::try_from(body + frame.offset + frame.length / 2).unwrap()] ^= 1;
    fs::write(segment(data), bytes).unwrap();
    let log = rusqlite::Connection::open(data.join("log.db")).unwrap();
    let last = "UPDATE events SET salt = randomblob(16) WHERE position =
        (SELECT max(position) FROM events JOIN streams s ON s.id = stream WHERE s.name LIKE 'player-%')";
    assert_eq!(log.execute(last, []).unwrap(), 1);
    drop(log);

    let report = audited(data).await;
    let named = |place: &str, words: &str| {
        report.problems.iter().any(|it| it.place.starts_with(place) && it.problem.contains(words))
    };
    assert!(
        named(&frame.stream, "000001.segment: the hash of frame 0 does not match"),
        "{report:?}"
    );
    assert!(named("player-", "the hash does not match"), "{report:?}");
    assert_eq!(report.problem_count, 2, "each once: {report:?}");
    assert_eq!((report.matches, report.streams), (1, clean.streams), "the other match was judged");
    assert!(report.decisions > 0 && report.events > clean.events / 2, "{report:?}");

    fs::remove_file(segment(data)).unwrap();
    let report = audited(data).await;
    let missing = report.problems.iter().filter(|it| it.problem.contains("it is missing"));
    assert_eq!((missing.count(), report.problem_count), (1, 2), "{report:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_backup_is_taken_without_a_segment_that_the_log_points_to() {
    let folder = folder().await;
    let data = folder.path();
    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("bk");
    let good = fs::read(segment(data)).unwrap();
    let mut bad = good.clone();
    let last = bad.len() - 1;
    bad[last] ^= 1;
    let cut = good[..good.len() / 2].to_vec();
    for (content, words) in [
        (None, "000001.segment: it is missing"),
        (Some(bad), "000001.segment: the hash of frame"),
        (Some(cut), "000001.segment: it is cut short"),
        (Some(b"odd".to_vec()), "000001.segment: it is not a segment"),
    ] {
        match content {
            Some(content) => fs::write(segment(data), content).unwrap(),
            None => fs::remove_file(segment(data)).unwrap(),
        }
        let refused = yibu(data, &["backup", to.to_str().unwrap()]);
        assert_eq!(refused.status.code(), Some(1), "{words}");
        let said = text(&refused.stderr);
        assert!(said.contains(data.to_str().unwrap()), "{words}: {said}");
        assert_eq!(said.matches(words).count(), 1, "{words}: {said}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left of it");
    }
    fs::write(segment(data), good).unwrap();
    // What the log does not point to is no part of it.
    fs::write(file(&data.join(FOLDER), 2), "half a segment").unwrap();
    let taken = yibu(data, &["backup", to.to_str().unwrap()]);
    assert!(taken.status.success(), "{}", text(&taken.stderr));
    assert_eq!(fs::metadata(segment(&to)).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!file(&to.join(FOLDER), 2).exists());
    let restored = yibu(
        data,
        &["restore", to.to_str().unwrap(), "--data", place.path().join("new").to_str().unwrap()],
    );
    assert!(restored.status.success(), "{}", text(&restored.stderr));
}
