#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::*;

fn near(line: usize, differences: &str) -> String {
    format!("A near match exists at line {line}; it differs in: {differences}")
}

#[test]
fn differences_that_can_not_be_seen_are_named() {
    let table = [
        (
            "list in\u{a0}current\n",
            "list in current",
            near(1, "U+00A0 (no-break space) where the search text has U+0020 (space)"),
        ),
        (
            "x\nsay \u{201c}hi\u{201d} now\n",
            "say \"hi\" now",
            near(
                2,
                "U+201C where the search text has U+0022 (\"), U+201D where the search text has U+0022 (\")",
            ),
        ),
        (
            "a\n\nit\u{2019}s 3\u{2013}4",
            "it's 3-4",
            near(
                3,
                "U+2019 where the search text has U+0027 ('), U+2013 where the search text has U+002D (-)",
            ),
        ),
        (
            "fn a() {\n\tlet x = 1;\n}\n",
            "fn a() {\n    let x = 1;\n}",
            near(1, "U+0009 (tab) where the search text has 4 × U+0020 (space)"),
        ),
        ("one  \ntwo\n", "one\ntwo", near(1, "2 × U+0020 (space) where the search text has nothing")),
        (
            "one\rtwo\rthree",
            "one\ntwo",
            near(1, "U+000D (carriage return) where the search text has U+000A (line feed)"),
        ),
        ("foo(a,  b)", "foo(a, b)", near(1, "U+0020 (space) where the search text has nothing")),
        ("zero\u{200b}width", "zerowidth", near(1, "U+200B where the search text has nothing")),
        (
            "caf\u{e9} bar",
            "cafe\u{301} bar",
            near(1, "U+00E9 (\u{e9}) where the search text has U+0065 (e) U+0301"),
        ),
        ("wait\u{2026} more", "wait... more", near(1, "U+2026 where the search text has 3 × U+002E (.)")),
        (
            "Hello World",
            "hello world",
            near(
                1,
                "U+0048 (H) where the search text has U+0068 (h), U+0057 (W) where the search text has U+0077 (w)",
            ),
        ),
        (
            "\u{ff21}\u{ff22}\u{ff23}",
            "abc",
            near(
                1,
                "U+FF21 (\u{ff21}) U+FF22 (\u{ff22}) U+FF23 (\u{ff23}) where the search text has U+0061 (a) U+0062 (b) U+0063 (c)",
            ),
        ),
        (
            "A b C d E f G h",
            "a b c d e f g h",
            near(
                1,
                "U+0041 (A) where the search text has U+0061 (a), U+0043 (C) where the search text has U+0063 (c), U+0045 (E) where the search text has U+0065 (e), and more",
            ),
        ),
        (
            "a\nlast line",
            "last line\n",
            "A near match exists at line 2; it differs in the blanks or line breaks before or after the text"
                .to_owned(),
        ),
    ];
    for (text, old, want) in table {
        assert_eq!(near_match(text, old), want, "{text:?} {old:?}");
    }
}

#[test]
fn the_nearest_of_several_is_named() {
    let text = "LET X = 1;\n\tlet  X = 1;\nlet x =\t1;\n";
    assert_eq!(
        near_match(text, "let x = 1;"),
        near(3, "U+0009 (tab) where the search text has U+0020 (space)")
    );
}

#[test]
fn where_a_block_stops_matching_is_said() {
    assert_eq!(
        near_match("start\nfn a() {\n    one();\n    two();\n}\n", "fn a() {\n    one();\n    three();\n}"),
        "The first 2 of its lines match from line 2 on; line 4 of the file is 'two();' where the search text has \
         'three();'"
    );
    assert_eq!(
        near_match("fn a() {\n", "fn a() {\n}\n"),
        "The first 1 of its lines match from line 1 on; line 2 of the file is the end of the file where the search \
         text has '}'"
    );
}

#[test]
fn nothing_near_is_no_hint() {
    for (text, old) in
        [("abc", "xyz"), ("", "xyz"), ("abc", " \n"), ("a-b", "A"), ("abc\ndef", "xyz\nabc"), ("", "")]
    {
        assert_eq!(near_match(text, old), "", "{text:?} {old:?}");
    }
}

#[test]
fn a_miss_stays_cheap() {
    // Beyond the limits nothing is looked at: these would otherwise have hints.
    let far = format!("{}list in\u{a0}current", "x\n".repeat(MAX_TEXT_BYTES / 2));
    assert_eq!(near_match(&far, "list in current"), "");
    let cut_inside_a_character = "\u{4e2d}".repeat(MAX_TEXT_BYTES / 2);
    assert_eq!(near_match(&cut_inside_a_character, "xyz"), "");
    let long = "x\u{a0}".repeat(MAX_OLD_BYTES);
    assert_eq!(near_match(&long, &"x ".repeat(MAX_OLD_BYTES)), "");
}
