#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::{super::view::Cursor, *};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS, WINDOWS_1252, WINDOWS_1253};
use proptest::prelude::*;

const LEGACY: [&Encoding; 8] = [WINDOWS_1252, WINDOWS_1253, GBK, GB18030, BIG5, EUC_KR, EUC_JP, SHIFT_JIS];

#[test]
fn the_table_of_windows_1252_is_right() {
    for byte in 0..=u8::MAX {
        let (text, _) = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
        assert_eq!(text, windows_1252(byte).to_string(), "{byte:#x}");
    }
}

#[test]
fn decoding() {
    let table: [(&[u8], Detected, &str); 9] = [
        (b"a\xc3\xa9", Detected::Utf8, "a\u{e9}"),
        (b"\xef\xbb\xbfa", Detected::Utf8, "\u{feff}a"),
        (b"a\xe9\xc3\xa9\xff", Detected::Utf8, "a\u{e9}\u{e9}\u{ff}"),
        (b"\xe2\x82", Detected::Utf8, "\u{e2}\u{201a}"),
        (b"\xff\xfea\0", Detected::Utf16Le, "a"),
        (b"a\0", Detected::Utf16Le, "a"),
        (b"\x93a\x94", Detected::Legacy(WINDOWS_1252), "\u{201c}a\u{201d}"),
        // 0xFF is nothing in GBK; a lead byte before a line feed does not swallow it.
        (b"\xd6\xd0\xff\n\xd6\n\xd0", Detected::Legacy(GBK), "\u{4e2d}\u{ff}\n\u{d6}\n\u{d0}"),
        (b"\xd2", Detected::Legacy(WINDOWS_1253), "\u{d2}"),
    ];
    for (bytes, encoding, want) in table {
        assert_eq!(decode(bytes, encoding).unwrap(), want, "{bytes:?} {encoding:?}");
    }
    assert_eq!(decode(b"a", Detected::Binary), Err(Fault::new(ErrorKind::Binary)));
    for broken in [b"a\0b".as_slice(), b"\x3d\xd8", b"\0\xdc"] {
        assert_eq!(decode(broken, Detected::Utf16Le).unwrap_err().kind, ErrorKind::Encoding);
    }
}

#[test]
fn encoding() {
    let table: [(&str, Detected, &[u8]); 5] = [
        ("a\u{e9}", Detected::Utf8, b"a\xc3\xa9"),
        ("a", Detected::Utf16Be, b"\xfe\xff\0a"),
        ("\u{1f600}", Detected::Utf16Le, b"\xff\xfe\x3d\xd8\0\xde"),
        ("\u{20ac}", Detected::Legacy(WINDOWS_1252), b"\x80"),
        ("", Detected::Legacy(GBK), b""),
    ];
    for (text, encoding, want) in table {
        assert_eq!(encode(text, encoding).as_deref(), Ok(want), "{text:?} {encoding:?}");
    }
    let fault = encode("ok \u{1f600} \u{4e2d}", Detected::Legacy(WINDOWS_1252)).unwrap_err();
    assert_eq!(
        fault,
        Fault::with(ErrorKind::Encoding, "windows-1252 has no character '\u{1f600}' (U+1F600)")
    );
    assert_eq!(encode("a", Detected::Binary), Err(Fault::new(ErrorKind::Binary)));
}

fn any_legacy() -> impl Strategy<Value = Detected> {
    (0..LEGACY.len()).prop_map(|at| Detected::Legacy(LEGACY[at]))
}

proptest! {
    #[test]
    fn nothing_decodes_to_a_replacement_character(bytes in prop::collection::vec(any::<u8>(), 0..200), encoding in any_legacy()) {
        for encoding in [encoding, Detected::Utf8] {
            let text = decode(&bytes, encoding).unwrap();
            // EF BF BD is U+FFFD itself, in UTF-8 and (as four bytes) in GB18030.
            prop_assume!(!bytes.windows(3).any(|three| three == b"\xef\xbf\xbd"));
            prop_assume!(!bytes.windows(4).any(|four| four == b"\x84\x31\xa4\x37"));
            prop_assert!(!text.contains(char::REPLACEMENT_CHARACTER));
            let line_feeds = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
            prop_assert_eq!(line_feeds(text.as_bytes()), line_feeds(&bytes));
        }
    }

    #[test]
    fn encoding_and_decoding_are_inverse(text in "[ -~\n\u{a0}-\u{ff}\u{3042}\u{4e2d}\u{1f600}]{0,40}", encoding in any_legacy()) {
        for encoding in [encoding, Detected::Utf8, Detected::Utf16Le, Detected::Utf16Be] {
            if let Ok(bytes) = encode(&text, encoding) {
                prop_assert_eq!(decode(&bytes, encoding).unwrap(), &*text);
            }
        }
    }

    /// Every character boundary of the text is found again in the bytes, from anywhere before it: decoding what lies
    /// before it gives the text before it.
    #[test]
    fn places_in_text_are_places_in_bytes(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), 0x81_u8..=0xfe], 0..60),
        encoding in any_legacy(),
        stride in 1_usize..9,
    ) {
        for encoding in [encoding, Detected::Utf8] {
            let text = decode(&bytes, encoding).unwrap();
            let mut cursor = Cursor::new(&bytes, &text, encoding);
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for target in ends.step_by(stride) {
                // Inside the two characters that Big5 writes as one there is no place.
                let Some(byte) = cursor.advance(target) else {
                    prop_assert_eq!(encoding, Detected::Legacy(BIG5));
                    break;
                };
                let (before, after) = bytes.split_at(byte);
                prop_assert_eq!(&*decode(before, encoding).unwrap(), &text[..target]);
                prop_assert_eq!(&*decode(after, encoding).unwrap(), &text[target..]);
            }
        }
    }
}

#[test]
fn texts_in_the_forms_of_javascript() {
    for text in ["", "plain", "naïve façade", "größer, 世界, 🙂", "\u{ff}\u{100}"] {
        assert_eq!(utf16_units(text), text.encode_utf16().collect::<Vec<_>>(), "{text}");
        let latin1: Option<Vec<u8>> =
            text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect();
        assert_eq!(latin1_bytes(text), latin1, "{text}");
    }
}
