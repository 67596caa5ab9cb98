//! The read models: their state and how far each is behind the log.

use super::{Findings, Grade};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row};
use std::path::Path;
use yibu_projections::models;

pub(super) async fn read_models(
    found: &mut Findings,
    data: &Path,
    head: Option<u64>,
    served: bool,
) {
    let path = data.join("views.db");
    let Some(head) = head.filter(|_| path.is_file()) else {
        found.note("read models", "none yet");
        return;
    };
    match checkpoints(&path).await {
        Ok(known) => {
            for projection in models::all() {
                let name = projection.name();
                let at = known.iter().find(|(known, _)| known == name).map(|(_, at)| *at);
                let (grade, text) = match at {
                    None => (Grade::Note, format!("{name}: not made yet")),
                    Some(at) if at > head => (
                        Grade::Wrong,
                        format!("{name}: at {at}, ahead of the log, which ends at {head}"),
                    ),
                    Some(at) if at == head => (Grade::Good, format!("{name}: up to date")),
                    Some(at) if served => {
                        (Grade::Note, format!("{name}: {} events behind", head - at))
                    }
                    Some(at) => {
                        let behind = head - at;
                        (
                            Grade::Good,
                            format!("{name}: {behind} events behind, until the next start"),
                        )
                    }
                };
                found.say("read models", grade, text);
            }
        }
        Err(error) => found.wrong("read models", format!("views.db: {error}")),
    }
}

async fn checkpoints(path: &Path) -> Result<Vec<(String, u64)>, sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut on = options.connect().await?;
    let sql = "SELECT name, checkpoint FROM projections WHERE state = 'active' ORDER BY name";
    let rows = sqlx::query(sql).fetch_all(&mut on).await?;
    let known = rows.iter().map(|row| {
        let at: i64 = row.try_get(1)?;
        Ok((row.try_get(0)?, u64::try_from(at).unwrap_or(0)))
    });
    let known: Result<Vec<_>, sqlx::Error> = known.collect();
    on.close().await?;
    known
}
