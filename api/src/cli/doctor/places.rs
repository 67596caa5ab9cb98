//! What surrounds the stores: environment, folder, permissions, free space. Must not show a secret.

use super::{Findings, Grade};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Less free space than this is worth a word, and so little is wrong.
const SPACE_NOTE: u64 = 2 << 30;
const SPACE_WRONG: u64 = 200 << 20;

/// What holds hidden pieces, addresses and password hashes: nobody else may read it.
const PRIVATE: &[&str] =
    &["log.db", "log.db-wal", "accounts.db", "accounts.db-wal", "views.db", "archive"];

/// The variables that are set, by name alone: a value may hold a password.
pub(super) fn environment(found: &mut Findings) {
    let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter(|name| name.starts_with("YIBU_") || name == "DATABASE_URL").collect();
    names.sort();
    if names.is_empty() {
        found.good("environment", "nothing is set there");
    } else {
        found.good("environment", format!("sets {}", names.join(", ")));
    }
}

pub(super) fn folder(found: &mut Findings, data: &Path) {
    let shown = data.display();
    let meta = match std::fs::metadata(data) {
        Ok(meta) => meta,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            found.note("folder", format!("{shown} is not there yet"));
            return;
        }
        Err(error) => {
            found.wrong("folder", format!("{shown}: {error}"));
            return;
        }
    };
    let mode = meta.permissions().mode() & 0o777;
    if !meta.is_dir() {
        found.wrong("folder", format!("{shown} is no folder"));
    } else if mode & 0o002 != 0 {
        found.wrong("folder", format!("{shown} ({mode:03o}): anybody may write there"));
    } else if mode & 0o007 != 0 {
        let text = format!("{shown} ({mode:03o}): other users may look; chmod 750 keeps them out");
        found.note("folder", text);
    } else {
        found.good("folder", format!("{shown} ({mode:03o})"));
    }
}

/// Files matter only where other users reach them through the folder.
pub(super) fn files(found: &mut Findings, data: &Path) {
    let mode = |path: &Path| std::fs::metadata(path).map(|meta| meta.permissions().mode() & 0o777);
    if mode(data).is_ok_and(|mode| mode & 0o001 == 0) {
        return;
    }
    for name in PRIVATE {
        match mode(&data.join(name)) {
            Ok(mode) if mode & 0o002 != 0 => {
                found.wrong("files", format!("{name} ({mode:03o}): anybody may write there"));
            }
            Ok(mode) if mode & 0o004 != 0 => {
                found.note("files", format!("{name} ({mode:03o}): other users may read it"));
            }
            _ => {}
        }
    }
}

/// The standard library cannot ask; the system's own tool can.
pub(super) fn space(found: &mut Findings, data: &Path) {
    let place = data.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let asked = Command::new("df").arg("-Pk").arg(place).output();
    let text = asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let free = text.ok().and_then(|text| free_bytes(&text));
    match free {
        Some(free) => {
            let grade = match free {
                free if free < SPACE_WRONG => Grade::Wrong,
                free if free < SPACE_NOTE => Grade::Note,
                _ => Grade::Good,
            };
            found.say("space", grade, format!("{} MiB free", free >> 20));
        }
        None => found.note("space", "not known: df does not answer"),
    }
}

/// The free bytes in the portable form of `df`.
fn free_bytes(text: &str) -> Option<u64> {
    let kib: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_read_from_df() {
        let text =
            "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/a 100 40 60 40% /\n";
        assert_eq!(free_bytes(text), Some(60 * 1024));
        assert_eq!(free_bytes("nothing"), None);
    }
}
