//! Figures about commands, through the facade: whoever runs the program decides where they go. Labels come
//! from fixed sets, never from a sender.

use super::{Done, Rejected};
use std::time::Instant;
use yibu_domain::kernel::Decider;
use yibu_domain::matches::MatchRefusal;
use yibu_domain::players::PlayerRefusal;
use yibu_domain::site::SiteRefusal;

/// A refusal with a stable code.
pub trait Coded {
    /// The code, in capitals.
    fn code(&self) -> &'static str;
}

impl Coded for MatchRefusal {
    fn code(&self) -> &'static str {
        Self::code(self)
    }
}

impl Coded for SiteRefusal {
    fn code(&self) -> &'static str {
        Self::code(*self)
    }
}

impl Coded for PlayerRefusal {
    fn code(&self) -> &'static str {
        Self::code(*self)
    }
}

/// Counts a command that began at `since`, by what came of it.
pub(super) fn command<D: Decider>(
    kind: &'static str,
    since: Instant,
    result: &Result<Done<D>, Rejected<D::Refusal>>,
) where
    D::Refusal: Coded,
{
    let result = match result {
        Ok(done) if done.repeated.is_some() => "REPEATED",
        Ok(_) => "OK",
        Err(Rejected::Refused(refusal)) => refusal.code(),
        Err(Rejected::LimitReached(_)) => "LIMIT_REACHED",
        Err(Rejected::Taken { .. }) => "TAKEN",
        Err(Rejected::IdempotencyConflict) => "IDEMPOTENCY_CONFLICT",
        Err(Rejected::Unavailable) => "UNAVAILABLE",
        Err(Rejected::Newer(_)) => "NODE_OUTDATED",
        Err(Rejected::Failed(_)) => "FAULT",
    };
    count(kind, result);
    metrics::histogram!("yibu_command_seconds").record(since.elapsed());
}

/// Counts a command that the server gave itself.
pub(super) fn count(kind: &'static str, result: &'static str) {
    metrics::counter!("yibu_commands_total", "kind" => kind, "result" => result).increment(1);
}
