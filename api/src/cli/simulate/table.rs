//! What the players of one process tell each other about their tables, so that they need not ask the server
//! all the time whose turn it is. Holds only what their answers said.

use super::api::View;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use tokio::sync::watch;

/// The latest that any of the players heard of a match.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct News {
    pub(super) version: u64,
    phase: String,
    turn: Option<String>,
    drawing: bool,
    /// Where the log was with the last command; for asking after it.
    pub(super) position: Option<String>,
}

/// All tables.
#[derive(Default)]
pub(super) struct Tables {
    news: Mutex<HashMap<String, watch::Sender<News>>>,
}

impl Tables {
    /// A table's news from now on.
    pub(super) fn watch(&self, id: &str) -> watch::Receiver<News> {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.entry(id.to_owned()).or_default().subscribe()
    }

    /// Tells what an answer said.
    pub(super) fn tell(&self, view: &View, position: Option<&String>) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        let table = news.entry(view.id.clone()).or_default();
        table.send_if_modified(|now| {
            let newer = view.version > now.version;
            if newer {
                *now = News {
                    version: view.version,
                    phase: view.phase.clone(),
                    turn: view.turn.as_ref().map(|turn| turn.seat.clone()),
                    drawing: view.draw_offer.is_some(),
                    position: position.cloned().or_else(|| now.position.take()),
                };
            }
            newer
        });
    }

    /// Forgets a match that has ended.
    pub(super) fn forget(&self, id: &str) {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

impl News {
    /// Whether a player in this seat, who has seen `view`, has a reason to look.
    pub(super) fn concerns(&self, view: &View) -> bool {
        self.version > view.version
            && (self.phase != view.phase
                || self.drawing
                || self.turn.is_some() && self.turn == view.my_seat)
    }
}
