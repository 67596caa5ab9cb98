//! What is said again and again is said once, and then counted: while a database is away, each of a dozen workers
//! would write the same line every few seconds. Looks at warnings and errors alone, word for word; whatever has an
//! id of its own (a fault that was masked, a match) is never the same.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata};
use tracing_subscriber::layer::{Context, Filter};

/// So long a line is not said again; then it is told how often it was meant to be.
pub(super) const WINDOW: Duration = Duration::from_secs(60);

/// More kinds than this are not remembered, and said as often as they come.
const MOST: usize = 256;

/// What was said lately, with how often it came again. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Repeats(Arc<Mutex<HashMap<String, u64>>>);

impl Repeats {
    /// Whether this is to be said; else it is counted.
    fn admits(&self, line: String) -> bool {
        let mut said = self.said();
        if let Some(again) = said.get_mut(&line) {
            *again += 1;
            return false;
        }
        if said.len() < MOST {
            said.insert(line, 0);
        }
        true
    }

    /// Ends a window: what came again since it began, and how often. What did not is said anew when it comes.
    pub(super) fn turn(&self) -> Vec<(String, u64)> {
        let mut said = self.said();
        said.retain(|_, again| *again > 0);
        let told = said.iter_mut().map(|(line, again)| (line.clone(), std::mem::take(again)));
        told.collect()
    }

    /// Tells what came again within the window that ends now.
    pub(super) fn tell(&self) {
        for (line, times) in self.turn() {
            tracing::warn!(times, "again in the last minute: {line}");
        }
    }

    fn said(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        // Every change is made of steps that cannot panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Filter<S> for Repeats {
    fn enabled(&self, _: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        true
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        let metadata = event.metadata();
        if *metadata.level() > Level::WARN || metadata.target() == module_path!() {
            return true;
        }
        let mut line = Line(String::new());
        event.record(&mut line);
        self.admits(line.0)
    }
}

/// An event in one line: what it says, then its fields.
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a text cannot fail.
        let _ = if field.name() == "message" {
            write!(self.0, "{value:?}")
        } else {
            write!(self.0, " {}={value:?}", field.name())
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::{Layer as _, fmt};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_said_again_is_counted_and_told_once_in_a_window() {
        let (repeats, written) = (Repeats::default(), Written::default());
        let text = || String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let writer = {
            let written = written.clone();
            move || written.clone()
        };
        let layer = fmt::layer().json().with_writer(writer).with_filter(repeats.clone());
        let subscriber = tracing_subscriber::registry().with(layer);
        tracing::subscriber::with_default(subscriber, || {
            for round in 0..10 {
                tracing::warn!(name = "lobby", fault = "gone", "tries again");
                tracing::warn!(name = "replays", fault = "gone", "tries again");
                tracing::error!(fault = round, "a fault of its own");
                tracing::info!("no fault");
            }
        });
        let count = |what: &str| text().matches(what).count();
        assert_eq!(count("tries again"), 2);
        assert_eq!((count("a fault of its own"), count("no fault")), (10, 10));
        let mut again = repeats.turn();
        again.sort();
        let names: Vec<_> = again.iter().map(|(line, times)| (line.as_str(), *times)).collect();
        assert_eq!(
            names,
            [
                ("tries again name=\"lobby\" fault=\"gone\"", 9),
                ("tries again name=\"replays\" fault=\"gone\"", 9),
            ]
        );
        // A window without it, and it is news.
        assert!(repeats.turn().is_empty());
        assert!(repeats.admits(names[0].0.to_owned()));
    }
}
