//! Writing, all or nothing: a reader sees the old content or the new one, and a write that fails leaves the
//! old one.

use super::{
    dress, fault,
    gate::{self, Gate, is_deleted},
    inplace,
    leftovers::Swept,
    lock, names, source,
    staged::Staged,
    stat,
    target::{Folders, Found, Target},
};
use deepfs_core::{
    ErrorKind, Fault,
    storage::{Change, Existing},
};
use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags, Stat},
    io::Errno,
};
use std::time::Instant;

/// How often an update is started anew because somebody else changed the file meanwhile.
const FOREIGN_CHANGES: usize = 16;
/// How often a folder that vanishes under a new file is made again.
const LOST_FOLDERS: usize = 8;

/// What writing needs of a disk.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'d> {
    pub gate: &'d Gate,
    pub swept: &'d Swept,
    /// Whether content and name have to be on the disk before the call returns.
    pub durable: bool,
}

impl Writer<'_> {
    /// See [`deepfs_core::Storage::write`].
    pub(crate) fn write(self, place: &[u8], bytes: &[u8], existing: Existing) -> Result<(), Fault> {
        check_size_limit(bytes.len() as u64)?;
        let until = Instant::now() + lock::PATIENCE;
        let mut lost_folders = 0;
        loop {
            match Target::find(self.gate, place, OFlags::WRONLY, Folders::Make)? {
                Found::Nothing(target) => match self.make(&target, bytes) {
                    Ok(()) => return Ok(()),
                    // Somebody else was first.
                    Err(Errno::EXIST) if existing == Existing::Replace && Instant::now() < until => {}
                    Err(_) if lost_folders < LOST_FOLDERS && is_deleted(&target.folder) => lost_folders += 1,
                    Err(errno) => return Err(fault::of(errno)),
                },
                Found::File(..) if existing == Existing::Refuse => {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                Found::File(target, file, known) => {
                    lock::take(&file, until)?;
                    if target.is_still(&known) && self.replace(&target, &file, &known, &[bytes], &|| true)? {
                        return Ok(());
                    }
                    check_patience(until)?;
                }
            }
        }
    }

    /// See [`deepfs_core::Storage::update`].
    pub(crate) fn update(self, place: &[u8], max_bytes: u64, change: &mut Change<'_>) -> Result<(), Fault> {
        let until = Instant::now() + lock::PATIENCE;
        let mut foreign_changes = 0;
        loop {
            let Found::File(target, file, found) =
                Target::find(self.gate, place, OFlags::RDWR, Folders::Expect)?
            else {
                return Err(ErrorKind::NotFound.into());
            };
            lock::take(&file, until)?;
            if !target.is_still(&found) {
                // Its writer gave the name to another file while we waited.
                check_patience(until)?;
                continue;
            }
            let known = rustix::fs::fstat(&file).map_err(fault::of)?;
            let old = source::read_all(&file, stat::size(&known), max_bytes)?;
            let new = change(&old, &stat::metadata(&known))?;
            check_size_limit(new.size())?;
            let unchanged = || rustix::fs::fstat(&file).is_ok_and(|now| stat::unchanged(&known, &now));
            if self.replace(&target, &file, &known, &new.parts(), &unchanged)? {
                return Ok(());
            }
            foreign_changes += 1;
            if foreign_changes > FOREIGN_CHANGES {
                return Err(Fault::with(ErrorKind::Conflict, "the file kept changing; read it again"));
            }
        }
    }

    /// A new file.
    fn make(self, target: &Target, bytes: &[u8]) -> Result<(), Errno> {
        self.swept.sweep(&target.folder);
        let staged = Staged::new(&target.folder, Mode::from_raw_mode(0o666), names::NEW_SUFFIX)?;
        staged.fill(bytes)?;
        if self.durable {
            rustix::fs::fsync(staged.file())?;
        }
        staged.place_new(&target.name)?;
        self.settle(&target.folder)
    }

    /// New content, in parts, for `file`, which `target` names and which this call has locked. False when the file
    /// changed or lost its name before the content was in place.
    fn replace(
        self,
        target: &Target,
        file: &OwnedFd,
        known: &Stat,
        parts: &[&[u8]],
        unchanged: &dyn Fn() -> bool,
    ) -> Result<bool, Fault> {
        self.swept.sweep(&target.folder);
        let ready = || unchanged() && target.is_still(known);
        if known.st_nlink > 1 {
            return inplace::rewrite(target, file, known, parts, self.durable, &ready);
        }
        match self.swap(target, file, known, parts, &ready) {
            // The folder takes no new file, the owner cannot be kept, or the name is a mount point: the file
            // itself can still be written, as its handle proves.
            Err(Errno::ACCESS | Errno::PERM | Errno::BUSY | Errno::XDEV) => {
                inplace::rewrite(target, file, known, parts, self.durable, &ready)
            }
            answer => answer.map_err(fault::of),
        }
    }

    fn swap(
        self,
        target: &Target,
        file: &OwnedFd,
        known: &Stat,
        parts: &[&[u8]],
        ready: &dyn Fn() -> bool,
    ) -> Result<bool, Errno> {
        let staged = Staged::new(&target.folder, Mode::from_raw_mode(0o600), names::NEW_SUFFIX)?;
        for part in parts {
            staged.fill(part)?;
        }
        dress::like(staged.file(), file, known)?;
        if self.durable {
            rustix::fs::fsync(staged.file())?;
        }
        if !ready() {
            return Ok(false);
        }
        staged.place_over(&target.name)?;
        self.settle(&target.folder)?;
        Ok(true)
    }

    /// Makes a new name durable.
    fn settle(self, folder: &OwnedFd) -> Result<(), Errno> {
        if self.durable { rustix::fs::fsync(gate::reopen(folder)?) } else { Ok(()) }
    }
}

fn check_patience(until: Instant) -> Result<(), Fault> {
    if Instant::now() < until {
        return Ok(());
    }
    Err(Fault::with(ErrorKind::Conflict, "others kept writing the file; try again"))
}

/// Refuses content over the process's limit of file sizes. The kernel would answer with a signal that ends a
/// process which does not expect it.
fn check_size_limit(size: u64) -> Result<(), Fault> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Fsize).current;
    match limit {
        Some(limit) if size > limit => Err(fault::too_big()),
        _ => Ok(()),
    }
}
