//! The binary itself: what it says, what it refuses, and with which exit code.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use yibu_api::app::LogStore;
use yibu_tests::app::TestApp;

/// The binary beside this test's own; built when it is missing. The Makefile builds it before the tests.
pub(crate) fn binary() -> PathBuf {
    if let Some(named) = std::env::var_os("YIBU_BIN") {
        return named.into();
    }
    let own = std::env::current_exe().expect("a test knows where it is");
    let folder = own.ancestors().nth(2).expect("the profile's folder");
    let binary = folder.join("yibu");
    if !binary.is_file() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--workspace", "--bin", "yibu"]);
        build.arg("--target-dir").arg(folder.parent().expect("the target folder"));
        assert!(build.status().expect("cargo runs").success(), "the binary does not build");
    }
    binary
}

/// Runs the binary on a data folder.
pub(crate) fn yibu(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command
        .args(arguments)
        .env("YIBU_DATA", data)
        .env_remove("YIBU_DEV")
        .env_remove("DATABASE_URL");
    command.output().expect("the binary runs")
}

/// Runs the binary on a data folder, with a folder for its temporary files, until it has `begun`, and ends it by a
/// signal, which may come too late.
pub(crate) async fn interrupted(
    [data, temporary]: [&Path; 2],
    arguments: &[&str],
    signal: &str,
    begun: impl Fn() -> bool,
) -> Output {
    let mut command = tokio::process::Command::new(binary());
    command.args(arguments).env("YIBU_DATA", data).env("TMPDIR", temporary).kill_on_drop(true);
    command.env_remove("DATABASE_URL").env_remove("YIBU_DEV");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let at_work = async {
        while !begun() && child.try_wait().unwrap().is_none() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), at_work).await.expect("it begins");
    // None once it was seen to have ended.
    if let Some(id) = child.id() {
        let sent = Command::new("kill").args([signal, &id.to_string()]).status().unwrap();
        assert!(sent.success());
    }
    child.wait_with_output().await.unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_fresh_folder_is_well_and_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let plain = yibu(&data, &["doctor"]);
    assert!(plain.status.success(), "{}", text(&plain.stdout));
    assert!(text(&plain.stdout).contains("yibu serve --dev"));
    let json = yibu(&data, &["doctor", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(found["findings"].as_array().is_some_and(|all| all.len() >= 5), "{found}");
    assert!(!data.exists(), "doctor makes nothing");

    let json = |arguments: &[&str]| -> serde_json::Value {
        let done = yibu(&data, arguments);
        assert!(done.status.success(), "{arguments:?}: {}", text(&done.stderr));
        serde_json::from_slice(&done.stdout).unwrap()
    };
    let migrated = json(&["migrate", "--json"]);
    assert_eq!(migrated["events"], 0);
    let models = yibu_projections::models::all().len();
    assert_eq!(migrated["read_models"].as_array().map(Vec::len), Some(models));
    assert!(text(&yibu(&data, &["migrate"]).stdout).contains("accounts     up to date"));
    for command in [["audit"], ["doctor"]] {
        let done = yibu(&data, &command);
        assert!(done.status.success(), "{command:?}: {}", text(&done.stdout));
    }
    let limits = ["admin", "limits", "--full", "3", "--takeover", "1", "--reason", "drill"];
    assert!(yibu(&data, &limits).status.success());
    let limits = json(&[&limits[..], &["--json"]].concat());
    assert_eq!(limits, serde_json::json!({ "fullLimit": 3, "takeoverLimit": 1 }));
    let rebuilt = yibu(&data, &["rebuild", "--json"]);
    assert!(rebuilt.status.success(), "{}", text(&rebuilt.stderr));
    assert!(yibu(&data, &["audit"]).status.success());
}

#[test]
fn faults_go_to_the_standard_error_with_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, said) in [
        (vec!["serve"], "--dev"),
        (vec!["audit"], "there is no data"),
        (vec!["replay", "00000000-0000-4000-8000-000000000000"], "there is no data"),
        (vec!["rebuild", "nothing"], "there is no data"),
        (vec!["simulate", "--url", "http://127.0.0.1:1"], "does not answer"),
    ] {
        let done = yibu(folder.path(), &arguments);
        assert_eq!(done.status.code(), Some(1), "{arguments:?}");
        assert!(text(&done.stderr).contains(said), "{arguments:?}: {}", text(&done.stderr));
        assert!(done.stdout.is_empty(), "{arguments:?}");
    }
    let id = "00000000-0000-4000-8000-000000000000";
    for odd in [
        &["dance"][..],
        &["simulate", "--parallel", "0"],
        &["simulate", "0"],
        &["replay", id, "--list", "--at", "3"],
        &["replay", id, "--list", "--as", "n"],
        &["replay", id, "--list", "--unseal"],
        &["admin", "limits", "--full", "101", "--takeover", "1", "--reason", "drill"],
    ] {
        assert_eq!(yibu(folder.path(), odd).status.code(), Some(2), "{odd:?}");
    }
}

/// The commands of which every one prints something of its own on a folder with a log.
const PRINTING: [&[&str]; 16] = [
    &["audit"],
    &["audit", "--json"],
    &["doctor"],
    &["doctor", "--json"],
    &["settings"],
    &["settings", "--json"],
    &["settings", "--example"],
    &["schema"],
    &["rebuild"],
    &["rebuild", "--json"],
    &["export"],
    &["migrate"],
    &["admin", "list"],
    &["--help"],
    &["--version"],
    &["audit", "--help"],
];

/// Runs the binary with its standard output going somewhere.
fn printing(data: &Path, arguments: &[&str], out: impl Into<Stdio>) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).env("YIBU_DATA", data).env_remove("YIBU_DEV");
    command.env_remove("DATABASE_URL").stdout(out).stderr(Stdio::piped());
    command.spawn().expect("the binary runs").wait_with_output().expect("it ends")
}

#[test]
fn a_result_that_cannot_be_written_is_a_failure_and_a_reader_who_has_enough_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    assert!(yibu(&data, &["migrate"]).status.success());
    let limits = ["admin", "limits", "--full", "3", "--takeover", "1", "--reason", "drill"];
    assert!(yibu(&data, &limits).status.success());
    for arguments in PRINTING {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let lost = printing(&data, arguments, full);
        let said = text(&lost.stderr);
        assert_eq!(lost.status.code(), Some(1), "{arguments:?}: {said}");
        let word = "the standard output cannot be written: No space left on device";
        assert_eq!(said.matches(word).count(), 1, "{arguments:?}: {said}");

        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let enough = printing(&data, arguments, writer);
        let said = text(&enough.stderr);
        assert!(enough.status.success() && !said.contains("yibu: "), "{arguments:?}: {said}");
    }
}

#[test]
fn the_schema_is_the_one_that_is_published() {
    let folder = tempfile::tempdir().unwrap();
    let schema = yibu(folder.path(), &["schema"]);
    assert_eq!(text(&schema.stdout), yibu_api::graphql::schema_text());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_process_is_refused_on_the_same_data() {
    let server = TestApp::with_log(LogStore::Sqlite).await;
    let data = server.folder.path().to_owned();
    let second = tokio::task::spawn_blocking(move || {
        yibu(&data, &["serve", "--dev", "--listen", "127.0.0.1:0"])
    });
    let second = second.await.unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(text(&second.stderr).contains("in use by another process"), "{}", text(&second.stderr));
}

#[tokio::test]
async fn what_goes_to_a_file_has_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (out, log) = (folder.path().join("out"), folder.path().join("log"));
    let file = |path| Stdio::from(std::fs::File::create(path).unwrap());
    let mut command = tokio::process::Command::new(binary());
    command.args(["serve", "--dev", "--no-house", "--listen", "127.0.0.1:0"]);
    command.env("YIBU_DATA", &data).env("YIBU_LOG", "debug").env_remove("DATABASE_URL");
    // A terminal that would show them.
    command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
    command.stdout(file(&out)).stderr(file(&log)).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let serves = async {
        while !data.join("address").is_file() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), serves).await.expect("the server starts");
    let id = server.id().expect("it runs").to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert!(server.wait().await.unwrap().success());
    for path in [out, log] {
        let written = std::fs::read(&path).unwrap();
        assert!(!written.is_empty(), "{}", path.display());
        assert!(!written.contains(&0x1b), "{}: {}", path.display(), text(&written));
    }
}
