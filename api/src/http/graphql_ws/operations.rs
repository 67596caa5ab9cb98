//! The operations that live on one socket: each in a task of its own, each holding at most one answer that
//! the socket has not taken yet. Must not write to the socket.

use super::protocol::about;
use crate::http::answer::{self, Answer};
use crate::http::doors::Doors;
use crate::http::gate::Gate;
use crate::http::metrics::Open;
use async_graphql::parser::types::OperationType;
use async_graphql::{Request, ServerError};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, Id, JoinError, JoinSet};
use tracing::Instrument as _;

/// The most operations that may live on one socket.
pub const MAX_OPERATIONS: usize = 32;
/// Answers of all operations that wait for the socket.
const WAITING: usize = 16;

/// What an operation has to say.
pub(super) struct Said {
    id: Arc<str>,
    serial: u64,
    /// The message, ready to be sent.
    text: String,
    last: bool,
}

struct Living {
    serial: u64,
    task: AbortHandle,
}

/// The operations of one socket. Dropping it stops them all.
pub(super) struct Operations {
    living: HashMap<Arc<str>, Living>,
    tasks: JoinSet<()>,
    serial: u64,
    speak: mpsc::Sender<Said>,
    hear: mpsc::Receiver<Said>,
}

impl Operations {
    pub(super) fn new() -> Self {
        let (speak, hear) = mpsc::channel(WAITING);
        Self { living: HashMap::new(), tasks: JoinSet::new(), serial: 0, speak, hear }
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.living.contains_key(id)
    }

    pub(super) fn is_full(&self) -> bool {
        self.living.len() >= MAX_OPERATIONS
    }

    /// Starts an operation under a free id.
    pub(super) fn start<G: Gate>(
        &mut self,
        doors: &Doors<G>,
        id: &str,
        kind: OperationType,
        request: Request,
        cost: u32,
    ) {
        self.serial += 1;
        let id: Arc<str> = id.into();
        let voice = Voice { id: Arc::clone(&id), serial: self.serial, speak: self.speak.clone() };
        let doors = doors.clone();
        let operation = async move {
            if kind == OperationType::Subscription {
                subscribe(&doors, request, cost, &voice).await;
            } else {
                let (answer, _) = doors.execute(request, cost).await;
                voice.answer(&doors, answer, true).await;
            }
        };
        let task = self.tasks.spawn(operation.in_current_span());
        self.living.insert(id, Living { serial: self.serial, task });
    }

    /// Stops an operation; nothing more of it is heard.
    pub(super) fn stop(&mut self, id: &str) {
        if let Some(living) = self.living.remove(id) {
            living.task.abort();
        }
    }

    /// Stops all operations; nothing more of them is heard. Returns their ids.
    pub(super) fn end_all(&mut self) -> Vec<Arc<str>> {
        self.tasks.abort_all();
        self.living.drain().map(|(id, _)| id).collect()
    }

    /// The next message of a living operation. Cancelling the wait loses nothing.
    pub(super) async fn next<G: Gate>(&mut self, doors: &Doors<G>) -> String {
        loop {
            tokio::select! {
                Some(said) = self.hear.recv() => {
                    if self.living.get(&said.id).is_some_and(|living| living.serial == said.serial) {
                        if said.last {
                            self.living.remove(&said.id);
                        }
                        return said.text;
                    }
                }
                Some(ended) = self.tasks.join_next_with_id() => {
                    if let Some(text) = self.broken(doors, ended) {
                        return text;
                    }
                }
                else => std::future::pending::<()>().await,
            }
        }
    }

    /// The message about an operation whose resolver broke.
    fn broken<G: Gate>(
        &mut self,
        doors: &Doors<G>,
        ended: Result<(Id, ()), JoinError>,
    ) -> Option<String> {
        let error = ended.err().filter(JoinError::is_panic)?;
        let id = self.living.iter().find(|(_, living)| living.task.id() == error.id())?.0.clone();
        self.living.remove(&id);
        Some(refused(&id, Answer::broken(&doors.house).errors()))
    }
}

/// An `error` message: the operation is over by an error and gives nothing more.
pub(super) fn refused(id: &str, errors: &[ServerError]) -> String {
    about("error", id, Some(&answer::to_json(&errors)))
}

/// How an operation speaks.
struct Voice {
    id: Arc<str>,
    serial: u64,
    speak: mpsc::Sender<Said>,
}

impl Voice {
    /// Says an answer; `true` when it was an `error`, after which nothing may follow.
    async fn answer<G: Gate>(&self, doors: &Doors<G>, answer: Answer, last: bool) -> bool {
        doors.count("socket", answer.outcome());
        if answer.is_request_error() {
            self.say(refused(&self.id, answer.errors()), true).await;
            return true;
        }
        self.say(about("next", &self.id, Some(&answer.to_json())), false).await;
        if last {
            self.complete().await;
        }
        false
    }

    async fn complete(&self) {
        self.say(about("complete", &self.id, None), true).await;
    }

    async fn say(&self, text: String, last: bool) {
        let said = Said { id: Arc::clone(&self.id), serial: self.serial, text, last };
        // Nobody listens when the socket is gone; this task is then about to end.
        let _ = self.speak.send(said).await;
    }
}

async fn subscribe<G: Gate>(doors: &Doors<G>, request: Request, cost: u32, voice: &Voice) {
    let _open = Open::new("yibu_subscriptions_open");
    let mut answers = doors.gate.subscribe(request);
    let mut first = true;
    while let Some(response) = answers.next().await {
        let mut answer = Answer::of(response, &doors.house);
        if std::mem::take(&mut first) {
            answer = answer.cost(cost);
        }
        if voice.answer(doors, answer, false).await {
            return;
        }
    }
    voice.complete().await;
}
