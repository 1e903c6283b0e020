//! Where the lines of a file are, at a coarse grain: enough to go near any line of a huge file at once.

use super::{blocks::Input, encoding::Detected};
use crate::error::Fault;

/// The distance of the marks at first, in bytes. Even, so that UTF-16 units stay whole.
const SPACING: u64 = 64 * 1024;

/// The most marks kept; then every second one goes and the distance doubles. 128 KB however large the file.
const MAX_MARKS: usize = 16 * 1024;

/// The line counts of one version of one file, filled by [`super::page_indexed`] and used by it to go straight to a
/// window. Whoever keeps it must key it by what tells versions of a file apart (device, inode, size, times).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineIndex {
    line_feed: LineFeed,
    spacing: u64,
    /// `marks[i]` is the number of line feeds before byte `i * spacing`.
    marks: Vec<u64>,
    line_feeds: u64,
    bytes: u64,
    ends_with_line_feed: bool,
    complete: bool,
}

impl LineIndex {
    /// How many lines the file has. A line feed ends a line; it does not start another one.
    #[must_use]
    pub const fn total_lines(&self) -> u64 {
        // An empty file has no line, and one without a final line feed has one more than it has line feeds.
        let open_line = self.bytes > 0 && !self.ends_with_line_feed;
        self.line_feeds + open_line as u64
    }

    /// How many bytes the file had when it was looked through.
    #[must_use]
    pub const fn total_bytes(&self) -> u64 {
        self.bytes
    }

    /// The memory this index takes, in bytes, for a cache that has a budget.
    #[must_use]
    pub const fn heap_bytes(&self) -> usize {
        self.marks.capacity() * size_of::<u64>()
    }

    /// How many line feeds the file has.
    pub(super) const fn line_feeds(&self) -> u64 {
        self.line_feeds
    }

    /// Whether this index was made from a file of this size and encoding.
    pub(super) fn describes(&self, bytes: u64, encoding: Detected) -> bool {
        self.complete && self.bytes == bytes && self.line_feed == LineFeed::of(encoding)
    }

    /// Looks through the whole input.
    pub(super) fn fill(&mut self, input: &mut Input<'_>, encoding: Detected) -> Result<(), Fault> {
        let line_feed = LineFeed::of(encoding);
        *self = Self { line_feed, spacing: SPACING, ..Self::default() };
        loop {
            let block = input.long_block(self.bytes)?;
            if block.is_empty() {
                self.complete = true;
                return Ok(());
            }
            for chunk in block.chunks(chunk_len()) {
                self.mark();
                self.line_feeds += line_feed.count(chunk);
                self.bytes += chunk.len() as u64;
            }
            self.ends_with_line_feed = line_feed.ends(block);
        }
    }

    fn mark(&mut self) {
        if !self.bytes.is_multiple_of(self.spacing) {
            return;
        }
        if self.marks.len() == MAX_MARKS {
            let mut even = false;
            self.marks.retain(|_| {
                even = !even;
                even
            });
            self.spacing *= 2;
        }
        // After a doubling this place may lie between two marks of the new distance.
        if self.bytes.is_multiple_of(self.spacing) {
            self.marks.push(self.line_feeds);
        }
    }

    /// The byte after the `nth` line feed (1-based), where the next line starts; the end of the file when there are
    /// fewer.
    pub(super) fn after_line_feed(&self, nth: u64, input: &mut Input<'_>) -> Result<u64, Fault> {
        let after = self.marks.partition_point(|&before| before < nth);
        let nearest = after.saturating_sub(1);
        let mut seen = self.marks.get(nearest).copied().unwrap_or(0);
        let mut offset = nearest as u64 * self.spacing;
        loop {
            let block = input.block(offset, chunk_len())?;
            if block.is_empty() {
                return Ok(offset);
            }
            let count = self.line_feed.count(block);
            if seen + count >= nth {
                return Ok(offset + self.line_feed.end_of_nth(block, nth - seen) as u64);
            }
            seen += count;
            offset += block.len() as u64;
        }
    }
}

/// [`SPACING`] as a length in memory.
const fn chunk_len() -> usize {
    64 * 1024
}

/// How a line feed is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum LineFeed {
    #[default]
    Byte,
    UnitLe,
    UnitBe,
}

impl LineFeed {
    pub const fn of(encoding: Detected) -> Self {
        match encoding {
            Detected::Utf16Le => Self::UnitLe,
            Detected::Utf16Be => Self::UnitBe,
            // In every legacy encoding the byte 0x0A is a line feed and never part of another character.
            Detected::Utf8 | Detected::Legacy(_) | Detected::Binary => Self::Byte,
        }
    }

    pub const fn len(self) -> u64 {
        match self {
            Self::Byte => 1,
            Self::UnitLe | Self::UnitBe => 2,
        }
    }

    const fn unit(self) -> [u8; 2] {
        if matches!(self, Self::UnitBe) { [0, b'\n'] } else { [b'\n', 0] }
    }

    fn count(self, chunk: &[u8]) -> u64 {
        let count = match self {
            Self::Byte => memchr::memchr_iter(b'\n', chunk).count(),
            Self::UnitLe | Self::UnitBe => {
                let unit = self.unit();
                chunk.as_chunks::<2>().0.iter().filter(|&&pair| pair == unit).count()
            }
        };
        count as u64
    }

    /// Where the `nth` (1-based) line feed of the chunk ends.
    fn end_of_nth(self, chunk: &[u8], nth: u64) -> usize {
        let skip = usize::try_from(nth.saturating_sub(1)).unwrap_or(usize::MAX);
        let end = match self {
            Self::Byte => memchr::memchr_iter(b'\n', chunk).nth(skip).map(|at| at + 1),
            Self::UnitLe | Self::UnitBe => {
                let unit = self.unit();
                let mut places =
                    chunk.as_chunks::<2>().0.iter().enumerate().filter(|&(_, &pair)| pair == unit);
                places.nth(skip).map(|(at, _)| at * 2 + 2)
            }
        };
        end.unwrap_or(chunk.len())
    }

    fn ends(self, block: &[u8]) -> bool {
        match self {
            Self::Byte => block.ends_with(b"\n"),
            // A byte too many at the end is an unfinished unit, hence an unfinished line.
            Self::UnitLe | Self::UnitBe => block.len().is_multiple_of(2) && block.ends_with(&self.unit()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_a_huge_file_stay_few() {
        // One line feed in every stretch of SPACING bytes, four times as many stretches as marks fit.
        let mut index = LineIndex { spacing: SPACING, ..LineIndex::default() };
        for stretch in 0..4 * MAX_MARKS as u64 {
            index.bytes = stretch * SPACING;
            index.line_feeds = stretch;
            index.mark();
        }
        assert_eq!((index.spacing, index.marks.len()), (4 * SPACING, MAX_MARKS));
        let wrong = index.marks.iter().enumerate().find(|&(at, &mark)| mark != 4 * at as u64);
        assert_eq!(wrong, None);
    }

    #[test]
    fn an_index_says_its_size() {
        let mut index = LineIndex::default();
        assert_eq!((index.total_lines(), index.total_bytes(), index.heap_bytes()), (0, 0, 0));
        assert_eq!(index.fill(&mut Input::Memory(b"a\nb"), Detected::Utf8), Ok(()));
        assert_eq!((index.total_lines(), index.total_bytes(), index.heap_bytes() > 0), (2, 3, true));
        assert!(index.describes(3, Detected::Utf8));
        assert!(!index.describes(4, Detected::Utf8));
        assert!(!index.describes(3, Detected::Utf16Le));
    }
}
