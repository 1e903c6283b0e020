//! File names that are not UTF-8, and names that deepfs keeps for itself.
//!
//! A byte that is not part of UTF-8 is spelt `\xNN` in a virtual path. The spelling is used only for names
//! that need it, so a file whose name holds those four characters keeps its own name; of two such files in
//! one folder, the one that is UTF-8 is found.

use std::borrow::Cow;

/// A host name as a virtual path shows it.
pub(crate) fn spell(name: &[u8]) -> Cow<'_, str> {
    let mut chunks = name.utf8_chunks();
    match (chunks.next(), chunks.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(first), None) if first.invalid().is_empty() => Cow::Borrowed(first.valid()),
        _ => Cow::Owned(spell_out(name)),
    }
}

fn spell_out(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len() + 8);
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str("\\x");
            for half in [byte >> 4, byte & 15] {
                text.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
            }
        }
    }
    text
}

/// Whether a path may hold the spelling of bytes; most do not, and need no second look.
pub(crate) fn may_be_spelt(path: &str) -> bool {
    // A backslash is rare, and looking for one byte is several times faster than for two.
    path.as_bytes().contains(&b'\\') && path.contains("\\x")
}

/// The host name that [`spell`] shows as `segment`, if that is another than `segment` itself.
pub(crate) fn unspell(segment: &str) -> Option<Vec<u8>> {
    let mut rest = segment;
    let mut bytes = Vec::with_capacity(segment.len());
    while let Some(at) = rest.find("\\x") {
        let (before, escape) = rest.split_at(at);
        bytes.extend_from_slice(before.as_bytes());
        match escape.get(2..4).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if byte >= 0x80 => {
                bytes.push(byte);
                rest = escape.get(4..).unwrap_or("");
            }
            _ => {
                bytes.extend_from_slice(b"\\x");
                rest = escape.get(2..).unwrap_or("");
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    // `\xc3\xa9` is no spelling: those bytes are a letter and would be shown as one.
    (bytes != segment.as_bytes() && spell(&bytes) == segment).then_some(bytes)
}

/// What the hidden files that a write makes begin with.
pub(crate) const OWN_PREFIX: &str = ".deepfs-";
/// What they end with, new content and the copy of old content.
pub(crate) const NEW_SUFFIX: &str = ".tmp";
/// See [`NEW_SUFFIX`].
pub(crate) const OLD_SUFFIX: &str = ".bak";
/// Hexadecimal digits between prefix and suffix.
pub(crate) const OWN_DIGITS: usize = 16;

/// Whether a name is one of deepfs's own hidden files, which no operation shows.
pub(crate) fn is_own(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(OWN_PREFIX.as_bytes()) else { return false };
    let stem = rest.strip_suffix(NEW_SUFFIX.as_bytes()).or_else(|| rest.strip_suffix(OLD_SUFFIX.as_bytes()));
    stem.is_some_and(|stem| stem.len() == OWN_DIGITS && stem.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_bytes_and_finds_them_again() {
        let table: [(&[u8], &str); 5] = [
            (b"f\xe9.txt", "f\\xe9.txt"),
            (b"\xff\xfe", "\\xff\\xfe"),
            (b"a\xf0\x9f\x98", "a\\xf0\\x9f\\x98"),
            ("é\u{1f600}".as_bytes(), "é\u{1f600}"),
            (b"", ""),
        ];
        for (raw, text) in table {
            assert_eq!(spell(raw), text);
            let back = unspell(text).unwrap_or_else(|| text.as_bytes().to_vec());
            assert_eq!(back, raw, "{text}");
        }
    }

    #[test]
    fn names_that_only_look_spelt_stay_themselves() {
        for text in ["\\x41", "\\xc3\\xa9", "\\xE9", "\\xzz", "\\x", "a\\x9", "\\x\u{1f600}"] {
            assert_eq!(unspell(text), None, "{text}");
        }
        assert_eq!(unspell("\\x41\\xe9"), Some(b"\\x41\xe9".to_vec()));
    }

    #[test]
    fn own_names_are_exact() {
        assert!(is_own(b".deepfs-0123456789abcdef.tmp"));
        assert!(is_own(b".deepfs-0123456789abcdef.bak"));
        for name in
            [".deepfs-.tmp", ".deepfs-notes.tmp", ".deepfs-0123456789abcdef", "x.deepfs-0123456789abcdef.tmp"]
        {
            assert!(!is_own(name.as_bytes()), "{name}");
        }
    }
}
