//! Private marks (私人标记): a short guess or a colour that a person notes on somebody else's face-down piece. Says
//! what may be noted and on what; a mark is no part of the match, and no event ever holds one.

use super::view::{MatchView, Phase};
use crate::games::siguo::pos::Pos;
use crate::kernel::is_plain;
use std::str::FromStr;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// Most characters of a mark as people count them (grapheme clusters).
pub const MOST_CHARACTERS: usize = 40;

/// Most code points, so that one "character" cannot be piled up without end.
pub const MOST_CODE_POINTS: usize = 120;

/// A colour to mark with. It means what its owner wishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkColour {
    /// Violet (紫).
    Violet,
    /// Red (红).
    Red,
    /// Blue (蓝).
    Blue,
    /// Green (绿).
    Green,
    /// Amber (黄).
    Amber,
}

impl MarkColour {
    /// Every colour.
    pub const ALL: [Self; 5] = [Self::Violet, Self::Red, Self::Blue, Self::Green, Self::Amber];

    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Violet => "violet",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Green => "green",
            Self::Amber => "amber",
        }
    }
}

/// The name is of no colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no colour of marks has this name")]
pub struct UnknownColour;

impl FromStr for MarkColour {
    type Err = UnknownColour;
    fn from_str(name: &str) -> Result<Self, UnknownColour> {
        Self::ALL.into_iter().find(|colour| colour.name() == name).ok_or(UnknownColour)
    }
}

/// A checked mark: a text, trimmed and in NFC, or a colour, or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    text: String,
    colour: Option<MarkColour>,
}

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
    #[error("a mark has at most 40 characters, none of them invisible")]
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
    /// Checks a mark; `None` for a blank one without a colour, which takes the mark away.
    ///
    /// # Errors
    /// `INVALID_MARK`.
    pub fn parse(text: &str, colour: Option<MarkColour>) -> Result<Option<Self>, MarkRefusal> {
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
        Ok((!text.is_empty() || colour.is_some()).then_some(Self { text, colour }))
    }

    /// The text as it is shown; empty where there is a colour alone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The colour, where there is one.
    pub const fn colour(&self) -> Option<MarkColour> {
        self.colour
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
    colour: Option<MarkColour>,
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
    Ok((piece.ok_or(MarkRefusal::NoSuchPiece)?, Mark::parse(text, colour)?))
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
        let parse = |text: &str| Mark::parse(text, None).map(|mark| mark.map(|mark| mark.text));
        let forty = "雷".repeat(40);
        for text in ["雷", "炸/军", "40?", "🔥", "e\u{301}\u{323}", "a b", &forty] {
            let shown: String = text.nfc().collect();
            assert_eq!(parse(&format!(" {text} ")), Ok(Some(shown)), "{text}");
        }
        for blank in ["", "  ", "\u{3000}\n"] {
            assert_eq!(parse(blank), Ok(None));
        }
        let (long, piled) = (format!("{forty}!"), format!("x{}", "\u{301}\u{323}".repeat(60)));
        for bad in ["a\nb", "a\0", "a\u{202e}", "\u{200b}", &long, &piled, &"a".repeat(99_999)] {
            assert_eq!(parse(bad), Err(MarkRefusal::InvalidMark), "{bad:?}");
        }
    }

    #[test]
    fn a_colour_alone_is_a_mark_too() {
        for colour in MarkColour::ALL {
            assert_eq!(colour.name().parse(), Ok(colour));
            let mark = Mark::parse(" ", Some(colour)).unwrap().unwrap();
            assert_eq!((mark.text(), mark.colour()), ("", Some(colour)));
        }
        assert_eq!("VIOLET".parse::<MarkColour>(), Err(UnknownColour));
        assert_eq!(
            Mark::parse("a\nb", Some(MarkColour::Red)),
            Err(MarkRefusal::InvalidMark),
            "a colour does not excuse the text"
        );
    }
}
