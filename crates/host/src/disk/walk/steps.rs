//! The walk itself: depth first, in the order of full paths, one entry at a time.

use super::ignores::{self, Rules, Verdict};
use crate::disk::{
    entries, fault,
    folder::{Buffer, Child, Folder},
    gate::{self, Gate},
    stat,
};
use deepfs_core::{
    Fault,
    path::MAX_PATH_BYTES,
    storage::{Kind, Metadata, Walk},
};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, OFlags},
};
use std::sync::Arc;

/// Directories held open at once; those above are opened again when the walk comes back to them.
const MAX_OPEN: usize = 64;
/// Entries between two looks at the control.
const CHECK_EVERY: u64 = 64;

/// What to do with links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// They are visited as what they name.
    Visit,
    /// They are passed over.
    Skip,
}

/// A directory on the way from the root to the current entry.
struct Frame {
    handle: Option<Arc<OwnedFd>>,
    folder: Folder,
    next: usize,
    /// Length of [`Steps::path`] with this directory's slash.
    path_len: usize,
    place_len: usize,
    rules: Option<Rules>,
}

/// One entry that the walk hands out. Its path is [`Steps::path`].
pub(crate) struct Step {
    /// The directory that holds it.
    pub folder: Arc<OwnedFd>,
    /// What it is.
    pub kind: Kind,
    /// For a link that was followed: what is known of its target.
    pub behind: Option<Metadata>,
    /// The host's name, where it is not the end of the path.
    pub host_name: Option<Box<[u8]>>,
}

/// See the module.
pub(crate) struct Steps<'w> {
    gate: &'w Gate,
    walk: &'w Walk<'w>,
    links: Links,
    frames: Vec<Frame>,
    /// A directory to go into, whose path is the current one.
    entering: Option<OwnedFd>,
    path: String,
    place: Vec<u8>,
    above: Vec<(String, Rules)>,
    buffer: Buffer,
    /// The room of directories that the walk is done with.
    spare: Vec<Folder>,
    seen: u64,
    complete: bool,
}

impl<'w> Steps<'w> {
    /// A walk below the directory `root`, which is at `place`.
    pub(crate) fn new(
        gate: &'w Gate,
        walk: &'w Walk<'w>,
        links: Links,
        place: &[u8],
        root: OwnedFd,
    ) -> Result<Self, Fault> {
        let mut steps = Self {
            gate,
            walk,
            links,
            frames: Vec::new(),
            entering: None,
            path: String::new(),
            place: if place == b"." { Vec::new() } else { [place, b"/"].concat() },
            above: if walk.gitignore { ignores::above(gate, place) } else { Vec::new() },
            buffer: Buffer::new(),
            spare: Vec::new(),
            seen: 0,
            complete: true,
        };
        steps.enter(root)?;
        Ok(steps)
    }

    /// The path of the current entry, relative to the walk's root.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Whether everything was seen so far.
    pub(crate) fn complete(&self) -> bool {
        self.complete
    }

    /// The next entry that is wanted; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Step>, Fault> {
        loop {
            if let Some(handle) = self.entering.take() {
                self.enter(handle)?;
            }
            let Some(frame) = self.frames.last_mut() else { return Ok(None) };
            self.path.truncate(frame.path_len);
            self.place.truncate(frame.place_len);
            let Some(child) = frame.folder.child(frame.next) else {
                self.spare.extend(self.frames.pop().map(|frame| frame.folder));
                continue;
            };
            frame.next += 1;
            if self.seen >= self.walk.max_entries {
                self.complete = false;
                self.frames.clear();
                return Ok(None);
            }
            if self.seen.is_multiple_of(CHECK_EVERY) {
                self.walk.control.check()?;
            }
            self.seen += 1;
            self.path.push_str(frame.folder.name(child));
            self.place.extend_from_slice(frame.folder.host_name(child));
            if self.place.len() >= MAX_PATH_BYTES || self.path.len() >= MAX_PATH_BYTES {
                // Nobody could name it.
                self.complete = false;
                continue;
            }
            if let Some(step) = self.look_at(child)? {
                return Ok(Some(step));
            }
        }
    }

    fn look_at(&mut self, child: Child) -> Result<Option<Step>, Fault> {
        match child.file_type {
            FileType::Directory => self.look_at_folder(child),
            FileType::Symlink if self.links == Links::Skip => Ok(None),
            FileType::Symlink => self.look_at_link(child),
            other => {
                if !(self.walk.admit)(&self.path) || self.is_ignored(false) {
                    return Ok(None);
                }
                self.step(child, stat::kind_of(other), None)
            }
        }
    }

    fn look_at_folder(&mut self, child: Child) -> Result<Option<Step>, Fault> {
        if self.is_ignored(true) {
            return Ok(None);
        }
        let step = if self.walk.directories { self.step(child, Kind::Directory, None)? } else { None };
        if !(self.walk.descend)(&self.path) {
            return Ok(step);
        }
        let Some(parent) = self.current_folder()? else { return Ok(step) };
        let name = self.current_name(child);
        match gate::child_folder(&parent, &name) {
            // Not yet: the step is about the path as it is.
            Ok(handle) => self.entering = Some(handle),
            Err(errno) if fault::ends_a_walk(errno) => return Err(fault::of(errno)),
            // It may not be read, or is gone.
            Err(_) => {}
        }
        Ok(step)
    }

    fn look_at_link(&mut self, child: Child) -> Result<Option<Step>, Fault> {
        let (kind, behind) = match entries::behind_link(self.gate, &self.place) {
            Ok(metadata) => (metadata.kind, Some(metadata)),
            Err(kind) => (kind, None),
        };
        let wanted = match kind {
            Kind::DeadLink => false,
            Kind::Directory => self.walk.directories && !self.is_ignored(false),
            _ => (self.walk.admit)(&self.path) && !self.is_ignored(false),
        };
        if wanted { self.step(child, kind, behind) } else { Ok(None) }
    }

    fn step(&mut self, child: Child, kind: Kind, behind: Option<Metadata>) -> Result<Option<Step>, Fault> {
        let host_name = Folder::is_spelt(child).then(|| self.current_name(child).into_boxed_slice());
        Ok(self.current_folder()?.map(|folder| Step { folder, kind, behind, host_name }))
    }

    fn current_name(&self, child: Child) -> Vec<u8> {
        self.frames.last().map(|frame| frame.folder.host_name(child).to_vec()).unwrap_or_default()
    }

    /// The handle of the directory that holds the current entry; `None` when it is gone.
    fn current_folder(&mut self) -> Result<Option<Arc<OwnedFd>>, Fault> {
        let Some(frame) = self.frames.last_mut() else { return Ok(None) };
        if frame.handle.is_none() {
            let place = self.place.get(..frame.place_len.saturating_sub(1)).filter(|place| !place.is_empty());
            let opened = self.gate.open(place.unwrap_or(b"."), OFlags::RDONLY | OFlags::DIRECTORY);
            frame.handle = opened.ok().map(Arc::new);
        }
        Ok(frame.handle.clone())
    }

    /// Goes into a directory whose path is the current one.
    fn enter(&mut self, handle: OwnedFd) -> Result<(), Fault> {
        let room = self.spare.pop().unwrap_or_default();
        let mut folder = match room.read_again(&handle, &mut self.buffer, self.walk.max_entries) {
            Ok((folder, all)) => {
                self.complete &= all;
                folder
            }
            Err(errno) if fault::ends_a_walk(errno) || self.frames.is_empty() => {
                return Err(fault::of(errno));
            }
            Err(_) => return Ok(()),
        };
        if !self.frames.is_empty() {
            self.path.push('/');
            self.place.push(b'/');
        }
        if self.links == Links::Visit && self.walk.directories {
            self.mark_linked_folders(&mut folder);
        }
        folder.sort();
        let rules = (self.walk.gitignore && folder.has_rules).then(|| Rules::read(&handle));
        self.frames.push(Frame {
            handle: Some(Arc::new(handle)),
            folder,
            next: 0,
            path_len: self.path.len(),
            place_len: self.place.len(),
            rules,
        });
        if let Some(far) = self.frames.len().checked_sub(MAX_OPEN + 1).and_then(|at| self.frames.get_mut(at))
        {
            far.handle = None;
        }
        Ok(())
    }

    /// A link to a directory is shown as one and ordered as one.
    fn mark_linked_folders(&self, folder: &mut Folder) {
        let links: Vec<usize> = (0..folder.len())
            .filter(|at| folder.child(*at).is_some_and(|child| child.file_type == FileType::Symlink))
            .collect();
        for at in links {
            let Some(child) = folder.child(at) else { continue };
            let place = [&self.place, folder.host_name(child)].concat();
            let leads_to_folder =
                entries::behind_link(self.gate, &place).is_ok_and(|found| found.kind == Kind::Directory);
            if let Some(child) = folder.children_mut().get_mut(at) {
                child.is_folder = leads_to_folder;
            }
        }
    }

    fn is_ignored(&self, is_folder: bool) -> bool {
        if !self.walk.gitignore {
            return false;
        }
        for frame in self.frames.iter().rev() {
            let Some(rules) = &frame.rules else { continue };
            match rules.verdict(self.path.get(frame.path_len..).unwrap_or(""), is_folder) {
                Verdict::Silent => {}
                verdict => return verdict == Verdict::Ignored,
            }
        }
        for (prefix, rules) in &self.above {
            match rules.verdict(&format!("{prefix}{}", self.path), is_folder) {
                Verdict::Silent => {}
                verdict => return verdict == Verdict::Ignored,
            }
        }
        false
    }
}
