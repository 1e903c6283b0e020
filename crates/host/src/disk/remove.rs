//! Removing, links never followed, however deep the tree.

use super::{
    fault,
    gate::{self, Gate},
    lock, stat,
    target::split,
};
use deepfs_core::{Control, ErrorKind, Fault};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, FileType, OFlags, RawDir, Stat},
    io::Errno,
};
use std::time::{Duration, Instant};

/// Directories held open at once; of those above, the way back is found through `..`.
const MAX_OPEN: usize = 64;
/// How often a directory is emptied again because somebody puts files into it.
const REFILLS: usize = 4;
/// How long a delete waits for a writer of the same file. Then it goes ahead: what is deleted can not be
/// lost.
const PATIENCE: Duration = Duration::from_secs(1);
const BUFFER_BYTES: usize = 32 << 10;

/// Removes what `place` names. Once `control` says no, nothing more is removed.
pub(crate) fn remove(gate: &Gate, place: &[u8], control: &dyn Control) -> Result<(), Fault> {
    let (folder, name) = split(place).ok_or(ErrorKind::RootRefused)?;
    let folder = gate.folder(folder)?;
    let stat = gate::child_stat(&folder, name).map_err(fault::of)?;
    match stat::file_type(&stat) {
        FileType::Directory => remove_tree(&folder, name, control),
        FileType::RegularFile => {
            // A writer that replaces the file must not bring it back after a later write made a new one.
            let file = gate::child(&folder, name, OFlags::RDONLY).ok();
            if let Some(file) = &file {
                let _ = lock::take(file, Instant::now() + PATIENCE);
            }
            unlink(&folder, name).map_err(fault::of)
        }
        _ => unlink(&folder, name).map_err(fault::of),
    }
}

fn unlink(folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    rustix::fs::unlinkat(folder, name, AtFlags::empty())
}

fn remove_empty(folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR)
}

/// A directory that is being emptied.
struct Level {
    name: Vec<u8>,
    /// `None` while too many below are open.
    handle: Option<OwnedFd>,
    stat: Stat,
    folders: Vec<Vec<u8>>,
    refills: usize,
}

impl Level {
    fn open(folder: &OwnedFd, name: &[u8]) -> Result<Self, Errno> {
        let handle = gate::child_folder(folder, name)?;
        let stat = rustix::fs::fstat(&handle)?;
        Ok(Self { name: name.to_vec(), handle: Some(handle), stat, folders: Vec::new(), refills: 0 })
    }

    /// Removes its files, and finds its folders.
    fn empty(&mut self, control: &dyn Control) -> Result<(), Fault> {
        if let Some(handle) = &self.handle {
            self.folders = empty_of_files(handle, control)?;
        }
        Ok(())
    }

    /// Empties the directory once more.
    fn refill(&mut self, control: &dyn Control) -> Result<(), Fault> {
        self.refills += 1;
        if let Some(handle) = &self.handle {
            let again = gate::reopen(handle).map_err(fault::of)?;
            self.folders = empty_of_files(&again, control)?;
        }
        Ok(())
    }
}

fn remove_tree(top: &OwnedFd, name: &[u8], control: &dyn Control) -> Result<(), Fault> {
    let mut levels: Vec<Level> = Vec::new();
    levels.extend(descend(top, name, control)?);
    while let Some(level) = levels.last_mut() {
        if let Some(next) = level.folders.pop() {
            let handle = level.handle.as_ref().ok_or(ErrorKind::Internal)?;
            let below = descend(handle, &next, control)?;
            levels.extend(below);
            if let Some(far) = levels.len().checked_sub(MAX_OPEN + 1).and_then(|at| levels.get_mut(at)) {
                far.handle = None;
            }
            continue;
        }
        let Some(mut done) = levels.pop() else { break };
        let above = match levels.last_mut() {
            None => top,
            Some(level) => way_back(level, &done)?,
        };
        match remove_empty(above, &done.name) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY | Errno::EXIST) if done.refills < REFILLS => {
                done.refill(control)?;
                levels.push(done);
            }
            Err(Errno::NOTEMPTY | Errno::EXIST) => {
                return Err(Fault::with(
                    ErrorKind::Conflict,
                    "files kept appearing in the folder; try again",
                ));
            }
            Err(errno) => return Err(fault::of(errno)),
        }
    }
    Ok(())
}

/// The directory that has to be emptied next; `None` when the name is dealt with already.
fn descend(folder: &OwnedFd, name: &[u8], control: &dyn Control) -> Result<Option<Level>, Fault> {
    match Level::open(folder, name) {
        Ok(mut level) => level.empty(control).map(|()| Some(level)),
        Err(Errno::NOENT) => Ok(None),
        // Somebody put a file or a link in the directory's place.
        Err(Errno::NOTDIR | Errno::LOOP) => unlink(folder, name).map(|()| None).map_err(fault::of),
        // A directory that may not be read can still be removed if it is empty.
        Err(errno) => remove_empty(folder, name).map(|()| None).map_err(|_| fault::of(errno)),
    }
}

/// The handle of `level`, which holds `below`. A directory that was moved meanwhile has another parent;
/// nothing is removed there.
fn way_back<'l>(level: &'l mut Level, below: &Level) -> Result<&'l OwnedFd, Fault> {
    if level.handle.is_none() {
        let below = below.handle.as_ref().ok_or(ErrorKind::Internal)?;
        let above = gate::parent(below).map_err(fault::of)?;
        let stat = rustix::fs::fstat(&above).map_err(fault::of)?;
        if !stat::same_file(&stat, &level.stat) {
            return Err(Fault::with(ErrorKind::Conflict, "a folder was moved while it was deleted"));
        }
        level.handle = Some(above);
    }
    level.handle.as_ref().ok_or_else(|| ErrorKind::Internal.into())
}

/// Removes everything but directories and answers with the names of those.
fn empty_of_files(folder: &OwnedFd, control: &dyn Control) -> Result<Vec<Vec<u8>>, Fault> {
    let mut names = Vec::new();
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    let mut entries = RawDir::new(folder, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = match entry {
            // Somebody else has removed the directory: nothing is left in it.
            Err(Errno::NOENT) => break,
            entry => entry.map_err(fault::of)?,
        };
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            names.push((name.to_vec(), entry.file_type() == FileType::Directory));
        }
    }
    let mut folders = Vec::new();
    for (name, is_folder) in names {
        control.check()?;
        if is_folder {
            folders.push(name);
            continue;
        }
        match unlink(folder, &name) {
            Ok(()) | Err(Errno::NOENT) => {}
            // File systems that do not tell what an entry is.
            Err(Errno::ISDIR) => folders.push(name),
            Err(errno) => return Err(fault::of(errno)),
        }
    }
    Ok(folders)
}
