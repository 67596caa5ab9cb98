//! `yibu migrate`: brings the stores' tables up to date without serving.

use super::console::many;
use super::folder::{FolderFault, Named};
use super::{Outcome, console};
use clap::Args;
use std::process::ExitCode;
use yibu_infrastructure::accounts::AccountsDb;
use yibu_projections::{Views, models};

/// Make the stores' tables, or bring them up to date
///
/// `serve` does the same at its start; this is for deployments that want it as a step of its own. No server
/// may run on the folder meanwhile. Nothing that is stored is lost or rewritten.
#[derive(Args)]
pub(super) struct Migrate {
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
        console::line(format!(
            "log          up to date, {}",
            many(head.position, "event", "events")
        ));
        let accounts = AccountsDb::open(folder.accounts()).await?;
        accounts.close().await;
        console::line("accounts     up to date");
        let views = Views::open(folder.views(), models::all()).await?;
        console::line(format!("read models  up to date: {}", views.names().join(", ")));
        views.close().await;
        Ok(ExitCode::SUCCESS)
    }
}
