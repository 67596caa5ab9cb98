//! A server for the browser tests whose clock stands still until it is told how far to go on. Its first line says where it
//! serves; each line that it is sent is a number of seconds, and is answered once they have passed without an outage.
//! Ends with its input. Asserts nothing about the product.

use std::io::Write as _;
use tokio::io::{AsyncBufReadExt as _, BufReader, stdin};
use yibu_api::app::LogStore;
use yibu_domain::kernel::Span;
use yibu_infrastructure::system::{Clock as _, ManualClock, SystemClock};
use yibu_tests::app::TestApp;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    // Browsers keep cookies and show days by clocks of their own: they begin together.
    let clock = ManualClock::at(SystemClock::new().now());
    let mut server = TestApp::on(clock, |config| config.log = LogStore::Sqlite).await;
    say(&format!("http://{}", server.addr))?;
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let seconds = line.trim().parse().map_err(std::io::Error::other)?;
        server.pass(Span::seconds(seconds)).await;
        say(&line)?;
    }
    server.stop().await;
    Ok(())
}

fn say(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
