//! A decision in the making: it evolves a copy of the state while it collects events, so that a move that
//! captures, eliminates and ends is judged step by step on the state that each step leaves.

use super::decider::{Dated, Decider};
use super::time::Time;

/// The events decided so far and the state after them.
pub struct Draft<D: Decider> {
    state: D::State,
    events: Vec<D::Event>,
    now: Time,
}

impl<D: Decider> Draft<D> {
    /// Nothing decided yet.
    pub fn new(state: &D::State, now: Time) -> Self {
        Self { state: state.clone(), events: Vec::new(), now }
    }

    /// The state after everything pushed.
    pub fn state(&self) -> &D::State {
        &self.state
    }

    /// The instant of the decision.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Decides one more event.
    pub fn push(&mut self, event: D::Event) {
        let dated = Dated { at: self.now, event };
        D::evolve(&mut self.state, &dated);
        self.events.push(dated.event);
    }

    /// Everything decided, in order.
    pub fn into_events(self) -> Vec<D::Event> {
        self.events
    }
}
