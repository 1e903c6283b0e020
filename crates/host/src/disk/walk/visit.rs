//! Walks that tell names, kinds, sizes and times.
//!
//! One thread: asking for the `stat` of 80,000 files takes less time than two threads take to share them out,
//! counted in processor time.

use super::{
    Root, ended, open_root,
    steps::{Links, Step, Steps},
};
use crate::disk::{entries, gate, gate::Gate, known_folders::KnownFolders, stat};
use deepfs_core::{
    ErrorKind, Fault,
    storage::{Kind, Metadata, Walk, Walked},
};
use std::ops::ControlFlow;

/// See [`deepfs_core::Storage::walk`].
pub(crate) fn walk(
    gate: &Gate,
    known: Option<&KnownFolders>,
    place: &[u8],
    walk: &Walk<'_>,
    visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    ended(walk_until_fault(gate, known, place, walk, visit))
}

fn walk_until_fault(
    gate: &Gate,
    known: Option<&KnownFolders>,
    place: &[u8],
    walk: &Walk<'_>,
    visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    walk.control.check()?;
    let root = match open_root(gate, place)? {
        Root::Folder(root) => root,
        Root::Other => {
            let metadata = entries::metadata(gate, place)?;
            if metadata.kind != Kind::File {
                return Err(ErrorKind::NotRegularFile.into());
            }
            if (walk.admit)("") {
                let _ = visit("", &metadata);
            }
            return Ok(Walked { complete: true });
        }
    };
    let mut steps = Steps::new(gate, known, walk, Links::Visit, place, root)?;
    while let Some(step) = steps.next()? {
        let Some(metadata) = describe(walk.stat, steps.path(), step) else { continue };
        if visit(steps.path(), &metadata).is_break() {
            return Ok(Walked { complete: true });
        }
    }
    Ok(Walked { complete: steps.complete() })
}

/// What is told of an entry; `None` when it has vanished.
fn describe(stat: bool, path: &str, step: Step) -> Option<Metadata> {
    if step.behind.is_some() {
        return step.behind;
    }
    if !stat {
        return Some(stat::bare(step.kind));
    }
    let (folder, name) = step.host(path);
    let found = gate::child_stat(folder, name).ok()?;
    match step.kind {
        Kind::OutsideLink => Some(stat::with_kind(&found, Kind::OutsideLink)),
        // Swapped for a link since the directory was read: what it names now was not asked for.
        _ => Some(stat::metadata(&found)).filter(|metadata| metadata.kind != Kind::DeadLink),
    }
}
