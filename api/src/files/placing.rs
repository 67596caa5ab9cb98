//! The pieces of a formation as a file lists them, judged: a fault names the entry that is wrong, not what follows of
//! it. The rules themselves are the domain's.

use super::{FileFault, Wrong};
use yibu_domain::games::siguo::formation::{Fault, Formation, FormationRule};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::{Pos, PosKind};
use yibu_domain::games::siguo::seat::Seat;

/// The pieces of a formation.
pub(super) const PIECES: usize = 25;

/// An entry of a file.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Its place in the file.
    pub(super) place: String,
    /// Where the piece stands.
    pub(super) at: Pos,
    /// The same in the file's words.
    pub(super) spot: String,
    /// What.
    pub(super) piece: Piece,
}

/// The formation of a seat; `whole` is the place of the list that holds all entries.
///
/// # Errors
/// The first entry that cannot stand where it does; the list, where pieces are missing or too many of a kind.
pub(super) fn formation(
    seat: Seat,
    entries: &[Entry],
    whole: &str,
) -> Result<Formation, FileFault> {
    let wrong = |entry: &Entry, told: &str| {
        let Entry { place, spot, piece, .. } = entry;
        FileFault::new(Wrong::Formation, place, format!("{piece} at {spot}: {told}"))
    };
    for (n, entry) in entries.iter().enumerate() {
        if entry.at.seat() != Some(seat) {
            return Err(wrong(entry, FormationRule::PositionNotOwn.words()));
        }
        if entry.at.kind() == PosKind::Camp {
            return Err(wrong(entry, FormationRule::PositionInCamp.words()));
        }
        if let Some(earlier) = entries.iter().take(n).find(|earlier| earlier.at == entry.at) {
            return Err(wrong(entry, &format!("{} stands there as well", earlier.place)));
        }
    }
    if entries.len() != PIECES {
        let told = format!("{} pieces, not {PIECES}", entries.len());
        return Err(FileFault::new(Wrong::Formation, whole, told));
    }
    let placed: Vec<_> = entries.iter().map(|entry| (entry.at, entry.piece)).collect();
    Formation::from_pieces(seat, &placed).map_err(|faults| {
        let named = |fault: &Fault| entries.iter().find(|one| one.at.to_string() == fault.at);
        match faults.first() {
            Some(fault) => match named(fault) {
                Some(entry) => wrong(entry, fault.rule.words()),
                None => {
                    let told = format!("{}: {}", fault.at, fault.rule.words());
                    FileFault::new(Wrong::Formation, whole, told)
                }
            },
            None => FileFault::new(Wrong::Formation, whole, "no legal formation"),
        }
    })
}
