//! `yibu settings`: what a server would be started with, and why.

use super::given::Given;
use super::{Outcome, console};
use crate::settings;
use clap::Args;
use std::process::ExitCode;

/// Show the settings that `serve` would use, and where each comes from
///
/// Settings come from their defaults, then from a TOML file (--config or YIBU_CONFIG), then from the
/// environment, then from the command line; the later one wins. Everything is checked: exit code 1 when
/// something is not allowed. Secrets are not shown.
#[derive(Args)]
pub(super) struct Settings {
    #[command(flatten)]
    given: Given,
    /// Print them as JSON
    #[arg(long)]
    json: bool,
    /// Print an annotated file with every setting at its default
    #[arg(long, conflicts_with = "json")]
    example: bool,
}

impl Settings {
    pub(super) fn run(self) -> Outcome {
        if self.example {
            console::line(settings::example().trim_end());
            return Ok(ExitCode::SUCCESS);
        }
        let loaded = self.given.load()?;
        if self.json {
            console::json(&settings::shown(&loaded.values))?;
        } else {
            print(&loaded);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// One line for each setting.
pub(super) fn print(loaded: &settings::Loaded) {
    for settings::Shown { name, value, source } in settings::shown(&loaded.values) {
        console::line(format!("{name:32} {value:40} {source}"));
    }
}
