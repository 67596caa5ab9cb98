//! The stored documents of a match against a fold of its events. Reads `views.db` read-only, beside the
//! server that owns it; must not print a document.

use super::Report;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use std::path::Path;
use yibu_domain::games::siguo::seat::{BySeat, Seat};
use yibu_domain::kernel::MatchId;
use yibu_domain::matches::view::Sheet;

/// Opens the read models for reading.
pub(super) async fn open(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let patience = std::time::Duration::from_secs(5);
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(patience);
    options.connect().await
}

/// The stored documents of all matches.
pub(super) struct Documents {
    on: SqliteConnection,
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
        let path = folder.join("views.db");
        if !path.is_file() {
            report.note("there are no read models to compare with");
            return None;
        }
        match open(&path).await {
            Ok(on) => Some(Self { on }),
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
                report.problem("match_views", None, error);
                None
            }
        }
    }

    async fn read(&mut self, id: MatchId) -> Result<Option<Stored>, sqlx::Error> {
        // One snapshot: the generation, the document and its overlays.
        let mut tx = self.on.begin().await?;
        let sql =
            "SELECT generation FROM projections WHERE name = 'match_views' AND state = 'active'";
        let Some(row) = sqlx::query(sql).fetch_optional(&mut *tx).await? else { return Ok(None) };
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

impl Stored {
    /// Compares with what the events up to the documents' version fold to.
    pub(super) fn compare(&self, sheet: &Sheet, stream: &str, report: &mut Report) {
        report.documents += 1;
        let mut odd = |what: &str| {
            let text = format!("the stored {what} is not what the events say");
            report.problem(stream, Some(self.version), text);
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
