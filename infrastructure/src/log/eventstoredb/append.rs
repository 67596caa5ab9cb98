//! One commit in its three steps: reserve in Postgres, append on the server, confirm in Postgres. A commit that
//! the server refuses is freed; one whose fate is not known keeps its reservation, for `recover` to find.
//!
//! Every append names the exact revision, also where the sender takes any: the events are hashed onto the last
//! one. So the server can store the same bytes once at most, and a refusal is for good.

use super::Node;
use super::claims::{self, Fate};
use super::connect;
use super::memos::{self, Known};
use super::reservation::Reservation;
use crate::log::port::{AppendError, Commit, Expected, ReadError, Receipt};
use eventstore::{AppendToStreamOptions, CurrentRevision, Error};
use std::time::Duration;

/// So often a commit that takes any version may lose against others before it gives up.
const TRIES: usize = 200;

/// How long a repeat waits for the commit of its command that is on its way: as long as that one may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// What the server said to an append, or that it said nothing.
pub(super) enum Answer {
    /// It has the events.
    Stored(Receipt),
    /// The stream went on without them; it is at this version.
    Passed(u64),
    /// It will never take them, for instance because of their size.
    Unfit(String),
    /// It may have them or not, or may still get them.
    InDoubt(ReadError),
}

impl Node {
    /// Judges and stores a commit.
    pub(super) async fn commit(&self, commit: &Commit) -> Result<Receipt, AppendError> {
        for _ in 0..TRIES {
            self.look_for_repeat(commit).await?;
            let tip = self.server.tip(&commit.stream).await?;
            if let Err(conflict) = commit.expected.judge(&commit.stream, tip.version) {
                // The command itself may have moved the stream on since it was looked for.
                self.look_for_repeat(commit).await?;
                return Err(conflict);
            }
            let now = self.clock.now();
            let mut reservation =
                Reservation::new(commit, tip, now, &self.entropy).map_err(AppendError::Fault)?;
            if !claims::reserve(&self.pool, commit, &mut reservation, now).await? {
                continue;
            }
            match self.send(&reservation).await {
                Answer::Stored(receipt) => {
                    self.settle(&reservation, Fate::Stands(receipt)).await;
                    self.grew(receipt.position);
                    return Ok(receipt);
                }
                Answer::Passed(actual) => {
                    self.settle(&reservation, Fate::Refused).await;
                    if commit.expected != Expected::Any {
                        let stream = commit.stream.clone();
                        return Err(AppendError::Conflict { stream, actual });
                    }
                }
                Answer::Unfit(problem) => {
                    self.settle(&reservation, Fate::Refused).await;
                    return Err(AppendError::Fault(problem));
                }
                Answer::InDoubt(error) => return Err(error.into()),
            }
        }
        Err(AppendError::Fault(format!("too many write to stream {} at once", commit.stream)))
    }

    /// Finds out whether the command was done before, and waits where that is being decided.
    async fn look_for_repeat(&self, commit: &Commit) -> Result<(), AppendError> {
        let Some(memo) = &commit.memo else {
            return Ok(());
        };
        let look = async {
            let mut pause = Duration::from_millis(5);
            loop {
                let now = self.clock.now();
                let known = memos::find(&self.pool, memo.account, memo.id, now).await;
                match known.map_err(claims::fault)? {
                    None => return Ok(()),
                    Some(Known::Done(found)) => return Err(AppendError::Repeated(found)),
                    Some(Known::OnItsWay) => tokio::time::sleep(pause).await,
                }
                pause = (2 * pause).min(Duration::from_millis(100));
            }
        };
        let in_doubt = || AppendError::Unreachable("the same command is on its way".to_owned());
        tokio::time::timeout(PATIENCE, look).await.unwrap_or_else(|_| Err(in_doubt()))
    }

    /// Sends a reserved commit, for the first time or again.
    pub(super) async fn send(&self, reservation: &Reservation) -> Answer {
        let events = match reservation.proposed() {
            Ok(events) => events,
            Err(problem) => return Answer::Unfit(problem),
        };
        let options = AppendToStreamOptions::default()
            .expected_revision(reservation.expected())
            .requires_leader(true);
        let name = format!("{}{}", self.server.prefix, reservation.stream);
        let sent = self.server.ask(|client| {
            let (name, events, options) = (name.clone(), events.clone(), &options);
            async move { client.append_to_stream(name, options, events).await }
        });
        match sent.await {
            Ok(written) => match self.receipt(reservation, written.position.commit).await {
                Ok(receipt) => Answer::Stored(receipt),
                Err(error) => Answer::InDoubt(error),
            },
            Err(Error::WrongExpectedVersion { current, .. }) => Answer::Passed(match current {
                CurrentRevision::Current(revision) => revision + 1,
                CurrentRevision::NoStream => 0,
            }),
            Err(error) if connect::is_unfit(&error) => Answer::Unfit(error.to_string()),
            Err(error) => Answer::InDoubt(connect::unread(&error)),
        }
    }

    /// The server tells where it stored one event; not, in some versions, where it had it before. Where several
    /// were stored, its answer is promised nowhere to be the last one's position: the stream is asked.
    async fn receipt(&self, reservation: &Reservation, told: u64) -> Result<Receipt, ReadError> {
        let version = reservation.end();
        let position = if reservation.events.len() == 1 && told != 0 && told != u64::MAX {
            told
        } else {
            let last = self.server.stream(&reservation.stream, version - 1, 1).await?;
            last.first().map(|event| event.position).ok_or_else(|| {
                ReadError::Failed(format!(
                    "stream {} ends before version {version}",
                    reservation.stream
                ))
            })?
        };
        Ok(Receipt { position, version })
    }

    /// The commit's fate is sealed already: where Postgres fails, recovery settles it later.
    async fn settle(&self, reservation: &Reservation, fate: Fate) {
        let settle = async {
            let mut transaction = self.pool.begin().await?;
            claims::settle(&mut transaction, reservation, fate).await?;
            transaction.commit().await
        };
        if let Err(error) = settle.await {
            tracing::warn!(%error, "a reservation is left to recovery");
        }
    }
}
