//! The invariants of the house, read off manifests and sources. Each test names the rule that it guards.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

fn files(below: &str, ending: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                if !matches!(name.as_str(), "target" | "node_modules" | "dist" | "vectors") {
                    walk(&path, ending, found);
                }
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root().join(below), ending, &mut found);
    found.sort();
    found
}

fn sources() -> Vec<(String, String)> {
    ["domain", "infrastructure", "projections", "api", "tests"]
        .iter()
        .flat_map(|member| files(member, ".rs"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a source");
            let name = path.strip_prefix(root()).expect("below the root");
            (name.to_string_lossy().into_owned(), text)
        })
        .collect()
}

/// The names of a manifest's dependencies that its product is built from.
fn dependencies(member: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join(member).join("Cargo.toml")).expect("a manifest");
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if inside && let Some(name) = line.split(['.', ' ', '=']).next() {
            names.push(name.to_owned());
        }
    }
    names.retain(|name| !name.is_empty() && !name.starts_with('#'));
    names
}

#[test]
fn the_domain_is_pure() {
    let allowed = [
        "blake3",
        "chrono",
        "chrono-tz",
        "rand_chacha",
        "serde",
        "thiserror",
        "unicode-normalization",
        "unicode-properties",
        "unicode-segmentation",
        "uuid",
    ];
    for name in dependencies("domain") {
        assert!(allowed.contains(&name.as_str()), "the domain must not use {name}");
    }
    let banned = ["std::fs", "std::net", "std::thread", "std::time", "async fn", "SystemTime"];
    for (name, text) in sources().iter().filter(|(name, _)| name.starts_with("domain/src")) {
        for word in banned {
            assert!(!text.contains(word), "{name} speaks of {word}");
        }
    }
}

#[test]
fn arrows_point_down_and_the_wings_do_not_know_each_other() {
    let ours = |member: &str| -> Vec<String> {
        dependencies(member).into_iter().filter(|name| name.starts_with("yibu-")).collect()
    };
    assert_eq!(ours("domain"), Vec::<String>::new());
    assert_eq!(ours("infrastructure"), ["yibu-domain"]);
    assert_eq!(ours("projections"), ["yibu-domain"]);
    assert_eq!(ours("api"), ["yibu-domain", "yibu-infrastructure", "yibu-projections"]);
}

#[test]
fn one_file_speaks_each_foreign_tongue() {
    let homes = [
        (
            "cqrs_es",
            &[
                "infrastructure/src/executor/hosted.rs",
                "infrastructure/src/executor/independent.rs",
            ][..],
        ),
        ("postgres_es", &["infrastructure/src/executor/independent.rs"]),
        ("eventstore::", &["infrastructure/src/log/eventstoredb/"]),
        ("rusqlite", &["infrastructure/src/log/sqlite/"]),
        ("lettre", &["infrastructure/src/mail/"]),
        ("argon2", &["infrastructure/src/accounts/"]),
        ("async_graphql", &["api/src/"]),
        ("axum", &["api/src/"]),
    ];
    for (name, text) in sources().iter().filter(|(name, _)| !name.starts_with("tests/")) {
        for (word, homes) in homes {
            let speaks =
                text.contains(&format!("use {word}")) || text.contains(&format!("{word}::"));
            assert!(
                !speaks || homes.iter().any(|home| name.starts_with(home)),
                "{name} speaks {word}, whose home is {homes:?}"
            );
        }
    }
}

#[test]
fn the_truth_has_no_way_out() {
    for file in ["domain/src/games/siguo/position.rs", "domain/src/matches/state.rs"] {
        let text = fs::read_to_string(root().join(file)).expect("a source");
        for line in text.lines().filter(|line| line.trim_start().starts_with("#[derive")) {
            assert!(!line.contains("Serialize") && !line.contains("Debug"), "{file}: {line}");
        }
        assert!(!text.contains("impl Serialize"), "{file}");
    }
}

#[test]
fn stored_bytes_are_written_by_the_codec_alone() {
    for (name, text) in sources().iter().filter(|(name, _)| !name.starts_with("tests/")) {
        let writes = text.contains(".encode(&mut serde_json") || text.contains("Event::encode(");
        let home = name.starts_with("infrastructure/src/log/codec") || name.starts_with("domain/");
        let bridge = name == "infrastructure/src/executor/hosted.rs";
        assert!(!writes || home || bridge, "{name} writes events");
    }
}

#[test]
fn files_are_small_and_say_what_they_are_for() {
    for (name, text) in sources() {
        assert!(text.starts_with("//!") || text.starts_with("#![doc"), "{name} does not say why");
        let lines = text.lines().count();
        assert!(lines <= 400, "{name} has {lines} lines");
        let stem = Path::new(&name).file_stem().expect("a name").to_string_lossy();
        let vague = ["util", "utils", "helper", "helpers", "common", "manager", "service"];
        assert!(!vague.contains(&&*stem), "{name} is a name for anything");
    }
}

#[test]
fn nothing_is_left_half_done() {
    let marks = ["to", "unimplemented!("];
    for (name, text) in sources().iter().filter(|(name, _)| !name.starts_with("tests/suite/arch")) {
        assert!(!text.contains(&format!("{}do!(", marks[0])), "{name}");
        assert!(!text.contains(marks[1]), "{name}");
        assert!(!text.contains("#[ignore"), "{name} has a test that does not run");
    }
}

#[test]
fn the_top_level_stays_as_agreed() {
    let allowed = [
        "Cargo.toml",
        "Cargo.lock",
        "LICENSE",
        "Makefile",
        "README.md",
        "api",
        "domain",
        "infrastructure",
        "migrations",
        "projections",
        "tests",
        // Made by building and serving; not committed.
        "data",
        "reports",
        "target",
    ];
    for entry in fs::read_dir(root()).expect("the root").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(name.starts_with('.') || allowed.contains(&name.as_str()), "{name} is new up here");
    }
}

#[test]
fn migrations_are_sql_only() {
    for path in files("migrations", "") {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(name.ends_with(".sql") || name == "README.md", "{} is no SQL", path.display());
    }
}

#[test]
fn every_folder_of_code_is_closed_in_itself() {
    for (name, _) in sources() {
        let path = root().join(&name);
        let folder = path.with_extension("");
        let twin = folder.is_dir() && !name.ends_with("mod.rs");
        assert!(!twin || name.ends_with("main.rs"), "{name} stands beside a folder of its name");
    }
}

#[test]
fn the_repository_speaks_of_the_project_alone() {
    let texts = [".rs", ".md", ".toml", ".sql", ".graphql", ".sh", "Makefile"];
    for path in texts.iter().flat_map(|ending| files("", ending)) {
        let name = path.strip_prefix(root()).expect("below").to_string_lossy().into_owned();
        if name.starts_with("tests/suite/architecture") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for place in ["/work/", "/root/", "../shared", "/tmp/target"] {
            assert!(!text.contains(place), "{name} speaks of {place}");
        }
    }
}
