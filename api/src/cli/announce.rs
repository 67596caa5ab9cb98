//! `yibu admin announce` and `yibu admin wait`: what people are told, and how soon.

use super::admin::site;
use super::folder::Folder;
use super::numbers::whole;
use super::{Outcome, console};
use clap::Args;
use serde_json::json;
use std::process::ExitCode;
use yibu_domain::kernel::Reason;
use yibu_domain::site::SiteCommand;

/// Set for how long a turn is on before a normal mail tells of it
#[derive(Args)]
pub(super) struct Wait {
    /// Minutes, 1 to 1440
    #[arg(value_name = "MINUTES", allow_negative_numbers = true, value_parser = whole::<i64>(1..=1440))]
    minutes: i64,
    /// Why, as a code of a-z, 0-9 and underscores, for instance fewer_mails
    #[arg(long, value_name = "CODE")]
    reason: Reason,
}

impl Wait {
    pub(super) async fn run(self, folder: &Folder, json: bool) -> Outcome {
        let (minutes, reason) = (self.minutes, self.reason);
        site(folder, SiteCommand::SetNormalMailWait { minutes, reason }).await?;
        if json {
            console::json(&json!({ "normalMailWaitMinutes": minutes }))?;
        } else {
            console::line(format!("normal turn mails wait for {minutes} minutes"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Set what the banner says to everybody
///
/// At most 500 characters in one line. Without a text the banner goes.
#[derive(Args)]
pub(super) struct Announce {
    /// The text
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Why, as a code of a-z, 0-9 and underscores, for instance maintenance
    #[arg(long, value_name = "CODE")]
    reason: Reason,
}

impl Announce {
    pub(super) async fn run(self, folder: &Folder, json: bool) -> Outcome {
        let (text, reason) = (self.text, self.reason);
        let said = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let line = match said {
            Some(_) => "the banner says so now",
            None => "the banner is gone",
        };
        let shown = json!({ "announcement": said });
        site(folder, SiteCommand::SetAnnouncement { text, reason }).await?;
        if json {
            console::json(&shown)?;
        } else {
            console::line(line);
        }
        Ok(ExitCode::SUCCESS)
    }
}
