//! `edit`: one text replaced by another, literally, and nothing else touched.

use super::{
    detect::{HEAD_BYTES, detect, redetect},
    encoding::{Detected, decode, encode_part},
    hint::near_match,
    line_ends::{adopt, has_bare_lf, only_crlf, to_crlf, to_lf},
    matches::{Matches, Ranges},
    spliced::Spliced,
    view::Cursor,
};
use crate::{
    error::{ErrorKind, Fault},
    message,
};
use std::{borrow::Cow, ops::Range};

/// The largest result of an edit, in bytes. Replacing every letter of a file by a page multiplies; the product has to
/// be refused before it is built. Close to what a JavaScript string can hold.
const MAX_RESULT_BYTES: usize = 512 << 20;

/// The outcome of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced<T> {
    /// The new content.
    pub content: T,
    /// How many occurrences were replaced. 0 when an empty file was filled: nothing was there to be replaced.
    pub occurrences: usize,
    /// Whether this filled an empty file.
    pub filled: bool,
}

impl Replaced<Vec<u8>> {
    fn shared<'o>(self) -> Replaced<Spliced<'o>> {
        Replaced { content: self.content.into(), occurrences: self.occurrences, filled: self.filled }
    }
}

/// Replaces `old` by `new` in `text`: the only occurrence, or, with `all`, every one from left to right.
///
/// Line ends are the file's: an `old` that occurs only with other line ends is found, and `new` gets those of the
/// place it goes to. Nothing in `new` is expanded.
///
/// ```
/// use deepfs_core::text::replace_text;
/// assert_eq!(replace_text("a\r\nb\r\n", "a\nb", "x\ny", false).unwrap().content, "x\r\ny\r\n");
/// ```
///
/// # Errors
/// [`ErrorKind::EmptyOldString`], [`ErrorKind::NoChange`], [`ErrorKind::NoMatch`] (with a hint where a near match
/// exists), [`ErrorKind::Ambiguous`], [`ErrorKind::TooLarge`].
pub fn replace_text(text: &str, old: &str, new: &str, all: bool) -> Result<Replaced<String>, Fault> {
    if let Some(content) = filled(text, old, new)? {
        return Ok(Replaced { content, occurrences: 0, filled: true });
    }
    let edit = Edit::find(text, old, new, all)?;
    let mut content = String::with_capacity(edit.result_len()?);
    edit.write(&mut content)?;
    Ok(Replaced { content, occurrences: edit.count, filled: false })
}

/// Replaces `old` by `new` in a file, in the file's own encoding. Every byte that is not replaced stays as it is,
/// those that are no valid text included.
///
/// # Errors
/// As [`replace_text`]; [`ErrorKind::Binary`] for a file that is not text; [`ErrorKind::Encoding`] when `new` has a
/// character that the file's encoding does not.
pub fn replace_bytes<'b>(
    bytes: &'b [u8],
    old: &str,
    new: &str,
    all: bool,
) -> Result<Replaced<Spliced<'b>>, Fault> {
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    match detect(head, head.len() == bytes.len()) {
        Detected::Binary => Err(Fault::new(ErrorKind::Binary)),
        Detected::Utf8 => match std::str::from_utf8(bytes) {
            Ok(text) => replace_utf8(text, old, new, all),
            Err(error) => replace_patched(bytes, error.valid_up_to(), old, new, all).map(Replaced::shared),
        },
        encoding => replace_decoded(bytes, encoding, old, new, all).map(Replaced::shared),
    }
}

fn replace_utf8<'t>(text: &'t str, old: &str, new: &str, all: bool) -> Result<Replaced<Spliced<'t>>, Fault> {
    if let Some(content) = filled(text, old, new)? {
        return Ok(Replaced { content: content.into_bytes().into(), occurrences: 0, filled: true });
    }
    let edit = Edit::find(text, old, new, all)?;
    let length = edit.result_len()?;
    let content = if let Some((Range { start, end }, new)) = edit.only() {
        let (head, region, tail) = (text.get(..start), text.get(start..end), text.get(end..));
        if region == Some(&*new) {
            return Err(Fault::new(ErrorKind::NoChange));
        }
        let bytes = |part: Option<&'t str>| part.unwrap_or_default().as_bytes();
        Spliced { head: bytes(head), middle: new.into_owned().into_bytes(), tail: bytes(tail) }
    } else {
        let mut content = String::with_capacity(length);
        edit.write(&mut content)?;
        content.into_bytes().into()
    };
    Ok(Replaced { content, occurrences: edit.count, filled: false })
}

/// The head of the file is UTF-8, the whole is not. A page of it may have been shown in another encoding
/// ([`super::page_source`] decides by page), so `old` may be in that or in the file's.
fn replace_patched(
    bytes: &[u8],
    invalid: usize,
    old: &str,
    new: &str,
    all: bool,
) -> Result<Replaced<Vec<u8>>, Fault> {
    if let encoding @ Detected::Legacy(_) = redetect(bytes, invalid) {
        match replace_decoded(bytes, encoding, old, new, all) {
            Err(fault) if fault.kind == ErrorKind::NoMatch => {}
            outcome => return outcome,
        }
    }
    replace_decoded(bytes, Detected::Utf8, old, new, all)
}

fn replace_decoded(
    bytes: &[u8],
    encoding: Detected,
    old: &str,
    new: &str,
    all: bool,
) -> Result<Replaced<Vec<u8>>, Fault> {
    let text = decode(bytes, encoding)?;
    if let Some(content) = filled(&text, old, new)? {
        let content = super::encode(&content, encoding)?;
        return Ok(Replaced { content, occurrences: 0, filled: true });
    }
    let edit = Edit::find(&text, old, new, all)?;
    edit.result_len()?;
    let content = splice(bytes, &text, encoding, &edit)?;
    if !encoding.is_context_free() {
        // Next to bytes that are no valid text, new neighbours could be read as one character with them.
        let mut expected = String::with_capacity(text.len());
        edit.write(&mut expected)?;
        if decode(&content, encoding)? != expected {
            let detail = "characters next to the change would be read differently";
            return Err(Fault::with(ErrorKind::Encoding, detail));
        }
    }
    Ok(Replaced { content, occurrences: edit.count, filled: false })
}

/// The edit, made on the bytes. What `old` and `new` have in common at their ends is not touched either: it may be
/// bytes that no encoder would write.
fn splice(bytes: &[u8], text: &str, encoding: Detected, edit: &Edit<'_>) -> Result<Vec<u8>, Fault> {
    let unreachable = || Fault::with(ErrorKind::Encoding, "the change starts or ends inside a character");
    let mut cursor = Cursor::new(bytes, text, encoding);
    let mut content = Vec::with_capacity(bytes.len());
    let mut kept = 0;
    let mut changed = false;
    for range in edit.ranges() {
        let region = text.get(range.clone()).ok_or_else(unreachable)?;
        let new = edit.replacement(region);
        changed |= new != region;
        let (head, tail) = common_ends(region, &new);
        let start = cursor.advance(range.start + head).ok_or_else(unreachable)?;
        let end = cursor.advance(range.end - tail).ok_or_else(unreachable)?;
        content.extend_from_slice(bytes.get(kept..start).ok_or_else(unreachable)?);
        content.append(&mut encode_part(new.get(head..new.len() - tail).unwrap_or_default(), encoding)?);
        kept = end;
    }
    content.extend_from_slice(bytes.get(kept..).ok_or_else(unreachable)?);
    if changed { Ok(content) } else { Err(Fault::new(ErrorKind::NoChange)) }
}

/// How many bytes two texts share at their starts and at their ends, in whole characters and without overlap.
fn common_ends(one: &str, other: &str) -> (usize, usize) {
    let head = common(one.chars().zip(other.chars()));
    let (one, other) = (one.get(head..).unwrap_or_default(), other.get(head..).unwrap_or_default());
    (head, common(one.chars().rev().zip(other.chars().rev())))
}

fn common(pairs: impl Iterator<Item = (char, char)>) -> usize {
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

/// The content of an empty file after the edit, if this is one. A byte-order mark alone is an empty file.
fn filled(text: &str, old: &str, new: &str) -> Result<Option<String>, Fault> {
    if old.is_empty() {
        let empty = text.is_empty() || text == "\u{feff}";
        return if empty {
            Ok(Some(format!("{text}{new}")))
        } else {
            Err(Fault::new(ErrorKind::EmptyOldString))
        };
    }
    if old == new { Err(Fault::new(ErrorKind::NoChange)) } else { Ok(None) }
}

/// What is replaced by what.
struct Edit<'t> {
    text: &'t str,
    old: &'t str,
    new: &'t str,
    /// The replacement where `old` occurs exactly.
    exact: Cow<'t, str>,
    matches: Matches<'t>,
    count: usize,
}

impl<'t> Edit<'t> {
    fn find(text: &'t str, old: &'t str, new: &'t str, all: bool) -> Result<Self, Fault> {
        let found = if all { Matches::find_all(text, old) } else { Matches::find(text, old) };
        let Some(matches) = found else {
            let detail = message::no_match(old, &near_match(text, old));
            return Err(Fault::with(ErrorKind::NoMatch, detail));
        };
        let count = if all { matches.side_by_side() } else { matches.overlapping() };
        if count > 1 && !all {
            return Err(Fault::with(ErrorKind::Ambiguous, message::ambiguous(old, count)));
        }
        Ok(Self { text, old, new, exact: exact_replacement(text, old, new), matches, count })
    }

    fn ranges(&self) -> Ranges<'_, 't> {
        self.matches.ranges(self.count)
    }

    fn replacement(&self, region: &str) -> Cow<'_, str> {
        if region == self.old { Cow::Borrowed(&*self.exact) } else { adopt(region, self.new) }
    }

    /// An upper bound of the result's length, and tight unless `new` has many lines.
    fn result_len(&self) -> Result<usize, Fault> {
        // A region is never shorter than `old` with line feeds only, a replacement never longer than with CRLFs.
        let grown = to_crlf(self.new).len().saturating_sub(to_lf(self.old).len());
        self.count
            .checked_mul(grown)
            .and_then(|grown| grown.checked_add(self.text.len()))
            .filter(|&length| length <= MAX_RESULT_BYTES)
            .ok_or_else(|| {
                let detail = format!("the result would have more than {MAX_RESULT_BYTES} bytes");
                Fault::with(ErrorKind::TooLarge, detail)
            })
    }

    /// The place and its replacement, where it is a single one.
    fn only(&self) -> Option<(Range<usize>, Cow<'_, str>)> {
        let mut ranges = self.ranges();
        let (Some(range), None) = (ranges.next(), ranges.next()) else { return None };
        let new = self.replacement(self.text.get(range.clone())?);
        Some((range, new))
    }

    fn write(&self, content: &mut String) -> Result<(), Fault> {
        let mut kept = 0;
        let mut changed = false;
        for Range { start, end } in self.ranges() {
            let region = self.text.get(start..end).unwrap_or_default();
            let new = self.replacement(region);
            changed |= new != region;
            content.push_str(self.text.get(kept..start).unwrap_or_default());
            content.push_str(&new);
            kept = end;
        }
        content.push_str(self.text.get(kept..).unwrap_or_default());
        // `old` and `new` can differ in line ends alone, which the file decides.
        if changed { Ok(()) } else { Err(Fault::new(ErrorKind::NoChange)) }
    }
}

/// In a file of CRLF lines, new lines are CRLF lines too, unless the edit is about line ends as such.
fn exact_replacement<'t>(text: &str, old: &str, new: &'t str) -> Cow<'t, str> {
    let brings_lf = has_bare_lf(new);
    if brings_lf && to_lf(old) != to_lf(new) && only_crlf(text) { to_crlf(new) } else { Cow::Borrowed(new) }
}

#[cfg(test)]
#[path = "replace_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "replace_bytes_tests.rs"]
mod bytes_tests;
