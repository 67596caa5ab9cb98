//! What commands say, and where: results on the standard output, everything about them on the standard
//! error. Whatever is not plain is shown as an escape, wherever it came from: a name, a file, a log. A reader that
//! goes away (a pipe into `head`) is no fault; a result that cannot be written is one.

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use yibu_domain::kernel::{is_plain, visible};

/// Whether a part of the result could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// A line of the result, or several.
pub(super) fn line(text: impl Display) {
    as_is(&safe(&text.to_string()));
}

/// A result of our own as it is, with its colours and tabs; others' words in it are [`visible`] already.
pub(super) fn as_is(text: &str) {
    kept(writeln!(std::io::stdout().lock(), "{text}"));
}

/// Says once that a part of the result could not be written, and keeps it for [`end`].
pub(super) fn kept(written: std::io::Result<()>) {
    let lost = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe);
    if let Some(error) = lost
        && !LOST.swap(true, Ordering::Relaxed)
    {
        note(format!("yibu: the standard output cannot be written: {error}"));
    }
}

/// How the program ends: as its command did, unless a part of the result was lost.
pub(super) fn end(code: ExitCode) -> ExitCode {
    kept(std::io::stdout().flush());
    if LOST.load(Ordering::Relaxed) { ExitCode::FAILURE } else { code }
}

/// Text whose lines are meant.
fn safe(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// The result for scripts: indented JSON.
pub(super) fn json(value: &impl Serialize) -> Result<(), serde_json::Error> {
    document(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// A JSON text as the result: the same document, with JSON's own escapes for what is not plain.
pub(super) fn document(text: &str) {
    as_is(&escaped(text));
}

fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        if letter == '\n' || is_plain(letter) {
            text.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            text.push_str(&format!("\\u{unit:04x}"));
        }
    }
    text
}

/// A number of things, in words for a person.
pub(super) fn many(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Something about the result, for a person.
pub(super) fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", safe(&text.to_string()));
}

/// Why a command could not be done.
pub(super) fn problem(error: &dyn std::error::Error) {
    note(format!("yibu: {}", explained(error)));
}

/// An error with the causes behind it.
pub(super) fn explained(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Many say their cause themselves.
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// Whether the result goes to a terminal that shows colour.
pub(super) fn colour() -> bool {
    let plain = |name: &str, word: &str| std::env::var(name).is_ok_and(|value| value == word);
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !unwanted && !plain("TERM", "dumb")
}

/// A bar for long work, on the standard error and only where that is a terminal.
pub(super) fn bar(total: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:14} [{bar:32}] {pos}/{len} {rate} {eta}");
    let bar = ProgressBar::new(total).with_message(what);
    match style {
        Ok(style) => bar.with_style(style.with_key("rate", rate).progress_chars("=> ")),
        // The plain style counts as well.
        Err(_) => bar,
    }
}

/// Whole things a second: a part of an event is nothing that anybody counts.
fn rate(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    // What cannot be written is not shown.
    let _ = text.write_str(&whole(state.per_sec()));
}

fn whole(rate: f64) -> String {
    format!("{}/s", HumanCount(rate.round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_counts_whole_things_a_second() {
        assert_eq!(whole(10_732.745_6), "10,733/s");
        assert_eq!(whole(0.4), "0/s");
    }

    #[test]
    fn nothing_that_turns_or_hides_is_printed_and_documents_stay_the_same() {
        let odd = "棋\u{202e}手\u{200b}\u{1b}[2J\u{e0041}🔥";
        assert_eq!(
            safe(&format!("a\n{odd}\n")),
            "a\n棋\\u{202e}手\\u{200b}\\u{1b}[2J\\u{e0041}🔥\n"
        );
        let json = serde_json::to_string_pretty(&[odd, "b"]).unwrap();
        let shown = escaped(&json);
        assert!(shown.chars().all(|letter| letter == '\n' || is_plain(letter)), "{shown}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [odd, "b"]);
    }
}
