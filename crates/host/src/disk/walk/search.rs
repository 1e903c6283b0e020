//! Walks that read every file.

use super::{
    Root,
    batch::Batch,
    ended, open_root,
    ordered::{self, Work},
    steps::{Links, Steps},
};
use crate::disk::{fault, gate, gate::Gate, known_folders::KnownFolders, source, stat};
use deepfs_core::{
    Fault,
    storage::{Candidate, FileMatches, Inspected, Kind, Metadata, Search, Source, Walked},
};
use rustix::{fd::OwnedFd, fs::OFlags, io::Errno};
use std::{
    cell::OnceCell,
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// Files that are looked into on the calling thread before others are brought in: on a small tree a second
/// thread costs more than it brings, and a capped search often ends before.
const ALONE: usize = 250;
/// Bytes read of each file at once. Most files are smaller: they take one call.
const HEAD_BYTES: usize = 256 << 10;

/// See [`deepfs_core::Storage::search`]. Without `known`, no shortcut is taken: the calling thread looks into every file.
pub(crate) fn search(
    gate: &Gate,
    known: Option<&KnownFolders>,
    place: &[u8],
    search: &Search<'_>,
    found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    ended(search_until_fault(gate, known, place, search, found))
}

fn search_until_fault(
    gate: &Gate,
    known: Option<&KnownFolders>,
    place: &[u8],
    search: &Search<'_>,
    found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
) -> Result<Walked, Fault> {
    search.walk.control.check()?;
    let work = Inspect { search };
    let mut head = work.scratch();
    let root = match open_root(gate, place)? {
        Root::Folder(root) => root,
        Root::Other => {
            let file = gate.open(place, OFlags::RDONLY)?;
            source::regular(&file)?;
            if (search.walk.admit)("")
                && let Some(matches) = work.inspect(&mut head, "", &file)?
            {
                let _ = found("", matches);
            }
            return Ok(Walked { complete: true });
        }
    };
    let mut steps = Steps::new(gate, known, &search.walk, Links::Skip, place, root)?;
    let alone = if known.is_some() { ALONE } else { usize::MAX };
    for _ in 0..alone {
        let Some(step) = steps.next()? else { return Ok(Walked { complete: steps.complete() }) };
        if step.kind != Kind::File {
            continue;
        }
        let (folder, name) = step.host(steps.path());
        if let Some(matches) = work.open_and_inspect(&mut head, steps.path(), folder, name)?
            && found(steps.path(), matches).is_break()
        {
            return Ok(Walked { complete: true });
        }
    }
    let mut broken = false;
    ordered::run(&work, &mut head, &mut || Batch::collect(&mut steps), &mut |outcome| {
        for (path, matches) in outcome.found {
            if found(&path, matches).is_break() {
                broken = true;
                return Ok(ControlFlow::Break(()));
            }
        }
        outcome.fault.map_or(Ok(ControlFlow::Continue(())), Err)
    })?;
    Ok(Walked { complete: broken || steps.complete() })
}

struct Inspect<'s> {
    search: &'s Search<'s>,
}

/// What one batch brought: the files with matches, in order, and what ended the batch early.
struct Findings {
    found: Vec<(String, FileMatches)>,
    fault: Option<Fault>,
}

impl Work for Inspect<'_> {
    type Piece = Batch;
    type Outcome = Findings;
    /// The first bytes of the file at hand.
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        vec![0; HEAD_BYTES]
    }

    fn perform(&self, head: &mut Vec<u8>, batch: Batch, stop: &AtomicBool) -> Findings {
        let mut findings = Findings { found: Vec::new(), fault: None };
        for (path, step) in batch.iter().filter(|(_, step)| step.kind == Kind::File) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let (folder, name) = step.host(path);
            match self.open_and_inspect(head, path, folder, name) {
                Ok(None) => {}
                Ok(Some(matches)) => findings.found.push((path.to_owned(), matches)),
                Err(fault) => {
                    findings.fault = Some(fault);
                    break;
                }
            }
        }
        findings
    }

    fn weigh(outcome: &Findings) -> usize {
        let texts = outcome.found.iter().flat_map(|(_, matches)| &matches.texts);
        texts.map(|text| text.len() + size_of::<String>()).sum()
    }
}

impl Inspect<'_> {
    fn open_and_inspect(&self, head: &mut [u8], path: &str, folder: &OwnedFd, name: &[u8]) -> Inspected {
        self.search.walk.control.check()?;
        match gate::child(folder, name, OFlags::RDONLY) {
            Ok(file) => self.inspect(head, path, &file),
            // Passing this file over would make the answer wrong without saying so.
            Err(errno) if fault::ends_a_walk(errno) => Err(fault::of(errno)),
            // It may not be read, or is gone, or a link has taken its place.
            Err(_) => Ok(None),
        }
    }

    fn inspect(&self, head: &mut [u8], path: &str, file: &OwnedFd) -> Inspected {
        let count = loop {
            match rustix::io::read(file, &mut *head) {
                Ok(count) => break count,
                Err(Errno::INTR) => {}
                Err(_) => return Ok(None),
            }
        };
        // A regular file answers with less than was asked for only at its end.
        let whole = count < head.len();
        let source = Opened { file, metadata: OnceCell::new() };
        let size = if whole { count as u64 } else { source.metadata().size };
        if size > self.search.max_file_bytes {
            return Ok(None);
        }
        let head = head.get(..count).unwrap_or_default();
        (self.search.inspect)(&Candidate { path, head, whole, source: &source })
    }
}

/// A file that is open already; its metadata is asked for only when somebody wants it.
struct Opened<'f> {
    file: &'f OwnedFd,
    metadata: OnceCell<Metadata>,
}

impl Source for Opened<'_> {
    fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| {
            rustix::fs::fstat(self.file)
                .map_or_else(|_| stat::bare(Kind::File), |known| stat::metadata(&known))
        })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        source::read_at(self.file, offset, buffer)
    }

    fn read_all(&self, cap: u64) -> Result<Vec<u8>, Fault> {
        source::read_all(self.file, self.metadata().size, cap)
    }
}
