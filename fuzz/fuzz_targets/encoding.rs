//! Encodings and pages: text that is shown leads back to the bytes it came from, and pages add up to the whole.
#![no_main]

use arbitrary::Arbitrary;
use deepfs_core::{
    Fault, Unlimited,
    content::{Content, to_bytes},
    mime,
    storage::{Kind, Metadata, Source, Time},
    text::{self, Detected, LineWindow, Paged, page_source, page_text},
};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    name: &'a str,
    offset: u8,
    lines_a_page: u8,
    bytes: &'a [u8],
}

struct File<'a>(&'a [u8], Metadata);

impl Source for File<'_> {
    fn metadata(&self) -> &Metadata {
        &self.1
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.0.get(at..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fuzz_target!(|input: Input<'_>| {
    let Input { name, offset, lines_a_page, bytes } = input;
    let encoding = text::detect(bytes, true);
    let classified = mime::classify(name, bytes, true, true);
    assert_eq!(mime::is_text(&classified.mime), classified.encoding != Detected::Binary);
    let _ = text::detect(bytes, false);
    match text::decode(bytes, encoding) {
        Err(_) => assert!(matches!(encoding, Detected::Binary | Detected::Utf16Le | Detected::Utf16Be)),
        Ok(shown) => {
            // Where the text can be written in the encoding at all, it is read again as the same text.
            if let Ok(again) = text::encode(&shown, encoding) {
                assert_eq!(text::decode(&again, encoding).as_deref(), Ok(&*shown));
            }
            if encoding == Detected::Utf8 && std::str::from_utf8(bytes).is_ok() {
                assert_eq!(shown.as_bytes(), bytes);
            }
            pages_of_text(&shown, u64::from(lines_a_page) + 1);
        }
    }
    let metadata = Metadata {
        kind: Kind::File,
        size: bytes.len() as u64,
        created: Time::Unknown,
        modified: Time::Unknown,
        mime: None,
    };
    let file = File(bytes, metadata);
    let window = LineWindow { offset: u64::from(offset), limit: Some(u64::from(lines_a_page)) };
    let paged = page_source(&file, encoding, window, 1 << 20, &Unlimited);
    if let Ok(plain) = std::str::from_utf8(bytes)
        && encoding == Detected::Utf8
    {
        assert_eq!(paged, page_text(plain, window, 1 << 20));
        let _ = to_bytes(name, Content::Text(plain));
    }
});

/// Page after page is the whole text: nothing twice, nothing lost.
fn pages_of_text(text: &str, lines: u64) {
    let mut joined = String::new();
    let mut offset = 0;
    loop {
        let window = LineWindow { offset, limit: Some(lines) };
        match page_text(text, window, 1 << 30) {
            Ok(Paged::Empty) => return assert!(text.is_empty()),
            Ok(Paged::Page(page)) => {
                if offset > 0 {
                    joined.push('\n');
                }
                joined.push_str(&page.text);
                assert_eq!((page.start_line, page.end_line >= page.start_line), (offset + 1, true));
                match page.next_offset {
                    Some(next) => {
                        assert!(next > offset);
                        offset = next;
                    }
                    None => {
                        // A last page that ends with the last line leaves the final line feed out.
                        let whole = joined == text || Some(joined.as_str()) == text.strip_suffix('\n');
                        return assert!(whole, "{joined:?} is not {text:?}");
                    }
                }
            }
            other => panic!("{other:?}"),
        }
    }
}
