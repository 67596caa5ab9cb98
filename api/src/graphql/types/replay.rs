//! The file of a finished match as clients get it. Must not be made for anybody who did not take part.

use crate::app::ReplayFile;
use crate::graphql::ids::Global;
use crate::graphql::scalars::DateTime;
use async_graphql::{ID, Object};

/// The complete replay of a finished match.
pub struct Replay(pub ReplayFile);

/// The complete replay of a finished match: a file to keep, with every piece open.
#[Object]
impl Replay {
    /// The match.
    async fn match_id(&self) -> ID {
        Global::Match(self.0.match_id).id()
    }

    /// A name for the file.
    async fn file_name(&self) -> &str {
        &self.0.name
    }

    /// The file: JSON text of the format `yibu-replay`, version 2, whose schema is at
    /// `/schemas/yibu-replay.v2.schema.json`.
    async fn file(&self) -> &str {
        &self.0.text
    }

    /// When the match started.
    async fn started_at(&self) -> DateTime {
        DateTime(self.0.started)
    }

    /// When it ended.
    async fn ended_at(&self) -> DateTime {
        DateTime(self.0.ended)
    }

    /// From then on there is no replay here any more.
    async fn expires_at(&self) -> DateTime {
        DateTime(self.0.expires)
    }
}
