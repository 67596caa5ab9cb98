//! Files that are named on the command line: read up to a limit, named in every fault, and shown without what turns or
//! hides.

use super::binary::{text, yibu};
use std::path::Path;
use yibu_api::bounded::{MOST_SMALL, Unread, bytes};
use yibu_domain::kernel::is_plain;

/// A layout that is a legal formation.
fn layout() -> Vec<u8> {
    let mut layout = b"QQGame JQL File\0\x57\x04\0\0".to_vec();
    layout.extend([5, 6, 7, 7, 8, 8, 0, 9, 0, 9, 10, 10, 0, 11, 11, 11, 0, 12, 0, 12]);
    layout.extend([12, 13, 13, 13, 4, 4, 2, 3, 3, 3]);
    layout
}

/// What the binary refuses with.
fn refusal(data: &Path, arguments: &[&str]) -> String {
    let done = yibu(data, arguments);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{arguments:?}: {said}");
    said
}

#[test]
fn a_file_is_read_up_to_its_limit_and_named_beyond() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    std::fs::write(&path, b"12345678").unwrap();
    assert_eq!(bytes(&path, 8).unwrap(), b"12345678");
    let told = bytes(&path, 7).unwrap_err().to_string();
    assert!(told.contains("/one: more than 7 bytes") && told.contains("[TOO_LARGE]"), "{told}");
    let endless = bytes(Path::new("/dev/zero"), 99).unwrap_err();
    assert!(matches!(endless, Unread::TooLarge(_, 99)), "{endless}");
}

#[test]
fn every_command_that_reads_a_file_limits_it_and_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let good = data.join("good.jql");
    std::fs::write(&good, layout()).unwrap();
    let shown = yibu(data, &["formation", good.to_str().unwrap()]);
    assert!(shown.status.success(), "{}", text(&shown.stderr));

    let large = data.join("large.jql");
    std::fs::write(&large, [layout(), vec![0; 10 * 1024 * 1024]].concat()).unwrap();
    let large = large.to_str().unwrap();
    const { assert!(MOST_SMALL < 10 * 1024 * 1024) };
    let gone = data.join("gone").display().to_string();
    let commands: [fn(&str) -> Vec<String>; 5] = [
        |file| vec!["formation".into(), file.into()],
        |file| vec!["replay-file".into(), file.into()],
        |file| vec!["settings".into(), "--config".into(), file.into()],
        |file| vec!["audit".into(), "--check-anchor".into(), file.into()],
        |file| {
            let set = format!("mail.authorities={file}");
            let mut arguments = vec!["serve".to_owned(), "--check".into(), "--set".into(), set];
            for more in ["mail.smtp_url=smtp://localhost", "mail.from=Yibu <y@example.org>"] {
                arguments.extend(["--set".to_owned(), more.to_owned()]);
            }
            arguments
        },
    ];
    for command in commands {
        for (file, what) in [(large, "[TOO_LARGE]"), (&gone, "No such file")] {
            let arguments = command(file);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let said = refusal(data, &arguments);
            assert!(said.contains(file) && said.contains(what), "{arguments:?}: {said}");
        }
    }
}

#[test]
fn what_is_wrong_inside_is_told_with_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.json");
    std::fs::write(&path, r#"{"format":"\ud800"}"#).unwrap();
    for command in ["formation", "replay-file"] {
        let said = refusal(folder.path(), &[command, path.to_str().unwrap()]);
        let wanted = "half.json: not JSON: a lone surrogate escape at byte 11 [NOT_JSON]";
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn a_file_in_the_place_of_the_data_folder_is_called_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("afile");
    std::fs::write(&data, "x").unwrap();
    let id = "00000000-0000-4000-8000-000000000000";
    for arguments in [
        &["serve", "--dev", "--listen", "127.0.0.1:0"][..],
        &["audit"],
        &["migrate"],
        &["rebuild"],
        &["replay", id],
        &["replay", id, "--file"],
        &["admin", "list"],
    ] {
        let said = refusal(&data, arguments);
        assert!(said.contains("afile: not a folder"), "{arguments:?}: {said}");
    }
}

#[test]
fn the_name_of_a_formation_is_shown_without_what_turns_or_hides() {
    const ODD: &str = "\u{202e}阵\u{200b}\u{2069}\nok";
    let folder = tempfile::tempdir().unwrap();
    let (path, odd) = (folder.path().join("good.jql"), folder.path().join("odd.json"));
    std::fs::write(&path, layout()).unwrap();
    let converted = yibu(folder.path(), &["formation", path.to_str().unwrap(), "--convert"]);
    let mut file: serde_json::Value = serde_json::from_slice(&converted.stdout).unwrap();
    file["name"] = ODD.into();
    std::fs::write(&odd, file.to_string()).unwrap();
    let odd = odd.to_str().unwrap();
    let drawn = text(&yibu(folder.path(), &["formation", odd]).stdout);
    assert!(drawn.starts_with("\\u{202e}阵\\u{200b}\\u{2069}\\u{a}ok\n"), "{drawn}");
    let again = text(&yibu(folder.path(), &["formation", odd, "--convert"]).stdout);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&again).unwrap(), file);
    // A name in a fault, too.
    let said = refusal(folder.path(), &["formation", "\u{202e}gone"]);
    assert!(said.contains("\\u{202e}gone: "), "{said}");
    for printed in [drawn, again, said] {
        assert!(printed.chars().all(|c| c == '\n' || is_plain(c)), "{printed:?}");
    }
}
