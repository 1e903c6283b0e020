//! Where the lines of files that were read a short while ago are, so that reading on in a long file does not count its
//! lines again.

use super::version::Version;
use deepfs_core::text::LineIndex;
use rustix::fs::Stat;
use std::sync::{Mutex, PoisonError};

/// Smaller files are looked through faster than an index is kept.
const WORTH_BYTES: u64 = 256 << 10;
/// What all indexes of one disk may take.
const MAX_BYTES: usize = 4 << 20;
/// Files remembered.
const MAX_FILES: usize = 64;
/// See the module. The latest used is the last.
#[derive(Debug, Default)]
pub(crate) struct LineIndexes(Mutex<Vec<(Version, LineIndex)>>);

impl LineIndexes {
    /// The version of the file that a `stat` tells of; `None` when it is not worth, or not safe, to remember.
    pub(crate) fn version(stat: &Stat) -> Option<Version> {
        let version = Version::of(stat);
        (version.size >= WORTH_BYTES && version.is_settled()).then_some(version)
    }

    /// Hands out what is known of a version of a file; an empty index where that is nothing. It is taken out, so that two
    /// calls at once do not wait for each other: the one that comes second counts for itself.
    pub(crate) fn take(&self, version: Version) -> LineIndex {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(other, _)| *other == version);
        at.map(|at| known.remove(at).1).unwrap_or_default()
    }

    /// Remembers what was found out.
    pub(crate) fn keep(&self, version: Version, index: LineIndex) {
        if index.heap_bytes() == 0 {
            return;
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Older versions of the same file are of no use any more.
        known.retain(|(other, _)| (other.device, other.inode) != (version.device, version.inode));
        known.push((version, index));
        let mut bytes: usize = known.iter().map(|(_, index)| index.heap_bytes()).sum();
        while known.len() > MAX_FILES || bytes > MAX_BYTES {
            bytes -= known.remove(0).1.heap_bytes();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use deepfs_core::{
        Unlimited,
        storage::{Kind, Metadata, Source, Time},
        text::{Detected, LineWindow, page_indexed},
    };

    struct Text(Vec<u8>, Metadata);

    impl Source for Text {
        fn metadata(&self) -> &Metadata {
            &self.1
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, deepfs_core::Fault> {
            let rest = self.0.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
            let count = rest.len().min(buffer.len());
            buffer.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            Ok(count)
        }
    }

    fn filled() -> LineIndex {
        let mut index = LineIndex::default();
        let size = 4;
        let metadata =
            Metadata { kind: Kind::File, size, created: Time::Unknown, modified: Time::Unknown, mime: None };
        let window = LineWindow { offset: 0, limit: Some(1) };
        let text = Text(b"a\nb\n".to_vec(), metadata);
        page_indexed(&text, Detected::Utf8, window, 10, &Unlimited, &mut index).unwrap();
        index
    }

    fn version(inode: u64, modified: i64) -> Version {
        Version::made_up(inode, modified)
    }

    #[test]
    fn only_the_same_version_is_known() {
        let indexes = LineIndexes::default();
        indexes.keep(version(1, 10), filled());
        assert_eq!(indexes.take(version(1, 11)), LineIndex::default());
        assert_eq!(indexes.take(version(2, 10)), LineIndex::default());
        assert_eq!(indexes.take(version(1, 10)), filled());
        assert_eq!(indexes.take(version(1, 10)), LineIndex::default(), "it was taken out");
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_go_first() {
        let indexes = LineIndexes::default();
        for inode in 0..=MAX_FILES as u64 {
            indexes.keep(version(inode, 10), filled());
        }
        assert_eq!(indexes.take(version(0, 10)), LineIndex::default());
        assert_eq!(indexes.take(version(1, 10)), filled());
    }

    #[test]
    fn a_new_version_takes_the_place_of_the_old() {
        let indexes = LineIndexes::default();
        indexes.keep(version(1, 10), filled());
        indexes.keep(version(1, 11), filled());
        assert_eq!(indexes.take(version(1, 10)), LineIndex::default());
    }
}
