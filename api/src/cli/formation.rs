//! `yibu formation`: a formation file looked at, and a foreign one turned into one of our own. Needs no data folder.

use super::{Outcome, console};
use crate::bounded;
use crate::files::formation::{MOST_BYTES, read, write};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use yibu_domain::games::siguo::notation::piece_letter;
use yibu_domain::games::siguo::pos::Pos;
use yibu_domain::kernel::visible;

/// Show a formation file, or turn it into one of the format yibu-formation
///
/// Read are .yibu-formation.json and the .jql layouts of QQ. The front row is drawn above, as the owner sees it.
#[derive(Args)]
pub(super) struct Formation {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print the same formation as a file of our own
    #[arg(long)]
    convert: bool,
}

impl Formation {
    pub(super) fn run(self) -> Outcome {
        let named = read(&bounded::bytes(&self.file, MOST_BYTES)?)
            .map_err(|fault| format!("{}: {fault}", self.file.display()))?;
        if self.convert {
            console::document(write(&named)?.trim_end());
            return Ok(ExitCode::SUCCESS);
        }
        if !named.name.is_empty() {
            console::line(visible(&named.name));
        }
        for row in 1..=6 {
            let cells = (1..=5).map(|col| {
                let at = Pos::of(named.formation.seat(), row, col);
                let piece = at.and_then(|at| named.formation.piece(at));
                piece.map_or("( )".to_owned(), |piece| format!("{} ", piece_letter(piece)))
            });
            console::line(cells.collect::<Vec<_>>().join(" "));
        }
        Ok(ExitCode::SUCCESS)
    }
}
