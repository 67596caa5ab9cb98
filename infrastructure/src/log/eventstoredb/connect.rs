//! The connection to the server: what is asked is asked again while the server cannot answer, and a client that
//! has given up is replaced. Everything asked here may be asked twice: reads change nothing, and appends carry
//! their events' ids and the exact revision.
//!
//! The client installs a TLS provider for the whole process, even for `tls=false`, and panics in a task of its
//! own where another one was installed before. Nothing in this house installs one.

use crate::log::port::ReadError;
use eventstore::{Client, ClientSettings, Error};
use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The pauses between tries. The client itself waits up to some seconds for each connection.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(50), Duration::from_millis(200), Duration::from_millis(800)];

/// gRPC's number of the status `INVALID_ARGUMENT`.
const INVALID_ARGUMENT: i32 = 3;

/// One server or cluster, and the part of it that is ours.
pub(super) struct Server {
    settings: ClientSettings,
    /// What the names of our streams begin with there.
    pub(super) prefix: String,
    link: Mutex<Link>,
}

struct Link {
    client: Client,
    /// Counts the clients, so that one that has given up is replaced once.
    number: u64,
}

/// What an address says, and the prefix behind it.
pub(super) fn settings(url: &str) -> Result<(ClientSettings, &str), String> {
    let (address, prefix) = url.split_once('#').unwrap_or((url, ""));
    // The parser quotes the address, password and all.
    let settings = address.parse();
    let settings = settings.map_err(|_| {
        "its address is not of the form esdb://host:port?tls=true#prefix".to_owned()
    })?;
    Ok((settings, prefix))
}

impl Server {
    /// `esdb://host:port?options#prefix`. Connects when something is asked.
    pub(super) fn new(url: &str) -> Result<Self, String> {
        let (settings, prefix) = settings(url)?;
        let client = Client::new(settings.clone()).map_err(|error| error.to_string())?;
        let link = Mutex::new(Link { client, number: 0 });
        Ok(Self { settings, prefix: prefix.to_owned(), link })
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, number: u64) {
        let mut link = self.link();
        if link.number != number {
            return;
        }
        match Client::new(self.settings.clone()) {
            Ok(client) => *link = Link { client, number: number + 1 },
            Err(error) => tracing::warn!(%error, "the event store's client cannot be renewed"),
        }
    }

    /// Asks until there is a definite answer, a few times at most.
    pub(super) async fn ask<T, F>(&self, question: impl Fn(Client) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let mut pauses = PAUSES.iter();
        loop {
            let (client, number) = {
                let link = self.link();
                (link.client.clone(), link.number)
            };
            let error = match question(client).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            if is_definite(&error) {
                return Err(error);
            }
            if matches!(error, Error::ConnectionClosed | Error::GrpcConnectionError(_)) {
                self.replace(number);
            }
            let Some(pause) = pauses.next() else {
                return Err(error);
            };
            tokio::time::sleep(*pause).await;
        }
    }
}

/// Whether asking again would bring the same answer.
fn is_definite(error: &Error) -> bool {
    matches!(
        error,
        Error::WrongExpectedVersion { .. }
            | Error::ResourceNotFound
            | Error::ResourceDeleted
            | Error::AccessDenied
            | Error::UnsupportedFeature
            | Error::InternalParsingError(_)
    ) || is_unfit(error)
}

/// What was asked in vain. Where asking again may bring another answer, the server is away: nothing is wrong with what
/// it holds.
pub(super) fn unread(error: &Error) -> ReadError {
    let problem = error.to_string();
    if is_definite(error) { ReadError::Failed(problem) } else { ReadError::Unreachable(problem) }
}

/// Whether the server finds that what it was sent can never be stored, for instance because of its size.
pub(super) fn is_unfit(error: &Error) -> bool {
    matches!(error, Error::Grpc { code, .. } if i32::from(*code) == INVALID_ARGUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eventstore::GrpcConnectionError;

    #[test]
    fn a_server_that_is_away_is_told_from_one_that_refuses() {
        let away = [
            Error::ConnectionClosed,
            Error::DeadlineExceeded,
            Error::GrpcConnectionError(GrpcConnectionError::MaxDiscoveryAttemptReached(3)),
            Error::ServerError("status: Unavailable".to_owned()),
        ];
        for error in &away {
            assert!(matches!(unread(error), ReadError::Unreachable(_)), "{error}");
        }
        let refusals = [Error::AccessDenied, Error::InternalParsingError("odd".to_owned())];
        for error in &refusals {
            assert!(matches!(unread(error), ReadError::Failed(_)), "{error}");
        }
    }
}
