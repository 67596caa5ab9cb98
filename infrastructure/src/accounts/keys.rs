//! Secrets of the site by name: the same at every node and after every restart. Must not use them.

use super::turns::Turn;
use super::{Accounts, Failure, rows};

impl Accounts {
    /// The key of that name, made when it is asked for the first time.
    ///
    /// # Errors
    /// The database failed.
    pub async fn key(&self, name: &str) -> Result<[u8; 32], Failure> {
        let inner = &self.inner;
        let mut tx = inner.db.write(&[Turn::Key(name)]).await?;
        let row = sqlx::query("SELECT bytes FROM keys WHERE name = $1")
            .bind(name)
            .fetch_optional(&mut *tx)
            .await?;
        if let Some(row) = row {
            return Ok(rows::bytes32(&row, "bytes")?);
        }
        let key = inner.entropy.bytes32().0;
        sqlx::query("INSERT INTO keys (name, bytes, created) VALUES ($1, $2, $3)")
            .bind(name)
            .bind(key.as_slice())
            .bind(inner.clock.now().0)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(key)
    }
}
