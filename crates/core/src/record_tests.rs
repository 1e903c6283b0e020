#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use crate::{
    mime::classify,
    text::{Detected, decode},
};

/// As an upload stores bytes.
fn stored(path: &str, bytes: &[u8]) -> Record {
    let mime = classify(path, bytes, true, true).mime;
    Record::from_bytes(path, bytes.to_vec(), &mime, "now", None)
}

fn record(body: Body, mime: &str) -> Record {
    Record { body, mime: mime.to_owned(), created: "now".to_owned(), modified: "now".to_owned() }
}

#[test]
fn text_is_kept_as_text_and_all_else_as_bytes() {
    let text = |text: &str| Body::Text(text.to_owned());
    let bytes = |bytes: &[u8]| Body::Bytes(bytes.to_vec());
    let table: [(&str, &[u8], Body, &str); 8] = [
        ("/a.txt", b"", text(""), "text/plain"),
        ("/a.md", b"# \xc3\xa9\r\n", text("# \u{e9}\r\n"), "text/markdown"),
        ("/a.txt", b"\xef\xbb\xbfx", text("\u{feff}x"), "text/plain"),
        ("/a.txt", b"caf\xe9", bytes(b"caf\xe9"), "application/octet-stream"),
        ("/a.txt", b"\xff\xfeh\0", bytes(b"\xff\xfeh\0"), "application/octet-stream"),
        ("/a.txt", b"a\0b", bytes(b"a\0b"), "application/octet-stream"),
        ("/a.zip", b"PK\x03\x04\xff\xfe\0\x80", bytes(b"PK\x03\x04\xff\xfe\0\x80"), "application/zip"),
        ("/a.png", b"text", bytes(b"text"), "image/png"),
    ];
    for (path, content, body, mime) in table {
        let kept = stored(path, content);
        assert_eq!(kept, record(body, mime), "{path:?} {content:?}");
        assert_eq!((kept.bytes(), kept.size()), (content, content.len() as u64));
    }
}

#[test]
fn bytes_of_a_legacy_text_can_still_be_shown() {
    let kept = stored("/a.txt", b"caf\xe9");
    let encoding = classify("/a.txt", kept.bytes(), true, true).encoding;
    assert_ne!(encoding, Detected::Binary);
    assert_eq!(decode(kept.bytes(), encoding).unwrap(), "caf\u{e9}");
}

#[test]
fn sizes_are_bytes() {
    assert_eq!(record(Body::Text("\u{e9}\u{1f600}".to_owned()), "text/plain").size(), 6);
}

#[test]
fn an_overwritten_file_keeps_its_creation_time() {
    let first = Record::from_bytes("/a.txt", b"1".to_vec(), "text/plain", "monday", None);
    assert_eq!((first.created.as_str(), first.modified.as_str()), ("monday", "monday"));
    let second = Record::from_bytes("/a.txt", b"2".to_vec(), "text/plain", "tuesday", Some(&first));
    let want = Record {
        body: Body::Text("2".to_owned()),
        mime: "text/plain".to_owned(),
        created: "monday".to_owned(),
        modified: "tuesday".to_owned(),
    };
    assert_eq!(second, want);
}

#[test]
fn lines_of_the_first_format() {
    let table: [(&str, &[&str]); 6] = [
        ("", &[""]),
        ("a", &["a"]),
        ("a\n", &["a", ""]),
        ("a\r\nb", &["a\r", "b"]),
        ("\n\n", &["", "", ""]),
        ("\u{e9}\nb\n", &["\u{e9}", "b", ""]),
    ];
    for (text, lines) in table {
        assert_eq!(lines_of(text), lines, "{text:?}");
        assert_eq!(text_of(lines), text, "{text:?}");
    }
    assert_eq!(text_of::<&str>(&[]), "");
    assert_eq!(text_of(&["a".to_owned(), "b".to_owned()]), "a\nb");
}
