//! `yibu schema`: the public schema as text.

use super::console;
use clap::Args;
use std::process::ExitCode;

/// Print the public GraphQL schema
///
/// The text is the same as in `api/schema.graphql`; no data folder and no server are needed.
#[derive(Args)]
pub(super) struct Schema {}

impl Schema {
    pub(super) fn run(self) -> ExitCode {
        console::as_is(crate::graphql::schema_text().trim_end());
        ExitCode::SUCCESS
    }
}
