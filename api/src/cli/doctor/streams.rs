//! Whether the log holds, and each of its streams reads as the log holds it: what an audit asks of a log alone.

use super::Findings;
use crate::cli::audit;
use crate::cli::console::{self, many};
use yibu_infrastructure::log::port::{EventLog, ReadError};

/// Reads everything, in the log's own order and stream by stream; the first few problems are named.
pub(super) async fn streams(found: &mut Findings, log: &dyn EventLog) -> Result<(), ReadError> {
    const WHAT: &str = "streams";
    const NAMED: usize = 5;
    let bar = console::bar(log.head().await?.position, WHAT);
    let report = audit::log_alone(log, &bar).await?;
    bar.finish_and_clear();
    for problem in report.problems.iter().take(NAMED) {
        found.wrong(WHAT, problem);
    }
    if report.is_clean() {
        let streams = many(report.streams, "stream reads", "streams read");
        found.good(WHAT, format!("{streams} as the log holds them, and every chain holds"));
    } else {
        let problems = many(report.problem_count, "problem", "problems");
        found.wrong(WHAT, format!("{problems} in all; `yibu audit` looks closer"));
    }
    Ok(())
}
