//! Figures that are only looked at when somebody asks for them. Must not wait for anything.

use super::App;
use yibu_projections::engine::Standing;

impl App {
    /// Notes the state of now in gauges.
    pub fn sample(&self) {
        let head = *self.log.changes().borrow();
        metrics::gauge!("yibu_log_position").set(number(head));
        for name in self.views.names() {
            let Some(progress) = self.views.progress(name) else { continue };
            let progress = progress.borrow().clone();
            let stopped = matches!(progress.standing, Standing::Stopped { .. });
            let lag = head.saturating_sub(progress.checkpoint);
            metrics::gauge!("yibu_projection_checkpoint", "name" => name)
                .set(number(progress.checkpoint));
            metrics::gauge!("yibu_projection_lag_events", "name" => name).set(number(lag));
            metrics::gauge!("yibu_projection_stopped", "name" => name).set(f64::from(stopped));
        }
        let ready = self.is_ready() && self.ailments().is_empty();
        metrics::gauge!("yibu_ready").set(f64::from(ready));
        let watched = u64::try_from(self.pulse.watched()).unwrap_or(u64::MAX);
        metrics::gauge!("yibu_matches_watched").set(number(watched));
        let behind = u64::try_from(self.gate.behind().0).unwrap_or(0);
        metrics::gauge!("yibu_clock_behind_seconds").set(number(behind) / 1000.0);
        let skew = u64::try_from(self.gate.skew().0).unwrap_or(0);
        metrics::gauge!("yibu_clock_skew_seconds").set(number(skew) / 1000.0);
        if let Some(free) = self.space.free() {
            metrics::gauge!("yibu_free_bytes").set(number(free));
        }
    }
}

/// Exact below 2^53; beyond that nobody counts single events.
#[expect(clippy::cast_precision_loss, reason = "a figure on a graph")]
fn number(count: u64) -> f64 {
    count as f64
}
