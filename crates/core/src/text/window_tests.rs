#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::{source_tests::Blocks, *};
use crate::limits::Unlimited;
use proptest::prelude::*;

pub(super) const CAP: u64 = 1 << 30;

pub(super) fn window(offset: u64, limit: impl Into<Option<u64>>) -> LineWindow {
    LineWindow { offset, limit: limit.into() }
}

fn paged(text: &str, offset: u64, limit: impl Into<Option<u64>>) -> Paged {
    page_text(text, window(offset, limit), CAP).unwrap()
}

/// The rule as it is written down: split, slice, join.
pub(super) fn by_splitting(text: &str, offset: u64, limit: Option<u64>) -> Paged {
    if text.is_empty() {
        return Paged::Empty;
    }
    let pieces: Vec<&str> = text.split('\n').collect();
    let total_lines = pieces.len() as u64 - u64::from(pieces.last() == Some(&""));
    if offset >= total_lines {
        return Paged::PastEnd { total_lines };
    }
    let behind = offset.saturating_add(limit.unwrap_or(u64::MAX));
    let end = behind.min(pieces.len() as u64);
    let end_line = behind.min(total_lines);
    Paged::Page(Page {
        text: pieces[usize::try_from(offset).unwrap()..usize::try_from(end).unwrap()].join("\n"),
        total_lines,
        start_line: offset + 1,
        end_line,
        next_offset: (end_line < total_lines).then_some(end_line),
        encoding: Detected::Utf8,
    })
}

/// Text, offset, limit; content, `totalLines`, `endLine`, `nextOffset` as deepagents 1.14.1 answers.
type Answer = (&'static str, u64, u64, &'static str, u64, u64, Option<u64>);

#[rustfmt::skip]
const UPSTREAM: &[Answer] = &[
    ("a", 0, 1, "a", 1, 1, None),
    ("a", 0, 2, "a", 1, 1, None),
    ("a", 0, 3, "a", 1, 1, None),
    ("a\n", 0, 1, "a", 1, 1, None),
    ("a\n", 0, 2, "a\n", 1, 1, None),
    ("a\n", 0, 3, "a\n", 1, 1, None),
    ("\n\n", 0, 1, "", 2, 1, Some(1)),
    ("\n\n", 0, 2, "\n", 2, 2, None),
    ("\n\n", 0, 3, "\n\n", 2, 2, None),
    ("\n\n", 1, 1, "", 2, 2, None),
    ("\n\n", 1, 2, "\n", 2, 2, None),
    ("\n\n", 1, 3, "\n", 2, 2, None),
    ("\n\n", 1, 500, "\n", 2, 2, None),
    ("a\r\nb\r\n", 0, 1, "a\r", 2, 1, Some(1)),
    ("a\r\nb\r\n", 0, 2, "a\r\nb\r", 2, 2, None),
    ("a\r\nb\r\n", 0, 3, "a\r\nb\r\n", 2, 2, None),
    ("a\r\nb\r\n", 1, 1, "b\r", 2, 2, None),
    ("a\r\nb\r\n", 1, 2, "b\r\n", 2, 2, None),
    ("a\r\nb\r\n", 1, 3, "b\r\n", 2, 2, None),
    ("a\r\nb\r\n", 1, 500, "b\r\n", 2, 2, None),
    ("x1\nx2\nx3", 0, 1, "x1", 3, 1, Some(1)),
    ("x1\nx2\nx3", 0, 2, "x1\nx2", 3, 2, Some(2)),
    ("x1\nx2\nx3", 0, 3, "x1\nx2\nx3", 3, 3, None),
    ("x1\nx2\nx3", 1, 1, "x2", 3, 2, Some(2)),
    ("x1\nx2\nx3", 1, 2, "x2\nx3", 3, 3, None),
    ("x1\nx2\nx3", 1, 3, "x2\nx3", 3, 3, None),
    ("x1\nx2\nx3", 1, 500, "x2\nx3", 3, 3, None),
    ("x1\nx2\nx3", 2, 1, "x3", 3, 3, None),
    ("x1\nx2\nx3", 2, 2, "x3", 3, 3, None),
    ("x1\nx2\nx3", 2, 3, "x3", 3, 3, None),
    ("x1\nx2\nx3", 2, 500, "x3", 3, 3, None),
    ("x1\nx2\nx3\n", 0, 1, "x1", 3, 1, Some(1)),
    ("x1\nx2\nx3\n", 0, 2, "x1\nx2", 3, 2, Some(2)),
    ("x1\nx2\nx3\n", 0, 3, "x1\nx2\nx3", 3, 3, None),
    ("x1\nx2\nx3\n", 1, 1, "x2", 3, 2, Some(2)),
    ("x1\nx2\nx3\n", 1, 2, "x2\nx3", 3, 3, None),
    ("x1\nx2\nx3\n", 1, 3, "x2\nx3\n", 3, 3, None),
    ("x1\nx2\nx3\n", 1, 500, "x2\nx3\n", 3, 3, None),
    ("x1\nx2\nx3\n", 2, 1, "x3", 3, 3, None),
    ("x1\nx2\nx3\n", 2, 2, "x3\n", 3, 3, None),
    ("x1\nx2\nx3\n", 2, 3, "x3\n", 3, 3, None),
    ("x1\nx2\nx3\n", 2, 500, "x3\n", 3, 3, None),
    ("a\n\n\nb", 0, 1, "a", 4, 1, Some(1)),
    ("a\n\n\nb", 0, 2, "a\n", 4, 2, Some(2)),
    ("a\n\n\nb", 0, 3, "a\n\n", 4, 3, Some(3)),
    ("a\n\n\nb", 1, 1, "", 4, 2, Some(2)),
    ("a\n\n\nb", 1, 2, "\n", 4, 3, Some(3)),
    ("a\n\n\nb", 1, 3, "\n\nb", 4, 4, None),
    ("a\n\n\nb", 1, 500, "\n\nb", 4, 4, None),
    ("a\n\n\nb", 2, 1, "", 4, 3, Some(3)),
    ("a\n\n\nb", 2, 2, "\nb", 4, 4, None),
    ("a\n\n\nb", 2, 3, "\nb", 4, 4, None),
    ("a\n\n\nb", 2, 500, "\nb", 4, 4, None),
    ("a\n\n\nb", 3, 1, "b", 4, 4, None),
    ("a\n\n\nb", 3, 2, "b", 4, 4, None),
    ("a\n\n\nb", 3, 3, "b", 4, 4, None),
    ("a\n\n\nb", 3, 500, "b", 4, 4, None),
];

#[test]
fn windows_are_the_upstreams() {
    for &(text, offset, limit, content, total_lines, end_line, next_offset) in UPSTREAM {
        let page = Page {
            text: content.to_owned(),
            total_lines,
            start_line: offset + 1,
            end_line,
            next_offset,
            encoding: Detected::Utf8,
        };
        assert_eq!(paged(text, offset, limit), Paged::Page(page), "{text:?} {offset} {limit}");
    }
}

#[test]
fn empty_blank_and_past_the_end_are_three_things() {
    assert_eq!(paged("", 0, 500), Paged::Empty);
    assert_eq!(paged("", 7, 0), Paged::Empty);
    assert_eq!(paged("a\nb\nc\n", 3, 1), Paged::PastEnd { total_lines: 3 });
    assert_eq!(paged("a\nb\nc", 3, None), Paged::PastEnd { total_lines: 3 });
    assert_eq!(paged("a", u64::MAX, None), Paged::PastEnd { total_lines: 1 });
    assert_eq!(paged("a", u64::MAX, 0), Paged::PastEnd { total_lines: 1 });
    assert_eq!(paged("\n\n\n", 0, None), by_splitting("\n\n\n", 0, None));
    let Paged::Page(blank) = paged("\n\n\n", 0, None) else { panic!() };
    assert_eq!((blank.text.as_str(), blank.total_lines, blank.end_line), ("\n\n\n", 3, 3));
}

#[test]
fn no_lines_is_a_page_that_says_where_it_is() {
    let page = Page {
        text: String::new(),
        total_lines: 3,
        start_line: 2,
        end_line: 1,
        next_offset: Some(1),
        encoding: Detected::Utf8,
    };
    assert_eq!(paged("a\nb\nc\n", 1, 0), Paged::Page(page));
}

#[test]
fn a_mark_at_the_start_stays_as_upstream_shows_it() {
    let Paged::Page(page) = paged("\u{feff}a\r\nb\n", 0, 1) else { panic!() };
    assert_eq!((page.text.as_str(), page.next_offset), ("\u{feff}a\r", Some(1)));
}

#[test]
fn too_much_is_an_error_that_says_what_to_do() {
    let text = "12345\n".repeat(10);
    assert!(page_text(&text, window(0, 2), 11).is_ok());
    let several = page_text(&text, window(0, 3), 11).unwrap_err();
    assert_eq!(
        several,
        Fault::with(
            ErrorKind::TooLarge,
            "lines 1 to 3 have 17 bytes, the limit is 11; read fewer lines at a time with a smaller limit"
        )
    );
    let one = page_text(&text, window(1, 1), 4).unwrap_err();
    assert_eq!(
        one,
        Fault::with(
            ErrorKind::TooLarge,
            "line 2 alone has 5 bytes, the limit is 4; search it with grep instead of reading it"
        )
    );
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => Just("\n".to_owned()),
        2 => Just("\r\n".to_owned()),
        1 => Just("\r".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        4 => "[a-z \u{e9}\u{4e2d}\u{1f600}]{0,8}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn one_meaning_wherever_the_text_lives(
        text in texts(),
        offset in 0_u64..50,
        limit in prop::option::of(0_u64..50),
    ) {
        let want = by_splitting(&text, offset, limit);
        let window = window(offset, limit);
        prop_assert_eq!(&page_text(&text, window, CAP).unwrap(), &want);
        let source = Blocks::new(text.into_bytes());
        prop_assert_eq!(&page_source(&source, Detected::Utf8, window, CAP, &Unlimited).unwrap(), &want);
        let mut index = LineIndex::default();
        for _ in 0..2 {
            let page = page_indexed(&source, Detected::Utf8, window, CAP, &Unlimited, &mut index).unwrap();
            prop_assert_eq!(&page, &want);
        }
    }

    #[test]
    fn pages_put_together_are_the_text(text in texts(), size in 1_u64..7) {
        let mut pages = Vec::new();
        let mut next = Some(0);
        while let Some(offset) = next {
            match paged(&text, offset, size) {
                Paged::Page(page) => {
                    next = page.next_offset;
                    pages.push(page.text);
                }
                Paged::Empty => next = None,
                other @ Paged::PastEnd { .. } => return Err(TestCaseError::fail(format!("{other:?}"))),
            }
        }
        // The last page ends before the final line feed when it is full.
        let joined = pages.join("\n");
        let lines = text.split('\n').count() as u64 - u64::from(text.ends_with('\n'));
        let full = text.ends_with('\n') && lines.is_multiple_of(size);
        prop_assert_eq!(if full { joined + "\n" } else { joined }, text);
    }
}
