//! A folder of an audit's own for what it builds and copies, hidden pieces among it: for its owner alone, and gone
//! with the audit, also with one that is broken off.

use crate::cli::leftover::take_away;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use yibu_infrastructure::system::Entropy;

/// A folder that goes away.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> std::io::Result<Self> {
        let name = Entropy::system().map_err(std::io::Error::other)?.uuid();
        let folder = std::env::temp_dir().join(format!("yibu-audit-{name}"));
        DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left behind in the system's folder for temporary files goes with that.
        take_away(&self.0);
    }
}
