//! [`Action`], the public event itself: all that a viewer without a seat ever learns.

use super::public::{
    DeadlineMoved, Departed, DrawAgreed, DrawLapsed, DrawOffered, DrawVoted, Ended, Moved, Opened,
    PositionPlaced, ReadyCount, RecordExpired, ReleaseMoved, SeatEliminated, SeatReleased,
    SeatTaken, SeatTakenOver, SeatVacated, Skipped, Started, Surrendered, TakeoverWaitExpired,
    TakeoverWaitOpened, TeamSurrenderConfirmed, TurnStarted, Voided,
};
use serde::{Deserialize, Serialize};

/// The public event: one variant for every event that has a public part. What anybody who may see the
/// match sees happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "each variant is documented at its payload")]
pub enum Action {
    Opened(Box<Opened>),
    SeatTaken(SeatTaken),
    SeatReleased(SeatReleased),
    Ready(ReadyCount),
    ReadyTakenBack(ReadyCount),
    Started(Started),
    TurnStarted(TurnStarted),
    Moved(Moved),
    Skipped(Skipped),
    DrawOffered(DrawOffered),
    DrawVoted(DrawVoted),
    DrawLapsed(DrawLapsed),
    DrawAgreed(DrawAgreed),
    Surrendered(Surrendered),
    TeamSurrenderConfirmed(TeamSurrenderConfirmed),
    Left(Departed),
    TimedOut(Departed),
    SeatVacated(SeatVacated),
    TakeoverWaitOpened(TakeoverWaitOpened),
    TakeoverWaitExpired(TakeoverWaitExpired),
    SeatTakenOver(SeatTakenOver),
    SeatEliminated(SeatEliminated),
    DeadlineMoved(DeadlineMoved),
    ReleaseMoved(ReleaseMoved),
    Voided(Voided),
    Ended(Ended),
    RecordExpired(RecordExpired),
    PositionPlaced(PositionPlaced),
}
