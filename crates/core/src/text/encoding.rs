//! Bytes to text and back, without loss.
//!
//! Decoding never invents U+FFFD: what a model reads, it uses as the `oldString` of an edit, and a replacement
//! character matches nothing. A byte that is no character of its encoding is shown as windows-1252 shows it.

pub use super::detect::{HEAD_BYTES, detect};

use crate::error::{ErrorKind, Fault};
use encoding_rs::{DecoderResult, EncoderResult, Encoding, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// What the bytes of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detected {
    /// UTF-8, with or without a byte-order mark, and possibly with a few foreign bytes.
    Utf8,
    /// UTF-16 with a byte-order mark, little endian.
    Utf16Le,
    /// UTF-16 with a byte-order mark, big endian.
    Utf16Be,
    /// An encoding of one or more bytes a character that holds ASCII as it is.
    Legacy(&'static Encoding),
    /// Not text.
    Binary,
}

impl Detected {
    /// The name of the encoding in the WHATWG's list, as `TextDecoder` takes it; `None` for UTF-8 and for what is
    /// not text.
    #[must_use]
    pub fn label(self) -> Option<&'static str> {
        match self {
            Self::Utf8 | Self::Binary => None,
            Self::Utf16Le => Some(UTF_16LE.name()),
            Self::Utf16Be => Some(UTF_16BE.name()),
            Self::Legacy(encoding) => Some(encoding.name()),
        }
    }

    /// Whether every character is read without regard to its neighbours.
    pub(super) fn is_context_free(self) -> bool {
        match self {
            Self::Utf16Le | Self::Utf16Be => true,
            Self::Legacy(encoding) => encoding.is_single_byte(),
            Self::Utf8 | Self::Binary => false,
        }
    }

    /// The byte-order mark that is not part of the text. That of UTF-8 is: it has been shown as U+FEFF ever since.
    pub(super) const fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf16Le => b"\xff\xfe",
            Self::Utf16Be => b"\xfe\xff",
            Self::Utf8 | Self::Legacy(_) | Self::Binary => b"",
        }
    }
}

/// The text of `bytes`. A UTF-16 byte-order mark at the start is dropped, a UTF-8 one stays as U+FEFF.
///
/// # Errors
/// [`ErrorKind::Binary`] for [`Detected::Binary`]; [`ErrorKind::Encoding`] for broken UTF-16.
pub fn decode(bytes: &[u8], encoding: Detected) -> Result<Cow<'_, str>, Fault> {
    decode_part(bytes.strip_prefix(encoding.mark()).unwrap_or(bytes), encoding)
}

/// The text of bytes from the middle of a file, where U+FEFF is a character like any other.
pub(super) fn decode_part(bytes: &[u8], encoding: Detected) -> Result<Cow<'_, str>, Fault> {
    match encoding {
        Detected::Utf8 => Ok(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(patched_utf8(bytes)),
        }),
        Detected::Utf16Le => utf16(bytes, u16::from_le_bytes).map(Cow::Owned),
        Detected::Utf16Be => utf16(bytes, u16::from_be_bytes).map(Cow::Owned),
        Detected::Legacy(encoding) => {
            Ok(match encoding.decode_without_bom_handling_and_without_replacement(bytes) {
                Some(text) => text,
                None => Cow::Owned(patched_legacy(bytes, encoding)),
            })
        }
        Detected::Binary => Err(Fault::new(ErrorKind::Binary)),
    }
}

/// The bytes of a whole file with this text; the inverse of [`decode`]. UTF-16 gets its byte-order mark.
///
/// # Errors
/// [`ErrorKind::Encoding`], naming the first character that the encoding does not have; [`ErrorKind::Binary`].
pub fn encode(text: &str, encoding: Detected) -> Result<Vec<u8>, Fault> {
    let mut bytes = encoding.mark().to_vec();
    bytes.append(&mut encode_part(text, encoding)?);
    Ok(bytes)
}

/// The bytes of a piece of text in the middle of a file.
pub(super) fn encode_part(text: &str, encoding: Detected) -> Result<Vec<u8>, Fault> {
    match encoding {
        Detected::Utf8 => Ok(text.as_bytes().to_vec()),
        Detected::Utf16Le => Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Detected::Utf16Be => Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        Detected::Legacy(encoding) => encode_legacy(text, encoding),
        Detected::Binary => Err(Fault::new(ErrorKind::Binary)),
    }
}

fn encode_legacy(text: &str, encoding: &'static Encoding) -> Result<Vec<u8>, Fault> {
    let mut encoder = encoding.new_encoder();
    let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len());
    let mut bytes = Vec::with_capacity(room.unwrap_or(0));
    match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
        (EncoderResult::InputEmpty, _) => {}
        (EncoderResult::Unmappable(character), _) => return Err(does_not_fit(character, encoding)),
        (EncoderResult::OutputFull, _) => return Err(Fault::new(ErrorKind::TooLarge)),
    }
    // Some encoders fold look-alikes: Shift_JIS writes the yen sign as the backslash's byte. That is a loss too.
    let back = decode(&bytes, Detected::Legacy(encoding))?;
    if back == text {
        return Ok(bytes);
    }
    let changed = text.chars().zip(back.chars()).find(|(sent, kept)| sent != kept);
    Err(changed.map_or(Fault::new(ErrorKind::Encoding), |(sent, _)| does_not_fit(sent, encoding)))
}

fn does_not_fit(character: char, encoding: &'static Encoding) -> Fault {
    let code = u32::from(character);
    let detail = format!("{} has no character '{character}' (U+{code:04X})", encoding.name());
    Fault::with(ErrorKind::Encoding, detail)
}

/// One character of decoded text: how many bytes of the file it takes, and how many of the UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub bytes: usize,
    pub text: usize,
}

impl Step {
    const fn stray(byte: u8) -> Self {
        Self { bytes: 1, text: windows_1252(byte).len_utf8() }
    }
}

/// The first character of UTF-8 with foreign bytes.
pub(super) fn step_utf8(bytes: &[u8]) -> Option<Step> {
    let &first = bytes.first()?;
    let chunk = bytes.get(..4).unwrap_or(bytes).utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(character) => Step { bytes: character.len_utf8(), text: character.len_utf8() },
        None => Step::stray(first),
    })
}

/// The first character of legacy text, pushed onto `text`.
pub(super) fn step_legacy(bytes: &[u8], encoding: &'static Encoding, text: &mut String) -> Option<Step> {
    let &first = bytes.first()?;
    let before = text.len();
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut output = [0; 16];
    for (at, byte) in bytes.iter().enumerate() {
        let last = at + 1 == bytes.len();
        let (result, _, written) =
            decoder.decode_to_utf8_without_replacement(std::slice::from_ref(byte), &mut output, last);
        if matches!(result, DecoderResult::Malformed(..)) {
            break;
        }
        if written > 0 {
            text.push_str(std::str::from_utf8(output.get(..written)?).ok()?);
            return Some(Step { bytes: at + 1, text: text.len() - before });
        }
    }
    text.push(windows_1252(first));
    Some(Step::stray(first))
}

fn patched_utf8(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| windows_1252(byte)));
    }
    text
}

fn patched_legacy(bytes: &[u8], encoding: &'static Encoding) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    let mut rest = bytes;
    loop {
        // Most of such text is ASCII or at least whole; only lines that hold a foreign byte go step by step.
        let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let Some((line, after)) = rest.split_at_checked(line) else { return text };
        if line.is_empty() {
            return text;
        }
        match encoding.decode_without_bom_handling_and_without_replacement(line) {
            Some(whole) => text.push_str(&whole),
            None => {
                let mut at = 0;
                while let Some(step) = line.get(at..).and_then(|left| step_legacy(left, encoding, &mut text))
                {
                    at += step.bytes;
                }
            }
        }
        rest = after;
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Fault> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let decoded: Result<String, _> = char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).collect();
    match decoded {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => Err(Fault::with(ErrorKind::Encoding, "the file is broken UTF-16")),
    }
}

/// What a byte is in windows-1252, the encoding that gives every byte a character.
pub(super) const fn windows_1252(byte: u8) -> char {
    match byte {
        0x80 => '\u{20ac}',
        0x82 => '\u{201a}',
        0x83 => '\u{192}',
        0x84 => '\u{201e}',
        0x85 => '\u{2026}',
        0x86 => '\u{2020}',
        0x87 => '\u{2021}',
        0x88 => '\u{2c6}',
        0x89 => '\u{2030}',
        0x8a => '\u{160}',
        0x8b => '\u{2039}',
        0x8c => '\u{152}',
        0x8e => '\u{17d}',
        0x91 => '\u{2018}',
        0x92 => '\u{2019}',
        0x93 => '\u{201c}',
        0x94 => '\u{201d}',
        0x95 => '\u{2022}',
        0x96 => '\u{2013}',
        0x97 => '\u{2014}',
        0x98 => '\u{2dc}',
        0x99 => '\u{2122}',
        0x9a => '\u{161}',
        0x9b => '\u{203a}',
        0x9c => '\u{153}',
        0x9e => '\u{17e}',
        0x9f => '\u{178}',
        _ => byte as char,
    }
}

/// A text in UTF-16.
#[must_use]
pub fn utf16_units(text: &str) -> Vec<u16> {
    // No character has more units than it has bytes.
    let mut units = vec![0; text.len()];
    let length = encoding_rs::mem::convert_str_to_utf16(text, &mut units);
    units.truncate(length);
    units
}

/// A text in Latin-1, one byte for each character; `None` where a character is not in it.
#[must_use]
pub fn latin1_bytes(text: &str) -> Option<Vec<u8>> {
    if !encoding_rs::mem::is_str_latin1(text) {
        return None;
    }
    let mut bytes = vec![0; text.len()];
    let length = encoding_rs::mem::convert_utf8_to_latin1_lossy(text.as_bytes(), &mut bytes);
    bytes.truncate(length);
    Some(bytes)
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
