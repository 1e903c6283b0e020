//! What directories hold, remembered from one walk to the next.
//!
//! A directory's times change with every entry that is made, removed or renamed in it, so one `stat` tells whether what is
//! remembered still holds; opening and reading it takes ten times as long. Nothing but the list of entries is remembered:
//! what is behind a name is opened, or asked for, through the gate as ever.

use super::{folder::Folder, version::Version};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, FsWord, Stat, StatxAttributes, StatxFlags, fstatfs, statx},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// What all directories of one disk may take, in bytes: about 200,000 entries.
const MAX_BYTES: usize = 16 << 20;
/// What a directory takes besides its entries.
const OVERHEAD: usize = 256;
/// When there is no more room, what no walk has used for so many walks makes some.
const IDLE_WALKS: u64 = 8;

const OVERLAYFS: FsWord = 0x794c_7630;
/// File systems of which it is known that they keep the times of directories exactly, by the number that `statfs` tells
/// (`linux/magic.h`). Network and user-space file systems need not.
const EXACT: [FsWord; 7] = [
    0xef53,      // ext2, ext3, ext4
    0x5846_5342, // XFS
    0x9123_683e, // Btrfs
    0x0102_1994, // tmpfs
    OVERLAYFS,
    0x2fc1_2fc1, // ZFS
    0xf2f5_2010, // F2FS
];

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct KnownFolders(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    folders: HashMap<(u64, u64), Known>,
    bytes: usize,
    walk: u64,
    /// The walk that last looked for what could be forgotten.
    tidied: u64,
}

#[derive(Debug)]
struct Known {
    version: Version,
    folder: Arc<Folder>,
    used: u64,
}

impl KnownFolders {
    /// Counts a walk; tells whether anything is known that it could use.
    pub(crate) fn begin_walk(&self) -> bool {
        let mut state = self.state();
        state.walk += 1;
        !state.folders.is_empty()
    }

    /// What the directory that a `stat` is of holds, sorted, if that is known and no more than `max` entries.
    pub(crate) fn find(&self, stat: &Stat, max: u64) -> Option<Arc<Folder>> {
        let version = Version::of(stat);
        let mut state = self.state();
        let walk = state.walk;
        let known = state.folders.get_mut(&(version.device, version.inode))?;
        if known.version != version || known.folder.len() as u64 > max {
            return None;
        }
        known.used = walk;
        Some(Arc::clone(&known.folder))
    }

    /// Remembers a directory, sorted and whole, whose `stat` was `before` it was read. `None` when that is not safe, or there
    /// is no room.
    pub(crate) fn keep(&self, handle: &OwnedFd, before: &Stat, folder: &Folder) -> Option<Arc<Folder>> {
        let version = Version::of(before);
        // Asked before the lock is taken: a file system can take as long as it likes to answer.
        let folder = Some(folder).filter(|_| version.is_settled() && is_exact(handle, before));
        self.state().keep(version, folder)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether every change of a directory's entries, or of how they are spelt, shows in its times.
fn is_exact(handle: &OwnedFd, stat: &Stat) -> bool {
    let Ok(system) = fstatfs(handle) else { return false };
    // A directory that overlayfs puts together of several, which it tells by this count, has the times of only one of them.
    let is_merged = system.f_type == OVERLAYFS && stat.st_nlink == 1;
    EXACT.contains(&system.f_type) && !is_merged && !is_encrypted(handle)
}

/// An encrypted directory has other names once it is unlocked.
fn is_encrypted(handle: &OwnedFd) -> bool {
    statx(handle, c"", AtFlags::EMPTY_PATH, StatxFlags::empty())
        .is_ok_and(|known| known.stx_attributes.contains(StatxAttributes::ENCRYPTED))
}

impl State {
    /// Puts a directory in the place of an older version of it; without one, nothing.
    fn keep(&mut self, version: Version, folder: Option<&Folder>) -> Option<Arc<Folder>> {
        self.forget(version);
        let folder = folder?;
        let bytes = folder.heap_bytes() + OVERHEAD;
        if self.bytes + bytes > MAX_BYTES && self.tidied != self.walk {
            self.tidied = self.walk;
            self.tidy();
        }
        if self.bytes + bytes > MAX_BYTES {
            return None;
        }
        self.bytes += bytes;
        // A copy has no room to spare.
        let folder = Arc::new(folder.clone());
        let known = Known { version, folder: Arc::clone(&folder), used: self.walk };
        self.folders.insert((version.device, version.inode), known);
        Some(folder)
    }

    fn forget(&mut self, version: Version) {
        if let Some(known) = self.folders.remove(&(version.device, version.inode)) {
            self.bytes -= known.bytes();
        }
    }

    fn tidy(&mut self) {
        let oldest = self.walk.saturating_sub(IDLE_WALKS);
        self.folders.retain(|_, known| known.used >= oldest);
        self.bytes = self.folders.values().map(Known::bytes).sum();
    }
}

impl Known {
    fn bytes(&self) -> usize {
        self.folder.heap_bytes() + OVERHEAD
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use rustix::fs::{FileType, fstat};
    use std::{fs, thread, time::Duration};

    /// A directory of so many entries, made up.
    fn folder(entries: usize) -> Folder {
        let mut folder = Folder::default();
        for entry in 0..entries {
            folder.push(format!("entry-{entry}").as_bytes(), FileType::RegularFile).unwrap();
        }
        folder
    }

    fn keep(known: &KnownFolders, inode: u64, entries: usize) -> bool {
        known.state().keep(Version::made_up(inode, 1), Some(&folder(entries))).is_some()
    }

    #[test]
    fn a_directory_is_known_until_it_changes() {
        let place = tempfile::tempdir_in("/dev/shm").unwrap();
        let handle = OwnedFd::from(fs::File::open(&place).unwrap());
        let known = KnownFolders::default();
        assert!(known.keep(&handle, &fstat(&handle).unwrap(), &folder(3)).is_none(), "too new");
        thread::sleep(Duration::from_millis(2100));
        let before = fstat(&handle).unwrap();
        assert!(known.keep(&handle, &before, &folder(3)).is_some());
        assert_eq!(known.find(&fstat(&handle).unwrap(), 3).map(|folder| folder.len()), Some(3));
        assert!(known.find(&fstat(&handle).unwrap(), 2).is_none(), "more than are wanted");
        fs::write(place.path().join("new"), "").unwrap();
        assert!(known.find(&fstat(&handle).unwrap(), 9).is_none());
        assert!(known.keep(&handle, &fstat(&handle).unwrap(), &folder(4)).is_none());
        assert_eq!(known.state().bytes, 0, "what is no longer so is forgotten");
    }

    #[test]
    fn nothing_is_remembered_of_a_file_system_that_may_not_keep_times() {
        let known = KnownFolders::default();
        let handle = OwnedFd::from(fs::File::open("/proc/sys").unwrap());
        thread::sleep(Duration::from_millis(2100));
        assert!(known.keep(&handle, &fstat(&handle).unwrap(), &folder(3)).is_none());
    }

    #[test]
    fn memory_is_bounded_and_what_is_in_use_stays() {
        let known = KnownFolders::default();
        assert!(!known.begin_walk());
        let mut inode = 0;
        while keep(&known, inode, 1000) {
            inode += 1;
        }
        assert!(inode > 100 && known.state().bytes <= MAX_BYTES);
        for _ in 0..=IDLE_WALKS {
            assert!(known.begin_walk());
            assert!(
                !keep(&known, inode, 1000) || known.state().folders.len() == 1,
                "only what is idle makes room"
            );
        }
        assert!(keep(&known, inode + 1, 1000));
        assert_eq!(known.state().folders.len(), 2);
    }
}
