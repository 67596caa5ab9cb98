//! Loads the contract vectors. `YIBU_VECTORS` names another folder than the repository's; whatever is missing,
//! unreadable or empty fails the test that asks for it. Judges nothing.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The folder that holds `siguo/` and `reminders/`.
pub fn folder() -> PathBuf {
    std::env::var_os("YIBU_VECTORS").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors")),
        PathBuf::from,
    )
}

/// A file of the rules' vectors; also found when the folder named is itself the rules' one.
pub fn siguo(file: &str) -> PathBuf {
    let root = folder();
    let own = root.join("siguo");
    if !own.exists() && root.join("board.json").exists() { root.join(file) } else { own.join(file) }
}

/// The reminders' vectors, one file each, in order; also found when the folder named is itself theirs.
///
/// # Panics
/// When there is none.
pub fn reminders() -> Vec<PathBuf> {
    let root = folder();
    let own = root.join("reminders");
    let own = if !own.exists() && root.ends_with("reminders") { root } else { own };
    let entries = own.read_dir().unwrap_or_else(|error| panic!("{}: {error}", own.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", own.display())).path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    filled(&own, files)
}

/// A file that is one JSON document.
///
/// # Panics
/// When it cannot be read.
pub fn document<T: DeserializeOwned>(path: &Path) -> T {
    let text = bytes(path);
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The items of a file `{"format": …, "items": […]}`.
///
/// # Panics
/// When it cannot be read or holds no item.
pub fn items<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    #[derive(Deserialize)]
    struct File<T> {
        items: Vec<T>,
    }
    filled(path, document::<File<T>>(path).items)
}

/// The lines of a gzipped file with one JSON document a line.
///
/// # Panics
/// When it cannot be read or holds no line.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Vec<T> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(bytes(path).as_slice())
        .read_to_string(&mut text)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let parse = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{} line {}: {error}", path.display(), number + 1))
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    filled(path, lines.map(parse).collect())
}

/// The contract's hash of a set of strings: sorted bytewise, joined by commas, SHA-256, 16 hex digits.
pub fn h16(mut strings: Vec<String>) -> String {
    strings.sort_unstable();
    hex::encode(&Sha256::digest(strings.join(","))[..8])
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn filled<T>(path: &Path, found: Vec<T>) -> Vec<T> {
    assert!(!found.is_empty(), "{} holds nothing", path.display());
    found
}
