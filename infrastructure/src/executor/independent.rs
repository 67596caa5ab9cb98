//! The second, independent reader of the log in PostgreSQL: whole streams through the repository of
//! postgres-es, which shares no query and no row of code with our own. For audits and the contract suite;
//! must not write, and must not serve commands.

use super::Hosted;
use crate::log::OpenError;
use crate::log::port::{ReadError, Stored};
use crate::log::postgres::{metadata, names};
use cqrs_es::persist::{PersistedEventRepository as _, SerializedEvent};
use postgres_es::PostgresEventRepository;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use yibu_domain::kernel::{Decider, Time};

/// Reads streams as `cqrs_es` on PostgreSQL would.
pub struct IndependentReader {
    repository: PostgresEventRepository,
}

impl IndependentReader {
    /// On the database of a log.
    ///
    /// # Errors
    /// The URL is none, or the database cannot be reached.
    pub async fn connect(url: &str) -> Result<Self, OpenError> {
        // The parser's own error may quote parts of it.
        let options: PgConnectOptions = url.parse().map_err(|_| OpenError::NotAUrl)?;
        let pool = PgPoolOptions::new().max_connections(1).connect_with(options).await?;
        Ok(Self { repository: PostgresEventRepository::new(pool) })
    }

    /// All events of a stream of `D` in their order, ready for the codec. The payload is the same JSON, not
    /// the same bytes, for the repository takes it apart; position, time of writing, salt and hash stay zero,
    /// for it does not know their columns.
    ///
    /// # Errors
    /// The database could not be read, or the stream is not one of `D`.
    pub async fn read<D: Decider>(&self, stream: &str) -> Result<Vec<Stored>, ReadError> {
        let (kind, id) = names::split(stream);
        if kind != D::CATEGORY {
            return Err(ReadError::Failed(format!(
                "{stream} is not a stream of kind {}",
                D::CATEGORY
            )));
        }
        let events = self.repository.get_events::<Hosted<D>>(id).await;
        let events = events.map_err(|error| ReadError::Failed(error.to_string()))?;
        events.iter().map(stored).collect()
    }
}

fn stored(event: &SerializedEvent) -> Result<Stored, ReadError> {
    let stream = names::join(&event.aggregate_type, &event.aggregate_id);
    let (id, stamp) = metadata::read(&event.metadata.to_string()).map_err(|_| {
        ReadError::Failed(format!("{stream}, version {}: broken metadata", event.sequence))
    })?;
    Ok(Stored {
        position: 0,
        stream,
        version: event.sequence as u64,
        id,
        name: event.event_type.clone(),
        payload: event.payload.to_string(),
        stamp,
        recorded: Time(0),
        salt: [0; 16],
        hash: [0; 32],
    })
}
