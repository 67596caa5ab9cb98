//! What ails a server that is otherwise ready: looked at whenever somebody asks, in stable words. Must not
//! wait for anything.

use super::App;
use yibu_domain::kernel::Span;
use yibu_projections::Progress;
use yibu_projections::engine::Standing;

/// When a server is not ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HealthLimits {
    /// A read model is more events behind the log than this.
    pub most_lag: u64,
    /// This node's clock is more behind what it or the log has seen than this, or so far from the store's own,
    /// either way. No command of a match passes then.
    pub most_skew: Span,
    /// Fewer bytes than this are free where the data folder is; 0 = not looked at.
    pub least_free: u64,
}

impl Default for HealthLimits {
    fn default() -> Self {
        Self { most_lag: 10_000, most_skew: Span(100), least_free: 0 }
    }
}

impl App {
    /// What ails the server; empty where nothing does.
    pub fn ailments(&self) -> Vec<&'static str> {
        let limits = &self.limits;
        let head = *self.log.changes().borrow();
        let progress = self.views.names().into_iter().filter_map(|name| self.views.progress(name));
        let progress: Vec<_> = progress.map(|progress| progress.borrow().clone()).collect();
        let stopped = |by_log: bool| {
            let by = |one: &Progress| matches!(one.standing, Standing::Stopped { unread, .. } if unread == by_log);
            progress.iter().any(by)
        };
        let lag = progress.iter().map(|one| head.saturating_sub(one.checkpoint)).max();
        let found = [
            (!self.log.answers(), "store_unreachable"),
            (!self.gate.marks() || !*self.log.writes().borrow(), "log_not_writable"),
            (stopped(true), "log_not_readable"),
            (stopped(false), "read_model_stopped"),
            (lag.is_some_and(|lag| lag > limits.most_lag), "read_models_behind"),
            (self.gate.is_off(), "clock_skew"),
            (self.space.free().is_some_and(|free| free < limits.least_free), "disk_low"),
        ];
        found.into_iter().filter(|(ails, _)| *ails).map(|(_, word)| word).collect()
    }
}
