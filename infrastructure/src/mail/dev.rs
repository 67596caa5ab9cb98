//! The development mailbox: keeps letters where a developer can read them, in the accounts' database and as
//! `.eml` files, and sends nothing. Must never be used in production.

use super::{Letter, Locale, MailFault, Mailbox};
use crate::accounts::{AccountsDb, Row};
use crate::system::{make_private, private};
use async_trait::async_trait;
use sqlx::Row as _;
use std::path::{Path, PathBuf};
use tokio::io::AsyncWriteExt as _;
use yibu_domain::kernel::Time;

/// How many letters are kept; older ones go.
pub const KEPT: u32 = 500;

/// What is read of a letter.
const COLUMNS: &str =
    "number, message_id, at, recipient, kind, locale, subject, plain, html, file, bytes";

/// A letter as the mailbox keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredLetter {
    /// Its number in the mailbox; later ones are higher.
    pub number: i64,
    /// Its Message-ID, with angle brackets.
    pub message_id: String,
    /// When it was written.
    pub at: Time,
    /// The receiver's address.
    pub to: String,
    /// The name of its kind, for instance `verification_code`.
    pub kind: String,
    /// Its language.
    pub locale: Locale,
    /// Its subject.
    pub subject: String,
    /// Its text.
    pub plain: String,
    /// Its text as HTML.
    pub html: String,
    /// The name of its file in the mailbox's folder.
    pub file: String,
    /// The whole message (RFC 5322).
    pub bytes: Vec<u8>,
}

/// Keeps the last [`KEPT`] letters. Clones are the same mailbox.
#[derive(Clone)]
pub struct DevMailbox {
    db: AccountsDb,
    folder: PathBuf,
}

impl DevMailbox {
    /// A mailbox over the accounts' database, with its files in `folder` (made when missing).
    ///
    /// # Errors
    /// The folder cannot be made.
    pub async fn open(db: AccountsDb, folder: impl Into<PathBuf>) -> Result<Self, MailFault> {
        let folder = folder.into();
        // Letters hold codes and addresses.
        make_private(&folder)?;
        Ok(Self { db, folder })
    }

    /// Where the `.eml` files are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The newest letters, newest first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn list(&self, limit: u32) -> Result<Vec<StoredLetter>, MailFault> {
        let rows =
            sqlx::query(&format!("SELECT {COLUMNS} FROM mailbox ORDER BY number DESC LIMIT $1"))
                .bind(i64::from(limit))
                .fetch_all(self.db.reading())
                .await?;
        rows.iter().map(stored).collect::<Result<_, _>>().map_err(Into::into)
    }

    /// The newest letter to an address, where there is one.
    ///
    /// # Errors
    /// The store failed.
    pub async fn latest_to(&self, address: &str) -> Result<Option<StoredLetter>, MailFault> {
        let row = sqlx::query(&format!(
            "SELECT {COLUMNS} FROM mailbox WHERE lower(recipient) = lower($1) \
             ORDER BY number DESC LIMIT 1"
        ))
        .bind(address)
        .fetch_optional(self.db.reading())
        .await?;
        Ok(row.as_ref().map(stored).transpose()?)
    }

    /// One letter by its number.
    ///
    /// # Errors
    /// The store failed.
    pub async fn get(&self, number: i64) -> Result<Option<StoredLetter>, MailFault> {
        let row = sqlx::query(&format!("SELECT {COLUMNS} FROM mailbox WHERE number = $1"))
            .bind(number)
            .fetch_optional(self.db.reading())
            .await?;
        Ok(row.as_ref().map(stored).transpose()?)
    }
}

#[async_trait]
impl Mailbox for DevMailbox {
    fn is_set_up(&self) -> bool {
        true
    }

    fn from(&self) -> &'static str {
        "Yibu <yibu@localhost>"
    }

    async fn deliver(&self, letter: &Letter) -> Result<(), MailFault> {
        let file = file_name(letter);
        // The file first: a row without its file would be a promise not kept, and a file that is written
        // again is the same file.
        let mut options: tokio::fs::OpenOptions = private().into();
        let options = options.write(true).create(true).truncate(true);
        let mut out = options.open(self.folder.join(&file)).await?;
        out.write_all(&letter.bytes).await?;
        out.flush().await?;
        let mut tx = self.db.write(&[]).await?;
        sqlx::query(
            "INSERT INTO mailbox \
             (message_id, at, recipient, kind, locale, subject, plain, html, file, bytes) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (message_id) DO NOTHING",
        )
        .bind(&letter.message_id)
        .bind(letter.at.0)
        .bind(&letter.to)
        .bind(letter.kind)
        .bind(letter.locale.tag())
        .bind(&letter.subject)
        .bind(&letter.plain)
        .bind(&letter.html)
        .bind(&file)
        .bind(&letter.bytes)
        .execute(&mut *tx)
        .await?;
        let gone = sqlx::query(
            "DELETE FROM mailbox WHERE number <= (SELECT number FROM mailbox \
             ORDER BY number DESC LIMIT 1 OFFSET $1) RETURNING file",
        )
        .bind(i64::from(KEPT))
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        for row in gone {
            let file: String = row.try_get("file")?;
            // Somebody may have tidied up by hand.
            let _ = tokio::fs::remove_file(self.folder.join(file)).await;
        }
        Ok(())
    }
}

/// Sorts by time; says nothing of the receiver. Message-IDs are hexadecimal before the `@`.
fn file_name(letter: &Letter) -> String {
    let id: String = letter
        .message_id
        .chars()
        .take_while(|c| *c != '@')
        .filter(char::is_ascii_alphanumeric)
        .collect();
    format!("{:015}-{}-{id}.eml", letter.at.0.max(0), letter.kind)
}

fn stored(row: &Row) -> Result<StoredLetter, sqlx::Error> {
    Ok(StoredLetter {
        number: row.try_get("number")?,
        message_id: row.try_get("message_id")?,
        at: Time(row.try_get("at")?),
        to: row.try_get("recipient")?,
        kind: row.try_get("kind")?,
        locale: row.try_get::<String, _>("locale")?.parse().unwrap_or_default(),
        subject: row.try_get("subject")?,
        plain: row.try_get("plain")?,
        html: row.try_get("html")?,
        file: row.try_get("file")?,
        bytes: row.try_get("bytes")?,
    })
}
