//! Walks over a tree: every file once, in the order of full paths, and searches through what the files hold.

mod batch;
mod frames;
mod ignores;
mod ordered;
mod search;
mod steps;
mod visit;

pub(crate) use search::search;
pub(crate) use visit::walk;

use crate::disk::gate::Gate;
use deepfs_core::{ErrorKind, Fault, limits::keeps_partial_result, storage::Walked};
use rustix::{fd::OwnedFd, fs::OFlags};

/// What a walk starts from.
enum Root {
    Folder(OwnedFd),
    /// Anything that is not a directory.
    Other,
}

fn open_root(gate: &Gate, place: &[u8]) -> Result<Root, Fault> {
    match gate.open(place, OFlags::RDONLY | OFlags::DIRECTORY) {
        Ok(handle) => Ok(Root::Folder(handle)),
        Err(fault) if fault.kind == ErrorKind::NotADirectory => Ok(Root::Other),
        Err(fault) => Err(fault),
    }
}

/// A time-out ends a walk; what was found so far is an answer.
fn ended(result: Result<Walked, Fault>) -> Result<Walked, Fault> {
    match result {
        Err(fault) if keeps_partial_result(&fault) => Ok(Walked { complete: false }),
        other => other,
    }
}
