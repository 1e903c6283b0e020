//! Collecting the matching lines of bytes in memory.

use super::{
    LineSearch, UTF8_MARK,
    cut::{Line, count},
};
use crate::{
    storage::FileMatches,
    text::encoding::{Detected, decode, detect},
};
use std::{borrow::Cow, ops::ControlFlow};

/// Matches of one file in the making. It is fed whole lines, in order.
pub(super) struct Collector<'a> {
    search: &'a LineSearch,
    max: usize,
    pub(super) found: FileMatches,
    text_bytes: u64,
    /// The number of the first line of the bytes to come.
    line: u64,
}

impl<'a> Collector<'a> {
    pub(super) fn new(search: &'a LineSearch, max: usize) -> Self {
        Self { search, max, found: FileMatches::default(), text_bytes: 0, line: 1 }
    }

    /// Takes the matching lines of `bytes`, which start with a line and hold no match before `first`. Breaks when
    /// enough is found, and there is more.
    pub(super) fn collect(&mut self, bytes: &[u8], first: usize) -> ControlFlow<()> {
        let (mut at, mut counted) = (first, 0);
        while let Some(hit) = bytes.get(at..).and_then(|rest| self.search.needle.finder.find(rest)) {
            self.check_room()?;
            let hit = at + hit;
            let before = bytes.get(counted..hit).unwrap_or(&[]);
            let start = memchr::memrchr(b'\n', before).map_or(counted, |newline| counted + newline + 1);
            let end = memchr::memchr(b'\n', bytes.get(hit..).unwrap_or(&[]))
                .map_or(bytes.len(), |length| hit + length);
            self.pass(bytes.get(counted..start).unwrap_or(&[]));
            counted = start;
            self.take(bytes.get(start..end).unwrap_or(&[]), hit - start);
            at = end + 1;
        }
        self.pass(bytes.get(counted..).unwrap_or(&[]));
        ControlFlow::Continue(())
    }

    /// Counts the lines of bytes without a match.
    pub(super) fn pass(&mut self, bytes: &[u8]) {
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
    }

    /// Called with a match at hand: whether it may be taken.
    pub(super) fn check_room(&mut self) -> ControlFlow<()> {
        if self.found.lines.len() < self.max && self.text_bytes <= self.search.result_bytes {
            return ControlFlow::Continue(());
        }
        self.found.more = true;
        ControlFlow::Break(())
    }

    /// Adds a line that is ready, and counts nothing.
    pub(super) fn push(&mut self, text: String) {
        self.text_bytes += text.len() as u64;
        self.found.lines.push(u32::try_from(self.line).unwrap_or(u32::MAX));
        self.found.texts.push(text);
    }

    /// Adds the current line, without its end, with a match at `hit`.
    fn take(&mut self, line: &[u8], hit: usize) {
        let (line, hit) = match line.strip_prefix(UTF8_MARK) {
            Some(rest) if self.line == 1 => (rest, hit.saturating_sub(UTF8_MARK.len())),
            _ => (line, hit),
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = match std::str::from_utf8(line) {
            Ok(text) => self.shorten(text, hit),
            Err(_) => self.shorten(&decode_line(line), hit),
        };
        self.push(text);
    }

    fn shorten(&self, text: &str, hit: usize) -> String {
        let limit = self.search.line_chars;
        if text.len() <= limit {
            return text.to_owned();
        }
        let needle = self.search.needle.bytes();
        // In a decoded line the match may have moved, or gone.
        let start = if text.as_bytes().get(hit..).is_some_and(|rest| rest.starts_with(needle)) {
            hit
        } else {
            self.search.needle.finder.find(text.as_bytes()).unwrap_or(0)
        };
        let end = (start + needle.len()).min(text.len());
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or("");
        let (before, matched, after) = (part(0, start), part(start, end), part(end, text.len()));
        Line { before, matched, after, before_chars: count(before), after_chars: count(after) }.cut(limit)
    }
}

/// The text of a line that is not UTF-8, in the encoding it most likely has.
pub(super) fn decode_line(line: &[u8]) -> Cow<'_, str> {
    match detect(line, true) {
        Detected::Binary => String::from_utf8_lossy(line),
        encoding => decode(line, encoding).unwrap_or_else(|_| String::from_utf8_lossy(line)),
    }
}
