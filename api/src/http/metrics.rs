//! Figures for Prometheus: counters, gauges and histograms with few labels, written as text. Must not take
//! labels from clients; a family keeps a bounded number of series all the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The most series of one family; further label sets share one series.
const MAX_SERIES: usize = 200;

/// Seconds, for things that take from a millisecond to ten seconds.
pub const SECONDS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// A number that only grows.
#[derive(Clone, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Grows it.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    /// Its value.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down.
#[derive(Clone, Default)]
pub struct Gauge(Arc<AtomicI64>);

impl Gauge {
    /// Sets it.
    pub fn set(&self, value: i64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// Changes it.
    pub fn add(&self, change: i64) {
        self.0.fetch_add(change, Ordering::Relaxed);
    }

    /// Its value.
    pub fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// How often values fell below each of some bounds.
#[derive(Clone)]
pub struct Histogram(Arc<Buckets>);

struct Buckets {
    bounds: &'static [f64],
    state: Mutex<(Vec<u64>, f64, u64)>,
}

impl Histogram {
    fn new(bounds: &'static [f64]) -> Self {
        let state = Mutex::new((vec![0; bounds.len()], 0.0, 0));
        Self(Arc::new(Buckets { bounds, state }))
    }

    /// Takes a value in.
    pub fn observe(&self, value: f64) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = self.0.bounds.iter().position(|bound| value <= *bound) {
            state.0[place] += 1;
        }
        state.1 += value;
        state.2 += 1;
    }
}

enum Series {
    Counter(Counter),
    Gauge(Gauge),
    Histogram(Histogram),
}

struct Family {
    help: &'static str,
    series: BTreeMap<String, Series>,
}

/// All figures. Cheap to clone.
#[derive(Clone, Default)]
pub struct Metrics(Arc<Mutex<BTreeMap<&'static str, Family>>>);

/// Label names with their values.
pub type Labels<'a> = &'a [(&'static str, &'a str)];

impl Metrics {
    /// The counter of this name and these labels; made when it is new.
    pub fn counter(&self, name: &'static str, help: &'static str, labels: Labels<'_>) -> Counter {
        let make = || Series::Counter(Counter::default());
        self.series(name, help, labels, make, |series| match series {
            Series::Counter(counter) => Some(counter.clone()),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// The gauge of this name and these labels; made when it is new.
    pub fn gauge(&self, name: &'static str, help: &'static str, labels: Labels<'_>) -> Gauge {
        let make = || Series::Gauge(Gauge::default());
        self.series(name, help, labels, make, |series| match series {
            Series::Gauge(gauge) => Some(gauge.clone()),
            _ => None,
        })
        .unwrap_or_default()
    }

    /// The histogram of this name and these labels; made when it is new.
    pub fn histogram(
        &self,
        name: &'static str,
        help: &'static str,
        labels: Labels<'_>,
        bounds: &'static [f64],
    ) -> Histogram {
        let make = || Series::Histogram(Histogram::new(bounds));
        self.series(name, help, labels, make, |series| match series {
            Series::Histogram(histogram) => Some(histogram.clone()),
            _ => None,
        })
        .unwrap_or_else(|| Histogram::new(bounds))
    }

    /// Finds or makes a series; a name that is used for two kinds yields `None` for the second.
    fn series<T>(
        &self,
        name: &'static str,
        help: &'static str,
        labels: Labels<'_>,
        make: impl FnOnce() -> Series,
        pick: impl FnOnce(&Series) -> Option<T>,
    ) -> Option<T> {
        let mut families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let family =
            families.entry(name).or_insert_with(|| Family { help, series: BTreeMap::new() });
        let mut key = label_text(labels);
        if family.series.len() >= MAX_SERIES && !family.series.contains_key(&key) {
            key = label_text(&[("other", "true")]);
        }
        pick(family.series.entry(key).or_insert_with(make))
    }

    /// All figures in Prometheus' text format, version 0.0.4.
    pub fn render(&self) -> String {
        let families = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for (name, family) in families.iter() {
            let kind = match family.series.values().next() {
                Some(Series::Counter(_)) => "counter",
                Some(Series::Gauge(_)) => "gauge",
                Some(Series::Histogram(_)) => "histogram",
                None => continue,
            };
            // Writing into a string cannot fail.
            let _ = writeln!(text, "# HELP {name} {}\n# TYPE {name} {kind}", family.help);
            for (labels, series) in &family.series {
                render_series(&mut text, name, labels, series);
            }
        }
        text
    }
}

fn render_series(text: &mut String, name: &str, labels: &str, series: &Series) {
    let braced = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    let _ = match series {
        Series::Counter(counter) => writeln!(text, "{name}{braced} {}", counter.get()),
        Series::Gauge(gauge) => writeln!(text, "{name}{braced} {}", gauge.get()),
        Series::Histogram(histogram) => {
            let state = histogram.0.state.lock().unwrap_or_else(PoisonError::into_inner);
            let (counts, sum, all) = &*state;
            let comma = if labels.is_empty() { "" } else { "," };
            let mut below = 0;
            for (bound, count) in histogram.0.bounds.iter().zip(counts) {
                below += count;
                let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {below}");
            }
            let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {all}");
            writeln!(text, "{name}_sum{braced} {sum}\n{name}_count{braced} {all}")
        }
    };
}

/// `a="x",b="y"`, with the format's escapes.
fn label_text(labels: Labels<'_>) -> String {
    let mut text = String::new();
    for (name, value) in labels {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{name}=\"{value}\"");
    }
    text
}

/// `GET /metrics`, for a listener of its own.
pub fn routes(metrics: Metrics) -> axum::Router {
    use axum::http::header::CONTENT_TYPE;
    let show = move || {
        let text = metrics.render();
        async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text) }
    };
    axum::Router::new().route("/metrics", axum::routing::get(show))
}
