//! What commands say, and where: results on the standard output, everything about them on the standard
//! error. A reader that goes away (a pipe into `head`) is no fault.

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::fmt::Display;
use std::io::{IsTerminal, Write};

/// A line of the result.
pub(super) fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// The result for scripts: indented JSON.
pub(super) fn json(value: &impl Serialize) -> Result<(), serde_json::Error> {
    line(serde_json::to_string_pretty(value)?);
    Ok(())
}

/// A number of things, in words for a person.
pub(super) fn many(number: u64, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}

/// Something about the result, for a person.
pub(super) fn note(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Why a command could not be done, with the causes behind it.
pub(super) fn problem(error: &dyn std::error::Error) {
    let mut text = format!("yibu: {error}");
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    note(text);
}

/// Whether the result goes to a terminal that shows colour.
pub(super) fn colour() -> bool {
    let plain = |name: &str, word: &str| std::env::var(name).is_ok_and(|value| value == word);
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !unwanted && !plain("TERM", "dumb")
}

/// A bar for long work, on the standard error and only where that is a terminal.
pub(super) fn bar(total: u64, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:14} [{bar:32}] {pos}/{len} {per_sec} {eta}");
    let bar = ProgressBar::new(total).with_message(what);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("=> ")),
        // The plain style counts as well.
        Err(_) => bar,
    }
}
