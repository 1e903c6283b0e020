//! Hidden files of writers that were killed before they could take them away.

use super::{gate, lock, names};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, OFlags, RawDir},
};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime},
};

/// A younger file may belong to a writer that has not taken its lock yet.
const STALE: Duration = Duration::from_secs(60);
/// Folders remembered; a forgotten one is only looked at once more.
const REMEMBERED: usize = 4096;
const BUFFER_BYTES: usize = 32 << 10;

/// The folders that were cleaned already. One look per folder is enough: what a killed process left does not
/// get more.
#[derive(Debug, Default)]
pub(crate) struct Swept(Mutex<HashSet<(u64, u64)>>);

impl Swept {
    /// Takes stale leftovers out of a folder that is about to be written to. A failure is no reason not to
    /// write.
    ///
    /// Copies of old content (`.bak`) stay: after a crash in mid-write one may be all that is left of a file.
    pub(crate) fn sweep(&self, folder: &OwnedFd) {
        let Ok(stat) = rustix::fs::fstat(folder) else { return };
        {
            let mut swept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if swept.len() >= REMEMBERED {
                swept.clear();
            }
            if !swept.insert((stat.st_dev, stat.st_ino)) {
                return;
            }
        }
        let Ok(listing) = gate::reopen(folder) else { return };
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        let mut entries = RawDir::new(&listing, buffer.spare_capacity_mut());
        while let Some(Ok(entry)) = entries.next() {
            let name = entry.file_name().to_bytes();
            if names::is_own(name) && name.ends_with(names::NEW_SUFFIX.as_bytes()) {
                remove_if_abandoned(folder, name);
            }
        }
    }
}

fn remove_if_abandoned(folder: &OwnedFd, name: &[u8]) {
    let Ok(file) = gate::child(folder, name, OFlags::RDONLY) else { return };
    let Ok(stat) = rustix::fs::fstat(&file) else { return };
    let modified = SystemTime::UNIX_EPOCH
        + Duration::new(
            u64::try_from(stat.st_mtime).unwrap_or(0),
            u32::try_from(stat.st_mtime_nsec).unwrap_or(0),
        );
    let stale = SystemTime::now().duration_since(modified).is_ok_and(|age| age >= STALE);
    if stale && lock::try_take(&file) {
        let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
    }
}
