//! The stored documents of a match against a fold of its events. Reads `views.db` read-only, beside the
//! server that owns it; must not print a document.

use super::Report;
use crate::app::MATCH_VIEWS;
use crate::cli::views;
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use std::fs::File;
use std::path::Path;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::view::Sheet;
use yibu_infrastructure::log::port::Stored as Event;
use yibu_projections::models;

/// What is so where no generation of a read model is active: whoever prepares the read models leaves one of each, and a
/// rebuild leaves it until it has another.
pub(super) const NOT_SERVED: &str = "no generation of it is active, as one of each is wherever a site was served: nothing was compared";

/// The generation that readers get, by a model's name and shape.
const SERVED: &str = "SELECT generation FROM projections WHERE name = $1 AND state = 'active'
    ORDER BY shape = $2 DESC, generation DESC LIMIT 1";

/// The stored documents of all matches.
pub(super) struct Documents {
    on: SqliteConnection,
    shape: i64,
    /// The lock under which the file is read.
    _held: Option<File>,
}

/// The stored documents of one match.
pub(super) struct Stored {
    pub(super) version: u64,
    public: String,
    people: String,
    own: BySeat<Option<String>>,
}

impl Documents {
    /// The documents in `views.db` of a folder; none where there is no read model yet.
    pub(super) async fn open(folder: &Path, report: &mut Report) -> Option<Self> {
        let Some(file) = views::file(folder) else {
            report.note("there are no read models to compare with");
            return None;
        };
        let (options, _held) = views::to_read(&file).await;
        match options.connect().await {
            Ok(on) => {
                let mut documents = Self { on, shape: shape(), _held };
                match documents.generation().await {
                    Ok(Some(_)) => return Some(documents),
                    Ok(None) => report.problem(MATCH_VIEWS, None, NOT_SERVED),
                    Err(error) => report.problem(MATCH_VIEWS, None, error),
                }
                documents.close().await;
                None
            }
            Err(error) => {
                report.problem("views.db", None, error);
                None
            }
        }
    }

    /// The match's documents, if it has any.
    pub(super) async fn of(&mut self, id: MatchId, report: &mut Report) -> Option<Stored> {
        match self.read(id).await {
            Ok(found) => found,
            Err(error) => {
                report.problem(MATCH_VIEWS, None, error);
                None
            }
        }
    }

    async fn generation(&mut self) -> Result<Option<i64>, sqlx::Error> {
        let query = sqlx::query_scalar(SERVED).bind(MATCH_VIEWS).bind(self.shape);
        query.fetch_optional(&mut self.on).await
    }

    async fn read(&mut self, id: MatchId) -> Result<Option<Stored>, sqlx::Error> {
        // One snapshot: the generation, the document and its overlays.
        let mut tx = self.on.begin().await?;
        let query = sqlx::query(SERVED).bind(MATCH_VIEWS).bind(self.shape);
        let Some(row) = query.fetch_optional(&mut *tx).await? else { return Ok(None) };
        let generation: i64 = row.try_get(0)?;
        let id = id.0.as_bytes().as_slice();
        let sql = format!(
            "SELECT version, public, people FROM match_views_g{generation} WHERE match_id = $1"
        );
        let Some(row) = sqlx::query(&sql).bind(id).fetch_optional(&mut *tx).await? else {
            return Ok(None);
        };
        let mut stored = Stored {
            version: u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0),
            public: row.try_get(1)?,
            people: row.try_get(2)?,
            own: BySeat::default(),
        };
        let sql =
            format!("SELECT seat, own FROM match_views_own_g{generation} WHERE match_id = $1");
        for row in sqlx::query(&sql).bind(id).fetch_all(&mut *tx).await? {
            let seat = usize::try_from(row.try_get::<i64, _>(0)?).unwrap_or(usize::MAX);
            if let Some(seat) = Seat::ALL.get(seat) {
                stored.own[*seat] = Some(row.try_get(1)?);
            }
        }
        tx.rollback().await?;
        Ok(Some(stored))
    }

    pub(super) async fn close(self) {
        // It only read.
        let _ = self.on.close().await;
    }
}

/// This program's shape of the documents.
fn shape() -> i64 {
    let of = models::all().into_iter().find(|model| model.name() == MATCH_VIEWS);
    of.map_or(0, |model| i64::from(model.shape()))
}

impl Stored {
    /// Compares with what the events up to the documents' version, the last of which is `last`, fold to.
    pub(super) fn compare(&self, sheet: &Sheet, last: &Event, report: &mut Report) {
        report.documents += 1;
        let mut odd = |what: &str| {
            let text = format!("the stored {what} is not what the events say");
            report.event(last, text);
        };
        let text = |document: Result<String, serde_json::Error>| document.unwrap_or_default();
        if self.public != text(serde_json::to_string(&sheet.public)) {
            odd("public document");
        }
        if self.people != text(serde_json::to_string(&sheet.people)) {
            odd("list of people");
        }
        for (seat, own) in sheet.own.iter() {
            let wanted = text(serde_json::to_string(own));
            if self.own[seat].as_deref() != Some(wanted.as_str()) {
                odd(&format!("document of seat {seat}"));
            }
        }
    }
}
