//! `yibu rebuild`: builds read models anew, through the running server or without one.

use super::folder::{Folder, Named};
use super::{Outcome, console};
use crate::local::{self, Answer, Ask, AskFault, Progress, Rebuilt};
use clap::Args;
use indicatif::ProgressBar;
use std::process::ExitCode;
use yibu_projections::{Views, models};

/// Build read models anew from the log
///
/// A new generation is built beside the one that is served, compared with it and put in its place; readers and
/// writers go on meanwhile. With a server running on the folder, the server does it. Interrupted, the next
/// rebuild goes on where this one was. Exit code 1 when a model that was up to date turned out different.
#[derive(Args)]
pub(super) struct Rebuild {
    /// Read models; all of them when none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

impl Rebuild {
    pub(super) async fn run(self) -> Outcome {
        let folder = self.folder.find()?;
        let bar = console::bar(0, "rebuild");
        let question = Ask::Rebuild { names: self.names.clone() };
        let rebuilt = match local::ask(folder.site()?, &question, |at| show(&bar, at)).await {
            Ok(Answer::Rebuilt { models }) => models,
            Ok(_) => return Err("the server answered another question".into()),
            Err(AskFault::NoServer) => self.alone(&folder, bar.clone()).await?,
            Err(fault) => return Err(fault.into()),
        };
        bar.finish_and_clear();
        let odd = rebuilt.iter().any(|model| model.same == Some(false));
        if self.json {
            console::json(&rebuilt)?;
        } else {
            for Rebuilt { name, position, same } in &rebuilt {
                let verdict = match same {
                    Some(true) => "equal to the one before",
                    Some(false) => "DIFFERENT from the one before",
                    None => "not comparable with the one before",
                };
                console::line(format!("{name:16} up to position {position}, {verdict}"));
            }
        }
        Ok(if odd { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    async fn alone(
        &self,
        folder: &Folder,
        bar: ProgressBar,
    ) -> Result<Vec<Rebuilt>, Box<dyn std::error::Error + Send + Sync>> {
        let opened = folder.read_log().await?;
        let views = Views::open(folder.views(), models::all()).await?;
        let names = self.names.clone();
        let rebuilt = local::rebuild(&views, opened.log, names, move |at| show(&bar, &at)).await;
        views.close().await;
        Ok(rebuilt?)
    }
}

fn show(bar: &ProgressBar, at: &Progress) {
    bar.set_length(at.head);
    bar.set_position(at.position);
}
