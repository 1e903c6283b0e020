//! Line ends: models write line feeds, files have their own.

use memchr::memmem;
use std::borrow::Cow;

/// The text with every CRLF as a line feed.
pub(super) fn to_lf(text: &str) -> Cow<'_, str> {
    if memmem::find(text.as_bytes(), b"\r\n").is_none() {
        return Cow::Borrowed(text);
    }
    let mut copy = String::with_capacity(text.len());
    let mut kept = 0;
    for line_feed in memchr::memchr_iter(b'\n', text.as_bytes()) {
        let line = text.get(kept..line_feed).unwrap_or_default();
        copy.push_str(line.strip_suffix('\r').unwrap_or(line));
        copy.push('\n');
        kept = line_feed + 1;
    }
    copy.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(copy)
}

/// The text with every line feed as CRLF.
pub(super) fn to_crlf(text: &str) -> Cow<'_, str> {
    if !has_bare_lf(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(to_lf(text).replace('\n', "\r\n"))
}

/// Whether some line feed has no carriage return before it.
pub(super) fn has_bare_lf(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes)
        .any(|at| at.checked_sub(1).and_then(|before| bytes.get(before)) != Some(&b'\r'))
}

/// Whether the text has lines, and all of them end with CRLF.
pub(super) fn only_crlf(text: &str) -> bool {
    memchr::memchr(b'\n', text.as_bytes()).is_some() && !has_bare_lf(text)
}

/// `new` with the line ends of the `region` it replaces. Where the region mixes line ends, a line that both have
/// keeps its own, and a line that is new ends like the one before it.
pub(super) fn adopt<'t>(region: &str, new: &'t str) -> Cow<'t, str> {
    if !region.contains("\r\n") {
        return to_lf(new);
    }
    if !has_bare_lf(region) {
        return to_crlf(new);
    }
    let new = to_lf(new);
    let old: Vec<Line<'_>> = region.split_inclusive('\n').map(Line::of).collect();
    let fresh: Vec<Line<'_>> = new.split_inclusive('\n').map(Line::of).collect();
    let head = old.iter().zip(&fresh).take_while(|(old, new)| old.same(new)).count();
    let most = old.len().min(fresh.len()) - head;
    let tail =
        old.iter().rev().zip(fresh.iter().rev()).take(most).take_while(|(old, new)| old.same(new)).count();
    let first_of_tail = fresh.len() - tail;
    let nearest = old.get(head.saturating_sub(1)).map_or("\n", |line| line.end);
    let mut text = String::with_capacity(new.len() + fresh.len());
    for (at, line) in fresh.iter().enumerate() {
        let own = if at < head {
            old.get(at)
        } else if at >= first_of_tail {
            (at + old.len()).checked_sub(fresh.len()).and_then(|at| old.get(at))
        } else {
            None
        };
        text.push_str(line.body);
        if !line.end.is_empty() {
            text.push_str(own.map_or(nearest, |own| own.end));
        }
    }
    Cow::Owned(text)
}

/// A line and its end: `"\r\n"`, `"\n"`, or nothing for the last one.
#[derive(Clone, Copy)]
struct Line<'a> {
    body: &'a str,
    end: &'a str,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Self {
        let body = line.strip_suffix('\n').map_or(line, |body| body.strip_suffix('\r').unwrap_or(body));
        let end = line.get(body.len()..).unwrap_or_default();
        Self { body, end }
    }

    /// Equal but for how they end, if both end at all.
    fn same(&self, other: &Self) -> bool {
        self.body == other.body && self.end.is_empty() == other.end.is_empty()
    }
}
