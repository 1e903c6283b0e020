//! From the system's `stat` to [`Metadata`].

use deepfs_core::storage::{Kind, Metadata, Time};
use rustix::fs::{FileType, Stat};

/// What kind of thing a `stat` is about.
pub(crate) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// What is known of a file or directory. A link answers as [`Kind::DeadLink`]: where it leads is found out by
/// opening it.
pub(crate) fn metadata(stat: &Stat) -> Metadata {
    with_kind(stat, kind_of(file_type(stat)))
}

/// The kind of a directory entry or `stat` that is not a link.
pub(crate) fn kind_of(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        FileType::Symlink => Kind::DeadLink,
        _ => Kind::Special,
    }
}

/// The times of `stat` under a kind that is known from elsewhere.
pub(crate) fn with_kind(stat: &Stat, kind: Kind) -> Metadata {
    Metadata {
        kind,
        size: if kind == Kind::File { size(stat) } else { 0 },
        created: millis(stat.st_ctime, stat.st_ctime_nsec as f64),
        modified: millis(stat.st_mtime, stat.st_mtime_nsec as f64),
        mime: None,
    }
}

/// A kind, and nothing else known.
pub(crate) fn bare(kind: Kind) -> Metadata {
    Metadata { kind, size: 0, created: Time::Unknown, modified: Time::Unknown, mime: None }
}

/// Bytes.
pub(crate) fn size(stat: &Stat) -> u64 {
    u64::try_from(stat.st_size).unwrap_or(0)
}

/// Milliseconds as Node computes them for `mtime`, rounding and all, so that the ISO text is the same.
fn millis(seconds: i64, nanoseconds: f64) -> Time {
    Time::Millis((seconds as f64 * 1000.0 + nanoseconds / 1e6 + 0.5).floor())
}

/// Whether two `stat`s are of one file that nobody has touched in between.
pub(crate) fn unchanged(before: &Stat, after: &Stat) -> bool {
    before.st_size == after.st_size
        && before.st_mtime == after.st_mtime
        && before.st_mtime_nsec == after.st_mtime_nsec
        && before.st_ctime == after.st_ctime
        && before.st_ctime_nsec == after.st_ctime_nsec
}

/// Whether two `stat`s are of one file.
pub(crate) fn same_file(one: &Stat, other: &Stat) -> bool {
    one.st_dev == other.st_dev && one.st_ino == other.st_ino
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millis_round_like_node() {
        assert_eq!(millis(1, 499_999.0), Time::Millis(1000.0));
        assert_eq!(millis(1, 500_000.0), Time::Millis(1001.0));
        assert_eq!(millis(-1, 0.0), Time::Millis(-1000.0));
        assert_eq!(millis(0, 999_999_999.0), Time::Millis(1000.0));
    }
}
