//! Private marks (私人标记): a short guess that a person notes on somebody else's face-down piece. Says what may be
//! noted and on what; a mark is no part of the match, and no event ever holds one.

use super::view::{MatchView, Phase};
use crate::games::siguo::pos::Pos;
use crate::kernel::is_plain;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Most characters of a mark as people count them (grapheme clusters).
pub const MOST_CHARACTERS: usize = 4;

/// Most code points, so that one "character" cannot be piled up without end.
pub const MOST_CODE_POINTS: usize = 16;

/// A checked mark: trimmed, in NFC, not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark(String);

/// Why a mark is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MarkRefusal {
    /// The viewer does not sit there now.
    #[error("you hold no seat in this match")]
    NotSeated,
    /// The formations are not on the board yet.
    #[error("the match has not started")]
    MatchNotStarted,
    /// There is nothing left to guess.
    #[error("the match has ended")]
    MatchEnded,
    /// Not the handle of another seat's face-down piece that is on the board.
    #[error("no face-down piece of another seat has this handle")]
    NoSuchPiece,
    /// Too long, or with characters that show nothing.
    #[error("a mark has at most 4 characters, none of them invisible")]
    InvalidMark,
}

impl MarkRefusal {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotSeated => "NOT_SEATED",
            Self::MatchNotStarted => "MATCH_NOT_STARTED",
            Self::MatchEnded => "MATCH_ENDED",
            Self::NoSuchPiece => "NO_SUCH_PIECE",
            Self::InvalidMark => "INVALID_MARK",
        }
    }
}

impl Mark {
    /// Checks a mark; `None` for a blank one, which takes the mark away.
    ///
    /// # Errors
    /// `INVALID_MARK`.
    pub fn parse(text: &str) -> Result<Option<Self>, MarkRefusal> {
        // Bounds the work below.
        if text.len() > MOST_CODE_POINTS * 16 {
            return Err(MarkRefusal::InvalidMark);
        }
        let text: String = text.trim().nfc().collect();
        let long = text.chars().count() > MOST_CODE_POINTS
            || text.graphemes(true).count() > MOST_CHARACTERS;
        if long || !text.chars().all(is_plain) {
            return Err(MarkRefusal::InvalidMark);
        }
        Ok((!text.is_empty()).then_some(Self(text)))
    }

    /// The mark as it is shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The piece that is meant and what to note on it, `None` to take the mark away, if the viewer may note that now.
///
/// # Errors
/// The first reason against it.
pub fn judge(
    view: &MatchView,
    handle: &str,
    text: &str,
) -> Result<(Pos, Option<Mark>), MarkRefusal> {
    if view.seat().is_none() {
        return Err(MarkRefusal::NotSeated);
    }
    match view.public.phase {
        Phase::Assembling => return Err(MarkRefusal::MatchNotStarted),
        Phase::Ended => return Err(MarkRefusal::MatchEnded),
        Phase::Playing => {}
    }
    let piece = handle.parse().ok().filter(|piece| is_markable(view, *piece));
    Ok((piece.ok_or(MarkRefusal::NoSuchPiece)?, Mark::parse(text)?))
}

/// Whether a mark on this piece is still about something: another seat's piece that lies face down on the board.
pub fn is_markable(view: &MatchView, piece: Pos) -> bool {
    let Some(seat) = view.seat() else { return false };
    let mut men = view.public.men.iter();
    men.any(|man| man.piece == piece && man.seat != seat && !man.flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_short_and_shows_all_of_itself() {
        let parse = |text: &str| Mark::parse(text).map(|mark| mark.map(|mark| mark.0));
        for text in ["雷", "炸/军", "40?", "🔥", "e\u{301}\u{323}", "a b"] {
            let shown: String = text.nfc().collect();
            assert_eq!(parse(&format!(" {text} ")), Ok(Some(shown)), "{text}");
        }
        for blank in ["", "  ", "\u{3000}\n"] {
            assert_eq!(parse(blank), Ok(None));
        }
        let piled = format!("x{}", "\u{301}\u{323}".repeat(8));
        for bad in
            ["五个字太长", "a\nb", "a\0", "a\u{202e}", "\u{200b}", &piled, &"a".repeat(99_999)]
        {
            assert_eq!(parse(bad), Err(MarkRefusal::InvalidMark), "{bad:?}");
        }
    }
}
