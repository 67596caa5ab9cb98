//! The log in memory, under one lock: for tests and throw-away servers. Judges exactly as the durable stores
//! do; keeps nothing when the process ends.

use super::chain;
use super::claims::{ClaimTable, judge};
use super::custody::{self, Beside, Custody, CustodyError, KeptMemo, Shelf};
use super::port::{
    AppendError, Commit, EventLog, Head, ReadError, Receipt, Remembered, Stored, memo_cutoff,
};
use super::sealing::{NO_EVENTS, Seal, Tip};
use crate::system::{Clock, Entropy};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use yibu_domain::kernel::{CommandId, Counter, PlayerId, Time};

const CLOSED: &str = "it is closed";

/// An [`EventLog`] without a disk.
pub struct MemoryLog {
    clock: Arc<dyn Clock>,
    entropy: Entropy,
    inner: Mutex<Inner>,
    grown: watch::Sender<u64>,
}

struct Inner {
    /// The event at position p is at index p − 1.
    events: Vec<Stored>,
    /// Per stream, the positions of its events.
    streams: HashMap<String, Vec<u64>>,
    head: Head,
    claims: ClaimTable,
    memos: HashMap<(PlayerId, CommandId), (Remembered, Time)>,
    beats: HashMap<String, Time>,
    closed: bool,
}

impl MemoryLog {
    /// An empty log.
    pub fn new(clock: Arc<dyn Clock>, entropy: Entropy) -> Self {
        let inner = Inner {
            events: Vec::new(),
            streams: HashMap::new(),
            head: chain::Roller::new().head(),
            claims: ClaimTable::default(),
            memos: HashMap::new(),
            beats: HashMap::new(),
            closed: false,
        };
        Self { clock, entropy, inner: Mutex::new(inner), grown: watch::Sender::new(0) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // Every change is made of steps that cannot panic.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> Result<MutexGuard<'_, Inner>, CustodyError> {
        let inner = self.inner();
        if inner.closed { Err(CustodyError::Fault(CLOSED.to_owned())) } else { Ok(inner) }
    }
}

impl Inner {
    fn remembered(&self, account: PlayerId, id: CommandId, now: Time) -> Option<&Remembered> {
        let (remembered, recorded) = self.memos.get(&(account, id))?;
        (*recorded > memo_cutoff(now)).then_some(remembered)
    }

    fn tip(&self, stream: &str) -> Tip {
        let last = self.streams.get(stream).and_then(|positions| positions.last());
        last.map_or(Tip::NONE, |position| {
            let event = &self.events[*position as usize - 1];
            Tip { version: event.version, hash: event.hash }
        })
    }

    fn append(
        &mut self,
        commit: Commit,
        now: Time,
        entropy: &Entropy,
    ) -> Result<Receipt, AppendError> {
        if self.closed {
            return Err(AppendError::Fault(CLOSED.to_owned()));
        }
        if let Some(memo) = &commit.memo
            && let Some(found) = self.remembered(memo.account, memo.id, now)
        {
            return Err(AppendError::Repeated(Box::new(found.clone())));
        }
        let mut tip = self.tip(&commit.stream);
        commit.expected.judge(&commit.stream, tip.version)?;
        if commit.events.is_empty() {
            return Err(AppendError::Fault(NO_EVENTS.to_owned()));
        }
        let changes = judge(&commit.claims, &mut self.claims)?;

        let mut head = self.head;
        let (stream, stamp) = (&commit.stream, &commit.stamp);
        let seal = Seal { stream, stamp, recorded: now, entropy };
        let positions = self.streams.entry(commit.stream.clone()).or_default();
        for event in commit.events {
            let stored = seal.next(&mut tip, &mut head, event);
            positions.push(stored.position);
            self.events.push(stored);
        }
        let receipt = Receipt { position: head.position, version: tip.version };
        self.head = head;
        self.claims.enter(changes);
        if let Some(memo) = commit.memo {
            let remembered = Remembered {
                stream: commit.stream,
                version: receipt.version,
                position: receipt.position,
                memo,
            };
            self.memos.insert((remembered.memo.account, remembered.memo.id), (remembered, now));
        }
        Ok(receipt)
    }
}

#[async_trait]
impl EventLog for MemoryLog {
    async fn append(&self, commit: Commit) -> Result<Receipt, AppendError> {
        let mut inner = self.inner();
        let receipt = inner.append(commit, self.clock.now(), &self.entropy)?;
        // Under the lock, so that the hint never goes back.
        self.grown.send_replace(receipt.position);
        Ok(receipt)
    }

    async fn read_stream(
        &self,
        stream: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        let inner = self.inner();
        let positions = inner.streams.get(stream).map_or(&[][..], Vec::as_slice);
        let rest = positions.iter().skip(usize::try_from(after).unwrap_or(usize::MAX));
        Ok(rest.take(limit).map(|position| inner.events[*position as usize - 1].clone()).collect())
    }

    async fn read_all(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let inner = self.inner();
        let rest = inner.events.iter().skip(usize::try_from(after).unwrap_or(usize::MAX));
        Ok(rest.take(limit).cloned().collect())
    }

    async fn head(&self) -> Result<Head, ReadError> {
        Ok(self.inner().head)
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.grown.subscribe()
    }

    async fn find_command(
        &self,
        account: PlayerId,
        id: CommandId,
    ) -> Result<Option<Remembered>, ReadError> {
        Ok(self.inner().remembered(account, id, self.clock.now()).cloned())
    }

    async fn count(&self, counter: Counter, player: PlayerId) -> Result<(u32, u32), ReadError> {
        let inner = self.inner();
        Ok((inner.claims.held(counter, player), inner.claims.limit(counter)))
    }

    async fn claims(&self) -> Result<ClaimTable, ReadError> {
        Ok(self.inner().claims.clone())
    }

    async fn beat(&self, node: &str, at: Time) -> Result<(), ReadError> {
        let mut inner = self.inner();
        if inner.closed {
            return Err(ReadError::Failed(CLOSED.to_owned()));
        }
        let mark = inner.beats.entry(node.to_owned()).or_insert(at);
        *mark = mark.at_least(at);
        Ok(())
    }

    async fn last_beat(&self) -> Result<Option<Time>, ReadError> {
        Ok(self.inner().beats.values().max().copied())
    }

    async fn close(&self) {
        self.inner().closed = true;
    }

    fn custody(&self) -> Option<&dyn Custody> {
        Some(self)
    }
}

#[async_trait]
impl Custody for MemoryLog {
    async fn beside(&self) -> Result<Beside, ReadError> {
        let (inner, now) = (self.inner(), self.clock.now());
        let counts = |(key, (_, recorded)): (&(PlayerId, CommandId), &(Remembered, Time))| {
            let (account, id) = *key;
            let remembered = inner.remembered(account, id, now)?.clone();
            Some(KeptMemo { remembered, recorded: *recorded })
        };
        let mut memos: Vec<KeptMemo> = inner.memos.iter().filter_map(counts).collect();
        memos.sort_by_key(|memo| memo.remembered.position);
        let beats = inner.beats.iter().map(|(node, at)| (node.clone(), *at)).collect();
        Ok(Beside { claims: inner.claims.clone(), memos, beats })
    }

    async fn import(&self, events: Vec<Stored>) -> Result<Head, CustodyError> {
        let mut inner = self.open()?;
        let mut head = inner.head;
        let mut tips: HashMap<&str, Tip> = HashMap::new();
        for event in &events {
            let tip = tips.entry(&event.stream).or_insert_with(|| inner.tip(&event.stream));
            custody::follow(tip, &mut head, event)?;
        }
        for event in events {
            inner.streams.entry(event.stream.clone()).or_default().push(event.position);
            inner.events.push(event);
        }
        inner.head = head;
        self.grown.send_replace(head.position);
        Ok(head)
    }

    async fn finish(&self, beside: Beside) -> Result<(), CustodyError> {
        let mut inner = self.open()?;
        for KeptMemo { remembered, .. } in &beside.memos {
            let (stream, version) = (remembered.stream.clone(), remembered.version);
            if inner.tip(&stream).version < version {
                return Err(CustodyError::OtherHistory { stream, version });
            }
        }
        inner.claims = beside.claims;
        for KeptMemo { remembered, recorded } in beside.memos {
            let key = (remembered.memo.account, remembered.memo.id);
            inner.memos.insert(key, (remembered, recorded));
        }
        for (node, at) in beside.beats {
            let mark = inner.beats.entry(node).or_insert(at);
            *mark = mark.at_least(at);
        }
        Ok(())
    }

    async fn shelve(&self, shelves: Vec<Shelf>) -> Result<u64, CustodyError> {
        let mut inner = self.open()?;
        let mut places = Vec::new();
        for shelf in &shelves {
            let positions = inner.streams.get(&shelf.stream).map_or(&[][..], Vec::as_slice);
            let from = usize::try_from(shelf.from).unwrap_or(usize::MAX).saturating_sub(1);
            let run = positions.get(from..usize::try_from(shelf.to).unwrap_or(usize::MAX));
            let run: Vec<_> = run.unwrap_or_default().iter().map(|at| *at as usize - 1).collect();
            if run.last().is_none_or(|last| inner.events[*last].hash != shelf.hash) {
                let (stream, version) = (shelf.stream.clone(), shelf.to);
                return Err(CustodyError::OtherHistory { stream, version });
            }
            places.extend(run.into_iter().map(|place| (place, &shelf.pointer)));
        }
        let mut changed = 0;
        for (place, pointer) in places {
            let payload = &mut inner.events[place].payload;
            changed += u64::from(payload != pointer);
            payload.clone_from(pointer);
        }
        Ok(changed)
    }
}
