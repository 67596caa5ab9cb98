//! The command line: one file a command. The only part of the program that prints, reads the environment and
//! waits for signals. Must not hold a rule of the game, nor do to the stores what a running server must do.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is what a command line is for"
)]

mod admin;
mod announce;
mod archive;
pub mod audit;
pub mod backup;
mod console;
mod doctor;
mod drain;
mod elsewhere;
pub mod export;
mod folder;
mod formation;
mod given;
mod grant;
mod import_accounts;
mod import_log;
mod leftover;
mod migrate;
mod numbers;
mod outage;
mod rebuild;
pub mod replay;
pub mod replay_file;
pub mod restore;
mod schema;
mod serve;
mod settings;
pub mod simulate;
mod standing;
mod views;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// How a command ends: its exit code, or why it could not be done.
type Outcome = Result<ExitCode, Box<dyn std::error::Error + Send + Sync>>;

/// A match's id as the log writes it (a UUID) or as the API does.
fn match_id(text: &str) -> Result<yibu_domain::kernel::MatchId, String> {
    let global = || crate::graphql::ids::match_of(&async_graphql::ID::from(text));
    let wrong = "a match's id is a UUID, or 34 digits that begin with 6d";
    text.parse().ok().or_else(global).ok_or_else(|| wrong.to_owned())
}

/// The whole command line.
#[derive(Parser)]
#[command(
    name = "yibu",
    version,
    about = "Yibu 异步: a server for asynchronous Chinese board games",
    long_about = "Yibu 异步: a server for asynchronous Chinese board games, and the tools around it.\n\n\
        A beginning:\n  \
        yibu serve --dev       serve on http://127.0.0.1:8080, with house players and a mailbox for developers\n  \
        yibu doctor            what is in the data folder, and whether it is well\n  \
        yibu simulate 3        let random players play three whole matches on that server\n  \
        yibu audit             check everything that was ever written\n\n\
        Every command explains itself with --help. Exit codes: 0 all is well, 1 something is wrong, \
        2 the command line cannot be understood."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(Box<serve::Serve>),
    Settings(Box<settings::Settings>),
    Drain(drain::Drain),
    Migrate(migrate::Migrate),
    Audit(audit::Audit),
    Replay(replay::Replay),
    ReplayFile(replay_file::ReplayFile),
    Formation(formation::Formation),
    Export(export::Export),
    Rebuild(rebuild::Rebuild),
    Archive(archive::Archive),
    Backup(backup::Backup),
    Restore(restore::Restore),
    ImportLog(import_log::ImportLog),
    ImportAccounts(import_accounts::ImportAccounts),
    Simulate(simulate::Simulate),
    Schema(schema::Schema),
    Doctor(doctor::Doctor),
    Admin(admin::Admin),
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // What was asked for goes to the standard output, a fault to the standard error.
        Err(told) if told.use_stderr() => told.exit(),
        Err(told) => {
            console::kept(told.print());
            return console::end(ExitCode::SUCCESS);
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            console::problem(&error);
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(cli.command.run()) {
        Ok(code) => console::end(code),
        Err(error) => {
            console::problem(error.as_ref());
            console::end(ExitCode::FAILURE)
        }
    }
}

impl Command {
    async fn run(self) -> Outcome {
        match self {
            Self::Serve(command) => command.run().await,
            Self::Settings(command) => command.run(),
            Self::Drain(command) => command.run().await,
            Self::Migrate(command) => command.run().await,
            Self::Audit(command) => command.run().await,
            Self::Replay(command) => command.run().await,
            Self::ReplayFile(command) => command.run(),
            Self::Formation(command) => command.run(),
            Self::Export(command) => command.run().await,
            Self::Rebuild(command) => command.run().await,
            Self::Archive(command) => command.run().await,
            Self::Backup(command) => command.run().await,
            Self::Restore(command) => command.run().await,
            Self::ImportLog(command) => command.run().await,
            Self::ImportAccounts(command) => command.run().await,
            Self::Simulate(command) => command.run().await,
            Self::Schema(command) => Ok(command.run()),
            Self::Doctor(command) => command.run().await,
            Self::Admin(command) => command.run().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_command_explains_itself() {
        let mut whole = Cli::command();
        whole.clone().debug_assert();
        assert!(whole.render_long_help().to_string().contains("serve --dev"));
        for command in whole.get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                let name = argument.get_id().as_str();
                assert!(argument.get_help().is_some(), "{} {name}", command.get_name());
            }
        }
    }

    #[test]
    fn whatever_says_something_says_it_as_json_too() {
        // A server goes on, a check of a file and the schema are documents by themselves.
        const OTHER: [&str; 3] = ["serve", "formation", "schema"];
        let whole = Cli::command();
        for command in whole.get_subcommands().filter(|it| !OTHER.contains(&it.get_name())) {
            let json = command.get_arguments().find(|argument| argument.get_long() == Some("json"));
            let json = json.unwrap_or_else(|| panic!("{}", command.get_name()));
            assert!(!command.has_subcommands() || json.is_global_set(), "{}", command.get_name());
        }
    }

    #[test]
    fn numbers_that_cannot_be_are_told_the_range() {
        let id = "00000000-0000-4000-8000-000000000000";
        let cases: [(&[&str], &str); 14] = [
            (&["archive", "--older-than", "-1"], "from 3 to 65535"),
            (&["archive", "--older-than", "2"], "from 3 to 65535"),
            (&["replay", id, "--at", "-1"], "1 or more"),
            (&["replay-file", "x", "--at", "-1"], "from 0 to 100000"),
            (&["replay-file", "x", "--at", "last"], "from 0 to 100000"),
            (&["simulate", "-1"], "1 or more"),
            (&["simulate", "--seed", "-1"], "0 or more"),
            (&["simulate", "--parallel", "-1"], "1 or more"),
            (&["serve", "--think", "-1"], "0 or more"),
            (&["admin", "limits", "--full", "-1"], "from 0 to 100"),
            (&["admin", "limits", "--takeover", "101"], "from 0 to 100"),
            (&["admin", "release", "-1"], "from 0 to 720"),
            (&["admin", "wait", "0"], "from 1 to 1440"),
            (&["admin", "wait", "-1"], "from 1 to 1440"),
        ];
        for (arguments, range) in cases {
            let told = Cli::try_parse_from([&["yibu"], arguments].concat()).err();
            let told = told.expect("it is refused").to_string();
            assert!(told.contains("whole number") && told.contains(range), "{arguments:?}: {told}");
        }
    }
}
