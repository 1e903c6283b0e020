#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "tests")]

use super::{LineSearch, Needle};
use crate::{
    error::{ErrorKind, Fault},
    limits::{Control, Unlimited},
    storage::{Candidate, FileMatches, Kind, Metadata, Source, Time},
};
use std::cell::Cell;

/// A file whose head is the first `head` bytes.
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    metadata: Metadata,
    pub(super) reads: Cell<usize>,
}

impl File {
    pub(super) fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let metadata = Metadata {
            kind: Kind::File,
            size: bytes.len() as u64,
            created: Time::Unknown,
            modified: Time::Unknown,
            mime: None,
        };
        Self { bytes, metadata, reads: Cell::new(0) }
    }

    pub(super) fn candidate(&self, head: usize) -> Candidate<'_> {
        let head = head.min(self.bytes.len());
        Candidate { path: "f", head: &self.bytes[..head], whole: head == self.bytes.len(), source: self }
    }
}

impl Source for File {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        self.reads.set(self.reads.get() + 1);
        let rest = self.bytes.get(usize::try_from(offset).unwrap()..).unwrap_or(&[]);
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

pub(super) fn looking_for(pattern: &str) -> LineSearch {
    LineSearch {
        needle: Needle::new(pattern).unwrap(),
        line_chars: 2_000,
        max_matches: 1_000,
        result_bytes: 1 << 20,
        max_file_bytes: 1 << 20,
    }
}

fn found(search: &LineSearch, bytes: &[u8]) -> Option<FileMatches> {
    search.inspect(&File::new(bytes).candidate(usize::MAX), &Unlimited).unwrap()
}

fn rows(pattern: &str, bytes: &[u8]) -> Vec<(u32, String)> {
    let found = found(&looking_for(pattern), bytes).unwrap_or_default();
    assert!(!found.more);
    found.lines.into_iter().zip(found.texts).collect()
}

#[test]
fn lines_are_numbered_from_one_and_lose_their_ends() {
    type Row<'a> = (&'a str, &'a [u8], &'a [(u32, &'a str)]);
    let table: [Row<'_>; 13] = [
        ("a", b"", &[]),
        ("a", b"b\nc\n", &[]),
        ("a", b"a", &[(1, "a")]),
        ("a", b"a\n", &[(1, "a")]),
        ("a", b"x\n\na b a\r\nc\nba", &[(3, "a b a"), (5, "ba")]),
        ("- [ ]", b"- [ ] todo\n", &[(1, "- [ ] todo")]),
        ("A", b"a\nA\n", &[(2, "A")]),
        (".*", b"ab\n.*\n", &[(2, ".*")]),
        ("a\nb", b"a\nb\n", &[]),
        ("a", b"\xef\xbb\xbfa b\na\n", &[(1, "a b"), (2, "a")]),
        ("\u{e9}", "caf\u{e9}\n".as_bytes(), &[(1, "caf\u{e9}")]),
        ("\r", b"a\rb\nc\n", &[(1, "a\rb")]),
        ("b\r", b"ab\r\nc\n", &[(1, "ab")]),
    ];
    for (pattern, bytes, expected) in table {
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(rows(pattern, bytes), expected, "{pattern:?} in {bytes:?}");
    }
}

#[test]
fn an_empty_pattern_is_refused() {
    let fault = Needle::new("").expect_err("every line has it");
    assert_eq!(fault, Fault::with(ErrorKind::InvalidArgument, "pattern must not be empty"));
}

#[test]
fn binary_files_are_skipped_and_other_encodings_read() {
    assert_eq!(found(&looking_for("needle"), b"needle\n\0"), None);
    let utf16 = |mark: [u8; 2], order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        mark.into_iter().chain("x\nd\u{e9}j\u{e0} needle\n".encode_utf16().flat_map(order)).collect()
    };
    let expected = [(2, "d\u{e9}j\u{e0} needle".to_owned())];
    for bytes in [utf16([0xff, 0xfe], u16::to_le_bytes), utf16([0xfe, 0xff], u16::to_be_bytes)] {
        assert_eq!(rows("needle", &bytes), expected);
        assert_eq!(rows("d\u{e9}j\u{e0}", &bytes), expected);
    }
    let latin1 = b"x\nd\xe9j\xe0 needle\n";
    assert_eq!(rows("needle", latin1), expected);
    assert_eq!(rows("d\u{e9}j\u{e0}", latin1), expected);
    assert_eq!(rows("d\u{ea}j\u{e0}", latin1), []);
}

#[test]
fn a_line_that_is_no_utf8_behind_a_head_that_is() {
    let bytes = [b"text\n".repeat(20), b"d\xe9j\xe0 needle\n".to_vec()].concat();
    let found = looking_for("needle").inspect(&File::new(bytes).candidate(50), &Unlimited).unwrap().unwrap();
    assert_eq!((found.lines, found.texts), (vec![21], vec!["d\u{e9}j\u{e0} needle".to_owned()]));
}

#[test]
fn collecting_stops_when_full_and_tells_whether_there_is_more() {
    let limited = |max_matches, result_bytes| LineSearch { max_matches, result_bytes, ..looking_for("a") };
    let bytes = b"a1\na2\nb\na3\n";
    let shape = |found: Option<FileMatches>| found.map(|found| (found.lines, found.more));
    assert_eq!(shape(found(&limited(2, 1 << 20), bytes)), Some((vec![1, 2], true)));
    assert_eq!(shape(found(&limited(3, 1 << 20), bytes)), Some((vec![1, 2, 4], false)));
    assert_eq!(shape(found(&limited(9, 3), bytes)), Some((vec![1, 2], true)));
    assert_eq!(found(&limited(0, 1 << 20), bytes), None);
    let text = limited(9, 1 << 20).search_text("a1\na2\nb\na3", 1);
    assert_eq!(text, FileMatches { lines: vec![1], texts: vec!["a1".to_owned()], more: true });
    assert_eq!(looking_for("a\nb").search_text("a\nb", 9), FileMatches::default());
}

#[test]
fn long_lines_are_cut_around_their_first_match() {
    let cut = |pattern: &str, line: &str, line_chars| {
        let search = LineSearch { line_chars, ..looking_for(pattern) };
        found(&search, line.as_bytes()).unwrap().texts.remove(0)
    };
    let table = [
        ("needle", "needle", 6, "needle"),
        ("needle", "0123456789needle0123456789", 10, "[8 characters cut]…89needle01…[8 characters cut]"),
        ("needle", "needle0123456789", 10, "needle0123…[6 characters cut]"),
        ("needle", "0123456789needle", 10, "[6 characters cut]…6789needle"),
        ("needle", "01needle0123456789", 10, "01needle01…[8 characters cut]"),
        ("needle", "0needle needle", 10, "0needle ne…[4 characters cut]"),
        ("needle", "xneedley", 3, "[1 characters cut]…nee…[4 characters cut]"),
        // Characters, not bytes.
        ("é", "ééééé", 5, "ééééé"),
        ("x", "éééééxééééé", 5, "[3 characters cut]…ééxéé…[3 characters cut]"),
        ("x", "😀😀😀x\r", 4, "😀😀😀x"),
    ];
    for (pattern, line, limit, expected) in table {
        assert_eq!(cut(pattern, line, limit), expected, "{line} at {limit}");
    }
}

#[test]
fn a_call_that_has_to_end_does() {
    struct Stop;
    impl Control for Stop {
        fn check(&self) -> Result<(), Fault> {
            Err(ErrorKind::Cancelled.into())
        }
    }
    let file = File::new(b"x\n".repeat(1000));
    assert_eq!(looking_for("y").inspect(&file.candidate(10), &Stop), Err(ErrorKind::Cancelled.into()));
    assert_eq!(file.reads.get(), 0);
}
