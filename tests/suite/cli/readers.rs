//! An auditor, or whoever keeps the backups, who may read a site's folder and write nothing there.

use super::audit_beside::folder;
use super::binary::binary;
use super::text;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

/// The operating system's account that owns nothing.
const NOBODY: &str = "65534";

struct Reader {
    room: tempfile::TempDir,
}

impl Reader {
    /// Gives it the files of a folder, for reading alone.
    fn of(folder: &Path) -> Self {
        let room = tempfile::tempdir().unwrap();
        let path = |name: &str| room.path().join(name);
        for (name, mode) in [("", 0o755), ("data", 0o755), ("own", 0o777)] {
            fs::create_dir_all(path(name)).unwrap();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        }
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                let to = path("data").join(entry.file_name());
                fs::copy(entry.path(), &to).unwrap();
                fs::set_permissions(to, Permissions::from_mode(0o444)).unwrap();
            }
        }
        fs::set_permissions(path("data"), Permissions::from_mode(0o555)).unwrap();
        // Where everybody may reach it.
        if fs::hard_link(binary(), path("yibu")).is_err() {
            fs::copy(binary(), path("yibu")).unwrap();
        }
        Self { room }
    }

    fn data(&self) -> std::path::PathBuf {
        self.room.path().join("data")
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let yibu = self.room.path().join("yibu");
        // The mode of a folder holds nobody back who is root.
        let mut command = if fs::metadata("/proc/self").unwrap().uid() == 0 {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--"]).arg(yibu);
            command
        } else {
            Command::new(yibu)
        };
        let own = self.room.path().join("own");
        command.args(arguments).env("YIBU_DATA", self.data()).env("TMPDIR", &own).current_dir(own);
        command.env_remove("DATABASE_URL").env_remove("YIBU_DEV").output().unwrap()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // To be taken away, it has to be one's own again.
        let _ = fs::set_permissions(self.data(), Permissions::from_mode(0o755));
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_only_read_audits_backs_up_and_is_told_the_state() {
    let site = folder().await;
    let reader = Reader::of(site.path());
    let before = names(&reader.data());

    let audited = reader.run(&["audit"]);
    let said = format!("{}{}", text(&audited.stdout), text(&audited.stderr));
    assert!(audited.status.success(), "{said}");
    assert!(said.contains("equal to a fresh build: match_views"), "{said}");

    let backup = reader.run(&["backup", "bk"]);
    assert!(backup.status.success(), "{}", text(&backup.stderr));
    let restored = reader.run(&["restore", "bk", "--data", "new"]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));

    let doctor = text(&reader.run(&["doctor", "--deep"]).stdout);
    for wrong in ["BAD   log", "BAD   read models", "none yet"] {
        assert!(!doctor.contains(wrong), "{doctor}");
    }
    assert_eq!(names(&reader.data()), before, "nothing was made");
}
