#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use encoding_rs::WINDOWS_1252;

#[test]
fn the_extension_rule() {
    let table = [
        ("/a.png", "image/png", true),
        ("/a.PNG", "image/png", true),
        ("/A.GIF", "image/gif", true),
        ("/a.tar.gz", "text/plain", false),
        ("/x.ts", "text/plain", true),
        ("/x.json", "application/json", true),
        ("/x.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", true),
        // A dot at the start of a name makes no extension.
        ("/.env", "text/plain", false),
        ("/.png", "text/plain", false),
        ("/a/.gitignore", "text/plain", false),
        ("/x.gitignore", "text/plain", true),
        ("/a.png/b", "text/plain", false),
        ("/a.png\\b", "text/plain", false),
        ("C:\\a\\b.pdf", "application/pdf", true),
        ("/Dockerfile", "text/plain", false),
        ("/a.", "text/plain", false),
        ("", "text/plain", false),
        ("/", "text/plain", false),
        ("a.b.svg", "image/svg+xml", true),
    ];
    for (path, mime, known) in table {
        assert_eq!((by_path(path), lookup(path).is_some()), (mime, known), "{path:?}");
    }
}

#[test]
fn which_types_are_text() {
    for mime in
        ["text/plain", "text/x-anything", "application/json", "application/javascript", "image/svg+xml"]
    {
        assert!(is_text(mime), "{mime}");
    }
    for mime in ["", "image/png", "application/xml", "application/octet-stream", "application/json5"] {
        assert!(!is_text(mime), "{mime}");
    }
    assert!(is_binary_path("/a.pdf"));
    assert!(!is_binary_path("/a.svg"));
    assert!(!is_binary_path("/a.zip"));
}

fn classified(path: &str, head: &[u8], sniff: bool) -> (String, Detected) {
    let Classified { mime, encoding } = classify(path, head, true, sniff);
    (mime, encoding)
}

#[test]
fn content_decides_where_the_path_does_not() {
    use Detected::{Binary, Legacy, Utf8};
    let zip: &[u8] = b"PK\x03\x04\x14\0\xff\xfe\x80\x81";
    let table: [(&str, &[u8], &str, Detected); 15] = [
        ("/a.zip", zip, "application/zip", Binary),
        ("/a.wasm", b"\0asm\x01\0\0\0", "application/wasm", Binary),
        ("/d.unheard", zip, "application/octet-stream", Binary),
        ("/noextension", zip, "application/octet-stream", Binary),
        // An extension of text is not evidence about bytes that are none.
        ("/a.ts", zip, "application/octet-stream", Binary),
        ("/a.txt", zip, "application/octet-stream", Binary),
        ("/a.xhtml", zip, "application/octet-stream", Binary),
        // A known binary type is never looked into.
        ("/a.png", b"text", "image/png", Binary),
        ("/a.pdf", b"", "application/pdf", Binary),
        ("/a.zip", b"text", "text/plain", Utf8),
        ("/a.ts", b"let a;", "text/plain", Utf8),
        ("/a.svg", b"<svg/>", "image/svg+xml", Utf8),
        ("/a.md", b"", "text/markdown", Utf8),
        ("/a.json", b"\xff\xfe{\0}\0", "application/json", Detected::Utf16Le),
        ("/a.txt", b"caf\xe9\n", "text/plain", Legacy(WINDOWS_1252)),
    ];
    for (path, head, mime, encoding) in table {
        assert_eq!(classified(path, head, true), (mime.to_owned(), encoding), "{path:?} {head:?}");
    }
}

#[test]
fn without_sniffing_the_path_decides() {
    let zip: &[u8] = b"PK\x03\x04\0";
    assert_eq!(classified("/a.zip", zip, false), ("text/plain".to_owned(), Detected::Utf8));
    assert_eq!(classified("/a.css", zip, false), ("text/css".to_owned(), Detected::Utf8));
    assert_eq!(classified("/a.mp3", b"text", false), ("audio/mpeg".to_owned(), Detected::Binary));
}

#[test]
fn no_extension_stands_twice_in_the_table() {
    let mut all: Vec<&str> = TYPES.iter().flat_map(|(_, extensions)| extensions.iter().copied()).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(all.iter().all(|extension| !extension.contains(|c: char| c.is_ascii_uppercase() || c == '.')));
}
