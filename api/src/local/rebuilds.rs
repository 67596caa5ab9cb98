//! The rebuilds of a server: one at a time, whoever asked for it. Who asks for what is being built already follows
//! that instead of being refused, and whoever asked first may go away meanwhile. Must not know how anything is built.

use super::{Progress, Rebuilt};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Hears how far a rebuild is.
pub(super) type Tell = Arc<dyn Fn(Progress) + Send + Sync>;

/// What a rebuild came to.
type Built = Result<Vec<Rebuilt>, String>;

/// The one that is under way, if any.
#[derive(Default)]
pub(super) struct Rebuilds(Mutex<Option<Job>>);

#[derive(Clone)]
struct Job {
    names: Vec<String>,
    state: watch::Receiver<State>,
}

#[derive(Clone, Default)]
enum State {
    #[default]
    Begun,
    At(Progress),
    Done(Built),
}

impl Rebuilds {
    /// Has the named read models built, by `begin` where nobody builds them yet, and gives them in the order in which
    /// they were done. What is built for somebody else is waited for, and is as good.
    pub(super) async fn rebuild<F>(
        &self,
        names: Vec<String>,
        begin: impl Fn(Vec<String>, Tell) -> F,
        tell: impl Fn(Progress),
    ) -> Built
    where
        F: Future<Output = Built> + Send + 'static,
    {
        let (mut open, mut done) = (names, Vec::new());
        while !open.is_empty() {
            let (job, joined) = self.job(&open, &begin);
            let built = job.follow(|at| tell(Progress { joined, ..at })).await?;
            done.extend(built.into_iter().filter(|model| open.contains(&model.name)));
            open.retain(|name| !job.names.contains(name));
        }
        Ok(done)
    }

    /// The one that is under way, or a new one; and whether it was under way.
    fn job<F>(&self, names: &[String], begin: &impl Fn(Vec<String>, Tell) -> F) -> (Job, bool)
    where
        F: Future<Output = Built> + Send + 'static,
    {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(job) = current.as_ref().filter(|job| job.runs()) {
            return (job.clone(), true);
        }
        let (send, state) = watch::channel(State::Begun);
        let send = Arc::new(send);
        let tell = Arc::clone(&send);
        let tell: Tell = Arc::new(move |at| drop(tell.send_replace(State::At(at))));
        let work = begin(names.to_vec(), tell);
        tracing::info!(models = names.join(", "), "a rebuild begins");
        // Of its own: it goes on though everybody who waits for it goes away.
        tokio::spawn(async move {
            let built = work.await;
            match &built {
                Ok(_) => tracing::info!("the rebuild is done"),
                Err(problem) => tracing::error!(problem, "the rebuild stopped"),
            }
            send.send_replace(State::Done(built));
        });
        let job = Job { names: names.to_vec(), state };
        *current = Some(job.clone());
        (job, false)
    }
}

impl Job {
    fn runs(&self) -> bool {
        let over = matches!(*self.state.borrow(), State::Done(_));
        !over && self.state.has_changed().is_ok()
    }

    async fn follow(&self, tell: impl Fn(Progress)) -> Built {
        let mut state = self.state.clone();
        state.mark_changed();
        while state.changed().await.is_ok() {
            match state.borrow_and_update().clone() {
                State::Begun => {}
                State::At(progress) => tell(progress),
                State::Done(built) => return built,
            }
        }
        Err("the rebuild broke off".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::{mpsc, oneshot};

    /// A rebuild that was begun, in the test's hands.
    struct Begun {
        names: Vec<String>,
        tell: Tell,
        end: oneshot::Sender<Built>,
    }

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn built(names: &[&str]) -> Vec<Rebuilt> {
        let one = |name: &&str| Rebuilt { name: (*name).to_owned(), position: 9, same: Some(true) };
        names.iter().map(one).collect()
    }

    fn at(position: u64) -> Progress {
        Progress { name: "lobby".to_owned(), position, head: 9, joined: false }
    }

    #[tokio::test]
    async fn who_asks_again_follows_what_is_under_way_and_gets_the_rest_afterwards() {
        let rebuilds = Arc::new(Rebuilds::default());
        let (begins, mut begun) = mpsc::unbounded_channel();
        let ask = |names: &[&str]| {
            let (rebuilds, begins, names) = (Arc::clone(&rebuilds), begins.clone(), named(names));
            let (heard, hear) = mpsc::unbounded_channel();
            let begin = move |names, tell| {
                let (end, ended) = oneshot::channel();
                begins.send(Begun { names, tell, end }).map_err(drop).unwrap();
                async { ended.await.unwrap_or_else(|_| Err("dropped".to_owned())) }
            };
            let asked = tokio::spawn(async move {
                rebuilds.rebuild(names, begin, |at| heard.send(at).unwrap()).await
            });
            (asked, hear)
        };
        // Given a rebuild whose asker went away
        let (first, _hear) = ask(&["lobby", "replays"]);
        let one: Begun = begun.recv().await.unwrap();
        assert_eq!(one.names, ["lobby", "replays"]);
        first.abort();
        // When somebody asks for a part of it and for more
        let (second, mut heard) = ask(&["deadlines", "lobby"]);
        (one.tell)(at(3));
        // Then the first is followed, and what is left is built after it
        assert_eq!(heard.recv().await, Some(Progress { joined: true, ..at(3) }));
        assert!(begun.try_recv().is_err(), "nothing was begun meanwhile");
        one.end.send(Ok(built(&["lobby", "replays"]))).unwrap();
        let two = begun.recv().await.unwrap();
        assert_eq!(two.names, ["deadlines"]);
        (two.tell)(at(5));
        while let Some(progress) = heard.recv().await {
            if progress == at(5) {
                break;
            }
        }
        two.end.send(Ok(built(&["deadlines"]))).unwrap();
        assert_eq!(second.await.unwrap(), Ok(built(&["lobby", "deadlines"])));
        // What stopped is told to everybody, and the next begins anew
        let (third, _hear) = ask(&["lobby"]);
        let three = begun.recv().await.unwrap();
        let (fourth, mut heard) = ask(&["lobby"]);
        (three.tell)(at(1));
        assert_eq!(heard.recv().await, Some(Progress { joined: true, ..at(1) }));
        three.end.send(Err("no space".to_owned())).unwrap();
        for asked in [third, fourth] {
            assert_eq!(asked.await.unwrap(), Err("no space".to_owned()));
        }
    }
}
