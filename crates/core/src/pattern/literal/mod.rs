//! Literal search of lines: what `grep` does with one file.
//!
//! Bytes are searched as they are; line numbers are counted, text is decoded and a file is told from binary only once
//! there is a hit. `slice` works on what is in memory, `stream` feeds it blocks of larger files, `long_line` takes lines
//! too long to be held, `cut` shortens lines.

mod cut;
mod long_line;
mod slice;
mod stream;

#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;

use crate::{
    error::{ErrorKind, Fault},
    limits::Control,
    storage::{Candidate, FileMatches, Inspected},
    text::encoding::{Detected, decode, detect},
};
use memchr::memmem::Finder;
use slice::Collector;
use std::borrow::Cow;

/// Marks of UTF-16, which no other search would find its way through.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];
/// The mark of UTF-8, which is no part of the first line.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text that is looked for, prepared for searching.
#[derive(Debug, Clone)]
pub struct Needle {
    finder: Finder<'static>,
}

impl Needle {
    /// Prepares a pattern. It is literal and case counts.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for an empty pattern, which every line would match.
    pub fn new(pattern: &str) -> Result<Self, Fault> {
        if pattern.is_empty() {
            return Err(Fault::with(ErrorKind::InvalidArgument, "pattern must not be empty"));
        }
        Ok(Self { finder: Finder::new(pattern).into_owned() })
    }

    fn bytes(&self) -> &[u8] {
        self.finder.needle()
    }

    /// Whether a line can hold this at all: lines end where a newline is.
    fn fits_a_line(&self) -> bool {
        memchr::memchr(b'\n', self.bytes()).is_none()
    }
}

/// How files are searched for a [`Needle`].
#[derive(Debug, Clone)]
pub struct LineSearch {
    /// What is looked for.
    pub needle: Needle,
    /// The longest line handed out, in characters. A longer one is cut around its first match and says how many
    /// characters are missing: `[120 characters cut]… text …[7 characters cut]`.
    pub line_chars: usize,
    /// The most matching lines of one file.
    pub max_matches: usize,
    /// The most bytes of text of one file's lines.
    pub result_bytes: u64,
    /// The largest file that is decoded as a whole, in bytes; needed where the encoding is not UTF-8.
    pub max_file_bytes: u64,
}

impl LineSearch {
    /// The matching lines of one file; `None` where there are none, or the file is binary: one with a NUL in its
    /// first block, that is, unless it starts with the mark of UTF-16. A pattern with a newline in it matches no line.
    ///
    /// # Errors
    /// What `control` answers. A file that cannot be read or decoded is one without matches.
    pub fn inspect(&self, candidate: &Candidate<'_>, control: &dyn Control) -> Inspected {
        if !self.needle.fits_a_line() || self.max_matches == 0 {
            return Ok(None);
        }
        if UTF16_MARKS.iter().any(|mark| candidate.head.starts_with(mark)) {
            return self.inspect_decoded(candidate, control);
        }
        let in_memory = if candidate.whole { Some(candidate.head) } else { candidate.source.in_memory() };
        let searched = match in_memory {
            Some(bytes) => self.search_whole(bytes, candidate),
            None => stream::search(self, candidate, control)?,
        };
        match searched {
            Searched::Matches(matches) => Ok(Some(matches)),
            Searched::Binary => Ok(None),
            Searched::Decode => self.inspect_decoded(candidate, control),
            // A needle that is not ASCII has other bytes in another encoding.
            Searched::Nothing if self.needle.bytes().is_ascii() || is_utf8(candidate.head) => Ok(None),
            Searched::Nothing => self.inspect_decoded(candidate, control),
        }
    }

    /// The matching lines of a text, at most `max` of them.
    #[must_use]
    pub fn search_text(&self, text: &str, max: usize) -> FileMatches {
        let mut collector = Collector::new(self, max);
        if self.needle.fits_a_line() {
            // However the collecting ends, the collector knows.
            let _ = collector.collect(text.as_bytes(), 0);
        }
        collector.found
    }

    fn search_whole(&self, bytes: &[u8], candidate: &Candidate<'_>) -> Searched {
        let Some(first) = self.needle.finder.find(bytes) else { return Searched::Nothing };
        if let Some(other) = Searched::without_utf8(candidate) {
            return other;
        }
        let mut collector = Collector::new(self, self.max_matches);
        let _ = collector.collect(bytes, first);
        Searched::Matches(collector.found)
    }

    /// Searches the decoded text of a whole file.
    fn inspect_decoded(&self, candidate: &Candidate<'_>, control: &dyn Control) -> Inspected {
        control.check()?;
        let read = match candidate.whole {
            true => Ok(Cow::Borrowed(candidate.head)),
            false => candidate.source.read_all(self.max_file_bytes).map(Cow::Owned),
        };
        let encoding = detect(candidate.head, candidate.whole);
        let found = read.and_then(|bytes| {
            let text = decode(&bytes, encoding)?;
            Ok(self.search_text(&text, self.max_matches))
        });
        Ok(found.ok().filter(|found| !found.lines.is_empty()))
    }
}

/// How far the bytes of a file told what there is to find.
enum Searched {
    /// The needle's bytes are nowhere.
    Nothing,
    /// The file is text, and these are its matches.
    Matches(FileMatches),
    /// The bytes are there, in a file that is no text.
    Binary,
    /// The bytes are there, but may mean something else: the file has another encoding.
    Decode,
}

impl Searched {
    /// What becomes of a file with a hit that is not UTF-8; `None` when it is.
    fn without_utf8(candidate: &Candidate<'_>) -> Option<Self> {
        match detect(candidate.head, candidate.whole) {
            Detected::Utf8 => None,
            Detected::Binary => Some(Self::Binary),
            Detected::Utf16Le | Detected::Utf16Be | Detected::Legacy(_) => Some(Self::Decode),
        }
    }
}

/// Whether the first block of a file is UTF-8, but for a character that its end may cut.
fn is_utf8(head: &[u8]) -> bool {
    std::str::from_utf8(head).map_or_else(|error| error.error_len().is_none(), |_| true)
}
