//! The twelve kinds of pieces, their codes and numbers. Knows no board; who beats whom is in `battle`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What a piece is; ranked pieces from strong to weak, then the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Piece {
    /// 司令.
    Commander,
    /// 军长.
    General,
    /// 师长.
    MajorGeneral,
    /// 旅长.
    Brigadier,
    /// 团长.
    Colonel,
    /// 营长.
    Major,
    /// 连长.
    Captain,
    /// 排长.
    Lieutenant,
    /// 工兵: flies on rails, clears mines.
    Engineer,
    /// 炸弹: both go, whatever it meets.
    Bomb,
    /// 地雷: never moves.
    Mine,
    /// 军旗: never moves; its loss ends its seat.
    Flag,
}

impl Piece {
    /// All kinds, in the order of their indices.
    pub const ALL: [Self; 12] = [
        Self::Commander,
        Self::General,
        Self::MajorGeneral,
        Self::Brigadier,
        Self::Colonel,
        Self::Major,
        Self::Captain,
        Self::Lieutenant,
        Self::Engineer,
        Self::Bomb,
        Self::Mine,
        Self::Flag,
    ];

    /// 0 … 11 in the order of [`Piece::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The id used in events, files and API.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Commander => "commander",
            Self::General => "general",
            Self::MajorGeneral => "major_general",
            Self::Brigadier => "brigadier",
            Self::Colonel => "colonel",
            Self::Major => "major",
            Self::Captain => "captain",
            Self::Lieutenant => "lieutenant",
            Self::Engineer => "engineer",
            Self::Bomb => "bomb",
            Self::Mine => "mine",
            Self::Flag => "flag",
        }
    }

    /// How many of the kind a formation holds; 25 in all.
    pub const fn count_per_seat(self) -> usize {
        match self {
            Self::Commander | Self::General | Self::Flag => 1,
            Self::MajorGeneral | Self::Brigadier | Self::Colonel | Self::Major | Self::Bomb => 2,
            Self::Captain | Self::Lieutenant | Self::Engineer | Self::Mine => 3,
        }
    }

    /// Whether the kind can move at all (outside a headquarters).
    pub const fn moves(self) -> bool {
        !matches!(self, Self::Mine | Self::Flag)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// The text is no piece's code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no piece")]
pub struct UnknownPiece(pub String);

impl FromStr for Piece {
    type Err = UnknownPiece;
    fn from_str(text: &str) -> Result<Self, UnknownPiece> {
        Self::ALL
            .into_iter()
            .find(|piece| piece.code() == text)
            .ok_or_else(|| UnknownPiece(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_go_there_and_back() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(piece.code().parse(), Ok(piece));
            assert_eq!(serde_json::to_string(&piece).unwrap(), format!("\"{piece}\""));
        }
        assert!("Commander".parse::<Piece>().is_err());
    }

    #[test]
    fn a_seat_has_twenty_five() {
        assert_eq!(Piece::ALL.into_iter().map(Piece::count_per_seat).sum::<usize>(), 25);
    }
}
