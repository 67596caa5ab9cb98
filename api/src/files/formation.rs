//! Formation files: our own (`.yibu-formation.json`), and QQ's `.jql`, which is read only. Rows and columns are the
//! owner's: row 1 is the front, column 1 the left.

use super::placing::{self, Entry, PIECES};
use super::text::{bounded, list, nothing_else, object, take, unknown_version, version};
use super::{FileFault, Wrong};
use serde::{Deserialize, Serialize};
use serde_json::json;
use yibu_domain::games::siguo::formation::Formation;
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::Seat;

/// The name of the format.
pub const FORMAT: &str = "yibu-formation";
/// The most bytes that are read of one file.
pub const MOST_BYTES: usize = 64 * 1024;
/// The longest name in characters.
const MOST_NAME: usize = 100;
/// A formation is a seat's; where the file says no seat, it is looked at as South's.
const OWNER: Seat = Seat::S;

/// A formation with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedFormation {
    /// The name; empty where the file has none.
    pub name: String,
    /// The formation, as South's.
    pub formation: Formation,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Placed {
    row: u8,
    col: u8,
    piece: Piece,
}

/// The text of a file of our own.
///
/// # Errors
/// Never for a formation.
pub fn write(named: &NamedFormation) -> Result<String, serde_json::Error> {
    let pieces = named.formation.iter();
    let pieces: Vec<_> =
        pieces.map(|(at, piece)| Placed { row: at.row(), col: at.col(), piece }).collect();
    let name = &named.name;
    let file = json!({ "format": FORMAT, "version": 1, "name": name, "pieces": pieces });
    let mut text = serde_json::to_string_pretty(&file)?;
    text.push('\n');
    Ok(text)
}

/// Reads a file of our own or of QQ's.
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn read(bytes: &[u8]) -> Result<NamedFormation, FileFault> {
    bounded(bytes, MOST_BYTES)?;
    if bytes.starts_with(JQL_NAME) { jql(bytes) } else { own(bytes) }
}

fn own(bytes: &[u8]) -> Result<NamedFormation, FileFault> {
    let mut file = object(bytes, MOST_BYTES)?;
    let version = version(&mut file, FORMAT)?;
    if version != 1 {
        return Err(unknown_version(&json!(version)));
    }
    let name: String = match file.contains_key("name") {
        true => take(&mut file, "name", "")?,
        false => String::new(),
    };
    if name.chars().nth(MOST_NAME).is_some() {
        return Err(FileFault::new(
            Wrong::Field,
            "name",
            format!("more than {MOST_NAME} characters"),
        ));
    }
    let mut entries = Vec::new();
    for (n, value) in list(&mut file, "pieces", "", PIECES)?.into_iter().enumerate() {
        let place = format!("pieces[{n}]");
        let code = value.get("piece").and_then(serde_json::Value::as_str);
        if code.is_some_and(|code| code.parse::<Piece>().is_err()) {
            return Err(FileFault::new(Wrong::Piece, format!("{place}.piece"), "no piece"));
        }
        let Placed { row, col, piece } = super::text::as_is(value, &place)?;
        let at = Pos::of(OWNER, row, col).ok_or_else(|| {
            FileFault::new(Wrong::Position, &place, format!("{}: no position", spot(row, col)))
        })?;
        entries.push(Entry { place, at, spot: spot(row, col), piece });
    }
    nothing_else(&file, "")?;
    Ok(NamedFormation { name, formation: placing::formation(OWNER, &entries, "pieces")? })
}

/// What a `.jql` begins with: 16 bytes of name, then 1111 as a little-endian word.
const JQL_NAME: &[u8] = b"QQGame JQL File\0";
const JQL_WORD: &[u8] = &[0x57, 4, 0, 0];
/// By byte, from 2: flag, mine, bomb, and the ranks from the strongest.
const JQL_PIECES: [Piece; 12] = [
    Piece::Flag,
    Piece::Mine,
    Piece::Bomb,
    Piece::Commander,
    Piece::General,
    Piece::MajorGeneral,
    Piece::Brigadier,
    Piece::Colonel,
    Piece::Major,
    Piece::Captain,
    Piece::Lieutenant,
    Piece::Engineer,
];

/// Then 6 × 5 bytes from the front row, left to right as the owner sees it; 0 is an empty camp.
fn jql(bytes: &[u8]) -> Result<NamedFormation, FileFault> {
    let rest = bytes.strip_prefix(JQL_NAME).unwrap_or_default();
    let field = rest.strip_prefix(JQL_WORD).and_then(|rest| rest.get(..30));
    let field = field.ok_or_else(|| {
        FileFault::new(Wrong::OtherFormat, "", "begins like a .jql layout and is none")
    })?;
    let mut entries = Vec::new();
    for (index, byte) in (0_u8..).zip(field) {
        let place = format!("byte {}", JQL_NAME.len() + JQL_WORD.len() + usize::from(index));
        let (row, col) = (index / 5 + 1, index % 5 + 1);
        let piece = usize::from(*byte).checked_sub(2).and_then(|code| JQL_PIECES.get(code));
        match (byte, piece, Pos::of(OWNER, row, col)) {
            (0, ..) => {}
            (_, Some(piece), Some(at)) => {
                entries.push(Entry { place, at, spot: spot(row, col), piece: *piece });
            }
            _ => {
                let told = format!("{}: {byte} is no piece", spot(row, col));
                return Err(FileFault::new(Wrong::Piece, place, told));
            }
        }
    }
    let formation = placing::formation(OWNER, &entries, "")?;
    Ok(NamedFormation { name: String::new(), formation })
}

fn spot(row: u8, col: u8) -> String {
    format!("row {row}, column {col}")
}
