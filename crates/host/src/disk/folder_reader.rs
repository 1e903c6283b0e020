//! Reads directories, or knows them already.

use super::{folder::Folder, gate, known_folders::KnownFolders, names, stat};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, RawDir, Stat},
    io::Errno,
};
use std::sync::Arc;

/// Room for the system to put directory entries into.
const BUFFER_BYTES: usize = 64 << 10;

/// Directories whose room is kept.
const MAX_SPARE: usize = 64;

/// See the module. What it needs room for is kept from one directory to the next.
pub(crate) struct FolderReader<'k> {
    known: Option<&'k KnownFolders>,
    max: u64,
    buffer: Vec<u8>,
    spare: Vec<Folder>,
}

impl<'k> FolderReader<'k> {
    /// A reader that takes at most `max` entries of a directory.
    pub(crate) fn new(known: Option<&'k KnownFolders>, max: u64) -> Self {
        Self { known, max, buffer: Vec::new(), spare: Vec::new() }
    }

    /// The entries of `handle`, sorted, and its `stat`. The last value tells whether these are all entries.
    pub(crate) fn read(&mut self, handle: &OwnedFd) -> Result<(Arc<Folder>, Stat, bool), Errno> {
        // Before the entries are read: whatever changes them later changes these times.
        let before = rustix::fs::fstat(handle)?;
        if let Some(folder) = self.known.and_then(|known| known.find(&before, self.max)) {
            return Ok((folder, before, true));
        }
        let mut folder = self.spare.pop().unwrap_or_default();
        folder.clear();
        let is_whole = self.fill(&mut folder, handle)?;
        folder.sort();
        if let Some(known) = self.known.filter(|_| is_whole)
            && let Some(kept) = known.keep(handle, &before, &folder)
        {
            self.spare.push(folder);
            return Ok((kept, before, true));
        }
        Ok((Arc::new(folder), before, is_whole))
    }

    /// Takes back the room of a directory that is not needed any more.
    pub(crate) fn recycle(&mut self, folder: Arc<Folder>) {
        if self.spare.len() < MAX_SPARE {
            self.spare.extend(Arc::try_unwrap(folder).ok());
        }
    }

    fn fill(&mut self, folder: &mut Folder, handle: &OwnedFd) -> Result<bool, Errno> {
        self.buffer.reserve(BUFFER_BYTES);
        let mut entries = RawDir::new(handle, self.buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // The directory was removed while it was open: it is empty.
                Err(Errno::NOENT) => break,
                Err(errno) => return Err(errno),
            };
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." || names::is_own(name) {
                continue;
            }
            if folder.len() as u64 == self.max {
                return Ok(false);
            }
            let file_type = match entry.file_type() {
                // Some file systems do not tell.
                FileType::Unknown => match gate::child_stat(handle, name) {
                    Ok(stat) => stat::file_type(&stat),
                    Err(_) => continue,
                },
                known => known,
            };
            if folder.push(name, file_type).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
