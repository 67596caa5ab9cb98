//! `yibu rebuild`: builds read models anew, through the running server or without one.

use super::folder::{Folder, Named, close_to_others};
use super::serve::stop_signal;
use super::{Outcome, console};
use crate::local::{self, Answer, Ask, AskFault, Progress, Rebuilt};
use clap::Args;
use indicatif::ProgressBar;
use std::cell::Cell;
use std::process::ExitCode;
use yibu_projections::{Views, models};

/// The exit code of what was interrupted.
const INTERRUPTED: u8 = 130;

const GOES_ON: &str =
    "interrupted; the server goes on with the rebuild. The same command again shows how far it is";
const RESUMES: &str = "interrupted; what was built stays, and the next rebuild goes on from there";

/// Build read models anew from the log
///
/// A new generation is built beside the one that is served, compared with it and put in its place; readers and
/// writers go on meanwhile. With a server running on the folder, the server does it, and goes on though this command
/// is interrupted: the same command again shows how far it is. Without one, the next rebuild goes on where an
/// interrupted one was. Exit code 1 when a model that was up to date turned out different.
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
        let mut stop = std::pin::pin!(stop_signal()?);
        let joined = Cell::new(false);
        let asked = local::ask(folder.site()?, &question, |at| {
            if at.joined && !joined.replace(true) {
                console::note("a rebuild is under way already: this is how far it is");
            }
            show(&bar, at);
        });
        let asked = tokio::select! {
            asked = asked => asked,
            () = &mut stop => return Ok(broken_off(&bar, GOES_ON)),
        };
        let rebuilt = match asked {
            Ok(Answer::Rebuilt { models }) => models,
            Ok(_) => return Err("the server answered another question".into()),
            Err(AskFault::NoServer) => tokio::select! {
                rebuilt = self.alone(&folder, bar.clone()) => rebuilt?,
                () = stop => {
                    broken_off(&bar, RESUMES);
                    // The work has threads of its own, which nobody waits for: each commit is whole.
                    std::process::exit(i32::from(INTERRUPTED));
                }
            },
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
        if let Some(data) = folder.embedded() {
            close_to_others(&data);
        }
        let views = Views::open(folder.views(), models::all()).await?;
        let names = self.names.clone();
        let rebuilt = local::rebuild(&views, opened.log, names, move |at| show(&bar, &at)).await;
        views.close().await;
        Ok(rebuilt?)
    }
}

/// Says what becomes of the work.
fn broken_off(bar: &ProgressBar, what: &str) -> ExitCode {
    bar.finish_and_clear();
    console::note(what);
    ExitCode::from(INTERRUPTED)
}

fn show(bar: &ProgressBar, at: &Progress) {
    bar.set_length(at.head);
    bar.set_position(at.position);
}
