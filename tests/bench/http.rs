//! Durable moves through the whole house: GraphQL over HTTP, SQLite log on disk, four players a match who
//! read the board after every move. Players and server share this machine and this process.

use crate::figure::Figure;
use std::error::Error;
use yibu_api::app::LogStore;
use yibu_api::cli::simulate::{Options, run as play};
use yibu_tests::app::TestApp;

const MATCHES: u32 = 40;
const PARALLEL: u32 = 16;

/// Moves a second and the time from a move's sending to its answer.
pub(crate) fn run() -> Result<Vec<Figure>, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let summary = runtime.block_on(async {
        let mut server = TestApp::with_log(LogStore::Sqlite).await;
        let options = Options {
            parallel: PARALLEL,
            ..Options::new(format!("http://{}", server.addr), MATCHES)
        };
        let summary = play(options, |_| {}).await;
        server.stop().await;
        summary
    })?;
    Ok(vec![
        Figure::alone("durable_moves_over_http", summary.moves_per_second, "moves/s"),
        Figure::alone("command_over_http_p50", summary.p50_ms, "ms"),
        Figure::alone("command_over_http_p95", summary.p95_ms, "ms"),
    ])
}
