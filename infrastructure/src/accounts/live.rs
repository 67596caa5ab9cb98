//! What is remembered of sessions between requests: who a token stands for, and a signal per session that
//! fires when it ends. Must never outlive the truth: an ended session is forgotten before its end is told.

use super::{Session, SessionId};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;
use yibu_domain::kernel::{Span, Time};

/// Sessions remembered at most; beyond that the database is asked again.
const MOST: usize = 50_000;

/// The stored time of last use lags behind by at most this much.
pub(super) const STORE_EVERY: Span = Span::seconds(15 * 60);

/// The hash of a session's token.
pub(super) type TokenHash = [u8; 32];

/// A session as remembered.
struct Known {
    session: Session,
    stored: Time,
}

#[derive(Default)]
struct State {
    /// Counts endings: what was read before one may not be remembered after it.
    endings: u64,
    known: HashMap<TokenHash, Known>,
    token_of: HashMap<SessionId, TokenHash>,
    signals: HashMap<SessionId, CancellationToken>,
}

/// The memory of sessions.
#[derive(Default)]
pub(super) struct Live {
    state: Mutex<State>,
}

/// A session as used just now.
pub(super) struct Used {
    pub(super) session: Session,
    /// Whether the time of use is to be stored.
    pub(super) store: bool,
}

impl Live {
    /// The session of a token, marked as used now. `Err` gives the number of endings so far, for
    /// [`Live::remember`]. An idle session is returned as it is, for the caller to end.
    pub(super) fn use_now(&self, token: &TokenHash, now: Time, idle: Span) -> Result<Used, u64> {
        let mut state = self.lock();
        let endings = state.endings;
        let known = state.known.get_mut(token).ok_or(endings)?;
        if now - known.session.last_seen >= idle {
            return Ok(Used { session: known.session.clone(), store: false });
        }
        known.session.last_seen = known.session.last_seen.max(now);
        let store = now - known.stored >= STORE_EVERY;
        if store {
            known.stored = now;
        }
        Ok(Used { session: known.session.clone(), store })
    }

    /// How many sessions have ended so far, for [`Live::remember`].
    pub(super) fn endings(&self) -> u64 {
        self.lock().endings
    }

    /// Remembers what was read when `endings` sessions had ended, unless one more has since.
    pub(super) fn remember(&self, token: TokenHash, session: Session, stored: Time, endings: u64) {
        let mut state = self.lock();
        if state.endings != endings {
            return;
        }
        if state.known.len() >= MOST {
            let some = state.known.keys().next().copied();
            if let Some(gone) = some.and_then(|token| state.known.remove(&token)) {
                state.token_of.remove(&gone.session.id);
            }
        }
        state.token_of.insert(session.id, token);
        state.known.insert(token, Known { session, stored });
    }

    /// When a session was last used, where that is remembered.
    pub(super) fn last_seen(&self, id: SessionId) -> Option<Time> {
        let state = self.lock();
        let known = state.known.get(state.token_of.get(&id)?)?;
        Some(known.session.last_seen)
    }

    /// Marks a session as used, where it is remembered.
    pub(super) fn touch(&self, id: SessionId, now: Time) {
        let mut state = self.lock();
        let token = state.token_of.get(&id).copied();
        if let Some(known) = token.and_then(|token| state.known.get_mut(&token)) {
            known.session.last_seen = known.session.last_seen.max(now);
        }
    }

    /// The signal of a session; made when there is none.
    pub(super) fn signal(&self, id: SessionId) -> CancellationToken {
        self.lock().signals.entry(id).or_default().clone()
    }

    /// The sessions that have a signal.
    pub(super) fn watched(&self) -> Vec<SessionId> {
        self.lock().signals.keys().copied().collect()
    }

    /// Ends the session of a token that stands for none any more, where it is remembered.
    pub(super) fn end_of(&self, token: &TokenHash) {
        let known = self.lock().known.get(token).map(|known| known.session.id);
        if let Some(id) = known {
            self.end(&[id]);
        }
    }

    /// Forgets sessions that have ended and fires their signals.
    pub(super) fn end(&self, ids: &[SessionId]) {
        let mut state = self.lock();
        state.endings += 1;
        let mut signals = Vec::new();
        for id in ids {
            if let Some(token) = state.token_of.remove(id) {
                state.known.remove(&token);
            }
            signals.extend(state.signals.remove(id));
        }
        // Whoever is woken may ask again at once.
        drop(state);
        for signal in signals {
            signal.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No step above can panic halfway through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
