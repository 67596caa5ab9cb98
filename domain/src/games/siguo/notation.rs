//! Words for people: the Chinese names of pieces and positions, moves as text, the board as a drawing.
//! Must not decide what anybody may see: it shows what it is given.

use super::piece::Piece;
use super::pos::{Pos, PosKind, UnknownPosition};
use super::seat::{Seat, Side};
use std::fmt::Write;

/// 南 东 北 西.
pub const fn seat_name(seat: Seat) -> &'static str {
    match seat {
        Seat::S => "南",
        Seat::E => "东",
        Seat::N => "北",
        Seat::W => "西",
    }
}

/// 赤方 or 蓝方.
pub const fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "赤方",
        Side::Blue => "蓝方",
    }
}

/// The name of a piece in two characters: 司令 … 军旗.
pub const fn piece_name(piece: Piece) -> &'static str {
    match piece {
        Piece::Commander => "司令",
        Piece::General => "军长",
        Piece::MajorGeneral => "师长",
        Piece::Brigadier => "旅长",
        Piece::Colonel => "团长",
        Piece::Major => "营长",
        Piece::Captain => "连长",
        Piece::Lieutenant => "排长",
        Piece::Engineer => "工兵",
        Piece::Bomb => "炸弹",
        Piece::Mine => "地雷",
        Piece::Flag => "军旗",
    }
}

/// The name of a piece in one character, different for every kind: 司军师旅团营连排工炸雷旗.
pub const fn piece_letter(piece: Piece) -> char {
    match piece {
        Piece::Commander => '司',
        Piece::General => '军',
        Piece::MajorGeneral => '师',
        Piece::Brigadier => '旅',
        Piece::Colonel => '团',
        Piece::Major => '营',
        Piece::Captain => '连',
        Piece::Lieutenant => '排',
        Piece::Engineer => '工',
        Piece::Bomb => '炸',
        Piece::Mine => '雷',
        Piece::Flag => '旗',
    }
}

/// The piece with that one-character or two-character name.
pub fn piece_named(name: &str) -> Option<Piece> {
    Piece::ALL.into_iter().find(|&piece| {
        piece_name(piece) == name || name.chars().eq(std::iter::once(piece_letter(piece)))
    })
}

/// The field's own name of a position, different for every one: 南锋线左边路, 东左前营, 天元. Words that
/// depend on where the flag stands (旗营, 虚角 …) are left out: they would tell it.
pub fn label(pos: Pos) -> String {
    let Some(seat) = pos.seat() else {
        return CENTRE[usize::from(pos.row() - 1)][usize::from(pos.col() - 1)].to_owned();
    };
    let name = AREA[usize::from(pos.row() - 1)][usize::from(pos.col() - 1)];
    format!("{}{name}", seat_name(seat))
}

const AREA: [[&str; 5]; 6] = [
    ["锋线左边路", "左棋眉", "锋线中路", "右棋眉", "锋线右边路"],
    ["二线左边路", "左前营", "咽部", "右前营", "二线右边路"],
    ["三线左边路", "左腹", "中营", "右腹", "三线右边路"],
    ["四线左边路", "左底营", "脐部", "右底营", "四线右边路"],
    ["左角", "左台", "台中", "右台", "右角"],
    ["左底", "左大本营", "中底", "右大本营", "右底"],
];

const CENTRE: [[&str; 3]; 3] = [
    ["西北星位", "北边宫", "东北星位"],
    ["西边宫", "天元", "东边宫"],
    ["西南星位", "南边宫", "东南星位"],
];

/// A move as text: `s11-c31`.
pub fn move_text(from: Pos, to: Pos) -> String {
    format!("{from}-{to}")
}

/// Reads a move written as `s11-c31`.
///
/// # Errors
/// The part that names no position; the whole text when it has no hyphen.
pub fn parse_move(text: &str) -> Result<(Pos, Pos), UnknownPosition> {
    let (from, to) = text.split_once('-').ok_or_else(|| UnknownPosition(text.to_owned()))?;
    Ok((from.parse()?, to.parse()?))
}

/// Draws the board, north above. `look` says whose piece stands on a position and, where it may be shown,
/// what it is. A cell is four columns wide in a terminal: `s司`, face-down `s##`; empty ground is `·`, an
/// empty camp `( )`, an empty headquarters `[ ]`.
pub fn diagram(look: impl Fn(Pos) -> Option<(Seat, Option<Piece>)>) -> String {
    let mut cells = [[None; 17]; 17];
    for pos in Pos::all() {
        let (x, y) = pos.xy();
        cells[usize::from(y)][usize::from(x)] = Some(pos);
    }
    let mut drawing = String::new();
    for row in cells {
        let mut line = String::new();
        for cell in row {
            let Some(pos) = cell else {
                line.push_str("    ");
                continue;
            };
            // Writing to a String cannot fail.
            let _ = match (look(pos), pos.kind()) {
                (Some((seat, Some(piece))), _) => write!(line, "{seat}{} ", piece_letter(piece)),
                (Some((seat, None)), _) => write!(line, "{seat}## "),
                (None, PosKind::Station) => write!(line, " ·  "),
                (None, PosKind::Camp) => write!(line, "( ) "),
                (None, PosKind::Headquarters) => write!(line, "[ ] "),
            };
        }
        drawing.push_str(line.trim_end());
        drawing.push('\n');
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_position_has_its_own_label() {
        let labels: BTreeSet<_> = Pos::all().map(label).collect();
        assert_eq!(labels.len(), Pos::COUNT);
        for (name, text) in
            [("s11", "南锋线左边路"), ("e24", "东右前营"), ("c22", "天元"), ("w62", "西左大本营")]
        {
            assert_eq!(label(name.parse().unwrap()), text);
        }
    }

    #[test]
    fn every_piece_has_its_own_names() {
        for piece in Piece::ALL {
            assert_eq!(piece_named(piece_name(piece)), Some(piece));
            assert_eq!(piece_named(&piece_letter(piece).to_string()), Some(piece));
        }
        assert_eq!(piece_named(""), None);
        assert_eq!(piece_named("师旅"), None);
    }

    #[test]
    fn moves_go_there_and_back() {
        let (from, to) = parse_move("s11-c31").unwrap();
        assert_eq!(move_text(from, to), "s11-c31");
        for (text, wrong) in
            [("s11c31", "s11c31"), ("s11-c41", "c41"), ("-s11", ""), ("s11-s12-s13", "s12-s13")]
        {
            assert_eq!(parse_move(text), Err(UnknownPosition(wrong.to_owned())));
        }
    }

    #[test]
    fn a_drawing_shows_only_what_it_is_given() {
        let s13: Pos = "s13".parse().unwrap();
        let shown = |piece| diagram(|pos| (pos == s13).then_some((Seat::S, piece)));
        assert!(shown(Some(Piece::Flag)).contains("s旗"));
        assert!(shown(None).contains("s##") && !shown(None).contains('旗'));
        assert_eq!(shown(None).lines().count(), 17);
    }
}
