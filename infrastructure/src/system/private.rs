//! Files for what is nobody else's business: hidden pieces, addresses, password hashes. Made for their owner alone
//! whatever the umask is, and brought back to that where somebody left them wider. Must only ever take rights away.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What a group and all others may do.
const OTHERS: u32 = 0o077;

/// The databases of a data folder.
const DATABASES: [&str; 3] = ["log.db", "accounts.db", "views.db"];
/// What SQLite puts beside each.
const BESIDE: [&str; 4] = ["", "-wal", "-shm", "-journal"];
/// The other files of a data folder.
const FILES: [&str; 6] =
    ["log.lock", "log.head", "accounts.lock", "views.lock", "address", ".address"];
/// The folders in a data folder, whose every file is the program's.
const FOLDERS: [&str; 2] = ["archive", "mail"];
/// The local socket is made private where it is bound; a disk of its own brings a folder for what it finds.
const HARMLESS: [&str; 2] = ["yibu.sock", "lost+found"];
/// So many are named; of more, their number.
const NAMED: usize = 6;

/// How a file is opened that is made for its owner alone (0600).
pub fn private() -> OpenOptions {
    let mut options = File::options();
    options.mode(0o600);
    options
}

/// Makes an empty file for its owner alone where there is none. A database that finds it keeps its mode and gives
/// it to what it puts beside. One that is there is not opened: to close it again would free the locks that this
/// process holds on it.
///
/// # Errors
/// The operating system's.
pub fn make_private_file(path: &Path) -> io::Result<()> {
    match private().write(true).create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// What was done about files and folders that others could reach.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tightened {
    /// Where.
    folder: PathBuf,
    /// Those that only their owner reaches now.
    pub changed: Vec<PathBuf>,
    /// Those that stay as they are, and why.
    pub left: Vec<(PathBuf, String)>,
}

impl Tightened {
    /// Takes from group and others what they may do with a file or a folder, where it is there.
    fn close(&mut self, path: &Path) {
        let Ok(meta) = path.metadata() else { return };
        let mode = meta.permissions().mode() & 0o7777;
        if mode & OTHERS == 0 {
            return;
        }
        match std::fs::set_permissions(path, PermissionsExt::from_mode(mode & !OTHERS)) {
            Ok(()) => self.changed.push(path.to_owned()),
            Err(error) => self.left.push((path.to_owned(), error.to_string())),
        }
    }

    /// Closes a folder with all files in it.
    fn close_whole(&mut self, folder: &Path) {
        self.close(folder);
        // Where it cannot be listed, whoever needs it says so.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                self.close(&entry.path());
            }
        }
    }

    /// A line for each that could not be closed.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.left.iter().map(|(path, why)| {
            format!("other users can reach {}, which stays so: {why}", path.display())
        })
    }
}

/// One line for what was closed; empty where nothing was.
impl fmt::Display for Tightened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, path) in self.changed.iter().take(NAMED).enumerate() {
            let before = if place > 0 {
                ", "
            } else {
                "other users could reach these, and cannot any more: "
            };
            let name =
                path.strip_prefix(&self.folder).ok().filter(|name| !name.as_os_str().is_empty());
            write!(f, "{before}{}", name.unwrap_or(path).display())?;
        }
        match self.changed.len().saturating_sub(NAMED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Closes everything in a data folder that is the program's to everybody but its owner, before it is opened. The
/// folder itself, too, unless it holds anything else: then it may be a folder that others need.
pub fn tighten(data: &Path) -> Tightened {
    let mut done = Tightened { folder: data.to_owned(), ..Tightened::default() };
    let Ok(entries) = std::fs::read_dir(data) else { return done };
    let strange = entries.flatten().map(|entry| entry.file_name()).find(|name| !is_ours(name));
    match strange {
        None => done.close(data),
        Some(_) if data.metadata().is_ok_and(|meta| meta.permissions().mode() & OTHERS == 0) => {}
        Some(name) => {
            let why = format!(
                "it holds {} as well, which is none of Yibu's files (they are closed); chmod 700 closes it",
                name.display()
            );
            done.left.push((data.to_owned(), why));
        }
    }
    for name in names().chain(FILES.map(str::to_owned)) {
        done.close(&data.join(name));
    }
    for name in FOLDERS {
        done.close_whole(&data.join(name));
    }
    done
}

/// Closes a folder that is the program's as a whole, with its files: an archive that stands elsewhere.
pub fn tighten_whole(folder: &Path) -> Tightened {
    let mut done = Tightened { folder: folder.to_owned(), ..Tightened::default() };
    done.close_whole(folder);
    done
}

fn names() -> impl Iterator<Item = String> {
    DATABASES.into_iter().flat_map(|name| BESIDE.map(|ending| format!("{name}{ending}")))
}

fn is_ours(name: &std::ffi::OsStr) -> bool {
    let known = |known: &str| name == known;
    FILES.into_iter().chain(FOLDERS).chain(HARMLESS).any(known)
        || names().any(|name| known(&name))
        || name.as_encoded_bytes().starts_with(b".yibu.sock.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    fn make(path: &Path, mode: u32) {
        std::fs::write(path, "").unwrap();
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_is_ours_is_closed_and_a_folder_that_holds_more_is_left_with_a_word() {
        let room = tempfile::tempdir().unwrap();
        let data = room.path().join("data");
        std::fs::create_dir_all(data.join("mail")).unwrap();
        for (name, mode) in [("log.db", 0o644), ("log.db-wal", 0o666), ("mail/1.eml", 0o644)] {
            make(&data.join(name), mode);
        }
        make(&data.join("accounts.db"), 0o444);
        std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).unwrap();

        let done = tighten(&data);
        assert_eq!(done.left, []);
        assert_eq!((mode(&data), mode(&data.join("mail"))), (0o700, 0o700));
        for name in ["log.db", "log.db-wal", "mail/1.eml"] {
            assert_eq!(mode(&data.join(name)), 0o600, "{name}");
        }
        assert_eq!(mode(&data.join("accounts.db")), 0o400, "rights are taken away and never given");
        let said = done.to_string();
        assert!(said.contains("data, log.db, log.db-wal, accounts.db, mail, "), "{said}");
        assert_eq!(tighten(&data).to_string(), "", "there is nothing left to say");

        make(&data.join("notes.txt"), 0o644);
        std::fs::set_permissions(&data, PermissionsExt::from_mode(0o755)).unwrap();
        let done = tighten(&data);
        assert_eq!((mode(&data), mode(&data.join("notes.txt"))), (0o755, 0o644));
        assert_eq!(done.changed, Vec::<PathBuf>::new());
        let warnings: Vec<String> = done.warnings().collect();
        assert!(warnings.len() == 1 && warnings[0].contains("notes.txt"), "{warnings:?}");
    }
}
