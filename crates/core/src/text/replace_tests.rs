#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;
use proptest::prelude::*;

/// `Ok` with the content and the number of replacements, or the kind of the fault.
fn edited(text: &str, old: &str, new: &str, all: bool) -> Result<(String, usize), ErrorKind> {
    let shown = |content: String, occurrences, filled: bool| {
        assert!(!filled);
        (content, occurrences)
    };
    let outcome = replace_text(text, old, new, all)
        .map(|done| shown(done.content, done.occurrences, done.filled))
        .map_err(|fault| fault.kind);
    let on_bytes = replace_bytes(text.as_bytes(), old, new, all)
        .map(|done| shown(String::from_utf8(done.content.concat()).unwrap(), done.occurrences, done.filled))
        .map_err(|fault| fault.kind);
    // Text that may be something else as bytes is refused there.
    if on_bytes != Err(ErrorKind::Binary) {
        assert_eq!(on_bytes, outcome, "{text:?} {old:?} {new:?}");
    }
    outcome
}

#[test]
fn one_occurrence_is_replaced_literally() {
    let table = [
        ("P=X\n", "X", "$$ $& $1 $` $'", "P=$$ $& $1 $` $'\n"),
        ("\u{feff}int a;\n", "int a;", "int b;", "\u{feff}int b;\n"),
        ("a\r\nb\nc", "c", "C", "a\r\nb\nC"),
        ("a.b*c", ".b*", "", "ac"),
        ("\u{1f600}\u{1f601}", "\u{1f601}", "x", "\u{1f600}x"),
        ("abc", "abc", "", ""),
        ("a\0b", "\0", "-", "a-b"),
    ];
    for (text, old, new, want) in table {
        assert_eq!(edited(text, old, new, false), Ok((want.to_owned(), 1)), "{text:?} {old:?}");
    }
}

#[test]
fn refusals() {
    use ErrorKind::{Ambiguous, EmptyOldString, NoChange, NoMatch};
    let table = [
        ("abc", "", "x", EmptyOldString),
        ("abc", "", "", EmptyOldString),
        ("abc", "b", "b", NoChange),
        ("abc", "x", "x", NoChange),
        ("abc", "x", "y", NoMatch),
        ("", "x", "y", NoMatch),
        ("abcabc", "abc", "y", Ambiguous),
        ("aaa", "aa", "y", Ambiguous),
        ("x\r\ny\r\n", "x\n\ny", "z", NoMatch),
    ];
    for (text, old, new, want) in table {
        assert_eq!(edited(text, old, new, false), Err(want), "{text:?} {old:?}");
    }
}

#[test]
fn occurrences_are_counted_as_what_they_are() {
    let table = [
        ("aaa", "aa", 2),
        ("aaaaa", "aa", 4),
        ("abababa", "aba", 3),
        ("aabaabaa", "aabaa", 2),
        ("x.x.x", "x", 3),
        ("l\r\nl\r\nl\r\n", "l\nl", 2),
    ];
    for (text, old, count) in table {
        let fault = replace_text(text, old, "new", false).unwrap_err();
        assert_eq!(
            fault,
            Fault::with(ErrorKind::Ambiguous, message::ambiguous(old, count)),
            "{text:?} {old:?}"
        );
    }
    // Replacing all goes from left to right and says how many that were.
    assert_eq!(edited("aaaaa", "aa", "b", true), Ok(("bba".to_owned(), 2)));
    assert_eq!(edited("x.x.x", "x", "", true), Ok(("..".to_owned(), 3)));
}

#[test]
fn an_empty_file_is_filled() {
    let filled = |content: &str| Ok(Replaced { content: content.to_owned(), occurrences: 0, filled: true });
    assert_eq!(replace_text("", "", "hello\n", false), filled("hello\n"));
    assert_eq!(replace_text("", "", "", true), filled(""));
    assert_eq!(replace_text("\u{feff}", "", "x", false), filled("\u{feff}x"));
    let bytes = replace_bytes(b"", "", "h\u{e9}", false).unwrap();
    assert_eq!(
        bytes,
        Replaced { content: "h\u{e9}".as_bytes().to_vec().into(), occurrences: 0, filled: true }
    );
    let marked = replace_bytes(b"\xff\xfe", "", "h", false).unwrap();
    assert_eq!(marked, Replaced { content: b"\xff\xfeh\0".to_vec().into(), occurrences: 0, filled: true });
}

#[test]
fn line_ends_are_those_of_the_file() {
    let table = [
        // Multi-line text with line feeds, in a file of CRLF lines.
        ("one\r\ntwo\r\nthree\r\n", "one\ntwo", "ONE\nTWO", "ONE\r\nTWO\r\nthree\r\n"),
        ("a\r\nb\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\n"),
        ("a\r\nb\r\n", "a\nb\n", "x\r\ny\r\n", "x\r\ny\r\n"),
        // One line becomes several.
        ("a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"),
        ("a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n"),
        // A line feed at the edge belongs to its carriage return.
        ("a\r\nb\r\nc\r\n", "\nb", "", "a\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "\nb", "\nB\nB2", "a\r\nB\r\nB2\r\nc\r\n"),
        ("a\r\nb\r\nc\r\n", "b\n", "", "a\r\nc\r\n"),
        // CRLF text in a file of LF lines.
        ("a\nb\nc\n", "a\r\nb", "x\r\ny", "x\ny\nc\n"),
        // A place with mixed line ends keeps them line by line.
        ("a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"),
        ("a\r\nb\nc\r\n", "a\nb\nc\n", "new\na\nb\nc\n", "new\r\na\r\nb\nc\r\n"),
        ("x\na\r\nb\nc", "a\nb\nc", "a\nb\n\nc", "x\na\r\nb\n\nc"),
        // A lone CRLF edit of the line ends themselves is taken as it is said.
        ("a\r\nb", "\r\n", "\n", "a\nb"),
        ("a\nb", "\n", "\r\n", "a\r\nb"),
        // Mixed files: what matches exactly is replaced exactly.
        ("a\r\nb\nc\n", "b", "x\ny", "a\r\nx\ny\nc\n"),
        // Old Macintosh line ends are no line ends to anybody.
        ("a\rb", "a\rb", "x", "x"),
    ];
    for (text, old, new, want) in table {
        assert_eq!(edited(text, old, new, false), Ok((want.to_owned(), 1)), "{text:?} {old:?} {new:?}");
    }
    assert_eq!(edited("a\r\nb\r\n", "a\nb", "a\r\nb", false), Err(ErrorKind::NoChange));
    assert_eq!(edited("a\r\nb", "\n", "\r\n", false), Err(ErrorKind::NoChange));
    assert_eq!(edited("a\r\nb\r\nc\r\n", "\r\n", "\n", true), Ok(("a\nb\nc\n".to_owned(), 3)));
    assert_eq!(
        edited("a\r\nb\r\nc\r\n", "\n", "\n\n", true),
        Ok(("a\r\n\r\nb\r\n\r\nc\r\n\r\n".to_owned(), 3))
    );
    assert_eq!(edited("a\r\nb\r\na\nb\r\n", "a\nb\n", "x\n", true), Ok(("x\r\nx\n".to_owned(), 2)));
}

#[test]
fn a_product_too_large_is_refused_before_it_is_built() {
    let fault = replace_text(&"a".repeat(1 << 20), "a", &"b".repeat(1 << 20), true).unwrap_err();
    assert_eq!(fault.kind, ErrorKind::TooLarge);
}

#[test]
fn hostile_repetition_takes_linear_time() {
    // Restarting the search at every place would take minutes here.
    let text = "a".repeat(300_000);
    let fault = replace_text(&text, &"a".repeat(100_000), "b", false).unwrap_err();
    assert_eq!(fault.kind, ErrorKind::Ambiguous);
    assert!(fault.detail.contains("appears 200001 times"), "{}", fault.detail);
    let old = format!("{}b", "a".repeat(100_000));
    assert_eq!(edited(&text, &old, "b", false), Err(ErrorKind::NoMatch));
}

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof!["[ab\u{e9}]{0,3}", Just("\n".into()), Just("\r\n".into())], 0..12)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn without_carriage_returns_it_is_split_and_join(text in "[ab\n]{0,20}", old in "[ab\n]{1,3}", new in "[abc\n]{0,3}") {
        let count = text.matches(&old).count();
        let outcome = edited(&text, &old, &new, true);
        match count {
            _ if old == new => prop_assert_eq!(outcome, Err(ErrorKind::NoChange)),
            0 => prop_assert_eq!(outcome, Err(ErrorKind::NoMatch)),
            _ => prop_assert_eq!(outcome, Ok((text.replace(&old, &new), count))),
        }
    }

    #[test]
    fn counting_finds_every_start(text in "[ab]{0,24}", old in "[ab]{1,5}") {
        let starts = (0..text.len()).filter(|&at| text[at..].starts_with(&old)).count();
        match replace_text(&text, &old, "c", false) {
            Ok(_) => prop_assert_eq!(starts, 1),
            Err(fault) if fault.kind == ErrorKind::NoMatch => prop_assert_eq!(starts, 0),
            Err(fault) => prop_assert_eq!(fault.detail, message::ambiguous(&old, starts)),
        }
    }

    /// Seen with line feeds only, an edit is what it would be in a file of line feeds; and it leaves no half of a
    /// line end behind.
    #[test]
    fn line_ends_change_nothing_else(text in lines(), old in lines(), new in lines()) {
        if !old.is_empty()
            && let Ok((content, 1)) = edited(&text, &old, &new, false) {
            let expected = to_lf(&text).replacen(&*to_lf(&old), &to_lf(&new), 1);
            // Several places may look alike; the exact one was taken then.
            let (seen, wanted) = (to_lf(&text), to_lf(&old));
            if seen.char_indices().filter(|&(at, _)| seen[at..].starts_with(&*wanted)).count() == 1 {
                prop_assert_eq!(to_lf(&content), expected);
            }
            prop_assert!(!to_lf(&content).contains('\r'));
            if only_crlf(&text) && to_lf(&old) != to_lf(&new) {
                prop_assert!(!has_bare_lf(&content), "{:?}", content);
            }
        }
    }
}
