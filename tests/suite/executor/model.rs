//! A read model in a few lines: it folds every match of the log whenever it is asked. As the timer's source
//! it can be made to lag behind.

use async_trait::async_trait;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tokio::sync::{Mutex, watch};
use yibu_domain::games::siguo::seat::Seat;
use yibu_domain::kernel::{MatchId, Time};
use yibu_domain::matches::view::Phase;
use yibu_domain::matches::{Match, MatchRefusal, MatchState};
use yibu_infrastructure::executor::{OpenTable, Rejected, Tables, Vacancy, aggregate_id};
use yibu_infrastructure::log::codec;
use yibu_infrastructure::log::port::EventLog;
use yibu_infrastructure::workers::{DueTimes, OpenClocks};

pub(crate) struct LogModel {
    log: Arc<dyn EventLog>,
    seen: Mutex<Seen>,
    changed: watch::Sender<u64>,
    /// Answers the timer from what was seen before.
    pub(crate) lags: AtomicBool,
    /// Answers the timer with a fault, so many times.
    pub(crate) faults: AtomicUsize,
    /// How often the timer asked.
    pub(crate) asked: AtomicUsize,
}

#[derive(Default)]
struct Seen {
    position: u64,
    states: BTreeMap<MatchId, MatchState>,
}

impl LogModel {
    pub(crate) fn new(log: Arc<dyn EventLog>) -> Self {
        Self {
            log,
            seen: Mutex::default(),
            changed: watch::Sender::new(0),
            lags: AtomicBool::new(false),
            faults: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
        }
    }

    /// Folds what is new and wakes the timer.
    pub(crate) async fn catch_up(&self) {
        let mut seen = self.seen.lock().await;
        let before = seen.position;
        loop {
            let page = self.log.read_all(seen.position, 1000).await.unwrap();
            for stored in &page {
                seen.position = stored.position;
                if let Some(id) = aggregate_id::<Match>(&stored.stream) {
                    let event = codec::decode(stored).unwrap();
                    seen.states.entry(MatchId(id)).or_default().evolve(&event);
                }
            }
            if page.len() < 1000 {
                break;
            }
        }
        if seen.position > before {
            self.changed.send_replace(seen.position);
        }
    }

    async fn ask<T>(&self, answer: impl Fn(MatchId, &MatchState) -> Option<T>) -> Vec<T> {
        self.catch_up().await;
        let seen = self.seen.lock().await;
        let answers = seen.states.iter().map(|(id, state)| answer(*id, state));
        answers.flatten().collect()
    }

    async fn clocks(&self) -> Vec<(Time, MatchId)> {
        let seen = self.seen.lock().await;
        let due = |(id, state): (&MatchId, &MatchState)| Some((state.live()?.due()?, *id));
        let mut due: Vec<_> = seen.states.iter().filter_map(due).collect();
        due.sort_unstable();
        due
    }

    async fn as_the_timer_asks(&self) -> Result<(), String> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let left = self.faults.load(Ordering::Relaxed);
        if left > 0 {
            self.faults.store(left - 1, Ordering::Relaxed);
            return Err("no answer".to_owned());
        }
        if !self.lags.load(Ordering::Relaxed) {
            self.catch_up().await;
        }
        Ok(())
    }
}

#[async_trait]
impl Tables for LogModel {
    async fn assembling(&self) -> Result<Vec<OpenTable>, Rejected<MatchRefusal>> {
        let tables = self.ask(|match_id, state| {
            let live = state.live()?;
            let free = live.free_seats();
            let people = Seat::ALL.into_iter().filter_map(|seat| live.person(seat));
            let players = people.map(|person| person.player).collect();
            (live.phase() == Phase::Assembling && !free.is_empty()).then_some(OpenTable {
                match_id,
                free,
                players,
            })
        });
        Ok(tables.await)
    }

    async fn vacancies(&self) -> Result<Vec<Vacancy>, Rejected<MatchRefusal>> {
        let vacancies = self.ask(|match_id, state| {
            let live = state.live()?;
            Some(Vacancy { match_id, seat: live.vacancy()?, deadline: live.due()? })
        });
        Ok(vacancies.await)
    }
}

#[async_trait]
impl DueTimes for LogModel {
    async fn due(&self, until: Time, limit: usize) -> Result<Vec<(MatchId, Time)>, String> {
        self.as_the_timer_asks().await?;
        let clocks = self.clocks().await;
        let due = clocks.into_iter().take_while(|(due, _)| *due <= until);
        Ok(due.take(limit).map(|(due, id)| (id, due)).collect())
    }

    async fn next(&self, after: Time) -> Result<Option<Time>, String> {
        let clocks = self.clocks().await;
        Ok(clocks.into_iter().map(|(due, _)| due).find(|due| *due > after))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }
}

#[async_trait]
impl OpenClocks for LogModel {
    async fn open(&self) -> Result<Vec<(MatchId, Time)>, String> {
        self.catch_up().await;
        let clocks = self.clocks().await;
        Ok(clocks.into_iter().map(|(due, id)| (id, due)).collect())
    }
}
