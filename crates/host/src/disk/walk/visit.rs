//! Walks that tell names, kinds, sizes and times.

use super::{
    Root,
    batch::Batch,
    ended, open_root,
    ordered::{self, Work},
    steps::{Links, Step, Steps},
};
use crate::disk::{entries, gate, gate::Gate, stat};
use deepfs_core::{
    ErrorKind, Fault,
    storage::{Kind, Metadata, Walk, Walked},
};
use std::{ops::ControlFlow, sync::atomic::AtomicBool};

/// Entries whose `stat` is asked for on the calling thread before others are brought in: a second thread costs more
/// than it brings on a small tree.
const ALONE: usize = 2000;

/// See [`deepfs_core::Storage::walk`].
pub(crate) fn walk(
    gate: &Gate,
    place: &[u8],
    walk: &Walk<'_>,
    visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    ended(walk_until_fault(gate, place, walk, visit))
}

fn walk_until_fault(
    gate: &Gate,
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
    let mut steps = Steps::new(gate, walk, Links::Visit, place, root)?;
    let mut alone = 0;
    while !walk.stat || alone < ALONE {
        let Some(step) = steps.next()? else { return Ok(Walked { complete: steps.complete() }) };
        alone += 1;
        let Some(metadata) = describe(walk.stat, steps.path(), &step) else { continue };
        if visit(steps.path(), &metadata).is_break() {
            return Ok(Walked { complete: true });
        }
    }
    let mut broken = false;
    ordered::run(&Describe, &mut (), &mut || Batch::collect(&mut steps), &mut |(batch, known)| {
        for ((path, _), metadata) in batch.iter().zip(known) {
            if let Some(metadata) = metadata
                && visit(path, &metadata).is_break()
            {
                broken = true;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(Walked { complete: broken || steps.complete() })
}

/// What is told of an entry; `None` when it has vanished.
fn describe(stat: bool, path: &str, step: &Step) -> Option<Metadata> {
    if let Some(behind) = &step.behind {
        return Some(behind.clone());
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

struct Describe;

impl Work for Describe {
    type Piece = Batch;
    type Outcome = (Batch, Vec<Option<Metadata>>);
    type Scratch = ();

    fn scratch(&self) {}

    fn perform(&self, (): &mut (), batch: Batch, _stop: &AtomicBool) -> Self::Outcome {
        let known = batch.iter().map(|(path, step)| describe(true, path, step)).collect();
        (batch, known)
    }

    fn weigh(_outcome: &Self::Outcome) -> usize {
        // A batch is small.
        0
    }
}
