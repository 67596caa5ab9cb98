//! Carrying a whole log from one store to another, with positions, salts and hashes as they were, and with
//! what stands beside the events; verified against the source at the end. Asks both stores by their ports.

use super::chain::{self, Roller};
use super::custody::{Beside, Custody, CustodyError, KeptMemo};
use super::port::{EventLog, Head, ReadError, Stored};
use std::collections::HashMap;

/// Events at a time.
const PAGE: usize = 2_000;

/// Where a stream ends: its version and hash.
type Ends = HashMap<String, (u64, [u8; 32])>;

/// What was carried over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// The head of both logs.
    pub head: Head,
    /// Streams whose hashes are equal.
    pub streams: u64,
    /// Commands that are still remembered.
    pub memos: u64,
    /// Events that were there from an earlier, interrupted run.
    pub found: u64,
}

/// How far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Up to this position events are copied.
    Copied(u64),
    /// Up to this position the copy is verified.
    Verified(u64),
}

/// Why a log could not be carried over.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CarryFault {
    /// This kind of store cannot take a log over, or give one away.
    #[error("the {0} store cannot do that")]
    NoCustody(&'static str),
    /// There is something in the target already.
    #[error("the target is not empty: its log ends at position {0}")]
    NotEmpty(u64),
    /// The target holds another log than the source.
    #[error("the target holds another log: it differs from the source at position {0} or before")]
    Another(u64),
    /// Somebody writes to the source.
    #[error(
        "the source has grown from position {0} to {1} meanwhile: stop the servers that write to it"
    )]
    Grew(u64, u64),
    /// The source's own chain does not hold.
    #[error("the source is damaged: {0}")]
    Damaged(String),
    /// What came out is not what went in.
    #[error("the copy is not equal to the source: {0}")]
    Differs(String),
    /// A store could not be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// The target could not be written.
    #[error("the target: {0}")]
    Write(#[from] CustodyError),
}

/// Carries a log over. The target must be empty; with `resume` it may also hold a beginning of the same log,
/// as an interrupted run leaves it. Nobody may write to either meanwhile.
///
/// # Errors
/// See [`CarryFault`]. After any of them the target must not be served from.
pub async fn carry(
    from: &dyn EventLog,
    to: &dyn EventLog,
    resume: bool,
    progress: impl Fn(Step),
) -> Result<Carried, CarryFault> {
    let source = from.custody().ok_or(CarryFault::NoCustody("source's"))?;
    let target = to.custody().ok_or(CarryFault::NoCustody("target's"))?;
    let found = to.head().await?.position;
    if found > 0 && !resume {
        return Err(CarryFault::NotEmpty(found));
    }
    let head = from.head().await?;
    let (mut roller, mut ends) = (Roller::new(), Ends::new());
    loop {
        let page = from.read_all(roller.head().position, PAGE).await?;
        if page.is_empty() {
            break;
        }
        take(&page, &mut roller, &mut ends).map_err(CarryFault::Damaged)?;
        let new: Vec<Stored> = page.into_iter().filter(|event| event.position > found).collect();
        if !new.is_empty() {
            target.import(new).await.map_err(|error| match error {
                // The source's chain was verified just now.
                CustodyError::Chain(_) if found > 0 => CarryFault::Another(found),
                other => other.into(),
            })?;
        }
        progress(Step::Copied(roller.head().position));
    }
    if roller.head() != head {
        let now = from.head().await?;
        if now.position > head.position {
            return Err(CarryFault::Grew(head.position, now.position));
        }
        return Err(CarryFault::Damaged("its events do not roll to its head".to_owned()));
    }
    let beside = source.beside().await?;
    target.finish(beside.clone()).await?;
    verify(target, head, &ends, &beside, &progress).await?;
    let now = from.head().await?;
    if now != head {
        return Err(CarryFault::Grew(head.position, now.position));
    }
    Ok(Carried { head, streams: ends.len() as u64, memos: beside.memos.len() as u64, found })
}

/// Verifies a page's chains and moves the ends on.
fn take(page: &[Stored], roller: &mut Roller, ends: &mut Ends) -> Result<(), String> {
    for event in page {
        let (version, hash) = ends.get(&event.stream).copied().unwrap_or((0, chain::START));
        let checked = chain::verify_stream(hash, version, std::slice::from_ref(event));
        let hash = checked.map_err(|error| error.to_string())?;
        roller.push(event).map_err(|error| error.to_string())?;
        ends.insert(event.stream.clone(), (event.version, hash));
    }
    Ok(())
}

/// Reads the whole copy again.
async fn verify(
    target: &dyn Custody,
    head: Head,
    wanted: &Ends,
    beside: &Beside,
    progress: &impl Fn(Step),
) -> Result<(), CarryFault> {
    let differs = |what: &str| CarryFault::Differs(what.to_owned());
    let (mut roller, mut ends) = (Roller::new(), Ends::new());
    loop {
        let page = target.read_all(roller.head().position, PAGE).await?;
        if page.is_empty() {
            break;
        }
        take(&page, &mut roller, &mut ends).map_err(CarryFault::Differs)?;
        progress(Step::Verified(roller.head().position));
    }
    if (roller.head(), target.head().await?) != (head, head) {
        return Err(differs("the heads"));
    }
    if ends != *wanted {
        return Err(differs("the hashes of streams"));
    }
    let copy = target.beside().await?;
    if copy.claims != beside.claims {
        return Err(differs("the claims"));
    }
    // Some may have run out of their days meanwhile; none may be new or changed.
    let known = |memo: &KeptMemo| {
        let at = |kept: &KeptMemo| kept.remembered.position;
        let found = beside.memos.binary_search_by_key(&at(memo), at);
        found.is_ok_and(|index| beside.memos[index] == *memo)
    };
    let same = copy.memos.iter().all(known);
    if !same || copy.beats != beside.beats {
        return Err(differs("the remembered commands or the heartbeats"));
    }
    Ok(())
}
