//! The directories on the way from a walk's root to the entry that it is at.

use super::ignores::{Rules, Verdict};
use crate::disk::{
    fault,
    folder::Folder,
    gate::{self, Gate},
    stat,
};
use deepfs_core::Fault;
use rustix::{fd::OwnedFd, fs::Stat, io::Errno};
use std::sync::Arc;

/// Directories held open at once; those above are opened again when the walk comes back to them.
const MAX_OPEN: usize = 64;

/// One directory.
pub(crate) struct Frame {
    /// Opened when it is needed, for one whose entries were known.
    pub handle: Option<Arc<OwnedFd>>,
    /// Which directory it is: the entries are of no other.
    pub stat: Stat,
    /// Its entries.
    pub folder: Arc<Folder>,
    /// The index of the entry after the current one.
    pub next: usize,
    /// Length of the walk's path up to this directory, with its slash.
    pub path_len: usize,
    /// The same of its place on the host.
    pub place_len: usize,
    /// What it says about ignoring what lies below it.
    pub rules: Option<Rules>,
}

/// See the module; the last is the one that holds the current entry.
pub(crate) struct Frames<'w> {
    gate: &'w Gate,
    /// The directory that the walk starts from.
    top: Arc<OwnedFd>,
    list: Vec<Frame>,
}

impl<'w> Frames<'w> {
    /// None yet, of a walk from `top`.
    pub(crate) fn new(gate: &'w Gate, top: Arc<OwnedFd>) -> Self {
        Self { gate, top, list: Vec::new() }
    }

    /// Whether the walk is at its root, or at its end.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The directory that holds the current entry.
    pub(crate) fn last(&self) -> Option<&Frame> {
        self.list.last()
    }

    /// See [`Frames::last`].
    pub(crate) fn last_mut(&mut self) -> Option<&mut Frame> {
        self.list.last_mut()
    }

    /// Goes down.
    pub(crate) fn push(&mut self, frame: Frame) {
        self.list.push(frame);
        if let Some(far) = self.list.len().checked_sub(MAX_OPEN + 1).and_then(|at| self.list.get_mut(at)) {
            far.handle = None;
        }
    }

    /// Goes up.
    pub(crate) fn pop(&mut self) -> Option<Frame> {
        self.list.pop()
    }

    /// Ends the walk.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// The handle of the directory that holds the current entry; `None` when it is gone, or another has taken its place. `place`
    /// begins with the directory's own.
    pub(crate) fn handle(&mut self, place: &[u8]) -> Result<Option<Arc<OwnedFd>>, Fault> {
        let Some(frame) = self.list.last() else { return Ok(None) };
        if frame.handle.is_some() {
            return Ok(frame.handle.clone());
        }
        let handle = match self.open(place.get(..frame.place_len.saturating_sub(1)).unwrap_or_default()) {
            Ok(handle) => handle,
            Err(errno) if fault::ends_a_walk(errno) => return Err(fault::of(errno)),
            Err(_) => return Ok(None),
        };
        let is_same = rustix::fs::fstat(&handle).is_ok_and(|found| stat::same_file(&frame.stat, &found));
        let handle = is_same.then(|| Arc::new(handle));
        if let Some(frame) = self.list.last_mut() {
            frame.handle.clone_from(&handle);
        }
        Ok(handle)
    }

    /// Opens the last directory, from the one above it if that is open.
    fn open(&self, place: &[u8]) -> Result<OwnedFd, Errno> {
        let above = self.list.len().checked_sub(2).and_then(|at| self.list.get(at));
        if let Some(Frame { handle: Some(parent), place_len, .. }) = above {
            return gate::child_handle(parent, place.get(*place_len..).unwrap_or_default());
        }
        let top_len = self.list.first().map_or(0, |top| top.place_len);
        self.gate.below(&self.top, place.get(top_len..).filter(|place| !place.is_empty()).unwrap_or(b"."))
    }

    /// What the rules of these directories say about the current path, the nearest first.
    pub(crate) fn verdict(&self, path: &str, is_folder: bool) -> Verdict {
        self.list
            .iter()
            .rev()
            .filter_map(|frame| Some((frame.rules.as_ref()?, path.get(frame.path_len..)?)))
            .map(|(rules, below)| rules.verdict(below, is_folder))
            .find(|verdict| *verdict != Verdict::Silent)
            .unwrap_or(Verdict::Silent)
    }
}
