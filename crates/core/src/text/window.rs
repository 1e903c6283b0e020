//! Windows of lines.
//!
//! Lines are what splitting at `"\n"` gives; `"\r"` stays with its line. A line feed at the very end ends the last
//! line and starts no other, but it belongs to the content: a window that reaches past the last line includes it.

use super::{
    blocks::Input,
    detect::redetect,
    encoding::{Detected, decode_part},
    index::{LineFeed, LineIndex},
};
use crate::{
    error::{ErrorKind, Fault},
    limits::Control,
    storage::Source,
};

/// Which lines are asked for; see [`super::line_offset`] and [`super::line_limit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineWindow {
    /// The first line, 0-based.
    pub offset: u64,
    /// How many lines; `None` is all of them.
    pub limit: Option<u64>,
}

/// Lines of a file, joined by line feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The lines. The last one has no line feed unless the window reaches past the last line of the file.
    pub text: String,
    /// How many lines the file has.
    pub total_lines: u64,
    /// The first line of the page, 1-based.
    pub start_line: u64,
    /// The last line of the page, 1-based; one less than `start_line` when no line was asked for.
    pub end_line: u64,
    /// The offset of the next page, if lines are left.
    pub next_offset: Option<u64>,
    /// The encoding `text` was decoded from. It differs from the one given to [`page_source`] when these lines turn
    /// out not to be in it.
    pub encoding: Detected,
}

/// The answer to a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paged {
    /// Lines of the file.
    Page(Page),
    /// The file has no text at all: zero bytes, or nothing but a UTF-16 byte-order mark. Blank lines are a page.
    Empty,
    /// The first asked line lies behind the last one.
    PastEnd {
        /// How many lines the file has.
        total_lines: u64,
    },
}

/// Where the lines of a window are in a text, told by its line feeds alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePlan {
    /// How many lines the text has.
    pub total_lines: u64,
    /// The first line of the window, 1-based.
    pub start_line: u64,
    /// The last one, 1-based; one less than `start_line` when no line was asked for, and then there is no text.
    pub end_line: u64,
    /// The offset of the next page, if lines are left.
    pub next_offset: Option<u64>,
    /// The window starts after this many line feeds,
    pub skip: u64,
    /// and ends before the line feed that is this one, counted from 1; without it, at the end of the text.
    pub until: Option<u64>,
}

impl LinePlan {
    /// The plan for a text with so many lines and line feeds; `None` when the first asked line lies behind the last one.
    #[must_use]
    pub fn new(total_lines: u64, line_feeds: u64, window: LineWindow) -> Option<Self> {
        let LineWindow { offset, limit } = window;
        if offset >= total_lines {
            return None;
        }
        let behind = limit.map_or(u64::MAX, |limit| offset.saturating_add(limit));
        let end_line = behind.min(total_lines);
        Some(Self {
            total_lines,
            start_line: offset + 1,
            end_line,
            next_offset: (end_line < total_lines).then_some(end_line),
            skip: offset,
            until: (behind <= line_feeds).then_some(behind),
        })
    }
}

/// A window of a text in memory.
///
/// ```
/// use deepfs_core::text::{LineWindow, Paged, page_text};
/// let window = LineWindow { offset: 1, limit: Some(1) };
/// let Ok(Paged::Page(page)) = page_text("a\nb\nc\n", window, 1 << 20) else { panic!() };
/// assert_eq!((page.text.as_str(), page.total_lines, page.next_offset), ("b", 3, Some(2)));
/// ```
///
/// # Errors
/// [`ErrorKind::TooLarge`] when the window has more than `cap_bytes`.
pub fn page_text(text: &str, window: LineWindow, cap_bytes: u64) -> Result<Paged, Fault> {
    page_bytes(text.as_bytes(), Detected::Utf8, window, cap_bytes)
}

/// A window of bytes that are in memory; the same as [`page_source`] over a file of them.
///
/// # Errors
/// As [`page_source`].
pub fn page_bytes(
    bytes: &[u8],
    encoding: Detected,
    window: LineWindow,
    cap_bytes: u64,
) -> Result<Paged, Fault> {
    if encoding == Detected::Binary {
        return Err(Fault::new(ErrorKind::Binary));
    }
    let mut index = LineIndex::default();
    let mut input = Input::Memory(bytes);
    index.fill(&mut input, encoding)?;
    page(&mut input, encoding, window, cap_bytes, &index)
}

/// A window of a file. The file is looked through in blocks: memory grows with the window, not with the file.
///
/// # Errors
/// [`ErrorKind::TooLarge`] when the window has more than `cap_bytes`; [`ErrorKind::Binary`] for a file, or lines of
/// it, that are not text; [`ErrorKind::Encoding`] for broken UTF-16; those of the source and of `control`.
pub fn page_source(
    source: &dyn Source,
    encoding: Detected,
    window: LineWindow,
    cap_bytes: u64,
    control: &dyn Control,
) -> Result<Paged, Fault> {
    page_indexed(source, encoding, window, cap_bytes, control, &mut LineIndex::default())
}

/// As [`page_source`], with what is known of the file's lines. An index that does not describe this file (a new
/// one, another size) is filled; one that does leads to the window without looking through the file.
///
/// # Errors
/// As [`page_source`].
pub fn page_indexed(
    source: &dyn Source,
    encoding: Detected,
    window: LineWindow,
    cap_bytes: u64,
    control: &dyn Control,
    index: &mut LineIndex,
) -> Result<Paged, Fault> {
    if encoding == Detected::Binary {
        return Err(Fault::new(ErrorKind::Binary));
    }
    let mut input = Input::of(source, control);
    if !index.describes(source.metadata().size, encoding) {
        index.fill(&mut input, encoding)?;
    }
    page(&mut input, encoding, window, cap_bytes, index)
}

fn page(
    input: &mut Input<'_>,
    encoding: Detected,
    window: LineWindow,
    cap_bytes: u64,
    index: &LineIndex,
) -> Result<Paged, Fault> {
    let mark = encoding.mark().len() as u64;
    if index.total_bytes() <= mark {
        return Ok(Paged::Empty);
    }
    let total_lines = index.total_lines();
    let Some(plan) = LinePlan::new(total_lines, index.line_feeds(), window) else {
        return Ok(Paged::PastEnd { total_lines });
    };
    let LinePlan { start_line, end_line, next_offset, skip, until, .. } = plan;
    let mut page = Page { text: String::new(), total_lines, start_line, end_line, next_offset, encoding };
    if end_line < start_line {
        return Ok(Paged::Page(page));
    }
    let start = if skip == 0 { mark } else { index.after_line_feed(skip, input)? };
    let end = match until {
        Some(nth) => index.after_line_feed(nth, input)?.saturating_sub(LineFeed::of(encoding).len()),
        None => index.total_bytes(),
    };
    check_size(end.saturating_sub(start), cap_bytes, &page)?;
    (page.text, page.encoding) = text_of(input.range(start, end)?, encoding, &page)?;
    Ok(Paged::Page(page))
}

fn check_size(bytes: u64, cap: u64, page: &Page) -> Result<(), Fault> {
    if bytes <= cap {
        return Ok(());
    }
    let detail = if page.start_line == page.end_line {
        format!(
            "line {} alone has {bytes} bytes, the limit is {cap}; search it with grep instead of reading it",
            page.start_line
        )
    } else {
        format!(
            "lines {} to {} have {bytes} bytes, the limit is {cap}; read fewer lines at a time with a smaller limit",
            page.start_line, page.end_line
        )
    };
    Err(Fault::with(ErrorKind::TooLarge, detail))
}

fn text_of(bytes: Vec<u8>, encoding: Detected, page: &Page) -> Result<(String, Detected), Fault> {
    let (bytes, encoding) = match encoding {
        Detected::Utf8 => match String::from_utf8(bytes) {
            Ok(text) => return Ok((text, Detected::Utf8)),
            Err(error) => {
                let invalid = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let encoding = redetect(&bytes, invalid);
                (bytes, encoding)
            }
        },
        _ => (bytes, encoding),
    };
    match decode_part(&bytes, encoding) {
        Ok(text) => Ok((text.into_owned(), encoding)),
        Err(fault) if fault.kind == ErrorKind::Binary => {
            let detail = format!("lines {} to {} are not text", page.start_line, page.end_line);
            Err(Fault::with(ErrorKind::Binary, detail))
        }
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "window_source_tests.rs"]
mod source_tests;
