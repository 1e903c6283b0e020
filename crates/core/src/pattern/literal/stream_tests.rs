//! Searching block by block finds what searching the whole finds.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::{
    LineSearch, Searched,
    stream::search_in_blocks,
    tests::{File, looking_for},
};
use crate::{limits::Unlimited, storage::FileMatches};
use proptest::prelude::*;

fn whole(search: &LineSearch, file: &File) -> FileMatches {
    search.inspect(&file.candidate(usize::MAX), &Unlimited).unwrap().unwrap_or_default()
}

fn in_blocks(search: &LineSearch, file: &File, block: usize) -> FileMatches {
    match search_in_blocks(search, &file.candidate(block), &Unlimited, block).unwrap() {
        Searched::Matches(found) => found,
        Searched::Nothing => FileMatches::default(),
        Searched::Binary | Searched::Decode => panic!("plain text was taken for something else"),
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ab",
        "needle",
        "need",
        "é",
        "😀",
        "\n",
        "\n",
        "\r\n",
        " ",
        "nnneedle",
        "a long piece without any end in sight ",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn blocks_change_nothing(
        text in text(),
        pattern in prop::sample::select(vec!["needle", "e", "é", "ab", "😀", "zz", "end in sight"]),
        block in 1_usize..80,
        line_chars in 1_usize..60,
        max_matches in 1_usize..6,
    ) {
        let search = LineSearch { line_chars, max_matches, ..looking_for(pattern) };
        let file = File::new(text);
        prop_assert_eq!(in_blocks(&search, &file, block), whole(&search, &file));
    }
}

#[test]
fn a_mark_of_utf8_is_no_text_of_a_long_line_either() {
    let search = LineSearch { line_chars: 8, ..looking_for("needle") };
    let file = File::new("\u{feff}0123456789needle0123456789\r\nneedle");
    let found = in_blocks(&search, &file, 4);
    assert_eq!(found, whole(&search, &file));
    let expected = ["[9 characters cut]…9needle0…[9 characters cut]", "needle"];
    assert_eq!((found.lines, found.texts), (vec![1, 2], expected.map(str::to_owned).to_vec()));
}

#[test]
fn a_file_larger_than_its_head_is_read_once_and_only_as_far_as_needed() {
    let line = format!("{}needle\n", "x".repeat(1000));
    let file = File::new(line.repeat(2000));
    let search = LineSearch { max_matches: 1, ..looking_for("needle") };
    let found = search.inspect(&file.candidate(4096), &Unlimited).unwrap().unwrap();
    assert_eq!((found.lines, found.more, file.reads.get()), (vec![1], true, 0));

    let absent = looking_for("absent").inspect(&file.candidate(4096), &Unlimited).unwrap();
    assert_eq!(absent, None);
    assert_eq!(file.reads.get(), (file.bytes.len() - 4096).div_ceil(256 << 10));
}

#[test]
fn one_enormous_line_is_read_through() {
    let mut bytes = b"first\n".to_vec();
    bytes.extend(b"x".repeat(3 << 20));
    bytes.extend(b"needle");
    bytes.extend(b"y".repeat(2 << 20));
    bytes.extend(b"\nneedle last");
    let search = LineSearch { line_chars: 10, ..looking_for("needle") };
    let found = search.inspect(&File::new(bytes).candidate(256 << 10), &Unlimited).unwrap().unwrap();
    let expected =
        ["[3145726 characters cut]…xxneedleyy…[2097150 characters cut]", "needle las…[1 characters cut]"];
    assert_eq!((found.lines, found.texts), (vec![2, 3], expected.map(str::to_owned).to_vec()));
}

#[test]
fn binary_and_other_encodings_are_noticed_in_blocks_too() {
    let search = looking_for("needle");
    let inspect = |bytes: Vec<u8>| search.inspect(&File::new(bytes).candidate(64), &Unlimited).unwrap();
    assert_eq!(inspect([b"\0".to_vec(), b"x\n".repeat(200), b"needle".to_vec()].concat()), None);
    let latin1 =
        inspect([b"caf\xe9\n".to_vec(), b"x\n".repeat(200), b"needle \xe9".to_vec()].concat()).unwrap();
    assert_eq!((latin1.lines, latin1.texts), (vec![202], vec!["needle é".to_owned()]));
    // One long line without an end, in either.
    assert_eq!(inspect([b"\0".to_vec(), b"x".repeat(600_000), b"needle".to_vec()].concat()), None);
}
