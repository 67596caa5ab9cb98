//! Where settings come from: the command line, the environment, a file. Reads all three and hands them to
//! `settings`, which judges them. Every command that opens a store finds it by these.

use crate::bounded::{self, MOST_SMALL, Unread};
use crate::settings::{self, Loaded, Sources};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Settings on the command line. What is not given here comes from the environment, then from the file.
#[derive(Args, Default)]
pub(super) struct Given {
    /// A TOML file with settings; `yibu settings --example` prints one
    #[arg(long, env = "YIBU_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Any setting by its name, for instance http.public_url=https://play.example
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// The data folder
    #[arg(long, value_name = "FOLDER")]
    data: Option<String>,
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// The address of the operators' door, with /metrics and /health
    #[arg(long, value_name = "ADDRESS")]
    ops: Option<String>,
    /// Development mode: this machine only
    #[arg(long)]
    dev: bool,
    /// This node's name in the log
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// How the program's own log is written, on the standard error
    #[arg(long, value_enum)]
    log_format: Option<Format>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For a person
    Pretty,
    /// One JSON object a line
    Json,
}

impl Given {
    /// Reads and checks all settings.
    pub(super) fn load(&self) -> Result<Loaded, Unusable> {
        load(self.config.as_deref(), self.flags())
    }

    fn flags(&self) -> Vec<(String, String)> {
        let format = self.log_format.map(|format| match format {
            Format::Pretty => "pretty".to_owned(),
            Format::Json => "json".to_owned(),
        });
        let named = [
            ("data", self.data.clone()),
            ("http.listen", self.listen.clone()),
            ("ops.listen", self.ops.clone()),
            ("dev", self.dev.then(|| "true".to_owned())),
            ("node", self.node.clone()),
            ("tracing.format", format),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        self.set.iter().cloned().chain(named).collect()
    }
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    /// Their file cannot be read.
    #[error("the settings' file {0}")]
    File(Unread),
    /// They are wrong.
    #[error(transparent)]
    Wrong(#[from] settings::Problems),
}

/// Reads and checks all settings: of the file, of the environment, and `flags` above both.
pub(super) fn load(
    config: Option<&Path>,
    flags: Vec<(String, String)>,
) -> Result<Loaded, Unusable> {
    let file = config.map(|path| {
        let text = bounded::text(path, MOST_SMALL).map_err(Unusable::File)?;
        Ok::<_, Unusable>((path.display().to_string(), text))
    });
    // A variable that is no text is none of ours.
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    Ok(settings::load(&Sources { file: file.transpose()?, variables, flags })?)
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or("it must be NAME=VALUE")?;
    Ok((pair.0.trim().to_owned(), pair.1.trim().to_owned()))
}
