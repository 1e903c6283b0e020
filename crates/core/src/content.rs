//! What a caller hands to `write`, as bytes.

use crate::{
    error::{ErrorKind, Fault},
    mime,
};
use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use std::borrow::Cow;

/// Padding may be missing, as browsers accept it. Left-over bits have to be zero: no encoder writes others, prose
/// that happens to have only letters does.
const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD_BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, CONFIG);
const URL_SAFE_BASE64: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, CONFIG);

/// Content as a caller sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// Text; for a path of a binary type base64 or a `data:` URL.
    Text(&'a str),
    /// The bytes themselves.
    Bytes(&'a [u8]),
}

/// The bytes that are written at `path`.
///
/// ```
/// use deepfs_core::content::{Content, to_bytes};
/// assert_eq!(&*to_bytes("/a.txt", Content::Text("aGk=")).unwrap(), b"aGk=");
/// assert_eq!(&*to_bytes("/a.png", Content::Text("aGk=")).unwrap(), b"hi");
/// assert!(to_bytes("/a.pdf", Content::Text("Hello, world!")).is_err());
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidContent`] for text that is neither base64 nor a `data:` URL at a path of a binary type.
pub fn to_bytes<'a>(path: &str, content: Content<'a>) -> Result<Cow<'a, [u8]>, Fault> {
    let text = match content {
        Content::Bytes(bytes) => return Ok(Cow::Borrowed(bytes)),
        Content::Text(text) => text,
    };
    let mime = mime::by_path(path);
    if mime::is_text(mime) {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let text = text.trim();
    let bytes = match strip_scheme(text) {
        Some(url) => from_data_url(url),
        None => from_base64(text),
    };
    bytes.map(Cow::Owned).ok_or_else(|| {
        let detail = format!("this path is a binary type ({mime}): send base64, a data: URL, or bytes");
        Fault::with(ErrorKind::InvalidContent, detail)
    })
}

/// What follows `data:`.
fn strip_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_at_checked(5)?;
    scheme.eq_ignore_ascii_case("data:").then_some(rest)
}

/// `[<type>][;<parameter>…][;base64],<data>`, percent-encoded as every URL.
fn from_data_url(url: &str) -> Option<Vec<u8>> {
    let (head, data) = url.split_once(',')?;
    let data = percent_decoded(data)?;
    let is_base64 = head.rsplit(';').next().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    if is_base64 { from_base64(std::str::from_utf8(&data).ok()?) } else { Some(data) }
}

fn percent_decoded(data: &str) -> Option<Vec<u8>> {
    if !data.contains('%') {
        return Some(data.as_bytes().to_vec());
    }
    let mut bytes = data.bytes();
    let mut decoded = Vec::with_capacity(data.len());
    let hex = |byte: u8| char::from(byte).to_digit(16);
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => u8::try_from(hex(bytes.next()?)? * 16 + hex(bytes.next()?)?).ok()?,
            other => other,
        });
    }
    Some(decoded)
}

/// Base64 with whitespace anywhere in it; `None` for anything else.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let compact = without_whitespace(text)?;
    let url_safe = memchr::memchr2(b'-', b'_', compact.as_bytes()).is_some();
    let engine = if url_safe { &URL_SAFE_BASE64 } else { &STANDARD_BASE64 };
    engine.decode(compact.as_bytes()).ok()
}

/// The text in one piece. Encoders break lines anywhere, but put blanks only between whole groups of four letters;
/// words of prose are not like that.
fn without_whitespace(text: &str) -> Option<Cow<'_, str>> {
    if !text.as_bytes().iter().any(u8::is_ascii_whitespace) {
        return Some(Cow::Borrowed(text));
    }
    let mut compact = String::with_capacity(text.len());
    for line in text.lines() {
        let mut in_line = 0;
        for word in line.split_ascii_whitespace() {
            if in_line % 4 != 0 {
                return None;
            }
            in_line += word.len();
            compact.push_str(word);
        }
    }
    Some(Cow::Owned(compact))
}

#[cfg(test)]
#[path = "content_tests.rs"]
mod tests;
