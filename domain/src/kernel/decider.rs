//! The shape of every aggregate: three pure functions over a state.

use super::actor::Actor;
use super::claim::Claim;
use super::dice::Dice;
use super::time::Time;
use uuid::Uuid;

/// What a decision may know of the world besides its state.
pub struct Ctx<'a> {
    /// The instant of the decision; every event that it yields is effective then.
    pub now: Time,
    /// Who asks.
    pub actor: Actor,
    /// The only source of chance.
    pub dice: &'a mut Dice,
}

/// An event with the instant from which it counts.
#[derive(Clone, PartialEq, Debug)]
pub struct Dated<E> {
    /// Effective time: the instant of the decision.
    pub at: Time,
    /// What happened.
    pub event: E,
}

/// An aggregate: `decide` says what happens, `evolve` what that changes.
pub trait Decider: Send + Sync + 'static {
    /// First part of the stream's name, `{category}-{uuid}`.
    const CATEGORY: &'static str;
    /// What decisions read.
    type State: Default + Clone + Send + Sync + 'static;
    /// What may be asked.
    type Command: Send + Sync + 'static;
    /// What can have happened.
    type Event: Event;
    /// Why not.
    type Refusal: std::error::Error + Clone + PartialEq + Send + Sync + 'static;

    /// Whether the sender may give this command to the aggregate with this id at all. Asked before [`Self::decide`],
    /// which does not know the id.
    ///
    /// # Errors
    /// The refusal with a stable code.
    fn admit(_id: Uuid, _command: &Self::Command, _actor: Actor) -> Result<(), Self::Refusal> {
        Ok(())
    }

    /// Judges a command. Pure; an empty list means that there is nothing to do.
    ///
    /// # Errors
    /// The refusal with a stable code; the state is as before.
    fn decide(
        state: &Self::State,
        command: &Self::Command,
        ctx: &mut Ctx<'_>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;

    /// Takes an event in. Total: it copies results and knows no rule.
    fn evolve(state: &mut Self::State, event: &Dated<Self::Event>);

    /// The cross-stream claims that this event makes.
    fn claims(event: &Self::Event) -> Vec<Claim>;
}

/// A storable event: its stored name is for ever.
pub trait Event: Clone + PartialEq + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// Game or context, event and version, for instance `siguo.moved.v1`.
    fn name(&self) -> &'static str;

    /// Writes the payload. For the codec of the log alone.
    ///
    /// # Errors
    /// What the serializer reports.
    fn encode<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Reads the payload stored under `name`; `None` when the name is not one of this aggregate's.
    /// For the codec of the log alone.
    ///
    /// # Errors
    /// What the deserializer reports.
    fn decode<'de, D: serde::Deserializer<'de>>(
        name: &str,
        deserializer: D,
    ) -> Option<Result<Self, D::Error>>;
}

/// Folds a whole history.
pub fn fold<'a, D: Decider>(events: impl IntoIterator<Item = &'a Dated<D::Event>>) -> D::State {
    let mut state = D::State::default();
    for event in events {
        D::evolve(&mut state, event);
    }
    state
}
