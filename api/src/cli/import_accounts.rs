//! `yibu import-accounts`: carries all accounts from one store to another, and back. Must not be used beside a server
//! on either.

use super::console::many;
use super::folder::{self, FolderFault};
use super::leftover::{ACCOUNTS, Making};
use super::{Outcome, console};
use clap::Args;
use serde::Serialize;
use std::process::ExitCode;
use yibu_domain::kernel::Time;
use yibu_infrastructure::accounts::{AccountsDb, Place, carry};
use yibu_infrastructure::log::{OpenError, StoreConfig};

/// Carry all accounts from one store to another
///
/// Every row of every table of the accounts arrives as it was: people, passwords, sessions, names, settings and the
/// site's keys. Before it counts, the copy is read again and each table compared by its number of rows and a hash
/// over them; it is all or nothing. Stop all servers on both stores first. The target must hold no accounts yet. The
/// log is carried by `yibu import-log`.
#[derive(Args)]
pub(super) struct ImportAccounts {
    /// The store to read: sqlite:FOLDER, or the URL of a database
    #[arg(long, value_name = "STORE")]
    from: String,
    /// The store to fill: sqlite:FOLDER, or the URL of a database
    #[arg(long, value_name = "STORE")]
    to: String,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    from: &'static str,
    to: &'static str,
    tables: Vec<Table>,
}

#[derive(Serialize)]
struct Table {
    name: String,
    rows: u64,
    hash: String,
}

impl ImportAccounts {
    pub(super) async fn run(self) -> Outcome {
        let (source, target) = (folder::store(&self.from, None)?, folder::store(&self.to, None)?);
        if source == target {
            return Err("source and target are the same store".into());
        }
        folder::fillable(&target)?;
        let (from, to) = (place(&source), place(&target));
        // Asked before anything is opened: that would make what is missing.
        if !from.has_players().await? {
            return Err(carry::CarryFault::Nothing.into());
        }
        let last = rested(&source, "the source", None).await?;
        rested(&target, "the target", last).await?;
        let making = Making::of(&target, ACCOUNTS);
        let from = AccountsDb::open_to_read(from).await?;
        let to = match AccountsDb::open(to).await {
            Ok(to) => to,
            Err(fault) => {
                from.close().await;
                return Err(fault.into());
            }
        };
        let bar = console::bar(0, "accounts");
        let carried = carry::carry(&from, &to, |table| {
            bar.set_message(table.to_owned());
            bar.inc(1);
        });
        let carried = carried.await;
        from.close().await;
        to.close().await;
        // The lock goes with the last handle.
        drop((from, to));
        bar.finish_and_clear();
        let tables = carried?.into_iter().map(|table| Table {
            name: table.table,
            rows: table.rows,
            hash: hex::encode(table.hash),
        });
        making.keep();
        let report = Report { from: source.name(), to: target.name(), tables: tables.collect() };
        if self.json {
            console::json(&report)?;
        } else {
            let Report { from, to, tables } = report;
            console::line(format!(
                "{from} to {to}: {}, all verified",
                many(tables.len() as u64, "table", "tables")
            ));
            for Table { name, rows, hash } in tables {
                let hash = hash.get(..16).unwrap_or_default();
                console::line(format!("{name:24} {rows:10}  {hash}"));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Where the accounts of a store are.
fn place(store: &StoreConfig) -> Place {
    match store {
        StoreConfig::Postgres { url, .. } => Place::Postgres(url.clone()),
        StoreConfig::EventStore { claims, .. } => Place::Postgres(claims.clone()),
        StoreConfig::Sqlite { folder } => Place::Folder(folder.clone()),
        // No address names it.
        StoreConfig::Memory => Place::Folder(std::path::PathBuf::new()),
    }
}

/// Refuses accounts that a server uses: of a shared database its log tells, a file is locked. Gives the last sign of
/// service in the log beside them, where there is one: the log may have been carried, and the sign with it.
async fn rested(
    store: &StoreConfig,
    which: &'static str,
    brought: Option<Time>,
) -> Result<Option<Time>, FolderFault> {
    let opened = match folder::present(store) {
        Ok(()) => folder::open_to_read(store.clone()).await,
        Err(fault) => Err(fault),
    };
    let opened = match opened {
        Ok(opened) => opened,
        // Nobody serves where no log is.
        Err(
            FolderFault::Nothing(_)
            | FolderFault::Missing { .. }
            | FolderFault::Log(OpenError::Empty(_)),
        ) => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let rested = folder::rested(&opened, store, which, brought).await;
    let last = opened.log.last_beat().await;
    opened.log.close().await;
    rested?;
    Ok(last?)
}
