//! What stands in the file and that no writer of this program puts there. What cannot be read is named, and the rest
//! is looked at all the same. Changes nothing.

use super::{connect, custody, reads};
use crate::log::claims::counter;
use crate::log::custody::KeptMemo;
use crate::log::looks::{self, NAMED, Oddity, Part, Seen};
use crate::log::open_error::OpenError;
use crate::log::port::memo_cutoff;
use crate::reach::is_away_number;
use rusqlite::{Connection, OpenFlags, Params, Row};
use std::path::Path;
use yibu_domain::kernel::{PlayerId, Time};

/// Rows of the index over the streams that are looked at in one go.
const PAGE: usize = 10_000;

/// What is odd in a file that nobody serves from, for instance a copy. Blocks.
///
/// # Errors
/// The file cannot be opened.
pub fn oddities(file: &Path) -> Result<Vec<Oddity>, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(all(&Connection::open_with_flags(file, flags)?, Time(i64::MAX))?)
}

/// Everything that is odd. A server may write meanwhile. `now`: by it the days of memos are counted.
pub(super) fn all(connection: &Connection, now: Time) -> rusqlite::Result<Vec<Oddity>> {
    let mut odd = Vec::new();
    let transaction = connection.unchecked_transaction()?;
    schema(connection, &mut odd)?;
    head(connection, &mut odd)?;
    outside(connection, &mut odd)?;
    streams(connection, &mut odd)?;
    memos(connection, now, &mut odd)?;
    drop(transaction);
    index(connection, &mut odd)?;
    Ok(odd)
}

/// What stands beside the events, as far as it can be read.
pub(super) fn seen(connection: &Connection, now: Time) -> rusqlite::Result<Seen> {
    let transaction = connection.unchecked_transaction()?;
    let mut odd = Vec::new();
    let on = &transaction;
    let sql = "SELECT counter, player, held FROM claims_counted";
    let counted = rows(on, ("claims_counted", sql), [], &mut odd, |row| {
        let name: String = row.get(0).map_err(text)?;
        let player = PlayerId(reads::uuid(row, 1).map_err(text)?);
        let counter = counter(&name).ok_or_else(|| no_counter(&name))?;
        Ok(((counter, player), row.get(2).map_err(text)?))
    })?;
    let sql = "SELECT key FROM claims_unique";
    let unique = rows(on, ("claims_unique", sql), [], &mut odd, |row| row.get(0).map_err(text))?;
    let sql = "SELECT counter, most FROM limits";
    let limits = rows(on, ("limits", sql), [], &mut odd, |row| {
        let name: String = row.get(0).map_err(text)?;
        let counter = counter(&name).ok_or_else(|| no_counter(&name))?;
        Ok((counter, row.get(1).map_err(text)?))
    })?;
    let after = [memo_cutoff(now).0];
    let memos: Option<Vec<KeptMemo>> =
        rows(on, ("memos", custody::MEMOS), after, &mut odd, |row| {
            custody::memo(row).map_err(text)
        })?;
    Ok(Seen {
        counted: counted.map(|rows| rows.into_iter().collect()),
        unique: unique.map(|rows| rows.into_iter().collect()),
        limits: limits.map(|rows| rows.into_iter().collect()),
        memos,
        odd,
    })
}

/// The words for a counter that there is not.
fn no_counter(name: &str) -> String {
    format!("there is no counter {name}")
}

#[expect(clippy::needless_pass_by_value, reason = "it is the shape that map_err takes")]
fn text(error: rusqlite::Error) -> String {
    error.to_string()
}

/// The rows of a query over a table. A row that cannot be read is named and left out; nothing where the table itself
/// cannot be read, which is named.
fn rows<T>(
    connection: &Connection,
    (place, sql): (&str, &str),
    params: impl Params,
    odd: &mut Vec<Oddity>,
    read: impl Fn(&Row<'_>) -> Result<T, String>,
) -> rusqlite::Result<Option<Vec<T>>> {
    let mut found = Vec::new();
    let all = || -> rusqlite::Result<()> {
        let mut query = connection.prepare(sql)?;
        let mut rows = query.query(params)?;
        while let Some(row) = rows.next()? {
            match read(row) {
                Ok(one) => found.push(one),
                Err(problem) => {
                    let text = format!("a row of it is not as this program writes it: {problem}");
                    odd.push(Oddity::of(place, text));
                }
            }
        }
        Ok(())
    };
    match all() {
        Ok(()) => Ok(Some(found)),
        Err(error)
            if error.sqlite_error().is_some_and(|known| is_away_number(known.extended_code)) =>
        {
            Err(error)
        }
        Err(error) => {
            odd.push(Oddity::of(place, format!("it cannot be read: {error}")));
            Ok(None)
        }
    }
}

/// The schema against the one that the steps make.
fn schema(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    let fresh = Connection::open_in_memory()?;
    for step in connect::STEPS {
        fresh.execute_batch(step)?;
    }
    let wanted = parts(&fresh, odd)?.unwrap_or_default();
    if let Some(found) = parts(connection, odd)? {
        odd.extend(looks::otherwise(&wanted, &found));
    }
    Ok(())
}

fn parts(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<Option<Vec<Part>>> {
    // SQLite's own parts follow from the others.
    let sql = "SELECT tbl_name, type || ' ' || name, coalesce(sql, '') FROM sqlite_schema \
         WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    rows(connection, ("log.db", sql), [], odd, |row| {
        let made: String = row.get(2).map_err(text)?;
        let made = made.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Part { table: row.get(0).map_err(text)?, what: row.get(1).map_err(text)?, made })
    })
}

/// Where the log ends is said once, and its index reaches no further.
fn head(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    let sql = "SELECT position, indexed FROM head";
    let heads = rows(connection, ("head", sql), [], odd, |row| {
        Ok((row.get::<_, i64>(0).map_err(text)?, row.get::<_, i64>(1).map_err(text)?))
    })?;
    let heads = heads.unwrap_or_default();
    if heads.len() > 1 {
        odd.push(Oddity::of("head", "more than one row says where the log ends"));
    }
    for (position, indexed) in heads {
        if !(0..=position).contains(&indexed) {
            let text = format!(
                "the index over the streams is said to reach position {indexed}, but the log ends at {position}"
            );
            odd.push(Oddity::of("head", text));
        }
    }
    Ok(())
}

/// Events before the beginning and behind the end.
fn outside(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    let sql = "SELECT coalesce(s.name, 'streams'), e.version, e.position FROM \
         (SELECT stream, version, position FROM events WHERE position < 1 \
         UNION ALL SELECT stream, version, position FROM events \
         WHERE position > (SELECT max(position) FROM head)) e \
         LEFT JOIN streams s ON s.id = e.stream ORDER BY e.position LIMIT ?1";
    let found = rows(connection, ("events", sql), [NAMED], odd, place)?;
    odd.extend(
        found
            .into_iter()
            .flatten()
            .map(|(stream, version, position)| Oddity::outside(stream, version, position)),
    );
    Ok(())
}

/// Names without an event: the next stream of that name, or with that number, would not begin at its beginning.
fn streams(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    // Each question costs more than the one before, and is asked of few.
    let sql = "SELECT s.id, s.name FROM streams s WHERE NOT EXISTS \
         (SELECT 1 FROM stream_index WHERE stream = s.id) \
         AND s.id NOT IN (SELECT stream FROM events WHERE position > (SELECT max(indexed) FROM head)) \
         AND s.id NOT IN (SELECT stream FROM events) ORDER BY s.id LIMIT ?1";
    let found = rows(connection, ("streams", sql), [NAMED], odd, |row| {
        Ok((row.get::<_, i64>(0).map_err(text)?, row.get::<_, String>(1).map_err(text)?))
    })?;
    odd.extend(found.into_iter().flatten().map(|(id, name)| {
        Oddity::of("streams", format!("the stream {name} (number {id}) is there without an event"))
    }));
    Ok(())
}

/// Memos that a look at those of the last days does not show.
fn memos(connection: &Connection, now: Time, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    let sql = "SELECT coalesce(s.name, 'memos'), m.version, m.position FROM memos m \
         LEFT JOIN streams s ON s.id = m.stream LEFT JOIN events e ON e.position = m.position \
         WHERE (m.recorded <= ?1 OR s.id IS NULL) AND (e.position IS NULL OR e.stream <> m.stream \
         OR e.version <> m.version OR e.recorded <> m.recorded OR e.command_id IS NOT m.id) \
         ORDER BY m.position LIMIT ?2";
    let asked = (memo_cutoff(now).0, NAMED);
    let found = rows(connection, ("memos", sql), asked, odd, place)?;
    odd.extend(
        found.into_iter().flatten().map(|(stream, version, at)| Oddity::memo(stream, version, at)),
    );
    Ok(())
}

fn place(row: &Row<'_>) -> Result<(String, i64, i64), String> {
    let (stream, version) = (row.get(0).map_err(text)?, row.get(1).map_err(text)?);
    Ok((stream, version, row.get(2).map_err(text)?))
}

/// A row of the index over the streams, with what stands where it points.
struct Indexed {
    stream: i64,
    version: i64,
    position: i64,
    name: Option<String>,
    reach: Option<i64>,
    there: Option<(i64, i64)>,
}

/// The index over the streams against the events, in pages: a row of it is written after its event, and stays.
fn index(connection: &Connection, odd: &mut Vec<Oddity>) -> rusqlite::Result<()> {
    let sql = "SELECT i.stream, i.version, i.position, s.name, (SELECT max(indexed) FROM head), \
         e.stream, e.version FROM (SELECT stream, version, position FROM stream_index \
         WHERE (stream, version) > (?1, ?2) ORDER BY stream, version LIMIT ?3) i \
         LEFT JOIN events e ON e.position = i.position LEFT JOIN streams s ON s.id = i.stream";
    let mut after = (i64::MIN, i64::MIN);
    let mut left = NAMED;
    loop {
        let asked = (after.0, after.1, PAGE);
        let page = rows(connection, ("stream_index", sql), asked, odd, |row| {
            let there = row.get::<_, Option<i64>>(5).map_err(text)?;
            Ok(Indexed {
                stream: row.get(0).map_err(text)?,
                version: row.get(1).map_err(text)?,
                position: row.get(2).map_err(text)?,
                name: row.get(3).map_err(text)?,
                reach: row.get(4).map_err(text)?,
                there: there.zip(row.get(6).map_err(text)?),
            })
        })?;
        let page = page.unwrap_or_default();
        let Some(last) = page.iter().map(|row| (row.stream, row.version)).max() else {
            return Ok(());
        };
        after = last;
        for row in page.iter().filter(|row| !row.holds()).take(left) {
            left -= 1;
            odd.push(row.oddity());
        }
        if left == 0 {
            return Ok(());
        }
    }
}

impl Indexed {
    fn holds(&self) -> bool {
        self.there == Some((self.stream, self.version))
            && self.reach.is_none_or(|reach| self.position <= reach)
    }

    fn oddity(&self) -> Oddity {
        let Self { stream, version, position, name, there, .. } = self;
        let problem = match (name, there) {
            (None, _) => format!(
                "it has a row for stream number {stream}, version {version}: there is no such stream"
            ),
            (_, None) => format!(
                "the index over the streams finds it at position {position}, where nothing stands"
            ),
            (_, Some(there)) if *there == (*stream, *version) => {
                "the index over the streams has it already, and does not reach so far".to_owned()
            }
            _ => format!(
                "the index over the streams finds it at position {position}, where another event stands"
            ),
        };
        let place = name.clone().unwrap_or_else(|| "stream_index".to_owned());
        Oddity::at(place, *version, *position, problem)
    }
}
