//! `yibu migrate`: brings the stores' tables up to date without serving.

use super::console::many;
use super::folder::{FolderFault, Named};
use super::{Outcome, console};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use yibu_infrastructure::accounts::AccountsDb;
use yibu_projections::{Views, models};

/// Make the stores' tables, or bring them up to date
///
/// `serve` does the same at its start; this is for deployments that want it as a step of its own. No server
/// may run on the folder meanwhile. Nothing that is stored is lost or rewritten.
#[derive(Args)]
pub(super) struct Migrate {
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: Named,
}

impl Migrate {
    pub(super) async fn run(self) -> Outcome {
        let folder = self.folder.find()?;
        // A fresh log would hide that the one that was here is gone.
        if let Err(gone @ FolderFault::Missing { .. }) = folder.there() {
            return Err(gone.into());
        }
        let opened = folder.make_log().await?;
        let head = opened.log.head().await?;
        opened.log.close().await;
        let said = |text: String| (!self.json).then(|| console::line(text));
        said(format!("log          up to date, {}", many(head.position, "event", "events")));
        let accounts = AccountsDb::open(folder.accounts()).await?;
        accounts.close().await;
        said("accounts     up to date".to_owned());
        let views = Views::open(folder.views(), models::all()).await?;
        let names = views.names();
        said(format!("read models  up to date: {}", names.join(", ")));
        if self.json {
            console::json(&json!({ "events": head.position, "read_models": names }))?;
        }
        views.close().await;
        Ok(ExitCode::SUCCESS)
    }
}
