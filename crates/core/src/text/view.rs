//! From places in decoded text back to places in the bytes, so that an edit touches only the bytes it names.

use super::encoding::{Detected, step_legacy, step_utf8};

/// The same place in the bytes of a file and in its text. Moves forward.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    text: &'a str,
    encoding: Detected,
    byte: usize,
    at: usize,
    /// Room for what a step decodes, kept to be reused.
    scratch: String,
}

impl<'a> Cursor<'a> {
    /// `text` is what [`super::decode`] makes of `bytes`.
    pub fn new(bytes: &'a [u8], text: &'a str, encoding: Detected) -> Self {
        let byte = if bytes.starts_with(encoding.mark()) { encoding.mark().len() } else { 0 };
        Self { bytes, text, encoding, byte, at: 0, scratch: String::new() }
    }

    /// The place in the bytes that `target` is in the text; `None` when it lies inside what the encoding writes as
    /// one piece (Big5 has bytes that stand for two characters).
    pub fn advance(&mut self, target: usize) -> Option<usize> {
        let passed = self.text.get(self.at..target)?;
        match self.encoding {
            Detected::Utf16Le | Detected::Utf16Be => self.byte += passed.encode_utf16().count() * 2,
            Detected::Legacy(encoding) if encoding.is_single_byte() => self.byte += passed.chars().count(),
            _ => return self.walk(passed, target),
        }
        self.at = target;
        Some(self.byte)
    }

    /// Whole lines first: both sides have the same line feeds. The rest character by character.
    fn walk(&mut self, passed: &str, target: usize) -> Option<usize> {
        if let Some(last) = memchr::memrchr(b'\n', passed.as_bytes()) {
            let lines = memchr::memchr_iter(b'\n', passed.as_bytes()).count();
            let rest = self.bytes.get(self.byte..)?;
            self.byte += memchr::memchr_iter(b'\n', rest).nth(lines - 1)? + 1;
            self.at += last + 1;
        }
        while self.at < target {
            let rest = self.bytes.get(self.byte..)?;
            let step = match self.encoding {
                Detected::Legacy(encoding) => {
                    self.scratch.clear();
                    step_legacy(rest, encoding, &mut self.scratch)?
                }
                _ => step_utf8(rest)?,
            };
            self.byte += step.bytes;
            self.at += step.text;
        }
        (self.at == target).then_some(self.byte)
    }
}
