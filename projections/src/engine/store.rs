//! Where the read models stand: a file that belongs to this process, or a PostgreSQL database that several
//! processes share. The only place that knows how the two differ; everything else speaks the SQL of both.

use super::fault::ViewsError;
use super::schema::Dialect;
use sqlx::any::{AnyArguments, AnyConnectOptions, AnyPoolOptions, AnyRow};
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Connection, Executor, Row as _};
use std::fmt::Write;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// A connection to the read models, in whichever database they stand.
pub type Conn = AnyConnection;
/// A row of a read model.
pub type Row = AnyRow;
/// A statement with its values.
pub type Bound<'q> = Query<'q, Any, AnyArguments<'q>>;

/// Readers of a file beside its one writer.
const FILE_READERS: u32 = 8;
/// Connections of one process to a shared database: as many for queries as one busy process can use at once,
/// and one for each read model that commits or is built.
const SHARED_READERS: u32 = 16;
const SHARED_WRITERS: u32 = 12;
/// How long somebody waits for a connection. The writers of a file wait for each other's longest transaction.
const FILE_WAITS: Duration = Duration::from_secs(60);
const SHARED_WAITS: Duration = Duration::from_secs(5);
/// People wait for what is read of a shared database, and one that is away answers nobody.
const SHARED_READER_WAITS: Duration = Duration::from_secs(2);
/// A connection that rested longer is tried before it is used: the server may have gone and come back.
const RESTED: Duration = Duration::from_secs(1);

// NORMAL: a power cut may cost the last rows together with their checkpoints, and they come again.
const FILE_WRITER: &str =
    "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536";
const FILE_READER: &str = "PRAGMA cache_size = -65536";
// Asynchronous commits, for the same reason. A worker that was frozen in the middle of a transaction is put out,
// so that the next one does not wait for its locks. Documents are long: where the server has the quicker
// compression, it is used.
const SHARED_WRITER: &str = "SET synchronous_commit = off; SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config(name, 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)";
// Queries that belong together see one state.
const SHARED_READER: &str = "SET default_transaction_isolation = 'repeatable read';
    SET default_transaction_read_only = on";

/// Where read models stand.
#[derive(Clone)]
pub enum Home {
    /// `views.db` in a folder, which is made when missing. It belongs to one process.
    Folder(PathBuf),
    /// The PostgreSQL database of a URL. Several processes may share it.
    Postgres(String),
}

/// The connections to them.
pub(super) struct Store {
    pub(super) dialect: Dialect,
    /// Where commits of other processes are told; none where there are no others.
    pub(super) told_at: Option<String>,
    writing: AnyPool,
    reading: AnyPool,
    /// Freed by the operating system when the last handle goes, or the process.
    _lock: Option<File>,
}

impl Store {
    pub(super) async fn open(home: Home) -> Result<Self, ViewsError> {
        sqlx::any::install_default_drivers();
        match home {
            Home::Folder(folder) => Self::open_folder(&folder).await,
            Home::Postgres(url) => Self::open_postgres(url).await,
        }
    }

    /// One writing connection per file is a matter of safety: two that write or checkpoint at the same instant
    /// can hit a defect of the SQLite in use and lose pages.
    async fn open_folder(folder: &Path) -> Result<Self, ViewsError> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let folder = folder.canonicalize()?;
        let lock =
            private().create(true).truncate(false).write(true).open(folder.join("views.lock"))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ViewsError::InUse,
            TryLockError::Error(error) => ViewsError::Folder(error),
        })?;
        make_private(&folder.join("views.db"))?;
        let url = format!("sqlite://{}", escaped(&folder.join("views.db")));
        let writer = AnyConnectOptions::from_str(&format!("{url}?mode=rwc"))?;
        match sound(&writer).await {
            Err(error) if damaged(&error) => {
                // Everything in it comes from the log: a damaged one is worth nothing.
                tracing::warn!(%error, "the read models are damaged and begin again from the log");
                for ending in ["", "-wal", "-shm"] {
                    let file = folder.join(format!("views.db{ending}"));
                    if file.exists() {
                        std::fs::remove_file(file)?;
                    }
                }
                make_private(&folder.join("views.db"))?;
                sound(&writer).await?;
            }
            other => other?,
        }
        let lasting = |most| {
            AnyPoolOptions::new().max_connections(most).max_lifetime(None).idle_timeout(None)
        };
        let writing = settled(lasting(1), FILE_WRITER).acquire_timeout(FILE_WAITS);
        let writing = writing.after_release(|on, _| Box::pin(ended(on)));
        let reading = settled(lasting(FILE_READERS), FILE_READER).acquire_timeout(FILE_WAITS);
        let reader = AnyConnectOptions::from_str(&format!("{url}?mode=ro"))?;
        Ok(Self {
            dialect: Dialect::Sqlite,
            told_at: None,
            writing: writing.test_before_acquire(false).connect_with(writer).await?,
            reading: reading.test_before_acquire(false).connect_lazy_with(reader),
            _lock: Some(lock),
        })
    }

    async fn open_postgres(url: String) -> Result<Self, ViewsError> {
        let options = AnyConnectOptions::from_str(&url)?;
        let shared = |most, waits, first| {
            let pool = AnyPoolOptions::new().max_connections(most).acquire_timeout(waits);
            settled(pool, first).test_before_acquire(false).before_acquire(|on, about| {
                Box::pin(async move {
                    if about.idle_for > RESTED {
                        on.ping().await?;
                    }
                    Ok(true)
                })
            })
        };
        let writing = shared(SHARED_WRITERS, SHARED_WAITS, SHARED_WRITER);
        let writing = writing.connect_with(options.clone()).await?;
        let reading = shared(SHARED_READERS, SHARED_READER_WAITS, SHARED_READER);
        Ok(Self {
            dialect: Dialect::Postgres,
            told_at: Some(url),
            writing,
            reading: reading.connect_lazy_with(options),
            _lock: None,
        })
    }

    /// Several processes share it.
    pub(super) fn shared(&self) -> bool {
        self.told_at.is_some()
    }

    /// A connection that writes; the only one of a file.
    pub(super) async fn writing(&self) -> Result<PoolConnection<Any>, ViewsError> {
        self.writing.acquire().await.map_err(taken)
    }

    /// A connection that cannot write.
    pub(super) async fn reading(&self) -> Result<PoolConnection<Any>, ViewsError> {
        self.reading.acquire().await.map_err(taken)
    }

    /// A name for this handle that no other one has: whoever holds a lease is known by it.
    pub(super) async fn name(&self) -> Result<String, ViewsError> {
        let mut on = self.writing().await?;
        Ok(on.fetch_one(self.dialect.sql("SELECT {name}").as_str()).await?.try_get(0)?)
    }

    pub(super) async fn close(&self) {
        // The writer last: it tidies a file up.
        self.reading.close().await;
        self.writing.close().await;
    }
}

/// Overlays hold hidden pieces: what is made here is for its owner alone.
fn private() -> OpenOptions {
    let mut options = File::options();
    options.mode(0o600);
    options
}

/// Makes an empty file where there is none: SQLite keeps its mode, also for the files beside it.
fn make_private(path: &Path) -> io::Result<()> {
    match private().write(true).create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Whether a connection that comes back has ended its transactions. On a full disk SQLite undoes one by itself, which
/// sqlx does not know of: the next ones would stand inside of one that never ends, and nothing of them would last.
async fn ended(on: &mut Conn) -> Result<bool, sqlx::Error> {
    // What was dropped is rolled back before this is answered.
    on.ping().await?;
    Ok(!on.is_in_transaction())
}

fn taken(error: sqlx::Error) -> ViewsError {
    match error {
        sqlx::Error::PoolClosed => ViewsError::Closed,
        error => ViewsError::Store(error),
    }
}

/// Every connection begins with some settings.
fn settled(pool: AnyPoolOptions, first: &'static str) -> AnyPoolOptions {
    pool.after_connect(move |on, _| Box::pin(async move { on.execute(first).await.map(|_| ()) }))
}

/// Makes the file, or reads the first pages of the one that is there.
async fn sound(options: &AnyConnectOptions) -> Result<(), sqlx::Error> {
    let mut on = options.connect().await?;
    on.execute(FILE_WRITER).await?;
    on.execute("SELECT count(*) FROM sqlite_master").await?;
    on.close().await
}

/// SQLite says that the file is malformed (11) or no database at all (26).
fn damaged(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    matches!(code.as_deref(), Some("11" | "26"))
}

/// A path as a part of a URL.
fn escaped(path: &Path) -> String {
    path.as_os_str().as_encoded_bytes().iter().fold(String::new(), |mut text, byte| {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
        text
    })
}
