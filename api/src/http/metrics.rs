//! Figures for Prometheus: the one recorder of the process, and what each family means. Whatever records does
//! so through the facade. Labels come from fixed sets (routes, kinds, codes), never from clients.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Seconds, for things that take from a tenth of a millisecond to ten seconds.
const SECONDS: &[f64] = &[
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];
/// Commits in a transaction.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// What is recorded is put into its buckets this often, also where nobody asks for the figures.
pub const UPKEEP: Duration = Duration::from_secs(5);

static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();

/// The figures of this process. The first call begins to record.
pub fn recorder() -> PrometheusHandle {
    let begin = || {
        let recorder = buckets().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::warn!("another part of this process records figures; /metrics stays empty");
        }
        describe();
        begin();
        handle
    };
    RECORDER.get_or_init(begin).clone()
}

fn buckets() -> PrometheusBuilder {
    let set = |builder: PrometheusBuilder, ending: &str, values| {
        builder.set_buckets_for_metric(Matcher::Suffix(ending.to_owned()), values)
    };
    let builder = set(PrometheusBuilder::new(), "_seconds", SECONDS);
    // Only an empty list is refused.
    builder.and_then(|builder| set(builder, "_size", SIZES)).unwrap_or_default()
}

fn describe() {
    describe_counter!("yibu_commands_total", "Commands by kind and result code");
    describe_histogram!("yibu_command_seconds", Unit::Seconds, "From a command to its answer");
    describe_histogram!("yibu_commit_batch_size", "Commits in one transaction of the log");
    describe_histogram!(
        "yibu_commit_seconds",
        Unit::Seconds,
        "One transaction of the log, with its sync"
    );
    describe_counter!("yibu_commit_faults_total", "Transactions of the log that failed");
    describe_histogram!(
        "yibu_deadline_lateness_seconds",
        Unit::Seconds,
        "From a deadline to the timer's acting upon it"
    );
    describe_counter!("yibu_outages_total", "Outages that were made good");
    describe_counter!("yibu_outage_seconds_total", Unit::Seconds, "Their length");
    describe_counter!("yibu_http_requests_total", "Requests by route and status");
    describe_histogram!("yibu_http_seconds", Unit::Seconds, "From a request to its answer's head");
    describe_counter!("yibu_requests_total", "GraphQL operations by door and outcome");
    describe_counter!("yibu_faults_total", "Internal faults, masked to clients");
    describe_gauge!("yibu_sockets_open", "Open web sockets");
    describe_gauge!("yibu_streams_open", "Open event streams");
    describe_gauge!("yibu_subscriptions_open", "Subscriptions on web sockets");
    describe_gauge!("yibu_matches_watched", "Matches that somebody watches");
    describe_gauge!("yibu_log_position", "The last position of the log that this node knows");
    describe_gauge!("yibu_projection_checkpoint", "Everything up to there is in the read model");
    describe_gauge!("yibu_projection_lag_events", "Events that the read model does not have yet");
    describe_gauge!("yibu_projection_stopped", "1 where the read model stands still");
    describe_gauge!("yibu_ready", "1 where /health/ready says yes");
    describe_gauge!(
        "yibu_clock_behind_seconds",
        Unit::Seconds,
        "This node's clock behind the latest mark of any node"
    );
    describe_gauge!(
        "yibu_clock_skew_seconds",
        Unit::Seconds,
        "Between this node's clock and the database's, either way"
    );
    describe_gauge!("yibu_free_bytes", Unit::Bytes, "Free where the data folder is");
    describe_gauge!("yibu_build_info", "1, with the program's version and the node's name");
}

/// Counters without labels.
const PLAIN: &[&str] = &["yibu_faults_total", "yibu_outages_total", "yibu_outage_seconds_total"];

/// What the doors say of GraphQL operations.
const OUTCOMES: &[(&str, &[&str])] = &[
    ("http", &["ok", "errors", "refused"]),
    ("stream", &["ok", "refused"]),
    ("socket", &["upgraded", "refused"]),
];

/// Every family begins at 0: a growth is only seen from something that was there. What has labels that nobody
/// knows beforehand (a route's status, a command's refusal) begins with what is certain to come.
fn begin() {
    for name in PLAIN {
        metrics::counter!(*name).absolute(0);
    }
    for (door, outcomes) in OUTCOMES {
        for outcome in *outcomes {
            metrics::counter!("yibu_requests_total", "door" => *door, "outcome" => *outcome)
                .absolute(0);
        }
    }
    let route = [("route", "/graphql"), ("status", "200")];
    metrics::counter!("yibu_http_requests_total", &route).absolute(0);
    let command = [("kind", "found"), ("result", "OK")];
    metrics::counter!("yibu_commands_total", &command).absolute(0);
}

/// The counters of one store of the log, from 0.
pub fn begin_store(store: &'static str) {
    metrics::counter!("yibu_commit_faults_total", "store" => store).absolute(0);
}

/// Something open, counted in a gauge as long as it lives.
pub struct Open(metrics::Gauge);

impl Open {
    /// Counts one more.
    pub fn new(gauge: &'static str) -> Self {
        let gauge = metrics::gauge!(gauge);
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}

/// `GET /metrics`, for a listener of its own. `sample` notes what is only looked at when somebody asks.
pub fn routes(sample: Arc<dyn Fn() + Send + Sync>) -> Router {
    let handle = recorder();
    let show = move || {
        sample();
        let text = handle.render();
        async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text) }
    };
    Router::new().route("/metrics", get(show))
}
