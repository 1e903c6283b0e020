#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::{
    tests::{CAP, by_splitting, window},
    *,
};
use crate::{
    limits::Unlimited,
    storage::{Kind, Metadata, Time},
    text::{detect, encode},
};
use std::{cell::Cell, sync::atomic::AtomicU32, sync::atomic::Ordering};

/// A file that lives in memory but does not say so, and counts what is read of it.
pub(super) struct Blocks {
    bytes: Vec<u8>,
    metadata: Metadata,
    pub read: Cell<u64>,
}

impl Blocks {
    pub fn new(bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        let metadata =
            Metadata { kind: Kind::File, size, created: Time::Unknown, modified: Time::Unknown, mime: None };
        Self { bytes, metadata, read: Cell::new(0) }
    }
}

impl Source for Blocks {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let rest = self.bytes.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

#[test]
fn a_repeated_read_of_a_large_file_touches_a_block_or_two() {
    let mut bytes = Vec::new();
    for line in 0..400_000 {
        bytes.extend_from_slice(format!("line {line}\n").as_bytes());
    }
    let size = bytes.len() as u64;
    let source = Blocks::new(bytes);
    let mut index = LineIndex::default();
    let first =
        page_indexed(&source, Detected::Utf8, window(300_000, 2), CAP, &Unlimited, &mut index).unwrap();
    assert!(source.read.get() >= size);
    assert_eq!((index.total_lines(), index.total_bytes()), (400_000, size));
    source.read.set(0);
    let again =
        page_indexed(&source, Detected::Utf8, window(300_000, 2), CAP, &Unlimited, &mut index).unwrap();
    assert_eq!(first, again);
    let Paged::Page(page) = again else { panic!() };
    assert_eq!(page.text, "line 300000\nline 300001");
    assert!(source.read.get() <= 2 * 64 * 1024, "{} bytes", source.read.get());
}

#[test]
fn an_index_of_another_file_is_not_used() {
    let mut index = LineIndex::default();
    for text in ["a\nb\n", "a\nb\nc\n", "", "x"] {
        let source = Blocks::new(text.into());
        let page = page_indexed(&source, Detected::Utf8, window(0, 9), CAP, &Unlimited, &mut index).unwrap();
        assert_eq!(page, by_splitting(text, 0, Some(9)), "{text:?}");
    }
}

#[test]
fn a_size_that_lies_does_not_matter() {
    // Files of /proc have size 0 and content.
    let mut source = Blocks::new("cpu 1\n".repeat(20_000).into_bytes());
    source.metadata.size = 0;
    let page = page_source(&source, Detected::Utf8, window(19_999, 5), CAP, &Unlimited).unwrap();
    let Paged::Page(page) = page else { panic!() };
    assert_eq!((page.text.as_str(), page.total_lines, page.end_line), ("cpu 1\n", 20_000, 20_000));
}

#[test]
fn utf_16_pages_are_those_of_its_text() {
    let text = "h\u{e9}llo\r\n\u{1f600}\n\u{a0a}\n\u{feff}x\nlast";
    for encoding in [Detected::Utf16Le, Detected::Utf16Be] {
        let bytes = encode(text, encoding).unwrap();
        assert_eq!(detect(&bytes, true), encoding);
        let source = Blocks::new(bytes);
        for offset in 0..6 {
            for limit in [Some(0), Some(1), Some(2), None] {
                let mut want = by_splitting(text, offset, limit);
                if let Paged::Page(page) = &mut want {
                    page.encoding = encoding;
                }
                let page = page_source(&source, encoding, window(offset, limit), CAP, &Unlimited).unwrap();
                assert_eq!(page, want, "{encoding:?} {offset} {limit:?}");
            }
        }
    }
    let mark = Blocks::new(b"\xff\xfe".to_vec());
    assert_eq!(page_source(&mark, Detected::Utf16Le, window(0, 1), CAP, &Unlimited), Ok(Paged::Empty));
    let odd = Blocks::new(b"\xff\xfea\0\n\0b".to_vec());
    let fault = page_source(&odd, Detected::Utf16Le, window(0, None), CAP, &Unlimited).unwrap_err();
    assert_eq!(fault.kind, ErrorKind::Encoding);
}

#[test]
fn foreign_lines_behind_a_plain_head_are_decoded_not_replaced() {
    let mut bytes = "plain\n".repeat(20_000).into_bytes();
    bytes.extend_from_slice(b"caf\xe9 au lait\n");
    let source = Blocks::new(bytes);
    let page = page_source(&source, Detected::Utf8, window(20_000, 1), CAP, &Unlimited).unwrap();
    let Paged::Page(page) = page else { panic!() };
    assert_eq!((page.text.as_str(), page.encoding.label()), ("caf\u{e9} au lait", Some("windows-1252")));
    let Paged::Page(head) = page_source(&source, Detected::Utf8, window(0, 1), CAP, &Unlimited).unwrap()
    else {
        panic!()
    };
    assert_eq!((head.text.as_str(), head.encoding), ("plain", Detected::Utf8));
}

#[test]
fn lines_that_are_not_text_are_not_shown() {
    let mut bytes = "plain\n".repeat(20_000).into_bytes();
    bytes.extend_from_slice(b"\xff\xd8\x00\x01\x02\n");
    let source = Blocks::new(bytes);
    let fault = page_source(&source, Detected::Utf8, window(20_000, 1), CAP, &Unlimited).unwrap_err();
    assert_eq!(fault, Fault::with(ErrorKind::Binary, "lines 20001 to 20001 are not text"));
    let fault = page_source(&source, Detected::Binary, window(0, 1), CAP, &Unlimited).unwrap_err();
    assert_eq!(fault, Fault::new(ErrorKind::Binary));
}

#[test]
fn a_call_that_was_cancelled_stops() {
    struct Countdown(AtomicU32);
    impl Control for Countdown {
        fn check(&self) -> Result<(), Fault> {
            let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            left.map(|_| ()).map_err(|_| ErrorKind::Cancelled.into())
        }
    }
    let source = Blocks::new(vec![b'x'; 1 << 20]);
    let control = Countdown(AtomicU32::new(2));
    let fault = page_source(&source, Detected::Utf8, window(0, 1), CAP, &control).unwrap_err();
    assert_eq!(fault.kind, ErrorKind::Cancelled);
    assert!(source.read.get() < 1 << 20);
}

/// Blocks, chunks and marks meet line feeds at every edge; a file of a few megabytes has all of these.
#[test]
fn edges_of_blocks_are_no_edges_of_lines() {
    for line in [3, 64, 65_535, 65_536, 65_537, 262_143] {
        let text = format!("{}\n", "x".repeat(line - 1)).repeat((300_000 / line).max(3)) + "end";
        let total = text.split('\n').count() as u64;
        let source = Blocks::new(text.clone().into_bytes());
        let mut index = LineIndex::default();
        for offset in [0, 1, total / 2, total.saturating_sub(2), total - 1, total] {
            for limit in [1, 2, 5_000] {
                let page =
                    page_indexed(&source, Detected::Utf8, window(offset, limit), CAP, &Unlimited, &mut index);
                assert!(page.unwrap() == by_splitting(&text, offset, Some(limit)), "{line} {offset} {limit}");
            }
        }
    }
}
