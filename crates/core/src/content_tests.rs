#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use base64::engine::general_purpose;
use proptest::prelude::*;

fn at_png(text: &str) -> Option<Vec<u8>> {
    to_bytes("/a.png", Content::Text(text)).ok().map(Cow::into_owned)
}

#[test]
fn text_and_bytes_pass_as_they_are() {
    for text in ["", "aGk=", "data:,x", "Hello, world!", "\u{1f600}\r\n"] {
        assert_eq!(to_bytes("/a.txt", Content::Text(text)), Ok(Cow::Borrowed(text.as_bytes())));
        // What a zip is nobody knows before its content is seen.
        assert_eq!(to_bytes("/a.zip", Content::Text(text)), Ok(Cow::Borrowed(text.as_bytes())));
    }
    for path in ["/a.txt", "/a.png"] {
        assert_eq!(to_bytes(path, Content::Bytes(b"\0\xff")), Ok(Cow::Borrowed(b"\0\xff".as_slice())));
    }
}

#[test]
fn base64_at_a_binary_path() {
    let table: [(&str, &[u8]); 21] = [
        ("", b""),
        ("  \n", b""),
        ("aGk=", b"hi"),
        ("aGk", b"hi"),
        ("YQ==", b"a"),
        ("YQ", b"a"),
        ("  aGk=\n", b"hi"),
        ("iVBO\nRw==", b"\x89PNG"),
        ("iVB\r\nORw==", b"\x89PNG"),
        ("iVBO Rw==", b"\x89PNG"),
        ("\tiVBO\n\tRw==", b"\x89PNG"),
        ("+/+/", b"\xfb\xff\xbf"),
        ("-_-_", b"\xfb\xff\xbf"),
        ("data:image/png;base64,iVBORw==", b"\x89PNG"),
        ("DATA:image/png;charset=utf-8;BASE64,iVBORw==", b"\x89PNG"),
        ("data:;base64,iVBORw%3D%3D", b"\x89PNG"),
        ("data:image/png;base64,", b""),
        ("\ndata:image/png;base64,iVBO\nRw==\n", b"\x89PNG"),
        ("data:text/plain,a%20b%C3%a9", b"a b\xc3\xa9"),
        ("data:,a+b", b"a+b"),
        ("data:,", b""),
    ];
    for (text, want) in table {
        assert_eq!(at_png(text).as_deref(), Some(want), "{text:?}");
    }
}

#[test]
fn other_text_at_a_binary_path_is_refused() {
    let table = [
        "Hello, world! This is my report.",
        "This is a plain text with words of all kinds",
        "Hello",
        "report",
        "not base64 \u{2713}",
        "aGk==",
        "aGk=aGk=",
        "=aGk",
        "aGl",
        "+/-_",
        "aG\u{a0}k=",
        "data:image/png;base64",
        "data:image/png;base64,Hello!",
        "data:,%",
        "data:,%4",
        "data:,%zz",
        "data:,%+1",
        "data:;base64,%ff",
    ];
    for text in table {
        assert_eq!(at_png(text), None, "{text:?}");
    }
}

#[test]
fn the_refusal_says_the_way_out() {
    let fault = to_bytes("/notes.pdf", Content::Text("Hello, world! This is my report.")).unwrap_err();
    assert_eq!(
        fault,
        Fault::with(
            ErrorKind::InvalidContent,
            "this path is a binary type (application/pdf): send base64, a data: URL, or bytes"
        )
    );
}

proptest! {
    #[test]
    fn every_encoders_output_is_taken(bytes in prop::collection::vec(any::<u8>(), 0..200), width in 1_usize..90) {
        for engine in [
            general_purpose::STANDARD,
            general_purpose::STANDARD_NO_PAD,
            general_purpose::URL_SAFE,
            general_purpose::URL_SAFE_NO_PAD,
        ] {
            let text = engine.encode(&bytes);
            let lines: Vec<&str> =
                text.as_bytes().chunks(width).map(|line| std::str::from_utf8(line).unwrap()).collect();
            for sent in [text.clone(), format!("data:image/png;base64,{text}"), lines.join("\r\n")] {
                prop_assert_eq!(at_png(&sent), Some(bytes.clone()));
            }
        }
    }
}
