//! The walk itself: depth first, in the order of full paths, one entry at a time.

use super::{
    frames::{Frame, Frames},
    ignores::{self, Rules, Verdict},
};
use crate::disk::{
    entries, fault,
    folder::{Child, Folder},
    folder_reader::FolderReader,
    gate::{self, Gate},
    known_folders::KnownFolders,
    stat,
};
use deepfs_core::{
    Fault,
    path::MAX_PATH_BYTES,
    storage::{Kind, Metadata, Walk},
};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, Stat},
};
use std::sync::Arc;

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

/// A directory to go into.
enum Entering {
    Opened(OwnedFd),
    Known(Arc<Folder>, Stat),
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
    /// Directories that need not be opened to know what they hold.
    known: Option<&'w KnownFolders>,
    reader: FolderReader<'w>,
    frames: Frames<'w>,
    /// Its path is the current one.
    entering: Option<Entering>,
    path: String,
    place: Vec<u8>,
    above: Vec<(String, Rules)>,
    seen: u64,
    complete: bool,
}

impl<'w> Steps<'w> {
    /// A walk below the directory `root`, which is at `place`.
    pub(crate) fn new(
        gate: &'w Gate,
        known: Option<&'w KnownFolders>,
        walk: &'w Walk<'w>,
        links: Links,
        place: &[u8],
        root: OwnedFd,
    ) -> Result<Self, Fault> {
        let top = Arc::new(root);
        let mut steps = Self {
            gate,
            walk,
            links,
            // The first walk of all does not ask in vain.
            known: known.filter(|known| known.begin_walk()),
            reader: FolderReader::new(known, walk.max_entries),
            frames: Frames::new(gate, Arc::clone(&top)),
            entering: None,
            path: String::new(),
            place: if place == b"." { Vec::new() } else { [place, b"/"].concat() },
            above: if walk.gitignore { ignores::above(gate, place) } else { Vec::new() },
            seen: 0,
            complete: true,
        };
        let (folder, stat, all) = steps.reader.read(&top).map_err(fault::of)?;
        steps.complete = all;
        steps.go_into(Some(top), folder, stat)?;
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
            match self.entering.take() {
                Some(Entering::Opened(handle)) => self.enter(handle)?,
                Some(Entering::Known(folder, stat)) => self.go_into(None, folder, stat)?,
                None => {}
            }
            let Some(frame) = self.frames.last_mut() else { return Ok(None) };
            self.path.truncate(frame.path_len);
            self.place.truncate(frame.place_len);
            let Some(child) = frame.folder.child(frame.next) else {
                if let Some(frame) = self.frames.pop() {
                    self.reader.recycle(frame.folder);
                }
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
        let Some(parent) = self.frames.handle(&self.place)? else { return Ok(step) };
        let name = self.current_name(child);
        // Not yet: the step is about the path as it is.
        if let Some(known) = self.known
            && let Ok(stat) = gate::child_stat(&parent, &name)
            && let Some(folder) = known.find(&stat, self.walk.max_entries)
        {
            self.entering = Some(Entering::Known(folder, stat));
            return Ok(step);
        }
        match gate::child_folder(&parent, &name) {
            Ok(handle) => self.entering = Some(Entering::Opened(handle)),
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
        Ok(self.frames.handle(&self.place)?.map(|folder| Step { folder, kind, behind, host_name }))
    }

    fn current_name(&self, child: Child) -> Vec<u8> {
        self.frames.last().map(|frame| frame.folder.host_name(child).to_vec()).unwrap_or_default()
    }

    /// Goes into a directory whose path is the current one.
    fn enter(&mut self, handle: OwnedFd) -> Result<(), Fault> {
        match self.reader.read(&handle) {
            Ok((folder, stat, all)) => {
                self.complete &= all;
                self.go_into(Some(Arc::new(handle)), folder, stat)
            }
            Err(errno) if fault::ends_a_walk(errno) => Err(fault::of(errno)),
            Err(_) => Ok(()),
        }
    }

    fn go_into(
        &mut self,
        handle: Option<Arc<OwnedFd>>,
        folder: Arc<Folder>,
        stat: Stat,
    ) -> Result<(), Fault> {
        if !self.frames.is_empty() {
            self.path.push('/');
            self.place.push(b'/');
        }
        let marks_links = self.links == Links::Visit && self.walk.directories && folder.has_links;
        let folder = if marks_links { Arc::new(self.with_linked_folders(&folder)) } else { folder };
        let has_rules = self.walk.gitignore && folder.has_rules;
        let (path_len, place_len) = (self.path.len(), self.place.len());
        self.frames.push(Frame { handle, stat, folder, next: 0, path_len, place_len, rules: None });
        if has_rules {
            match (self.frames.handle(&self.place)?, self.frames.last_mut()) {
                (Some(handle), Some(frame)) => frame.rules = Some(Rules::read(&handle)),
                // Gone meanwhile; without its rules nothing of it may be shown.
                _ => drop(self.frames.pop()),
            }
        }
        Ok(())
    }

    /// A link to a directory is shown as one and ordered as one.
    fn with_linked_folders(&self, folder: &Folder) -> Folder {
        let mut folder = folder.clone();
        for at in 0..folder.len() {
            let Some(child) = folder.child(at).filter(|child| child.file_type == FileType::Symlink) else {
                continue;
            };
            let place = [&self.place, folder.host_name(child)].concat();
            let leads_to_folder =
                entries::behind_link(self.gate, &place).is_ok_and(|found| found.kind == Kind::Directory);
            if let Some(child) = folder.children_mut().get_mut(at) {
                child.is_folder = leads_to_folder;
            }
        }
        folder.sort();
        folder
    }

    fn is_ignored(&self, is_folder: bool) -> bool {
        if !self.walk.gitignore {
            return false;
        }
        match self.frames.verdict(&self.path, is_folder) {
            Verdict::Silent => {}
            verdict => return verdict == Verdict::Ignored,
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
