//! Whether a database failed a statement or could not be reached at all: the second passes by itself, and whoever
//! asked may ask again. Must not decide what is done about either.

use crate::log::port::ReadError;

/// Whether the error says that the database is away: it does not answer, goes down, comes up, or follows another
/// that is the primary. Nothing is wrong with what was asked.
pub fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_away_code(&code)),
        _ => false,
    }
}

/// What failed, for the log and for operators: the driver's words, never a value that was bound. PostgreSQL repeats
/// one in the message of a data exception (class 22), of which the code is told alone; what it adds in detail is
/// not in the message.
pub fn cause(error: &sqlx::Error) -> String {
    let known = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    match known.as_deref() {
        Some(code) if code.len() == 5 && code.starts_with("22") => {
            format!("the database refused a value ({code})")
        }
        Some(code) if code.parse().is_ok_and(is_disk_number) && code.len() < 5 => {
            format!("{error}{DISK}")
        }
        _ => error.to_string(),
    }
}

/// What is added where SQLite only says that it could not read or write a file.
pub(crate) const DISK: &str = ": the disk is full, or fails";

/// SQLite's codes for that; one of them has many kinds.
pub(crate) fn is_disk_number(code: i32) -> bool {
    code & 0xff == 10
}

/// Whether SQLite says that there is no room left.
pub(crate) fn is_full(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.as_deref() == Some("13")
}

/// PostgreSQL's codes: no connection (class 08), nothing left to work with (class 53: disk, memory, connections),
/// shutting down or starting, a standby that takes no writes, and somebody who holds what was asked for longer than
/// anybody waits. SQLite's are shorter numbers.
fn is_away_code(code: &str) -> bool {
    if code.len() == 5 {
        return code.starts_with("08")
            || code.starts_with("53")
            || matches!(code, "57P01" | "57P02" | "57P03" | "25006" | "55P03" | "57014");
    }
    code.parse().is_ok_and(is_away_number)
}

/// SQLite's codes, of which the lowest byte tells the kind: busy, locked, no memory, a file that cannot be read,
/// written or opened, and a disk that is full. Nothing is wrong with the file then.
pub(crate) fn is_away_number(code: i32) -> bool {
    matches!(code & 0xff, 5 | 6 | 7 | 10 | 13 | 14)
}

impl From<sqlx::Error> for ReadError {
    fn from(error: sqlx::Error) -> Self {
        let problem = error.to_string();
        if is_away(&error) { Self::Unreachable(problem) } else { Self::Failed(problem) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_told_from_what_does_not() {
        assert!(is_away(&sqlx::Error::PoolTimedOut));
        assert!(is_away(&std::io::Error::other("refused").into()));
        assert!(!is_away(&sqlx::Error::RowNotFound));
        for code in ["08006", "57P03", "53300", "53100", "13", "5", "778"] {
            assert!(is_away_code(code), "{code}");
        }
        // A unique key, a missing table; and SQLite's own numbers.
        for code in ["23505", "42P01", "8", "11", "2067"] {
            assert!(!is_away_code(code), "{code}");
        }
        let away = ReadError::from(sqlx::Error::PoolTimedOut);
        assert!(matches!(away, ReadError::Unreachable(_)));
    }
}
