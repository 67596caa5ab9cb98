//! Signed anchors: a cut tail and a rewritten past show, even where the log fits together again.

use super::audit::copy;
use super::binary::{text, yibu};
use rusqlite::Connection;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn limits(data: &Path, full: &str) {
    let arguments = ["admin", "limits", "--full", full, "--takeover", "1", "--reason", "drill"];
    assert!(yibu(data, &arguments).status.success());
}

#[test]
fn a_cut_tail_does_not_hold_an_anchor() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    let file = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (key, other, anchor) = (file("key"), file("other"), file("anchor"));
    assert!(yibu(&data, &["migrate"]).status.success());
    for full in ["3", "4", "5"] {
        limits(&data, full);
    }
    let made = yibu(&data, &["audit", "--new-key", &key]);
    let public = text(&made.stdout).trim().trim_start_matches("public key ").to_owned();
    let mode = std::fs::metadata(&key).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, public.len()), (0o600, 64));
    assert!(!yibu(&data, &["audit", "--new-key", &key]).status.success(), "never overwritten");
    let other = text(&yibu(&data, &["audit", "--new-key", &other]).stdout);
    let signed = yibu(&data, &["audit", "--anchor", &key, "--to", &anchor]);
    assert!(signed.status.success(), "{}", text(&signed.stderr));

    limits(&data, "6");
    let check = |data: &Path, public: &str| {
        yibu(data, &["audit", "--check-anchor", &anchor, "--public", public])
    };
    let holds = check(&data, &public);
    assert!(holds.status.success(), "{}", text(&holds.stdout));
    assert!(text(&holds.stdout).contains("anchors      1 held"));
    let strange = check(&data, other.trim().trim_start_matches("public key "));
    assert!(text(&strange.stderr).contains("another key"), "{}", text(&strange.stderr));

    // A log from before the anchor, whole in itself.
    let cut = place.path().join("cut");
    assert!(yibu(&cut, &["migrate"]).status.success());
    limits(&cut, "3");
    assert!(yibu(&cut, &["audit"]).status.success());
    let found = check(&cut, &public);
    assert_eq!(found.status.code(), Some(1));
    assert!(text(&found.stdout).contains("but the log ends at"), "{}", text(&found.stdout));
    // Another past of the same length.
    for full in ["3", "4", "7"] {
        limits(&cut, full);
    }
    let found = check(&cut, &public);
    assert!(text(&found.stdout).contains("is not the one that was anchored"));
    assert!(text(&found.stdout).contains("(position"));
}

#[test]
fn an_unreadable_mark_is_a_finding() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("data");
    assert!(yibu(&data, &["migrate"]).status.success());
    limits(&data, "3");
    limits(&data, "4");
    let odd = copy(&data);
    std::fs::write(odd.path().join("log.head"), [7; 1024]).unwrap();
    let cut = copy(&data);
    let log = Connection::open(cut.path().join("log.db")).unwrap();
    log.execute_batch("DELETE FROM events WHERE position = 2").unwrap();
    drop(log);
    for (folder, said) in [(odd.path(), "it cannot be read"), (cut.path(), "was acknowledged")] {
        for command in ["audit", "doctor"] {
            let found = yibu(folder, &[command]);
            assert_eq!(found.status.code(), Some(1), "{command}");
            let stdout = text(&found.stdout);
            assert!(stdout.contains("log.head") && stdout.contains(said), "{stdout}");
        }
    }
    let gone = copy(&data);
    std::fs::remove_file(gone.path().join("log.head")).unwrap();
    assert!(yibu(gone.path(), &["audit"]).status.success(), "a restored folder has none");
}
