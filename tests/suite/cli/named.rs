//! Which data a command means: the settings of the server say it to all of them alike.

use super::binary::{binary, text};
use std::path::Path;
use std::process::{Command, Output};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock, ManualClock, SystemClock};
use yibu_tests::app::TestApp;
use yibu_tests::postgres::Cluster;

/// Runs the binary where nothing is named but what is given.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(binary());
    for name in ["YIBU_DATA", "YIBU_DEV", "YIBU_CONFIG", "DATABASE_URL", "YIBU_ARCHIVE"] {
        command.env_remove(name);
    }
    command.args(arguments).envs(variables.iter().copied()).output().unwrap()
}

fn file(place: &Path, text: &str) -> String {
    let path = place.join("yibu.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn good(done: &Output) -> String {
    let said = text(&done.stdout);
    assert!(done.status.success(), "{said}{}", text(&done.stderr));
    said
}

fn bad(done: &Output) -> String {
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
    text(&done.stdout) + &text(&done.stderr)
}

#[test]
fn every_command_finds_the_folder_of_the_settings_file() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("from-file");
    let config = file(place.path(), &format!("data = {:?}\n", data.display().to_string()));
    good(&run(&["migrate", "--config", &config], &[]));
    assert!(data.join("log.db").is_file());
    let variable = [("YIBU_CONFIG", config.as_str())];
    for command in ["audit", "doctor", "rebuild"] {
        good(&run(&[command], &variable));
    }
    let to = place.path().join("backup").display().to_string();
    good(&run(&["backup", &to], &variable));
    let grant = ["admin", "list", "--config", &config];
    assert!(good(&run(&grant, &[])).contains("no administrators"));
    let undrained = bad(&run(&["drain"], &variable));
    assert!(undrained.contains("no server answers"), "{undrained}");
    // The environment is above the file, the command line above both.
    let elsewhere = place.path().join("elsewhere").display().to_string();
    let both = [variable[0], ("YIBU_DATA", elsewhere.as_str())];
    assert!(bad(&run(&["audit"], &both)).contains("elsewhere"));
    good(&run(&["audit", "--data", &data.display().to_string()], &both));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_and_the_archive_of_the_file_are_used_and_an_empty_variable_names_none() {
    let place = tempfile::tempdir().unwrap();
    let url = Cluster::shared().database();
    let archive = place.path().join("archive");
    let store = LogStore::Postgres { url: url.clone(), archive: Some(archive.clone()) };
    let clock = ManualClock::at(SystemClock::new().now() - Span::hours(5 * 24));
    let mut server = TestApp::over(tempfile::tempdir().unwrap(), store, clock).await;
    server.player("filed").await;
    server.stop().await;
    let data = server.folder.path().display().to_string();
    let text = format!(
        "data = {data:?}\ndatabase_url = {url:?}\n[log]\narchive = {:?}\n",
        archive.display().to_string()
    );
    let config = file(place.path(), &text);
    let variable = [("YIBU_CONFIG", config.as_str())];
    let report = good(&run(&["audit", "--json"], &variable));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert!(report["events"].as_u64() > Some(1), "{report}");
    good(&run(&["archive", "--older-than", "3"], &variable));

    // Two sites: the file's folder holds a log of its own.
    std::fs::write(server.folder.path().join("log.db"), "").unwrap();
    let guess = bad(&run(&["admin", "list"], &variable));
    assert!(guess.contains("holds a log of its own"), "{guess}");
    assert!(!guess.contains("postgres://"), "no address is shown");

    let plain = place.path().join("plain").display().to_string();
    let empty = [("DATABASE_URL", ""), ("YIBU_DATA", plain.as_str())];
    good(&run(&["migrate"], &empty));
    assert!(Path::new(&plain).join("log.db").is_file());
    good(&run(&["audit"], &empty));
    assert!(good(&run(&["doctor"], &empty)).contains("ends at position 0"));
}

#[test]
fn the_doctor_judges_the_settings() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data").display().to_string();
    let config = file(place.path(), "[http]\nlistn = \"x\"\n[stop]\ndrain = 1.5\n");
    let said = bad(&run(&["doctor", "--config", &config, "--data", &data], &[]));
    assert!(said.contains("BAD   settings"), "{said}");
    assert!(said.contains("http.listn is no setting") && said.contains("stop.drain"), "{said}");
    assert!(bad(&run(&["audit", "--config", &config], &[])).contains("http.listn"));
    let gone = place.path().join("gone.toml").display().to_string();
    assert!(bad(&run(&["doctor", "--config", &gone], &[])).contains("gone.toml"));
    let open = [("YIBU_DEV", "true"), ("YIBU_LISTEN", "0.0.0.0:0")];
    let said = good(&run(&["doctor", "--data", &data], &open));
    assert!(said.contains("`serve` refuses: development mode listens on loopback only"), "{said}");
    let said = good(&run(&["doctor", "--data", &data], &[("YIBU_DEV", "true")]));
    assert!(said.contains("a server can be started with them"), "{said}");
}
