#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use crate::text::encode;
use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, KOI8_R, SHIFT_JIS, WINDOWS_1250, WINDOWS_1252};
use proptest::prelude::*;

fn edited(bytes: &[u8], old: &str, new: &str) -> Result<Vec<u8>, Fault> {
    replace_bytes(bytes, old, new, false).map(|done| done.content.concat())
}

#[test]
fn bytes_that_are_not_named_stay() {
    let table: [(&[u8], &str, &str, &[u8]); 13] = [
        // Latin-1: elsewhere, beside, inside, and new characters in the file's encoding.
        (b"caf\xe9\nx=1\n", "x=1", "x=2", b"caf\xe9\nx=2\n"),
        (b"caf\xe9\nx=1\n", "caf\u{e9}\nx", "th\u{e9}\ny", b"th\xe9\ny=1\n"),
        (b"caf\xe9\r\nx=1\r\n", "caf\u{e9}\nx", "caf\u{e9}\n\u{fc}\ny", b"caf\xe9\r\n\xfc\r\ny=1\r\n"),
        (b"\x93quoted\x94 \x80 5\n", "\u{201c}quoted\u{201d}", "'plain'", b"'plain' \x80 5\n"),
        // UTF-8 with foreign bytes.
        (
            "na\u{ef}ve \u{20ac}5 \u{e9}t\u{e9}\n".as_bytes(),
            "5",
            "6",
            "na\u{ef}ve \u{20ac}6 \u{e9}t\u{e9}\n".as_bytes(),
        ),
        (b"\xc3\xa9t\xc3\xa9 \xe9 x=1", "x=1", "x=\u{e9}", b"\xc3\xa9t\xc3\xa9 \xe9 x=\xc3\xa9"),
        // What old and new share is not rewritten, though the encoder would write it otherwise.
        (b"\xc3\xa9t\xc3\xa9 \xe9 x=1", "\u{e9} x=1", "\u{e9} x=2", b"\xc3\xa9t\xc3\xa9 \xe9 x=2"),
        (b"\xef\xbb\xbfint a;\n", "int a;", "int b;", b"\xef\xbb\xbfint b;\n"),
        // UTF-16 keeps its mark and its line ends.
        (b"\xff\xfea\0\r\0\n\0b\0", "a\nb", "c\nd", b"\xff\xfec\0\r\0\n\0d\0"),
        (b"\xfe\xff\0a\0\n\0b", "b", "\u{1f600}", b"\xfe\xff\0a\0\n\xd8\x3d\xde\x00"),
        // The second byte of a character is no backslash.
        (
            b"\x83\x5c\x83\x74\x83\x67\x82\xcd\x82\xa2\x82\xa2 \\n\n",
            "\\n",
            "/n",
            b"\x83\x5c\x83\x74\x83\x67\x82\xcd\x82\xa2\x82\xa2 /n\n",
        ),
        (b"", "", "x", b"x"),
        (b"a\x1b[0m \x07\x08\xe9t\xe9", "a", "b", b"b\x1b[0m \x07\x08\xe9t\xe9"),
    ];
    for (bytes, old, new, want) in table {
        assert_eq!(edited(bytes, old, new).as_deref(), Ok(want), "{bytes:?} {old:?}");
    }
}

#[test]
fn binary_is_refused() {
    let table: [&[u8]; 4] = [
        b"\x89PNG\r\n\x1a\n\xff\xfetext",
        b"SQLite format 3\0\x10\0\x01\x01\xff\xfd\x80alice",
        b"PK\x03\x04\xff\xfe\0\x80",
        b"a\0b",
    ];
    for bytes in table {
        assert_eq!(edited(bytes, "a", "b"), Err(Fault::new(ErrorKind::Binary)), "{bytes:?}");
    }
}

#[test]
fn a_character_the_encoding_lacks_is_refused() {
    assert_eq!(
        edited(b"caf\xe9 au lait\n", "lait", "\u{4e2d}"),
        Err(Fault::with(ErrorKind::Encoding, "windows-1252 has no character '\u{4e2d}' (U+4E2D)"))
    );
    // Shift_JIS would write the yen sign as a backslash.
    let (bytes, _, _) =
        SHIFT_JIS.encode("\u{65e5}\u{672c}\u{8a9e}\u{306e}\u{30c6}\u{30ad}\u{30b9}\u{30c8} price");
    assert_eq!(
        edited(&bytes, "price", "\u{a5}5"),
        Err(Fault::with(ErrorKind::Encoding, "Shift_JIS has no character '\u{a5}' (U+00A5)"))
    );
}

#[test]
fn the_rules_of_text_hold_for_bytes() {
    let kind = |old, new| edited(b"caf\xe9 caf\xe9", old, new).unwrap_err().kind;
    assert_eq!(kind("caf\u{e9}", "x"), ErrorKind::Ambiguous);
    assert_eq!(kind("th\u{e9}", "x"), ErrorKind::NoMatch);
    assert_eq!(kind("", "x"), ErrorKind::EmptyOldString);
    assert_eq!(kind("caf", "caf"), ErrorKind::NoChange);
    assert_eq!(
        replace_bytes(b"caf\xe9 caf\xe9", "\u{e9}", "\u{e8}", true),
        Ok(Replaced { content: b"caf\xe8 caf\xe8".to_vec().into(), occurrences: 2, filled: false })
    );
}

#[test]
fn what_a_page_behind_the_head_shows_can_be_edited() {
    let head = "plain\n".repeat(20_000).into_bytes();
    let (tail, _, _) = GBK.encode("\u{8fd9}\u{662f}\u{4e00}\u{4e2a}\u{6d4b}\u{8bd5}\u{6587}\u{4ef6}\u{ff0c}\u{5185}\u{5bb9}\u{5f88}\u{7b80}\u{5355}\u{3002}\nx=1\n");
    let bytes = [head.as_slice(), &tail].concat();
    let (new, _, _) = GBK.encode(
        "\u{8fd9}\u{662f}\u{6587}\u{4ef6}\u{ff0c}\u{5185}\u{5bb9}\u{5f88}\u{7b80}\u{5355}\u{3002}\nx=1\n",
    );
    let want = [head.as_slice(), &new].concat();
    let old = "\u{4e00}\u{4e2a}\u{6d4b}\u{8bd5}\u{6587}";
    assert!(edited(&bytes, old, "\u{6587}").unwrap() == want);
    // A single foreign byte there, between characters of UTF-8.
    let bytes = [head.as_slice(), b"\xc3\xa9t\xc3\xa9\n\xe9 x=1\n"].concat();
    let want = [head.as_slice(), b"\xc3\xa9t\xc3\xa9\n\xe9 x=2\n"].concat();
    assert!(edited(&bytes, "\u{e9} x=1", "\u{e9} x=2").unwrap() == want);
}

#[test]
fn an_edit_that_would_make_new_characters_of_old_bytes_is_refused() {
    // Without the blank, the two foreign bytes would read as one letter.
    let bytes = b"\xe4\xb8\xad\xe6\x96\x87 \xc3-\xa9";
    assert_eq!(edited(bytes, "-", "").map_err(|fault| fault.kind), Err(ErrorKind::Encoding));
}

const ENCODINGS: [(&encoding_rs::Encoding, &str); 9] = [
    (WINDOWS_1252, "[a-z\u{e9}\u{e0}\u{20ac}\\\\]"),
    (WINDOWS_1250, "[a-z\u{15b}\u{17c}\\\\]"),
    (KOI8_R, "[a-z\u{430}-\u{44f}]"),
    (GBK, "[a-z\u{4e00}-\u{4e40}\\\\]"),
    (GB18030, "[a-z\u{e9}\u{4e00}-\u{4e40}\u{1f600}\\\\]"),
    (BIG5, "[a-z\u{4e00}-\u{4e03}\u{8c61}\\\\]"),
    (EUC_KR, "[a-z\u{ac00}-\u{ac08}]"),
    (EUC_JP, "[a-z\u{3042}-\u{3060}\u{ff71}]"),
    (SHIFT_JIS, "[a-z\u{3042}-\u{3060}\u{30bd}\u{8868}\u{ff71}]"),
];

/// A text in some encoding, cut in three, and a replacement for the middle.
fn parts() -> impl Strategy<Value = (&'static encoding_rs::Encoding, [String; 4])> {
    (0..ENCODINGS.len()).prop_flat_map(|at| {
        let (encoding, class) = ENCODINGS[at];
        let part = |least: u32| format!("({class}|\n|\r\n){{{least},8}}");
        let parts = [part(0), part(1), part(0), part(0)];
        (Just(encoding), parts.each_ref().map(|part| proptest::string::string_regex(part).unwrap()))
    })
}

proptest! {
    #[test]
    fn an_edit_in_any_encoding_is_the_edit_of_its_text((encoding, [before, old, after, new]) in parts()) {
        let text = [before, old.clone(), after].concat();
        let encodings =
            [Detected::Legacy(encoding), Detected::Utf8, Detected::Utf16Le, Detected::Utf16Be];
        let want = replace_text(&text, &old, &new, false);
        for encoding in encodings {
            let Ok(bytes) = encode(&text, encoding) else { continue };
            // A new character that the encoding lacks is the one thing that can go wrong besides.
            let want = want.clone().and_then(|want| encode(&want.content, encoding));
            let outcome = replace_decoded(&bytes, encoding, &old, &new, false).map(|done| done.content);
            prop_assert_eq!(outcome.map_err(|fault| fault.kind), want.map_err(|fault| fault.kind));
        }
    }

    /// Whatever the bytes are, only the marked place changes.
    #[test]
    fn prefix_and_suffix_stay(
        before in prop::collection::vec(any::<u8>(), 0..40),
        after in prop::collection::vec(any::<u8>(), 0..40),
        at in 0..ENCODINGS.len(),
    ) {
        for encoding in [Detected::Utf8, Detected::Legacy(ENCODINGS[at].0)] {
            let bytes = [&before[..], b"\n<<mark>>\n", &after].concat();
            let done = replace_decoded(&bytes, encoding, "<<mark>>", "<<done>>", false).unwrap();
            prop_assert_eq!(done.content, [&before[..], b"\n<<done>>\n", &after].concat());
        }
    }
}
