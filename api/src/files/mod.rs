//! The files that people keep: replays and formations, between bytes and values. Reading is strict and bounded, and a
//! file that is not read is told what is wrong and where. Must not touch a disk, and must not judge a match: the
//! domain plays a record through.

pub mod formation;
mod placing;
pub mod replay;
mod text;

pub use formation::NamedFormation;
pub use replay::ReplayFile;

use std::fmt;
use yibu_domain::kernel::visible;

/// What is wrong with a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wrong {
    /// More bytes than are read of one file.
    TooLarge,
    /// No text in UTF-8.
    NotUtf8,
    /// No JSON.
    NotJson,
    /// Nested deeper than files are.
    TooDeep,
    /// More values than a file has.
    TooManyValues,
    /// Another format.
    OtherFormat,
    /// A version that nobody here knows.
    Version,
    /// A field is missing, unknown, or holds something else.
    Field,
    /// No position of the board.
    Position,
    /// No piece.
    Piece,
    /// More pieces, or more events, than there can be.
    TooMany,
    /// The pieces are no legal formation.
    Formation,
    /// A number that the file tells of itself is not so.
    Count,
}

impl Wrong {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "TOO_LARGE",
            Self::NotUtf8 => "NOT_UTF8",
            Self::NotJson => "NOT_JSON",
            Self::TooDeep => "TOO_DEEP",
            Self::TooManyValues => "TOO_MANY_VALUES",
            Self::OtherFormat => "OTHER_FORMAT",
            Self::Version => "VERSION",
            Self::Field => "FIELD",
            Self::Position => "POSITION",
            Self::Piece => "PIECE",
            Self::TooMany => "TOO_MANY",
            Self::Formation => "FORMATION",
            Self::Count => "COUNT",
        }
    }
}

/// Why a file is not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct FileFault {
    /// What is wrong.
    pub wrong: Wrong,
    /// Where: the path of a field, or empty for the whole file.
    pub at: String,
    /// In words.
    pub told: String,
}

/// The longest path, and the longest quotation of a file, that a message repeats.
const MOST_QUOTED: usize = 160;

impl FileFault {
    fn new(wrong: Wrong, at: impl Into<String>, told: impl Into<String>) -> Self {
        Self { wrong, at: short(&at.into()), told: short(&told.into()) }
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, told) = (self.wrong.code(), &self.told);
        match self.at.as_str() {
            "" => write!(f, "{told} [{code}]"),
            at => write!(f, "{at}: {told} [{code}]"),
        }
    }
}

fn short(text: &str) -> String {
    // A file may hold anything, and a message goes to a terminal.
    let mut text = visible(text);
    match text.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => {
            text.truncate(end);
            text.push('…');
            text
        }
        None => text,
    }
}
