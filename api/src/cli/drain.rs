//! `yibu drain`: a server that is to be stopped begins nothing new.

use super::folder::Named;
use super::{Outcome, console};
use crate::local::{self, Answer, Ask};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;

/// Let the running server finish and begin nothing new
///
/// /health/ready says no from now on, so that a balancer sends nobody here; new matches, takeovers and sockets
/// are refused and open sockets are told to connect again; moves go on, and so do the clocks. There is no way
/// back but a new start. SIGTERM, which stops the server, drains first by itself for as long as the setting
/// stop.drain says.
#[derive(Args)]
pub(super) struct Drain {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

impl Drain {
    pub(super) async fn run(self) -> Outcome {
        match local::ask(self.folder.find()?.site()?, &Ask::Drain, |_| {}).await? {
            Answer::Draining if self.json => {
                console::json(&json!({ "draining": true }))?;
                Ok(ExitCode::SUCCESS)
            }
            Answer::Draining => {
                console::line("draining: it takes no new matches and sockets; SIGTERM stops it");
                Ok(ExitCode::SUCCESS)
            }
            _ => Err("the server answered another question".into()),
        }
    }
}
