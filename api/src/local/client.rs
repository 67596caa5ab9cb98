//! Asking a server on this machine. Must not be used by anything that a server runs.

use super::{Answer, Ask, Line, Progress, socket};
use std::path::Path;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskFault {
    /// No server listens there.
    #[error("no server answers in this data folder")]
    NoServer,
    /// It says no.
    #[error("{0}")]
    Refused(String),
    /// The conversation broke off.
    #[error("the server's answer broke off: {0}")]
    Broken(String),
}

impl From<std::io::Error> for AskFault {
    fn from(error: std::io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Whether a server listens for a data folder.
pub async fn is_served(data: &Path) -> bool {
    UnixStream::connect(socket(data)).await.is_ok()
}

/// Asks the server of a data folder, and tells of its progress.
///
/// # Errors
/// See [`AskFault`].
pub async fn ask(
    data: &Path,
    question: &Ask,
    mut progress: impl FnMut(&Progress),
) -> Result<Answer, AskFault> {
    let mut stream = UnixStream::connect(socket(data)).await.map_err(|_| AskFault::NoServer)?;
    let mut line =
        serde_json::to_string(question).map_err(|error| AskFault::Broken(error.to_string()))?;
    line.push('\n');
    stream.write_all(line.as_bytes()).await?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(line) = lines.next_line().await? {
        let line: Line =
            serde_json::from_str(&line).map_err(|error| AskFault::Broken(error.to_string()))?;
        match line {
            Line::Progress(at) => progress(&at),
            Line::Done(answer) => return Ok(answer),
            Line::Failed { problem } => return Err(AskFault::Refused(problem)),
        }
    }
    Err(AskFault::Broken("it ended without a result".to_owned()))
}
