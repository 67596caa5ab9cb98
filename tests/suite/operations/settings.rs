//! Settings: who overrides whom, what is said about wrong ones, and that the example and the defaults are true.

use crate::cli::binary;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use yibu_api::app::ServeConfig;
use yibu_api::http::limits::Quotas;
use yibu_api::settings::{Loaded, Sources, example, keys, load, shown};
use yibu_infrastructure::system::{Entropy, SystemClock};
use yibu_infrastructure::{accounts, executor};

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn read(
    file: &str,
    variables: &[(&str, &str)],
    flags: &[(&str, &str)],
) -> Result<Loaded, Vec<String>> {
    let file = Some(("yibu.toml".to_owned(), file.to_owned()));
    let sources = Sources { file, variables: pairs(variables), flags: pairs(flags) };
    load(&sources).map_err(|problems| problems.0)
}

fn value(loaded: &Loaded, name: &str) -> (String, String) {
    let one = shown(&loaded.values).into_iter().find(|one| one.name == name).expect("a setting");
    (one.value, one.source)
}

fn config(loaded: &Loaded) -> ServeConfig {
    let (clock, entropy) = (Arc::new(SystemClock::new()), Entropy::seeded(1));
    loaded.settings.serve_config(clock, entropy).expect("can be served")
}

#[test]
fn later_sources_override_earlier_ones() {
    let file = "node = \"file\"\n[http]\nlisten = \"127.0.0.1:1\"\nsockets = 7\n";
    let loaded = read(
        file,
        &[("YIBU_NODE", "variable"), ("YIBU_LISTEN", "127.0.0.1:2")],
        &[("http.listen", "localhost:3")],
    )
    .unwrap();
    let source = |name: &str| value(&loaded, name);
    assert_eq!(source("http.listen"), ("localhost:3".to_owned(), "command line".to_owned()));
    assert_eq!(source("node"), ("variable".to_owned(), "YIBU_NODE".to_owned()));
    assert_eq!(source("http.sockets"), ("7".to_owned(), "file, line 4".to_owned()));
    assert_eq!(source("data"), ("./data".to_owned(), "default".to_owned()));
    let config = config(&loaded);
    assert_eq!((config.node.as_str(), config.doors.caps.total), ("variable", 7));
    assert_eq!((config.listen.ip().is_loopback(), config.listen.port()), (true, 3));
}

#[test]
fn wrong_ones_are_named_with_place_and_remedy() {
    let file = "nod = \"a\"\n\n[http]\nlistn = \"127.0.0.1:1\"\nsockets = -1\n\
                [weather]\nrain = true\n[stop]\ndrain = 1.5\n";
    let variables = [("YIBU_DEV", "perhaps"), ("DATABASE_URL", "mysql://me:secret@there/db")];
    let problems = read(file, &variables, &[("htp.listen", "x")]).unwrap_err();
    let said = problems.join("\n");
    for part in [
        "yibu.toml, line 1: nod is no setting; was node meant?",
        "yibu.toml, line 4: http.listn is no setting; was http.listen meant?",
        "yibu.toml, line 7: weather.rain is no setting",
        "http.sockets = \"-1\" (file, line 5): allowed is a whole number",
        "stop.drain = \"1.5\" (file, line 9): allowed is milliseconds",
        "dev = \"perhaps\" (YIBU_DEV): allowed is true or false",
        "database_url = (a secret) (DATABASE_URL): allowed is postgres://",
        "command line: htp.listen is no setting; was http.listen meant?",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(!said.contains("secret@"), "{said}");
    let problems = read("[http\nlisten = 1\n", &[], &[]).unwrap_err();
    assert!(problems[0].starts_with("yibu.toml, line 1: "), "{problems:?}");
}

#[test]
fn what_contradicts_itself_is_refused() {
    for (file, said) in [
        ("[log]\nstore = \"postgres\"", "database_url"),
        ("[log]\nstore = \"eventstoredb\"", "log.eventstore_url"),
        ("database_url = \"postgres://h/d\"\n[log]\nstore = \"sqlite\"", "log is there too"),
        ("[mail]\nfrom = \"Yibu <a@example.org>\"", "need each other"),
        ("[ops]\nlisten = \"127.0.0.1:8080\"", "not for players"),
    ] {
        let problems = read(file, &[], &[]).unwrap_err();
        assert!(problems.iter().any(|problem| problem.contains(said)), "{file}: {problems:?}");
    }
}

#[test]
fn a_variable_that_can_only_be_a_setting_is_one() {
    let variables = [("YIBU_LISTN", "x"), ("YIBU_WEATHER_REPORT", "x"), ("HOME", "/")];
    let problems = read("", &variables, &[]).unwrap_err();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(problems[0], "YIBU_LISTN is no setting; was YIBU_LISTEN meant?");
    assert!(problems[1].starts_with("YIBU_WEATHER_REPORT is no setting; `yibu settings"));
    // Nor does the name of a key that has a shorter variable.
    for (key, variable) in [
        ("HTTP_LISTEN", "YIBU_LISTEN"),
        ("HTTP_PUBLIC_URL", "YIBU_PUBLIC_URL"),
        ("DATABASE_URL", "DATABASE_URL"),
        ("LOG_ARCHIVE", "YIBU_ARCHIVE"),
        ("TRACING_FORMAT", "YIBU_LOG_FORMAT"),
        ("TRACING_FILTER", "YIBU_LOG"),
        ("TRACING_FILTR", "YIBU_LOG"),
    ] {
        let key = format!("YIBU_{key}");
        let said = read("", &[(&key, "x")], &[]).unwrap_err();
        assert_eq!(said, [format!("{key} is no setting; was {variable} meant?")]);
    }
    // Of others: the program's tests, a cluster with a service of this name.
    let others = ["YIBU_SEED", "YIBU_CONFIG", "YIBU_SERVICE_HOST", "YIBU_PORT_8080_TCP"];
    read("", &others.map(|name| (name, "x")), &[]).unwrap();
}

#[test]
fn every_variable_that_tests_use_is_known_to_be_none_of_the_settings() {
    let mut found = std::collections::BTreeSet::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let code = path.extension().is_some_and(|it| it == "rs" || it == "ts" || it == "sh");
            match entry.file_type().unwrap() {
                kind if kind.is_dir() && name != "node_modules" => folders.push(path),
                kind if kind.is_file() && code => {
                    let text = std::fs::read_to_string(path).unwrap();
                    let words = text.split(|c: char| !(c.is_ascii_uppercase() || c == '_'));
                    found.extend(words.filter(|word| word.len() > 5).map(str::to_owned));
                }
                _ => {}
            }
        }
    }
    // Those that this suite gives in order to have them refused.
    let refused = ["LISTN", "WEATHER_REPORT", "HTTP_SOKETS"].map(|rest| format!("YIBU_{rest}"));
    // A word that goes on with digits ends in a mark here.
    let used = found.iter().filter(|word| word.starts_with("YIBU_") && !word.ends_with('_'));
    for name in used.filter(|name| !refused.contains(name)) {
        let problems = read("", &[(name, "x")], &[]).err().unwrap_or_default();
        assert!(!problems.join("\n").contains("is no setting"), "{name}: {problems:?}");
    }
}

#[test]
fn one_fault_hides_no_other() {
    let file = "dev = \"perhaps\"\n[mail]\nsmtp_url = \"smtp://me:HUSH@mail.example:99999\"\n\
                patience = -1\n[log]\nstore = \"eventstoredb\"\n[http]\nlisten = \"nowhere\"\n";
    let variables = [("DATABASE_URL", "postgres://u:HUSH@h:99999/x"), ("YIBU_HTTP_SOKETS", "5")];
    let problems = read(file, &variables, &[]).unwrap_err();
    let said = problems.join("\n");
    for part in [
        "line 1: dev must be a number, true or false",
        "mail.patience = \"-1\"",
        "mail.smtp_url: the mail server's URL must be",
        "mail.smtp_url and mail.from need each other",
        "needs log.eventstore_url as well",
        "http.listen = \"nowhere\"",
        "database_url = (a secret) (DATABASE_URL): allowed is postgres://",
        "YIBU_HTTP_SOKETS is no setting; was YIBU_HTTP_SOCKETS meant?",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(!said.contains("HUSH"), "{said}");
}

#[test]
fn a_value_of_another_type_is_refused() {
    for (file, said) in [
        ("node = 5", "line 1: node must be a text, between quotes"),
        ("data = true", "data must be a text"),
        ("dev = \"true\"", "dev must be a number, true or false, without quotes"),
        ("[http]\nsockets = \"7\"", "line 2: http.sockets must be a number"),
        ("[http]\nsockets = [7]", "http.sockets must be a number"),
        ("[http]\norigins = [5]", "http.origins must be a list of texts"),
        ("[http]\norigins = 5", "http.origins must be a list of texts"),
        ("[http]\nlisten = [\"127.0.0.1:1\"]", "http.listen must be a text"),
    ] {
        let problems = read(file, &[], &[]).unwrap_err();
        assert!(problems.iter().any(|problem| problem.contains(said)), "{file}: {problems:?}");
    }
    let one = read("[http]\norigins = \"https://a.example, https://b.example\"", &[], &[]).unwrap();
    assert_eq!(one.settings.http.origins.len(), 2);
}

#[test]
fn secrets_are_not_shown() {
    let url = "smtps://me:hidden@mail.example";
    let file = format!("[mail]\nsmtp_url = \"{url}\"\nfrom = \"a@example.org\"\n");
    let loaded = read(&file, &[], &[]).unwrap();
    assert_eq!(value(&loaded, "mail.smtp_url"), ("(set)".to_owned(), "file, line 2".to_owned()));
    assert_eq!(value(&loaded, "database_url").0, "");
    assert!(!format!("{:?}", loaded.settings).contains("hidden"));
}

#[test]
fn the_defaults_are_those_of_the_parts() {
    let served = config(&read("", &[], &[]).unwrap());
    assert_eq!(served.doors.quotas, Quotas::DEFAULT);
    assert_eq!(served.doors.caps, yibu_api::http::census::Caps::DEFAULT);
    assert_eq!(served.executor, executor::Settings::default());
    assert_eq!(served.accounts.code_caps, accounts::CodeCaps::default());
    assert_eq!(served.operations.farewell, yibu_api::app::Operations::default().farewell);
    assert_eq!(served.operations.health.most_lag, yibu_api::app::HealthLimits::default().most_lag);
    assert!(!served.tls && !served.development && !served.doors.explorer);
    // In development mode one machine is one network.
    let served = config(&read("dev = true", &[], &[]).unwrap());
    assert!(served.doors.quotas.login.network.burst > 100_000);
    let file = "dev = true\n[limits]\nhold = \"on\"\nlogin_network = \"3 1/hour\"";
    let login = config(&read(file, &[], &[]).unwrap()).doors.quotas.login.network;
    assert_eq!((login.burst, login.per_hour), (3, 1));
}

#[test]
fn a_public_address_of_https_means_tls_and_one_origin() {
    let file = "[http]\npublic_url = \"https://Play.example/\"\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n\
                origins = [\"https://app.example\"]\n";
    let served = config(&read(file, &[], &[]).unwrap());
    assert!(served.tls && served.doors.origins.tls);
    assert_eq!(served.doors.origins.public.as_deref(), Some("https://play.example"));
    assert_eq!(served.doors.origins.allowed, ["https://app.example"]);
    assert_eq!(served.doors.trusted.len(), 2);
    for wrong in ["play.example", "https://play.example/path", "https://a@b", "ftp://a"] {
        assert!(read("", &[("YIBU_PUBLIC_URL", wrong)], &[]).is_err(), "{wrong}");
    }
}

fn example_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/examples/yibu.toml")
}

#[test]
fn the_example_file_is_fresh_and_holds_the_defaults() {
    if std::env::var_os("YIBU_WRITE_EXAMPLE").is_some() {
        std::fs::write(example_path(), example()).unwrap();
    }
    let stored = std::fs::read_to_string(example_path()).unwrap_or_default();
    assert!(stored == example(), "stale: run this test with YIBU_WRITE_EXAMPLE=1");
    // As it stands it sets nothing; with every comment sign before a value gone it sets every default.
    let quiet = read(&stored, &[], &[]).unwrap();
    assert!(shown(&quiet.values).iter().all(|one| one.source == "default"));
    let uncommented: Vec<&str> = stored
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
        .collect();
    let loud = read(&uncommented.join("\n"), &[], &[]).unwrap();
    for (one, key) in shown(&loud.values).iter().zip(keys()) {
        assert!(one.source.starts_with("file"), "{} is missing", one.name);
        assert_eq!(one.value, key.default, "{}", one.name);
        assert!(!key.doc.is_empty() && !key.allowed.is_empty());
    }
}

#[test]
fn the_command_shows_what_holds_and_fails_on_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("yibu.toml");
    std::fs::write(&file, "node = \"from-file\"\n").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(binary());
        command.args(arguments).env("YIBU_CONFIG", &file).env_remove("DATABASE_URL");
        command.output().expect("the binary runs")
    };
    let good = run(&["settings", "--json", "--set", "ops.listen=127.0.0.1:0"]);
    assert!(good.status.success());
    let all: serde_json::Value = serde_json::from_slice(&good.stdout).unwrap();
    let find = |name: &str| all.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(find("node")["value"], "from-file");
    assert_eq!(find("ops.listen")["source"], "command line");
    let checked = run(&["serve", "--check", "--dev"]);
    assert!(checked.status.success());
    assert!(String::from_utf8_lossy(&checked.stdout).contains("from-file"));
    assert_eq!(run(&["settings", "--example"]).stdout, example().as_bytes());

    // What a start refuses, a check refuses in the same words.
    for (arguments, said) in [
        (
            &["serve", "--dev", "--listen", "0.0.0.0:0"][..],
            "listens on loopback only, not on 0.0.0.0:0",
        ),
        (&["serve"], "nobody could register"),
    ] {
        let told = [run(arguments), run(&[arguments, &["--check"]].concat())].map(|done| {
            assert_eq!(done.status.code(), Some(1), "{arguments:?}");
            String::from_utf8_lossy(&done.stderr).into_owned()
        });
        assert!(told[0].contains(said), "{}", told[0]);
        assert_eq!(told[0], told[1]);
    }

    let typo = |arguments: &[&str]| {
        let mut command = Command::new(binary());
        command.args(arguments).env("YIBU_HTTP_SOKETS", "5").env_remove("DATABASE_URL");
        command.output().expect("the binary runs")
    };
    let typo = typo(&["serve", "--dev", "--check"]);
    assert_eq!(typo.status.code(), Some(1), "{}", String::from_utf8_lossy(&typo.stderr));

    let wrong = run(&["serve", "--listen", "nowhere"]);
    assert_eq!(wrong.status.code(), Some(1));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(
        said.contains("http.listen = \"nowhere\" (command line): allowed is HOST:PORT"),
        "{said}"
    );
}
