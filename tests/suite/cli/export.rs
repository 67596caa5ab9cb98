//! The log as lines, and the audit of such a file: clean as exported, and every change named.

use super::audit::audited;
use super::binary::{interrupted, text, yibu};
use super::simulate::played;
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use yibu_api::app::LogStore;
use yibu_api::cli::{audit, export};
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::Match;
use yibu_infrastructure::executor::aggregate_id;
use yibu_infrastructure::log::lines;
use yibu_tests::app::TestApp;
use yibu_tests::table::Table;

async fn checked(path: &Path) -> Result<audit::Report, String> {
    audit::file_quietly(path).await.map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_is_audited_and_every_change_is_named() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    played(&server, 1).await;
    let place = tempfile::tempdir().unwrap();
    let (path, part) = (place.path().join("log.jsonl"), place.path().join("match.jsonl"));
    let log = server.app().log_handle();
    let header = export::to_file(log.as_ref(), None, &path).await.unwrap();
    let head = log.head().await.unwrap();
    assert_eq!((header.end, header.hash), (head.position, hex::encode(head.hash)));
    let exported = fs::read_to_string(&path).unwrap();
    let stored = log.read_all(0, usize::MAX >> 1).await.unwrap();
    let events: Vec<_> = exported.lines().skip(1).map(|line| lines::read(line).unwrap()).collect();
    assert!(events == stored[..events.len()]);
    let mut ids = stored.iter().filter_map(|event| aggregate_id::<Match>(&event.stream));
    let id = MatchId(ids.next().unwrap());
    export::to_file(log.as_ref(), Some(id), &part).await.unwrap();
    drop(log);
    server.stop().await;

    let whole = audited(server.folder.path()).await;
    let report = checked(&path).await.unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!((report.decisions, report.draws), (whole.decisions, whole.draws));
    let alone = checked(&part).await.unwrap();
    assert!(alone.is_clean(), "{alone:?}");
    assert_eq!((alone.streams, alone.decisions, alone.draws), (1, whole.decisions, whole.draws));
    assert!(alone.events > 0 && alone.events < report.events);

    // A changed payload, a missing event, a cut end, a moved line, no export at all.
    let text_lines: Vec<&str> = exported.lines().collect();
    let write = |lines: &[&str]| fs::write(&path, lines.join("\n") + "\n").unwrap();
    let moved = text_lines.iter().position(|line| line.contains("siguo.moved.v1")).unwrap();
    let mut odd = text_lines.clone();
    let forged = odd[moved].replacen("\\\"quiet\\\":", "\\\"quiet\\\":1", 1);
    odd[moved] = &forged;
    write(&odd);
    let event = &events[moved - 1];
    let first = checked(&path).await.unwrap().problems.remove(0);
    assert_eq!((first.place, first.version), (event.stream.clone(), Some(event.version)));
    assert_eq!(first.position, Some(event.position));
    let mut odd = text_lines.clone();
    odd.remove(moved);
    write(&odd);
    assert!(!checked(&path).await.unwrap().is_clean());
    write(&text_lines[..text_lines.len() - 1]);
    assert!(!checked(&path).await.unwrap().is_clean());
    let mut odd = text_lines.clone();
    odd.swap(moved, moved + 1);
    write(&odd);
    assert!(checked(&path).await.unwrap_err().contains(&format!("line {}", moved + 2)));
    write(&text_lines[1..]);
    assert!(checked(&path).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_runs_is_exported_with_a_note_in_the_log_only() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    Table::started(&server, "seal").await;
    server.stop().await;
    let data = server.folder.path();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("log.jsonl");
    let to = path.to_str().unwrap();
    let refused = yibu(data, &["export", "--to", to]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("--unseal"), "{}", text(&refused.stderr));
    assert!(!path.exists());
    let plain = yibu(data, &["export"]);
    assert!(plain.stdout.is_empty(), "nothing before the seal was looked at");
    // What cannot be written is said before anything is noted, and by its name.
    let noted = || streams_of(data, "site.unsealed.v1").len();
    let nowhere = place.path().join("nowhere/log.jsonl");
    for target in [nowhere.to_str().unwrap(), place.path().to_str().unwrap()] {
        let unwritten = yibu(data, &["export", "--to", target, "--unseal=dispute"]);
        assert_eq!(unwritten.status.code(), Some(1));
        assert!(text(&unwritten.stderr).contains(target), "{}", text(&unwritten.stderr));
    }
    let unread = yibu(data, &["audit", "--file", nowhere.to_str().unwrap()]);
    assert!(text(&unread.stderr).contains("nowhere/log.jsonl"), "{}", text(&unread.stderr));
    let id = streams_of(data, "siguo.opened.v1").remove(0);
    let id = id.strip_prefix("match-").unwrap();
    let unshown = yibu(data, &["replay", id, "--as", "s", "--at", "9999", "--unseal"]);
    assert_eq!(unshown.status.code(), Some(1), "{}", text(&unshown.stdout));
    assert_eq!(noted(), 0, "nothing was given out");
    let done = yibu(data, &["export", "--to", to, "--unseal=dispute", "--json"]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let exported = fs::read_to_string(&path).unwrap();
    assert!(exported.lines().last().unwrap().contains("site.unsealed.v1"));
    assert_eq!(noted(), 1);
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1, "no half file");
    let audited = yibu(data, &["audit", "--file", to]);
    assert!(audited.status.success(), "{}", text(&audited.stdout));

    // A file that is there is written over only by who says so.
    let again = yibu(data, &["export", "--to", to, "--unseal=dispute"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("is there already"), "{}", text(&again.stderr));
    assert_eq!((noted(), fs::read_to_string(&path).unwrap()), (1, exported.clone()));
    let forced = yibu(data, &["export", "--to", to, "--unseal=dispute", "--force"]);
    assert!(forced.status.success(), "{}", text(&forced.stderr));
    assert_eq!(noted(), 2);
    assert_ne!(fs::read_to_string(&path).unwrap(), exported);

    fs::write(&path, exported.replacen("\"version\":1", "\"version\":9", 1)).unwrap();
    let newer = yibu(data, &["audit", "--file", to]);
    assert!(text(&newer.stderr).contains("of a newer form (9)"), "{}", text(&newer.stderr));
}

/// What is in a folder, with what files hold.
fn held(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // What readers leave beside a database comes and goes.
        if path.is_dir() {
            all.extend(held(&path));
        } else if !path.to_str().unwrap().ends_with("-shm") {
            all.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn nothing_is_written_among_what_a_site_keeps() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let named = |name: &str| at(name).to_str().unwrap().to_owned();
    let (data, other, copy) = (at("data"), at("other"), at("copy"));
    for folder in [&data, &other] {
        assert!(yibu(folder, &["migrate"]).status.success());
        let limits = ["admin", "limits", "--full", "3", "--takeover", "1", "--reason", "drill"];
        assert!(yibu(folder, &limits).status.success());
        fs::create_dir(folder.join("archive")).unwrap();
        fs::write(folder.join("archive/000001.segment"), "held").unwrap();
        fs::remove_file(folder.join("log.head")).unwrap();
    }
    assert!(yibu(&data, &["backup", &named("copy")]).status.success());
    assert!(yibu(&data, &["audit", "--new-key", &named("key")]).status.success());
    symlink(&data, at("link")).unwrap();
    fs::create_dir(at("free")).unwrap();
    // The first reading leaves what others find.
    assert!(yibu(&data, &["export"]).status.success());
    let before = [&data, &other, &copy].map(|folder| held(folder));

    let names = ["log.db", "log.head", "log.db-journal", "log.db-wal", "accounts.db", "views.db"];
    let mut targets: Vec<String> = Vec::new();
    for folder in ["data", "other", "copy", "link", "free/../data", "free/none/../../data"] {
        targets.extend(names.map(|name| named(&format!("{folder}/{name}"))));
        targets.push(named(&format!("{folder}/archive/000001.segment")));
        targets.push(named(&format!("{folder}/new")));
    }
    targets.push(named("copy/backup.json"));
    for to in &targets {
        let refused = yibu(&data, &["export", "--to", to, "--force"]);
        assert_eq!(refused.status.code(), Some(1), "{to}");
        assert!(
            text(&refused.stderr).contains("is inside the "),
            "{to}: {}",
            text(&refused.stderr)
        );
    }
    let (from, key) = (format!("sqlite:{}", named("data")), named("key"));
    for (folder, what) in [
        ("data/x", "data folder"),
        ("other/x", "data folder"),
        ("other/archive/x", "archive"),
        ("copy/x", "backup"),
        ("link/x", "data folder"),
        ("free/none/../../other/x", "data folder"),
    ] {
        let (to, store) = (named(folder), format!("sqlite:{}", named(folder)));
        let copy = named("copy");
        for arguments in [
            &["export", "--to", &to][..],
            &["backup", &to],
            &["restore", &copy, "--data", &to],
            &["audit", "--new-key", &to],
            &["audit", "--anchor", &key, "--to", &to],
            &["import-log", "--from", &from, "--to", &store],
            &["import-accounts", "--from", &from, "--to", &store],
            &["migrate", "--data", &to],
            &["serve", "--dev", "--listen", "127.0.0.1:0", "--data", &to],
        ] {
            let refused = yibu(&data, arguments);
            assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
            let said = text(&refused.stderr);
            // A site's own folder is told before its archive.
            assert!(said.contains(&format!("is inside the {what} ")), "{arguments:?}: {said}");
        }
    }
    let copied = format!("sqlite:{}", named("copy"));
    for command in ["import-log", "import-accounts"] {
        let refused = yibu(&data, &[command, "--from", &from, "--to", &copied]);
        assert!(text(&refused.stderr).contains("copy is a backup"), "{}", text(&refused.stderr));
    }
    assert!([&data, &other, &copy].map(|folder| held(folder)) == before, "nothing was touched");
    assert!(fs::read_dir(at("free")).unwrap().next().is_none());

    // Others have files of the same name, and a site that stands inside another goes on.
    fs::write(at("free/backup.json"), r#"{"format":"another program's"}"#).unwrap();
    let free = yibu(&data, &["export", "--to", &named("free/log.db")]);
    assert!(free.status.success(), "{}", text(&free.stderr));
    assert!(yibu(&at("outer/inner"), &["migrate"]).status.success());
    assert!(yibu(&at("outer"), &["migrate"]).status.success());
    let inner = yibu(&at("outer/inner"), &["migrate"]);
    assert!(inner.status.success(), "{}", text(&inner.stderr));
}

#[test]
fn an_export_replaces_nothing_but_a_regular_file() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let data = at("data");
    assert!(yibu(&data, &["migrate"]).status.success());
    fs::write(at("file"), "mine").unwrap();
    symlink("file", at("link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    let odd = ["link", "dangling", "pipe"].map(|name| at(name).to_str().unwrap().to_owned());
    let there = fs::read_dir(place.path()).unwrap().count();
    for to in odd.iter().map(String::as_str).chain(["/dev/stdout"]) {
        for arguments in [&["export", "--to", to][..], &["export", "--to", to, "--force"]] {
            let refused = yibu(&data, arguments);
            let said = text(&refused.stderr);
            assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {said}");
            assert!(said.contains("no regular file") && said.contains("standard output"), "{said}");
        }
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), there);
    assert_eq!(fs::read_to_string(at("file")).unwrap(), "mine");
    assert!(at("pipe").metadata().unwrap().file_type().is_fifo());
    assert_eq!(fs::read_link(at("link")).unwrap(), Path::new("file"));
    let forced = yibu(&data, &["export", "--to", at("file").to_str().unwrap(), "--force"]);
    assert!(forced.status.success(), "{}", text(&forced.stderr));
    assert!(fs::read_to_string(at("file")).unwrap().contains("yibu-log"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_export_writes_a_file_at_a_time_and_a_broken_off_one_leaves_nothing() {
    let mut server = TestApp::with_log(LogStore::Sqlite).await;
    played(&server, 1).await;
    server.stop().await;
    let data = server.folder.path();
    let place = tempfile::tempdir().unwrap();
    let (to, making) = (place.path().join("log.jsonl"), place.path().join("log.jsonl.making"));
    fs::write(&making, "another's half").unwrap();
    let held = fs::File::open(&making).unwrap();
    held.try_lock().unwrap();
    let arguments = ["export", "--to", to.to_str().unwrap()];
    let refused = yibu(data, &arguments);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains("is being written by another command"), "{said}");
    assert_eq!(fs::read_to_string(&making).unwrap(), "another's half");
    drop(held);
    // What a killed one left.
    assert!(yibu(data, &arguments).status.success());
    assert!(checked(&to).await.unwrap().is_clean());
    assert!(!making.exists());

    for signal in ["-INT", "-TERM"].repeat(10) {
        fs::remove_file(&to).unwrap();
        // Its first bytes are written once it listens for signals.
        let begun = || making.metadata().is_ok_and(|meta| meta.len() > 0);
        let done = interrupted([data, place.path()], &arguments, signal, begun).await;
        let code = done.status.code();
        assert!(matches!(code, Some(0 | 130 | 143)), "{code:?}");
        assert!(!making.exists(), "nothing is left");
        fs::write(&to, "").unwrap();
    }
}

/// The streams in which events of a name stand.
fn streams_of(data: &Path, name: &str) -> Vec<String> {
    let log = rusqlite::Connection::open(data.join("log.db")).unwrap();
    let sql = "SELECT s.name FROM events e JOIN streams s ON s.id = e.stream WHERE e.name = ?1";
    let mut query = log.prepare(sql).unwrap();
    query.query_map([name], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}
