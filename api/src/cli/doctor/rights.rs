//! Who may do what with the data folder and its files: whether this user can serve from them, and whether anybody
//! else reaches them. Opens files and writes nothing; asked before a store is open, for closing a file frees the
//! locks that its process holds on it.

use super::{Findings, Grade};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// What holds hidden pieces, addresses and password hashes.
const PRIVATE: &[&str] = &[
    "log.db",
    "log.db-wal",
    "log.head",
    "accounts.db",
    "accounts.db-wal",
    "views.db",
    "views.db-wal",
    "archive",
    "mail",
];

/// Looks at the folder itself; gives whether anything in it can be looked at.
pub(super) fn folder(found: &mut Findings, data: &Path) -> bool {
    const WHAT: &str = "folder";
    let shown = data.display();
    let meta = match data.metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            found.note(WHAT, format!("{shown} is not there yet"));
            return true;
        }
        Err(error) => {
            found.wrong(WHAT, format!("{shown}: {error}"));
            return false;
        }
    };
    let mode = mode(&meta);
    if !meta.is_dir() {
        found.wrong(WHAT, format!("{shown} is no folder"));
        return false;
    }
    if let Err(error) = reach(data, true) {
        found.wrong(WHAT, format!("{shown} ({mode:03o}): {error}{}", whose(&meta)));
        return false;
    }
    match judge(mode, true) {
        Some((grade, text)) => found.say(WHAT, grade, format!("{shown} ({mode:03o}): {text}")),
        None => found.good(WHAT, format!("{shown} ({mode:03o})")),
    }
    true
}

/// Looks at what is in the folder. What others may do there matters only where they reach it through the folder.
pub(super) fn files(found: &mut Findings, data: &Path) {
    const WHAT: &str = "files";
    let closed = data.metadata().is_ok_and(|meta| mode(&meta) & 0o011 == 0);
    for name in PRIVATE {
        let path = data.join(name);
        let Ok(meta) = path.metadata() else { continue };
        let mode = mode(&meta);
        let judged = judge(if closed { mode & 0o700 } else { mode }, meta.is_dir());
        let (grade, text) = match (judged, reach(&path, meta.is_dir())) {
            (Some((Grade::Wrong, text)), _) => (Grade::Wrong, text.to_owned()),
            (_, Err(error)) => (Grade::Wrong, format!("{error}{}", whose(&meta))),
            (Some((grade, text)), Ok(())) => (grade, text.to_owned()),
            (None, Ok(())) => continue,
        };
        found.say(WHAT, grade, format!("{name} ({mode:03o}): {text}"));
    }
}

fn mode(meta: &Metadata) -> u32 {
    meta.permissions().mode() & 0o777
}

/// What is wrong with a mode, for a folder or a file that only the server's own user is to reach.
fn judge(mode: u32, folder: bool) -> Option<(Grade, &'static str)> {
    let own = if folder { 0o700 } else { 0o600 };
    if mode & own != own {
        return Some((
            Grade::Wrong,
            "its own user may not write there, so that no server can start; chmod u+rwX helps",
        ));
    }
    match (mode & 0o007, mode & 0o070) {
        (0, 0) => None,
        (0, _) => Some((Grade::Note, "its group may look; the next start of a server ends that")),
        (others, _) if others & 0o002 != 0 => {
            Some((Grade::Wrong, "anybody may write there; chmod go-rwx ends that"))
        }
        // What lies in it has modes of its own.
        _ if folder => Some((Grade::Note, "other users may look; chmod 700 keeps them out")),
        _ => Some((
            Grade::Wrong,
            "other users may read it: it holds hidden pieces, addresses or password hashes; chmod 600 ends that, and \
             so does the next start of a server",
        )),
    }
}

/// Tries what a server needs: to list and to enter a folder, to read and to write a file.
fn reach(path: &Path, folder: bool) -> io::Result<()> {
    if folder {
        std::fs::read_dir(path)?;
        path.join(".").metadata().map(drop)
    } else {
        File::options().read(true).write(true).open(path).map(drop)
    }
}

/// Whose it is, where it is somebody else's.
fn whose(meta: &Metadata) -> String {
    // The folder of a process belongs to the user as whom it runs.
    match Path::new("/proc/self").metadata() {
        Ok(me) if me.uid() != meta.uid() => format!(
            ". It belongs to user {}, and this runs as user {}: run it as the user who serves",
            meta.uid(),
            me.uid()
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(mode: u32, folder: bool) -> Option<Grade> {
        judge(mode, folder).map(|(grade, _)| grade)
    }

    #[test]
    fn modes_are_judged_for_the_owner_and_for_others() {
        for mode in [0o600, 0o700] {
            assert!(grade(mode, false).is_none(), "{mode:o}");
        }
        assert!(grade(0o700, true).is_none());
        for (mode, folder) in [(0o640, false), (0o750, true), (0o755, true)] {
            assert!(grade(mode, folder) == Some(Grade::Note), "{mode:o}");
        }
        for mode in [0o644, 0o666, 0o602, 0o444, 0o400, 0o200, 0o000] {
            assert!(grade(mode, false) == Some(Grade::Wrong), "{mode:o}");
        }
        for mode in [0o777, 0o702, 0o500, 0o600, 0o000] {
            assert!(grade(mode, true) == Some(Grade::Wrong), "{mode:o}");
        }
    }
}
