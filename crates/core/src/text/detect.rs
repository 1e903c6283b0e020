//! Which encoding bytes are in, or that they are not text.

use super::encoding::Detected;
use chardetng::EncodingDetector;
use encoding_rs::{ISO_2022_JP, WINDOWS_1252};

/// How many bytes of a file decide about its encoding. Fixed, so that `read`, `edit` and `grep` agree about a file
/// however much of it each of them happens to hold.
pub const HEAD_BYTES: usize = 64 * 1024;

/// How many bytes that are not plain ASCII, and of the lines around them, a guess is based on. The detector follows
/// some twenty encodings at once; more than a page or two changes nothing but the time.
const GUESS_BYTES: usize = 8 * 1024;

/// Tells the encoding of a file from its first bytes; only the first [`HEAD_BYTES`] count. `whole` says that `head`
/// is the whole file, so that a sequence cut at its end is an error and not the edge of the block.
///
/// ```
/// use deepfs_core::text::{Detected, detect};
/// assert_eq!(detect("h\u{e9}llo".as_bytes(), true), Detected::Utf8);
/// assert_eq!(detect(b"caf\xe9\n", true).label(), Some("windows-1252"));
/// assert_eq!(detect(b"PK\x03\x04\x00", true), Detected::Binary);
/// ```
#[must_use]
pub fn detect(head: &[u8], whole: bool) -> Detected {
    let whole = whole && head.len() <= HEAD_BYTES;
    let head = head.get(..HEAD_BYTES).unwrap_or(head);
    if let Some(body) = head.strip_prefix(b"\xff\xfe") {
        return if utf16_is_text(body, whole, u16::from_le_bytes) {
            Detected::Utf16Le
        } else {
            Detected::Binary
        };
    }
    if let Some(body) = head.strip_prefix(b"\xfe\xff") {
        return if utf16_is_text(body, whole, u16::from_be_bytes) {
            Detected::Utf16Be
        } else {
            Detected::Binary
        };
    }
    if memchr::memchr(0, head).is_some() {
        return Detected::Binary;
    }
    match std::str::from_utf8(head) {
        Ok(_) => Detected::Utf8,
        Err(error) if !whole && error.error_len().is_none() => Detected::Utf8,
        Err(_) if head.iter().any(|&byte| is_foreign_control(u16::from(byte))) => Detected::Binary,
        Err(_) => guess(head, whole),
    }
}

/// The encoding of a text whose head looked like UTF-8 and which turns out not to be, at `invalid`: decided by what
/// follows the line that holds the offending byte.
pub(super) fn redetect(bytes: &[u8], invalid: usize) -> Detected {
    // A line may be endless; a little of it is context enough.
    const CONTEXT: usize = 1024;
    let before = bytes.get(invalid.saturating_sub(CONTEXT)..invalid).unwrap_or_default();
    let start = match memchr::memrchr(b'\n', before) {
        Some(at) => invalid - before.len() + at + 1,
        None if before.len() == invalid => 0,
        None => invalid,
    };
    let rest = bytes.get(start..).unwrap_or_default();
    match detect(rest, true) {
        // Without a mark at the very start of a file there is no UTF-16 in it.
        Detected::Utf16Le | Detected::Utf16Be => Detected::Legacy(WINDOWS_1252),
        other => other,
    }
}

fn guess(head: &[u8], whole: bool) -> Detected {
    // Legacy text forms valid UTF-8 sequences only by accident; text that consists mostly of them is UTF-8 with a
    // few foreign bytes (a log, a merge of two files).
    let (mut valid, mut stray) = (0_usize, 0_usize);
    for chunk in head.utf8_chunks() {
        valid += chunk.valid().bytes().filter(|byte| !byte.is_ascii()).count();
        stray += chunk.invalid().len();
    }
    if valid >= stray.saturating_mul(2) {
        return Detected::Utf8;
    }
    let mut detector = EncodingDetector::new();
    let mut fed = 0;
    // ASCII is the same in every encoding, so only lines with something else are evidence.
    for line in head.split_inclusive(|&byte| byte == b'\n').filter(|line| !line.is_ascii()) {
        let line = line.get(..GUESS_BYTES - fed).unwrap_or(line);
        detector.feed(line, false);
        fed += line.len();
        if fed == GUESS_BYTES {
            break;
        }
    }
    if whole && fed < GUESS_BYTES {
        detector.feed(b"", true);
    }
    let encoding = detector.guess(None, false);
    // Stateful, so a page could not be decoded on its own. (It is pure ASCII on the outside and ends up as UTF-8.)
    let encoding = if encoding == ISO_2022_JP { WINDOWS_1252 } else { encoding };
    Detected::Legacy(encoding)
}

/// C0 controls that no text editor, terminal or page printer writes.
const fn is_foreign_control(unit: u16) -> bool {
    unit < 0x20 && !matches!(unit, 0x07..=0x0a | 0x0c | 0x0d | 0x1b)
}

fn utf16_is_text(body: &[u8], whole: bool, unit: fn([u8; 2]) -> u16) -> bool {
    let (pairs, rest) = body.as_chunks::<2>();
    if whole && !rest.is_empty() {
        return false;
    }
    let mut units = pairs.iter().map(|&pair| unit(pair)).peekable();
    while let Some(first) = units.next() {
        let valid = match first {
            0xd800..=0xdbff => match units.next() {
                Some(second) => matches!(second, 0xdc00..=0xdfff),
                None => !whole,
            },
            0xdc00..=0xdfff => false,
            _ => !is_foreign_control(first),
        };
        if !valid {
            return false;
        }
    }
    true
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
