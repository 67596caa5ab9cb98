//! Replay files (`.yibu-replay.json`): version 2 written and read, version 1 read. What the events say is not judged
//! here: `Playback` does that.

use super::placing::{self, Entry, PIECES};
use super::text::{
    all, as_is, list, map, nothing_else, object, path, take, unknown_version, version,
};
use super::{FileFault, Wrong};
use serde_json::{Map, Value, json};
use yibu_domain::games::siguo::piece::Piece;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::matches::record::{
    Complete, FORMAT, Old, OldMove, OldPiece, Setup, Stood, Told, VERSION,
};

/// The most bytes that are read of one file.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;
/// The most events of one file.
pub const MOST_EVENTS: usize = 100_000;
/// The most of anything else that a file lists.
const MOST_OTHERS: usize = 10_000;

/// What a replay file holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayFile {
    /// Version 2.
    Complete(Box<Complete>),
    /// Version 1.
    Old(Old),
}

/// The text of a file. The same record gives the same bytes.
///
/// # Errors
/// Never for a record that the domain made.
pub fn write(record: &Complete) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string(record)?;
    text.push('\n');
    Ok(text)
}

/// Reads a file.
///
/// # Errors
/// The first thing that is wrong, and where.
pub fn read(bytes: &[u8]) -> Result<ReplayFile, FileFault> {
    let mut file = object(bytes, MOST_BYTES)?;
    match version(&mut file, FORMAT)? {
        1 => old(&mut file).map(ReplayFile::Old),
        2 => complete(file).map(|record| ReplayFile::Complete(Box::new(record))),
        other => Err(unknown_version(&json!(other))),
    }
}

fn complete(mut file: Map<String, Value>) -> Result<Complete, FileFault> {
    let file = &mut file;
    let mut seats = map(file, "seats", "")?;
    let [s, e, n, w] = Seat::ALL.map(|seat| setup(&mut seats, seat));
    nothing_else(&seats, "seats")?;
    let record = Complete {
        format: FORMAT.to_owned(),
        version: VERSION,
        kept: take(file, "match", "")?,
        rules: take(file, "rules", "")?,
        seats: BySeat { s: s?, e: e?, n: n?, w: w? },
        participants: all(file, "participants", "", MOST_OTHERS)?,
        events: events(file)?,
        outcome: take(file, "outcome", "")?,
        settlement: all(file, "settlement", "", MOST_OTHERS)?,
        draws: take(file, "draws", "")?,
        log: take(file, "log", "")?,
    };
    nothing_else(file, "")?;
    if record.rules.seats != Seat::ALL {
        return Err(FileFault::new(Wrong::Field, "rules.seats", "not the four seats"));
    }
    // The log has every event that is told, and those that are not public besides.
    let (told, logged) = (record.events.len(), record.log.events);
    if logged < told as u64 {
        let told = format!("{logged} events, and the file tells {told}");
        return Err(FileFault::new(Wrong::Count, "log.events", told));
    }
    Ok(record)
}

/// A seat's side and its 25 pieces, which are a legal formation.
fn setup(seats: &mut Map<String, Value>, seat: Seat) -> Result<Setup, FileFault> {
    let name = seat.to_string();
    let mut of = map(seats, &name, "seats")?;
    let at = path("seats", &name);
    let setup = Setup {
        side: take(&mut of, "side", &at)?,
        pieces: list(&mut of, "pieces", &at, PIECES)?
            .into_iter()
            .enumerate()
            .map(|(n, value)| stood(value, &format!("{at}.pieces[{n}]")))
            .collect::<Result<_, _>>()?,
    };
    nothing_else(&of, &at)?;
    if setup.side != seat.side() {
        return Err(FileFault::new(Wrong::Field, path(&at, "side"), "is the other side"));
    }
    let at = path(&at, "pieces");
    let entries = setup.pieces.iter().enumerate().map(|(n, stood)| Entry {
        place: format!("{at}[{n}]"),
        at: stood.at,
        spot: stood.at.to_string(),
        piece: stood.piece,
    });
    placing::formation(seat, &entries.collect::<Vec<_>>(), &at)?;
    if !setup.pieces.is_sorted_by_key(|stood| stood.at) {
        return Err(FileFault::new(Wrong::Field, at, "not in the order of the positions"));
    }
    Ok(setup)
}

fn stood(value: Value, at: &str) -> Result<Stood, FileFault> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    if let Some(name) = text("at")
        && name.parse::<Pos>().is_err()
    {
        return Err(FileFault::new(
            Wrong::Position,
            path(at, "at"),
            format!("{name}: no position"),
        ));
    }
    if let Some(name) = text("piece")
        && name.parse::<Piece>().is_err()
    {
        return Err(FileFault::new(Wrong::Piece, path(at, "piece"), format!("{name}: no piece")));
    }
    as_is(value, at)
}

fn events(file: &mut Map<String, Value>) -> Result<Vec<Told>, FileFault> {
    let entries = list(file, "events", "", MOST_EVENTS)?.into_iter().enumerate();
    let told = entries.map(|(n, value)| {
        let at = format!("events[{n}]");
        let Value::Object(mut event) = value else {
            return Err(FileFault::new(Wrong::Field, at, "is no object"));
        };
        Ok(Told {
            number: take(&mut event, "number", &at)?,
            at: take(&mut event, "at", &at)?,
            deed: as_is(Value::Object(event), &at)?,
        })
    });
    told.collect()
}

/// Version 1: what is there is read, and what is more than that is left alone.
fn old(file: &mut Map<String, Value>) -> Result<Old, FileFault> {
    let mut pieces = Vec::new();
    for (name, value) in map(file, "board", "")? {
        let place = path("board", &name);
        let Ok(at) = name.parse::<Pos>() else {
            return Err(FileFault::new(Wrong::Position, place, "no position"));
        };
        let word =
            |field: &str| value.get(field).and_then(Value::as_str).map(str::to_ascii_lowercase);
        let seat = word("seat").and_then(|word| word.parse::<Seat>().ok());
        let seat =
            seat.ok_or_else(|| FileFault::new(Wrong::Field, path(&place, "seat"), "no seat"))?;
        let piece = match value.get("piece") {
            None | Some(Value::Null) => None,
            Some(_) => {
                Some(word("piece").and_then(|word| word.parse::<Piece>().ok()).ok_or_else(
                    || FileFault::new(Wrong::Piece, path(&place, "piece"), "no piece"),
                )?)
            }
        };
        pieces.push(OldPiece { at, seat, piece });
    }
    for seat in Seat::ALL {
        let count = pieces.iter().filter(|one| one.seat == seat).count();
        if count > PIECES {
            let told = format!("seat {seat} has {count} pieces; there can be {PIECES}");
            return Err(FileFault::new(Wrong::TooMany, "board", told));
        }
    }
    pieces.sort_by_key(|one| one.at);
    let moves = list(file, "moves", "", MOST_EVENTS)?.into_iter().enumerate();
    let moves = moves.map(|(n, value)| {
        let at = format!("moves[{n}]");
        for name in ["from", "to"] {
            let text = value.get(name).and_then(Value::as_str);
            if text.and_then(|text| text.parse::<Pos>().ok()).is_none() {
                return Err(FileFault::new(Wrong::Position, path(&at, name), "no position"));
            }
        }
        as_is::<OldMove>(value, &at)
    });
    Ok(Old { moves: moves.collect::<Result<_, _>>()?, pieces })
}
