//! The accounts' database: a file of this process alone with exactly one writing connection and a held lock, or
//! PostgreSQL, which several processes share. Must not know what the tables mean; the one file here that knows
//! which of the two it is.

use super::schema;
use super::turns::{Turn, Tx};
use crate::reach::cause;
use crate::system::{
    escaped, hold_to_read, make_private, make_private_file, private, stands_alone,
};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::migrate::MigrateError;
use sqlx::{AnyConnection, AnyPool, Connection as _, Executor as _};
use std::fmt;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// The file by which a process holds the accounts of a folder.
pub(super) const LOCK: &str = "accounts.lock";

/// A connection to either database. Statements number their marks (`$1`), which both take.
pub(crate) type Conn = AnyConnection;

/// A row of either database. Numbers are read as `i64`; there are no booleans, see `rows`.
pub(crate) type Row = AnyRow;

/// Readers beside the one writer of a file.
const READERS: u32 = 4;

/// The most connections of one process to PostgreSQL, the one that listens not counted.
const CONNECTIONS: u32 = 8;

/// How long somebody waits for one of them: people wait for it, and a server that is away answers nobody.
const SHARED_WAITS: Duration = Duration::from_secs(2);

/// Where accounts are kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// In `accounts.db` in a folder, made when missing; for one process.
    Folder(PathBuf),
    /// In the PostgreSQL database of this URL; for any number of processes.
    Postgres(String),
}

/// Does not print the URL, which may hold a password.
impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "Folder({})", folder.display()),
            Self::Postgres(_) => f.write_str("Postgres(…)"),
        }
    }
}

impl Place {
    /// Whether anybody has an account there, also where accounts were never kept. Makes nothing.
    ///
    /// # Errors
    /// The database failed.
    pub async fn has_players(&self) -> Result<bool, sqlx::Error> {
        install_default_drivers();
        // Held until the answer is there. A server may hold it: then there is a log of later writes to read as well.
        let mut lock = None;
        let (url, made) = match self {
            Self::Folder(folder) if !folder.join("accounts.db").is_file() => return Ok(false),
            Self::Folder(folder) => {
                lock = hold_to_read(&folder.join(LOCK)).ok().flatten();
                let file = folder.canonicalize()?.join("accounts.db");
                let made = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'players'";
                (to_read(&file, lock.as_ref())?, made)
            }
            Self::Postgres(url) => (url.clone(), "SELECT COUNT(to_regclass('players'))"),
        };
        let mut on = AnyConnection::connect(&url).await?;
        let mut found: i64 = sqlx::query_scalar(made).fetch_one(&mut on).await?;
        if found > 0 {
            let any = "SELECT COUNT(*) FROM (SELECT player FROM players LIMIT 1) AS one";
            found = sqlx::query_scalar(any).fetch_one(&mut on).await?;
        }
        on.close().await?;
        drop(lock);
        Ok(found > 0)
    }
}

/// The database cannot be opened.
#[derive(Debug, Error)]
pub enum OpenFault {
    /// Another process, or another handle of this one, has the lock.
    #[error("the accounts in this folder are in use by another process (accounts.lock is held)")]
    InUse,
    /// There are none, and whoever only reads makes none.
    #[error("no accounts were ever kept there")]
    Nothing,
    /// An older program kept them, and this one was to read only.
    #[error(
        "the accounts' tables are of an older program: `yibu migrate`, or the next start of a server, brings them \
         up to date"
    )]
    TooOld,
    /// The folder or the lock file cannot be made or used.
    #[error("the accounts' folder cannot be used: {0}")]
    Folder(#[from] io::Error),
    /// The database failed.
    #[error("the accounts' database cannot be opened: {}", cause(.0))]
    Store(#[from] sqlx::Error),
    /// The tables could not be brought up to date, or a newer program has been here.
    #[error("the accounts' tables cannot be brought up to date: {0}")]
    Migration(#[from] MigrateError),
}

fn in_use(error: TryLockError) -> OpenFault {
    match error {
        TryLockError::WouldBlock => OpenFault::InUse,
        TryLockError::Error(error) => OpenFault::Folder(error),
    }
}

/// The accounts' database, open. Clones share the connections.
///
/// One writing connection per file is a matter of safety: two that write or checkpoint at the same instant
/// can hit a defect of the SQLite in use and lose pages.
#[derive(Clone)]
pub struct AccountsDb {
    inner: Arc<Inner>,
}

struct Inner {
    writing: AnyPool,
    reading: AnyPool,
    closing: CancellationToken,
    kind: Kind,
    writes: bool,
}

enum Kind {
    /// The lock is freed by the operating system when the last clone goes, or the process. None: nobody ever wrote.
    File {
        _lock: Option<File>,
    },
    Postgres {
        url: String,
    },
}

impl AccountsDb {
    /// Opens the database and brings its tables up to date. Several processes may do so at the same instant.
    ///
    /// # Errors
    /// As [`OpenFault`] says.
    pub async fn open(place: Place) -> Result<Self, OpenFault> {
        install_default_drivers();
        match place {
            Place::Folder(folder) => Self::file(&folder).await,
            Place::Postgres(url) => Self::postgres(url).await,
        }
    }

    /// Opens the database for reading only: makes nothing, and brings nothing up to date. A file that a process
    /// serves from is refused.
    ///
    /// # Errors
    /// As [`OpenFault`] says.
    pub async fn open_to_read(place: Place) -> Result<Self, OpenFault> {
        install_default_drivers();
        let (url, first, kind) = match place {
            Place::Folder(folder) => {
                let path = folder.join("accounts.db");
                // A file that cannot be looked at is not one that is missing.
                if !path.try_exists()? {
                    return Err(OpenFault::Nothing);
                }
                let lock = hold_to_read(&folder.join(LOCK)).map_err(in_use)?;
                let url = to_read(&path.canonicalize()?, lock.as_ref())?;
                (url, "", Kind::File { _lock: lock })
            }
            Place::Postgres(url) => {
                (url.clone(), "SET default_transaction_read_only = on", Kind::Postgres { url })
            }
        };
        let reading = AnyPoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(SHARED_WAITS)
            .after_connect(move |on, _| Box::pin(async move { on.execute(first).await.map(drop) }))
            .connect_with(AnyConnectOptions::from_str(&url)?)
            .await?;
        let db = Self::over(reading.clone(), reading, kind, false);
        schema::check(&db).await?;
        Ok(db)
    }

    async fn file(folder: &Path) -> Result<Self, OpenFault> {
        make_private(folder)?;
        let lock = private().create(true).truncate(false).write(true).open(folder.join(LOCK))?;
        lock.try_lock().map_err(in_use)?;
        make_private_file(&folder.join("accounts.db"))?;
        let file = url_of(&folder.canonicalize()?.join("accounts.db"))?;
        let writing = AnyPoolOptions::new()
            .min_connections(1)
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .after_connect(|on, _| {
                Box::pin(async move {
                    on.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL").await?;
                    Ok(())
                })
            })
            .after_release(|on, _| Box::pin(ended(on)))
            .connect_with(AnyConnectOptions::from_str(&format!("{file}?mode=rwc"))?)
            .await?;
        schema::of_file(&writing).await?;
        let reading = AnyPoolOptions::new()
            .max_connections(READERS)
            .max_lifetime(None)
            .connect_with(AnyConnectOptions::from_str(&format!("{file}?mode=ro"))?)
            .await?;
        Ok(Self::over(writing, reading, Kind::File { _lock: Some(lock) }, true))
    }

    async fn postgres(url: String) -> Result<Self, OpenFault> {
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(SHARED_WAITS)
            .connect_with(AnyConnectOptions::from_str(&url)?)
            .await?;
        let db = Self::over(pool.clone(), pool, Kind::Postgres { url }, true);
        let mut tx = db.write(&[Turn::Schema]).await?;
        schema::of_postgres(&mut tx).await?;
        tx.commit().await?;
        Ok(db)
    }

    fn over(writing: AnyPool, reading: AnyPool, kind: Kind, writes: bool) -> Self {
        let closing = CancellationToken::new();
        Self { inner: Arc::new(Inner { writing, reading, closing, kind, writes }) }
    }

    /// Whether it may write at all.
    pub(super) fn writes(&self) -> bool {
        self.inner.writes
    }

    /// A transaction that writes, once it has all these turns. In a file it has every turn there is, being the
    /// only one. Never wait for anything slow while holding it.
    pub(crate) async fn write(&self, turns: &[Turn<'_>]) -> Result<Tx, sqlx::Error> {
        match self.inner.kind {
            Kind::File { .. } => Ok(Tx::alone(self.inner.writing.begin().await?)),
            Kind::Postgres { .. } => Tx::among_others(&self.inner.writing, turns).await,
        }
    }

    /// A transaction of a database that others use too, once it has this turn, which is waited for and held for a
    /// bounded time only.
    pub(super) async fn write_in_time(&self, turn: Turn<'_>) -> Result<Tx, sqlx::Error> {
        Tx::in_time(&self.inner.writing, turn).await
    }

    /// For single statements that write.
    pub(crate) fn writing(&self) -> &AnyPool {
        &self.inner.writing
    }

    /// For statements that only read.
    pub(crate) fn reading(&self) -> &AnyPool {
        &self.inner.reading
    }

    /// The URL of a database that other processes use too; `None` where this one is alone.
    pub(super) fn shared(&self) -> Option<&str> {
        match &self.inner.kind {
            Kind::File { .. } => None,
            Kind::Postgres { url } => Some(url),
        }
    }

    /// Fires when the database closes.
    pub(super) fn closing(&self) -> CancellationToken {
        self.inner.closing.clone()
    }

    /// Lets running work finish and closes all connections. A file's lock is freed with the last clone.
    pub async fn close(&self) {
        self.inner.closing.cancel();
        self.inner.reading.close().await;
        self.inner.writing.close().await;
    }
}

/// Whether a connection that comes back has ended its transactions. On a full disk SQLite undoes one by itself, which
/// sqlx does not know of: the next ones would stand inside of one that never ends, and nothing of them would last.
async fn ended(on: &mut Conn) -> Result<bool, sqlx::Error> {
    // What was dropped is rolled back before this is answered.
    on.ping().await?;
    Ok(!on.is_in_transaction())
}

/// A file as URL for reading only. With the lock against those who write it may be one that never changes.
fn to_read(file: &Path, lock: Option<&File>) -> Result<String, io::Error> {
    let fixed = if lock.is_some() && stands_alone(file) { "&immutable=1" } else { "" };
    Ok(format!("{}?mode=ro{fixed}", url_of(file)?))
}

/// A file as URL, whatever its name is made of.
fn url_of(file: &Path) -> Result<String, io::Error> {
    let name = file.to_str().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidFilename, "the folder's name is no UTF-8")
    })?;
    Ok(format!("sqlite://{}", escaped(Path::new(name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_folder_may_have_any_name() {
        let room = tempfile::tempdir().unwrap();
        for name in ["plain", "100% 50%41?x#y", "数据 {a}", "C:\\d&e=f"] {
            let folder = room.path().join(name);
            let db = AccountsDb::open(Place::Folder(folder.clone())).await.unwrap();
            assert!(folder.join("accounts.db").is_file(), "{name}");
            for (pragma, wanted) in [("journal_mode", "wal"), ("synchronous", "2")] {
                let sql = format!("SELECT CAST({pragma} AS TEXT) FROM pragma_{pragma}");
                let shown: String = sqlx::query_scalar(&sql).fetch_one(db.writing()).await.unwrap();
                assert_eq!(shown, wanted, "{pragma}");
            }
            let written = sqlx::query("DELETE FROM keys").execute(db.reading()).await;
            assert!(written.is_err(), "readers cannot write");
            db.close().await;
        }
    }

    #[tokio::test]
    async fn what_is_written_after_the_disk_was_full_lasts() {
        let room = tempfile::tempdir().unwrap();
        let db = AccountsDb::open(Place::Folder(room.path().to_owned())).await.unwrap();
        let run = async |tx: &mut Tx, sql: &str| sqlx::query(sql).execute(&mut **tx).await;
        let mut tx = db.write(&[]).await.unwrap();
        run(&mut tx, "CREATE TABLE filler (x)").await.unwrap();
        tx.commit().await.unwrap();
        // Given a transaction that ended with the room, and one that was given up
        let mut tx = db.write(&[]).await.unwrap();
        run(&mut tx, "PRAGMA max_page_count = 1").await.unwrap();
        let full = run(&mut tx, "INSERT INTO filler VALUES (zeroblob(1000000))").await;
        assert!(full.unwrap_err().to_string().contains("disk is full"));
        drop(tx);
        let mut tx = db.write(&[]).await.unwrap();
        run(&mut tx, "INSERT INTO filler VALUES (1)").await.unwrap();
        drop(tx);
        // When there is room again, then what is committed is there for everybody
        let mut tx = db.write(&[]).await.unwrap();
        run(&mut tx, "INSERT INTO filler VALUES (2)").await.unwrap();
        tx.commit().await.unwrap();
        let sql = "SELECT x FROM filler";
        let seen: Vec<i64> = sqlx::query_scalar(sql).fetch_all(db.reading()).await.unwrap();
        assert_eq!(seen, [2]);
        db.close().await;
    }

    #[test]
    fn a_place_keeps_its_password() {
        let place = Place::Postgres("postgres://yibu:secret@localhost/yibu".into());
        assert_eq!(format!("{place:?}"), "Postgres(…)");
    }
}
