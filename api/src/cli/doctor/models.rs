//! The read models: their state and how far each is behind the log.

use super::{Findings, Grade};
use crate::cli::console::many;
use crate::cli::views;
use sqlx::any::install_default_drivers;
use sqlx::{AnyConnection, ConnectOptions, Connection, Row};
use yibu_projections::{Home, models};

/// A generation that is served.
pub(super) struct Served {
    name: String,
    shape: i64,
    checkpoint: u64,
}

pub(super) fn read_models(
    found: &mut Findings,
    known: Result<Option<Vec<Served>>, sqlx::Error>,
    head: Option<u64>,
    served: bool,
) {
    const WHAT: &str = "read models";
    let (head, known) = match (head, known) {
        (Some(head), Ok(Some(known))) => (head, known),
        (None, _) | (_, Ok(None)) => return found.note(WHAT, "none yet"),
        (_, Err(error)) => return found.wrong(WHAT, error),
    };
    for projection in models::all() {
        let (name, shape) = (projection.name(), i64::from(projection.shape()));
        // Nodes of two versions keep one each, of its own shape.
        let mine = known.iter().find(|one| one.name == name && one.shape == shape);
        let (grade, text) = match mine.map(|one| one.checkpoint) {
            None if known.iter().any(|one| one.name == name) => {
                (Grade::Note, "it has another shape; the next start builds it anew".to_owned())
            }
            None => (Grade::Note, "not made yet".to_owned()),
            Some(at) if at > head => {
                (Grade::Wrong, format!("at {at}, ahead of the log, which ends at {head}"))
            }
            Some(at) if at == head => (Grade::Good, "up to date".to_owned()),
            Some(at) if served => {
                (Grade::Note, format!("{} behind", many(head - at, "event", "events")))
            }
            Some(at) => {
                let events = many(head - at, "event", "events");
                (Grade::Good, format!("{events} behind, until the next start"))
            }
        };
        found.say(WHAT, grade, format!("{name}: {text}"));
    }
}

/// What is served; `None` where there was never anything.
pub(super) async fn served(home: &Home) -> Result<Option<Vec<Served>>, sqlx::Error> {
    let (address, _held) = match home {
        Home::Folder(folder) => {
            let Some(file) = views::file(folder) else { return Ok(None) };
            let (options, held) = views::to_read(&file).await;
            (options.to_url_lossy().to_string(), held)
        }
        Home::Postgres(url) => (url.clone(), None),
    };
    install_default_drivers();
    let mut on = AnyConnection::connect(&address).await?;
    let sql = "SELECT name, shape, checkpoint FROM projections WHERE state = 'active'";
    let rows = match sqlx::query(sql).fetch_all(&mut on).await {
        Ok(rows) => rows,
        // PostgreSQL's code for a table that is not there.
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let known = rows.iter().map(|row| {
        let checkpoint = u64::try_from(row.try_get::<i64, _>(2)?).unwrap_or(0);
        Ok(Served { name: row.try_get(0)?, shape: row.try_get(1)?, checkpoint })
    });
    let known: Result<Vec<_>, sqlx::Error> = known.collect();
    on.close().await?;
    known.map(Some)
}
