//! Where `oldString` occurs: exactly, or but for its line ends.

use super::line_ends::to_lf;
use memchr::memmem::{FindIter, Finder};
use std::{borrow::Cow, iter::Take, ops::Range};

/// The longest text whose overlaps with itself are counted exactly, in bytes; the count takes four times as much
/// memory. Longer ones are counted side by side, which tells "one" from "several" just as well.
const MAX_OVERLAP_BYTES: usize = 1 << 20;

/// All occurrences of one text in another, known to exist.
pub(super) struct Matches<'t> {
    text: &'t str,
    /// What is searched: `text` itself, or a copy with line feeds only.
    searched: Cow<'t, str>,
    finder: Finder<'t>,
    old: Cow<'t, str>,
    first: usize,
}

impl<'t> Matches<'t> {
    /// Looks for `old` as it is, and, if it is nowhere, for `old` with any line ends.
    pub fn find(text: &'t str, old: &'t str) -> Option<Self> {
        Self::exactly(text, old).or_else(|| Self::with_any_line_ends(text, old))
    }

    /// Looks for every place where `old` is meant: line feeds stand for any line end, unless line ends are all it has.
    pub fn find_all(text: &'t str, old: &'t str) -> Option<Self> {
        let speaks_of_lines =
            old.contains('\n') && !old.contains('\r') && old.bytes().any(|byte| byte != b'\n');
        let either = if speaks_of_lines { Self::with_any_line_ends(text, old) } else { None };
        either.or_else(|| Self::find(text, old))
    }

    fn exactly(text: &'t str, old: &'t str) -> Option<Self> {
        let finder = Finder::new(old);
        let first = finder.find(text.as_bytes())?;
        Some(Self { text, searched: Cow::Borrowed(text), finder, old: Cow::Borrowed(old), first })
    }

    fn with_any_line_ends(text: &'t str, old: &'t str) -> Option<Self> {
        if !old.contains('\n') {
            return None;
        }
        let (searched, old) = (to_lf(text), to_lf(old));
        if matches!((&searched, &old), (Cow::Borrowed(_), Cow::Borrowed(_))) {
            return None;
        }
        let finder = Finder::new(old.as_bytes()).into_owned();
        let first = finder.find(searched.as_bytes())?;
        Some(Self { text, searched, finder, old, first })
    }

    /// How many occurrences there are, overlapping ones included, as long as the first is not the only one.
    pub fn overlapping(&self) -> usize {
        let rest = self.rest();
        match rest.get(1..).and_then(|behind| self.finder.find(behind)) {
            None => 1,
            Some(_) if self.old.len() <= MAX_OVERLAP_BYTES => {
                let needle = self.old.as_bytes();
                let borders = borders(needle);
                // Most texts can not overlap themselves, and then the fast search counts right.
                if borders.last() == Some(&0) {
                    self.side_by_side()
                } else {
                    count_overlapping(rest, needle, &borders)
                }
            }
            Some(_) => self.side_by_side().max(2),
        }
    }

    /// How many occurrences there are, from left to right, none overlapping another.
    pub fn side_by_side(&self) -> usize {
        self.finder.find_iter(self.rest()).count()
    }

    /// What is searched, from the first occurrence on.
    fn rest(&self) -> &[u8] {
        self.searched.as_bytes().get(self.first..).unwrap_or_default()
    }

    /// The places of the first `count` occurrences in the text, from left to right, none overlapping another. A place
    /// that starts with the line feed of a CRLF starts before its carriage return.
    pub fn ranges(&self, count: usize) -> Ranges<'_, 't> {
        Ranges {
            found: self.finder.find_iter(self.rest()).take(count),
            first: self.first,
            length: self.old.len(),
            starts_with_line_feed: self.old.starts_with('\n'),
            text: self.text,
            places: matches!(self.searched, Cow::Owned(_)).then_some(Places { searched: 0, text: 0 }),
            end: 0,
        }
    }
}

/// See [`Matches::ranges`].
pub(super) struct Ranges<'m, 't> {
    found: Take<FindIter<'m, 'm>>,
    first: usize,
    length: usize,
    starts_with_line_feed: bool,
    text: &'t str,
    places: Option<Places>,
    end: usize,
}

impl Iterator for Ranges<'_, '_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let found = self.first + self.found.next()?;
        let bytes = self.text.as_bytes();
        let range = match &mut self.places {
            Some(places) => {
                let start = places.advance(found, bytes);
                start..places.advance(found + self.length, bytes)
            }
            None => {
                let splits_crlf = self.starts_with_line_feed
                    && found > self.end
                    && found.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&b'\r');
                found - usize::from(splits_crlf)..found + self.length
            }
        };
        self.end = range.end;
        Some(range)
    }
}

/// The same place in a text and in its copy with line feeds only. Moves forward.
struct Places {
    searched: usize,
    text: usize,
}

impl Places {
    /// The place in the text that `target` is in the copy.
    fn advance(&mut self, target: usize, text: &[u8]) -> usize {
        while let Some(line) = text.get(self.text..).and_then(|rest| memchr::memchr(b'\n', rest)) {
            let has_cr = line > 0 && text.get(self.text + line - 1) == Some(&b'\r');
            let shown = line + 1 - usize::from(has_cr);
            if self.searched + shown > target {
                break;
            }
            self.searched += shown;
            self.text += line + 1;
        }
        self.text += target - self.searched;
        self.searched = target;
        self.text
    }
}

/// Counts every occurrence, overlapping ones too, in time linear in both lengths (Knuth, Morris, Pratt).
fn count_overlapping(haystack: &[u8], needle: &[u8], borders: &[u32]) -> usize {
    let mut matched = 0;
    let mut count = 0;
    for &byte in haystack {
        matched = extended(matched, byte, needle, borders);
        if matched == needle.len() {
            count += 1;
            matched = border(borders, matched);
        }
    }
    count
}

/// For each length of a start of `needle`, the longest shorter start that is also its end.
fn borders(needle: &[u8]) -> Vec<u32> {
    let mut borders: Vec<u32> = Vec::with_capacity(needle.len());
    borders.push(0);
    let mut matched = 0;
    for &byte in needle.iter().skip(1) {
        matched = extended(matched, byte, needle, &borders);
        borders.push(u32::try_from(matched).unwrap_or(0));
    }
    borders
}

fn extended(mut matched: usize, byte: u8, needle: &[u8], borders: &[u32]) -> usize {
    while matched > 0 && needle.get(matched) != Some(&byte) {
        matched = border(borders, matched);
    }
    matched + usize::from(needle.get(matched) == Some(&byte))
}

fn border(borders: &[u32], matched: usize) -> usize {
    matched.checked_sub(1).and_then(|at| borders.get(at)).map_or(0, |&border| border as usize)
}
