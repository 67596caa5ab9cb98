//! Going on behind what cannot be read: one damaged place must not hide what stands after it. Must not judge what it
//! passes over.

use super::ends;
use yibu_infrastructure::log::archive::Pointer;
use yibu_infrastructure::log::port::{EventLog, ReadError, Stored};

/// What stands after a position behind which nothing could be read.
pub(super) enum Behind {
    /// An event whose payload is elsewhere, and cannot be had there: its row is whole.
    Shelved(Box<Stored>, Pointer),
    /// Nothing that can be read, up to this position.
    Gap(u64),
    /// Nothing that can be read, up to the end.
    Nothing,
}

/// Looks what stands after `last`.
pub(super) async fn behind(log: &dyn EventLog, last: u64) -> Result<Behind, ReadError> {
    if let Ok(mut rows) = ends::rows(log, last, 1).await
        && let Some(row) = rows.pop()
        && let Some(pointer) = Pointer::read(&row.payload)
    {
        return Ok(Behind::Shelved(Box::new(row), pointer));
    }
    let head = ends::last(log).await?;
    // Steps that grow, then halves: what a disk has lost lies together.
    let (mut low, mut step) = (last, 1);
    let mut high = loop {
        let next = (last + step).min(head.saturating_sub(1));
        if next <= low {
            return Ok(Behind::Nothing);
        }
        if is_readable(log, next).await? {
            break next;
        }
        (low, step) = (next, step * 2);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if is_readable(log, middle).await? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Behind::Gap(high))
}

/// Whether there is an event after a position that can be read.
async fn is_readable(log: &dyn EventLog, after: u64) -> Result<bool, ReadError> {
    match ends::rows(log, after, 1).await {
        Ok(rows) => Ok(!rows.is_empty()),
        Err(error @ ReadError::Unreachable(_)) => Err(error),
        Err(ReadError::Failed(_)) => Ok(false),
    }
}
