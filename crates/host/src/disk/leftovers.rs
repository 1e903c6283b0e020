//! Hidden files of writers that were killed before they could take them away.

use super::{gate, lock, names};
use rustix::{
    fd::OwnedFd,
    fs::{AtFlags, OFlags, RawDir},
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

/// A younger file may belong to a writer that has not taken its lock yet.
const STALE: Duration = Duration::from_secs(60);
/// How long a folder without leftovers is not looked at again: other processes may be killed meanwhile.
const AGAIN: Duration = Duration::from_secs(600);
/// Folders remembered; a forgotten one is only looked at once more.
const REMEMBERED: usize = 4096;
const BUFFER_BYTES: usize = 32 << 10;

/// The folders that were looked at, each with the time from which on it is worth another look.
#[derive(Debug, Default)]
pub(crate) struct Swept(Mutex<HashMap<(u64, u64), Instant>>);

impl Swept {
    /// Takes stale leftovers out of a folder that is about to be written to. A failure is no reason not to
    /// write.
    ///
    /// Copies of old content (`.bak`) stay: after a crash in mid-write one may be all that is left of a file.
    pub(crate) fn sweep(&self, folder: &OwnedFd) {
        self.sweep_at(folder, Instant::now());
    }

    fn sweep_at(&self, folder: &OwnedFd, now: Instant) {
        let Ok(stat) = rustix::fs::fstat(folder) else { return };
        let key = (stat.st_dev, stat.st_ino);
        {
            let mut swept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if swept.get(&key).is_some_and(|again| now < *again) {
                return;
            }
            if swept.len() >= REMEMBERED {
                swept.clear();
            }
            // Before the look: other threads need not look as well.
            swept.insert(key, now + AGAIN);
        }
        if look_through(folder) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, now + STALE);
        }
    }
}

/// Removes what is stale; tells whether something is left that may become so.
fn look_through(folder: &OwnedFd) -> bool {
    let Ok(listing) = gate::reopen(folder) else { return false };
    let mut buffer = Vec::with_capacity(BUFFER_BYTES);
    let mut entries = RawDir::new(&listing, buffer.spare_capacity_mut());
    let mut some_left = false;
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        if names::is_own(name) && name.ends_with(names::NEW_SUFFIX.as_bytes()) {
            some_left |= !removed_if_abandoned(folder, name);
        }
    }
    some_left
}

fn removed_if_abandoned(folder: &OwnedFd, name: &[u8]) -> bool {
    let Ok(file) = gate::child(folder, name, OFlags::RDONLY) else { return false };
    let Ok(stat) = rustix::fs::fstat(&file) else { return false };
    let modified = SystemTime::UNIX_EPOCH
        + Duration::new(
            u64::try_from(stat.st_mtime).unwrap_or(0),
            u32::try_from(stat.st_mtime_nsec).unwrap_or(0),
        );
    let stale = SystemTime::now().duration_since(modified).is_ok_and(|age| age >= STALE);
    stale && lock::try_take(&file) && rustix::fs::unlinkat(folder, name, AtFlags::empty()).is_ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::fs::{self, File};

    #[test]
    fn what_was_too_young_is_removed_later() {
        let place = std::env::temp_dir().join(format!("deepfs-leftovers-{}", std::process::id()));
        fs::create_dir_all(&place).unwrap();
        let folder: OwnedFd = File::open(&place).unwrap().into();
        let leave = |name: &str, age: Duration| {
            let file = File::create(place.join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        let names = || fs::read_dir(&place).unwrap().count();
        let (first, second) = (".deepfs-0123456789abcdef.tmp", ".deepfs-fedcba9876543210.tmp");
        let (swept, now) = (Swept::default(), Instant::now());
        leave(first, Duration::ZERO);
        swept.sweep_at(&folder, now);
        leave(first, STALE);
        swept.sweep_at(&folder, now);
        assert_eq!(names(), 1, "it was young a moment ago, and no folder is looked at all the time");
        swept.sweep_at(&folder, now + STALE);
        assert_eq!(names(), 0);
        // Another process that is killed later leaves something, too.
        leave(second, STALE);
        swept.sweep_at(&folder, now + STALE * 2);
        assert_eq!(names(), 1);
        swept.sweep_at(&folder, now + STALE + AGAIN);
        assert_eq!(names(), 0);
        fs::remove_dir(place).unwrap();
    }
}
