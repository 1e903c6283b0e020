//! `read` and `readRaw`: a window of a text, or all bytes of a binary file.

use super::Context;
use crate::{
    dialect::{Dialect, PastEnd},
    error::{Error, ErrorKind, Fault, Operation},
    message, mime,
    path::VirtualPath,
    storage::{Metadata, Source, Time},
    text::{self, Detected, LineIndex, LineWindow, Paged},
};

/// The first bytes looked at to tell text from binary, and what kind of text: as much as one block of a search.
const HEAD_BYTES: usize = 64 << 10;

/// The answer of `read`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadFile {
    /// A window of text.
    Text {
        /// The lines of the window.
        text: String,
        /// The MIME type.
        mime: String,
        /// Lines of the whole text.
        total_lines: u64,
        /// 1-based first and last line of the window; absent when it has no line to point at.
        span: Option<(u64, u64)>,
        /// 0-based offset of the next unread line.
        next_offset: Option<u64>,
        /// The encoding where it is not UTF-8.
        encoding: Option<&'static str>,
    },
    /// All bytes of a binary file.
    Bytes {
        /// The content.
        bytes: Vec<u8>,
        /// The MIME type.
        mime: String,
    },
}

/// The answer of `readRaw`.
#[derive(Debug, Clone, PartialEq)]
pub struct RawFile {
    /// Text, decoded, or bytes.
    pub content: RawContent,
    /// The MIME type.
    pub mime: String,
    /// Created.
    pub created: Time,
    /// Last modified.
    pub modified: Time,
    /// The encoding where it is not UTF-8.
    pub encoding: Option<&'static str>,
}

/// The content of a [`RawFile`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RawContent {
    /// Text.
    Text(String),
    /// Bytes of a binary file.
    Bytes(Vec<u8>),
}

/// Reads a window of a file's lines; a binary file whole.
///
/// # Errors
/// See [`crate::Storage::open`]; [`ErrorKind::PastEnd`] in the dialects that have it; [`ErrorKind::TooLarge`].
pub fn read(cx: &Context<'_>, raw: &str, lines: LineWindow) -> Result<ReadFile, Error> {
    cx.locate(Operation::Read, raw, |path| read_source(cx, path, &*cx.storage.open(path)?, lines, None))
}

/// The same over a file that is open already, with the index of its lines where one is kept.
///
/// # Errors
/// As [`read`].
pub fn read_source(
    cx: &Context<'_>,
    path: &VirtualPath,
    source: &dyn Source,
    lines: LineWindow,
    index: Option<&mut LineIndex>,
) -> Result<ReadFile, Fault> {
    let cap = cx.meaning.limits.read_bytes;
    let mime::Classified { mut mime, mut encoding } = classify(cx, path, source)?;
    if encoding == Detected::Binary {
        if source.metadata().size <= cap || mime::is_binary_path(path.as_str()) {
            return Ok(ReadFile::Bytes { bytes: source.read_all(cap)?, mime });
        }
        // A log with a hole in it (cut short while its writer went on) can not be handed out as bytes, but its lines can.
        mime = mime::by_path(path.as_str()).to_owned();
        encoding = Detected::Utf8;
    }
    let paged = match index {
        Some(index) => text::page_indexed(source, encoding, lines, cap, cx.control, index)?,
        None => text::page_source(source, encoding, lines, cap, cx.control)?,
    };
    answer(paged, lines, mime, encoding.label(), &cx.meaning.dialect)
}

/// A window of a text that JavaScript owns.
///
/// # Errors
/// [`ErrorKind::PastEnd`] in the dialects that have it; [`ErrorKind::TooLarge`] over `cap` bytes.
pub fn read_text(
    path: &str,
    text: &str,
    lines: LineWindow,
    dialect: &Dialect,
    cap: u64,
) -> Result<ReadFile, Fault> {
    answer(text::page_text(text, lines, cap)?, lines, mime::by_path(path).to_owned(), None, dialect)
}

/// What bytes that JavaScript owns are to a reader: a window of text in some encoding, or binary.
///
/// # Errors
/// As [`read_text`].
pub fn read_bytes(
    path: &str,
    bytes: &[u8],
    lines: LineWindow,
    dialect: &Dialect,
    cap: u64,
) -> Result<ReadFile, Fault> {
    let classified = mime::classify(path, bytes, true, true);
    if classified.encoding == Detected::Binary {
        return Ok(ReadFile::Bytes { bytes: bytes.to_vec(), mime: classified.mime });
    }
    let text = text::decode(bytes, classified.encoding)?;
    let label = classified.encoding.label();
    answer(text::page_text(&text, lines, cap)?, lines, classified.mime, label, dialect)
}

fn answer(
    paged: Paged,
    lines: LineWindow,
    mime: String,
    encoding: Option<&'static str>,
    dialect: &Dialect,
) -> Result<ReadFile, Fault> {
    let nothing = |text: &str, mime, total_lines| ReadFile::Text {
        text: text.to_owned(),
        mime,
        total_lines,
        span: None,
        next_offset: None,
        encoding,
    };
    match paged {
        Paged::Page(page) => Ok(ReadFile::Text {
            text: page.text,
            mime,
            total_lines: page.total_lines,
            span: Some((page.start_line, page.end_line)),
            next_offset: page.next_offset,
            encoding: page.encoding.label().or(encoding),
        }),
        Paged::Empty if dialect.empty_reminder => Ok(nothing(message::EMPTY_REMINDER, mime, 0)),
        Paged::Empty => Ok(nothing("", mime, 0)),
        Paged::PastEnd { total_lines } if dialect.past_end == PastEnd::Error => {
            Err(Fault::with(ErrorKind::PastEnd, message::past_end(lines.offset, total_lines)))
        }
        Paged::PastEnd { total_lines } => Ok(nothing("", mime, total_lines)),
    }
}

/// Reads a whole file with its times.
///
/// # Errors
/// See [`crate::Storage::open`]; [`ErrorKind::TooLarge`].
pub fn read_raw(cx: &Context<'_>, raw: &str) -> Result<RawFile, Error> {
    cx.locate(Operation::ReadRaw, raw, |path| {
        let source = cx.storage.open(path)?;
        cx.control.check()?;
        let classified = classify(cx, path, &*source)?;
        let Metadata { created, modified, .. } = source.metadata().clone();
        let bytes = source.read_all(cx.meaning.limits.read_bytes)?;
        let content = match classified.encoding {
            Detected::Binary => RawContent::Bytes(bytes),
            Detected::Utf8 => match String::from_utf8(bytes) {
                Ok(text) => RawContent::Text(text),
                // Only the head was looked at; what is no UTF-8 further on is shown in the encoding of the whole.
                Err(error) => decoded(error.into_bytes())?,
            },
            known => RawContent::Text(text::decode(&bytes, known)?.into_owned()),
        };
        Ok(RawFile {
            content,
            mime: classified.mime,
            created,
            modified,
            encoding: classified.encoding.label(),
        })
    })
}

fn decoded(bytes: Vec<u8>) -> Result<RawContent, Fault> {
    match text::detect(&bytes, true) {
        Detected::Binary => Ok(RawContent::Bytes(bytes)),
        known => Ok(RawContent::Text(text::decode(&bytes, known)?.into_owned())),
    }
}

/// What the file is, from its stored type or its first bytes.
fn classify(cx: &Context<'_>, path: &VirtualPath, source: &dyn Source) -> Result<mime::Classified, Fault> {
    cx.control.check()?;
    if let Some(bytes) = source.in_memory() {
        let mut classified = mime::classify(path.as_str(), bytes, true, cx.meaning.sniff);
        // A record says what it is; text that was stored under a type of its own keeps that type.
        if let Some(stored) = &source.metadata().mime
            && mime::is_text(stored) == (classified.encoding != Detected::Binary)
        {
            classified.mime.clone_from(stored);
        }
        return Ok(classified);
    }
    let mut head = vec![0; HEAD_BYTES.min(usize::try_from(source.metadata().size).unwrap_or(HEAD_BYTES) + 1)];
    let filled = source.read_at(0, &mut head)?;
    let whole = filled < head.len();
    head.truncate(filled);
    Ok(mime::classify(path.as_str(), &head, whole, cx.meaning.sniff))
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
