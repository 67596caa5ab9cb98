//! What surrounds the stores: environment and free space. Must not show a secret.

use super::{Findings, Grade};
use std::path::Path;
use std::process::Command;

/// Less free space than this is worth a word, and so little is wrong.
const SPACE_NOTE: u64 = 2 << 30;
const SPACE_WRONG: u64 = 200 << 20;

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
