//! Why an aggregate cannot be told from the log. Tells a store that failed from a stream in which a newer
//! program wrote: the first passes, the second stays until this node is upgraded.

use super::Rejected;
use crate::log::codec::CodecError;
use crate::log::port::ReadError;

/// An aggregate's state is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unread {
    /// The store failed, or holds what cannot be.
    #[error(transparent)]
    Log(#[from] ReadError),
    /// The stream holds an event that this program does not know.
    #[error("this program is too old: {0}")]
    Newer(CodecError),
}

impl From<CodecError> for Unread {
    fn from(error: CodecError) -> Self {
        match error {
            CodecError::UnknownName { .. } => Self::Newer(error),
            other => Self::Log(ReadError::Failed(other.to_string())),
        }
    }
}

impl<R: std::error::Error> From<Unread> for Rejected<R> {
    fn from(error: Unread) -> Self {
        match error {
            Unread::Log(error) => error.into(),
            Unread::Newer(error) => Self::Newer(error.to_string()),
        }
    }
}
