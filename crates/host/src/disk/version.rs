//! Which version of a file or directory a `stat` tells of.

use super::stat;
use rustix::fs::Stat;
use std::time::{Duration, SystemTime};

/// Times of change are only as fine as the file system makes them: of the two seconds of FAT, at the coarsest. What changed
/// more recently than this may change again without its times telling, so nothing is remembered of it.
const SETTLED: Duration = Duration::from_secs(2);

/// One version of one file or directory: whatever changes it afterwards changes its times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// The file system.
    pub device: u64,
    /// The file within it.
    pub inode: u64,
    /// Bytes.
    pub size: u64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl Version {
    /// The version that a `stat` tells of, to compare with one that is remembered.
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size: stat::size(stat),
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// Whether it is safe to remember what is read of it from now on.
    pub(crate) fn is_settled(&self) -> bool {
        let now = SystemTime::now();
        [self.modified, self.changed].into_iter().all(|(seconds, _)| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(seconds).unwrap_or(0));
            // A time in the future tells nothing about the past.
            now.duration_since(time).is_ok_and(|age| age > SETTLED)
        })
    }

    /// One that no file has, for tests.
    #[cfg(test)]
    pub(crate) fn made_up(inode: u64, modified: i64) -> Self {
        Self { device: 1, inode, size: 4, modified: (modified, 0), changed: (modified, 0) }
    }
}
