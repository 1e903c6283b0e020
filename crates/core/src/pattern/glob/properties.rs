//! Properties of every pattern, over random ones.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{Glob, GlobOptions, segment, shape};
use proptest::prelude::*;

/// Pieces of patterns that have something to do with the paths below.
fn pattern() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "ab", "x", "é", "*", "**", "?", "/", "/", "/**/", "**/", "[ab]", "[!a]", "[a-c]", "{a,b}",
        "{,x}", "{a/b,x}", "{1..3}", "@(a|b)", "+(a|b)", "!(a)", "!(a|x)", "?(b)", "(a)", ".", "..", "\\*",
        "!", "{", "}", "[", "]", "(", ")", "|", ",",
    ]);
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

fn path() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "a", "b", "ab", "abc", "x", "1", "é", "e\u{301}", ".a", "[ab]", "(a)", "{a,b}", "*", "aab",
    ]);
    prop::collection::vec(name, 1..5).prop_map(|names| names.join("/"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_folder_of_a_match_is_pruned(pattern in pattern(), path in path(), bare_recursive: bool) {
        if let Ok(glob) = Glob::new(&pattern, GlobOptions { bare_recursive })
            && glob.is_match(&path)
        {
            prop_assert!(glob.may_contain(""));
            for (at, _) in path.match_indices('/') {
                prop_assert!(glob.may_contain(&path[..at]), "{} prunes {} of {}", pattern, &path[..at], path);
            }
        }
    }

    /// The cheap shapes mean what matching segment by segment means.
    #[test]
    fn shapes_are_only_shortcuts(pattern in pattern(), path in path(), folder: bool) {
        let Ok(alternatives) = super::expand(&pattern) else { return Ok(()) };
        for text in alternatives.iter().filter(|text| !text.starts_with("**.")) {
            let Ok(Some(cheap)) = shape::Shape::parse(text, false) else { continue };
            let segments: Vec<_> = shape::split(text)
                .map(|part| segment::parse(part).unwrap())
                .filter(|segment| !matches!(segment, segment::Segment::Name(name) if name.is_empty() || name == "."))
                .collect();
            let below_itself = folder && matches!(&cheap, shape::Shape::Below(base) if *base == path);
            let slow = shape::Shape::Segments(segments);
            let path = super::compose(&path);
            prop_assert_eq!(
                cheap.matches(&path, folder) || below_itself,
                slow.matches(&path, folder),
                "{} on {}", text, path
            );
        }
    }

    #[test]
    fn what_is_told_to_be_the_only_path_matches(pattern in pattern()) {
        if let Ok(glob) = Glob::new(&pattern, GlobOptions::default())
            && let Some(path) = glob.literal()
        {
            prop_assert!(glob.is_match(path));
            prop_assert!(path.split('/').all(|segment| !matches!(segment, "" | "." | "..")));
        }
    }

    #[test]
    fn nothing_panics(pattern in "\\PC{0,40}", path in "\\PC{0,40}") {
        if let Ok(glob) = Glob::new(&pattern, GlobOptions::default()) {
            let _ = (glob.is_match(&path), glob.may_contain(&path), glob.literal().is_some());
        }
    }

    #[test]
    fn the_escaped_path_matches_the_path_alone(path in path(), other in path()) {
        let escaped: String =
            path.chars().flat_map(|c| if c.is_ascii_punctuation() && c != '/' { vec!['\\', c] } else { vec![c] }).collect();
        let glob = Glob::new(&escaped, GlobOptions::default()).unwrap();
        prop_assert!(glob.is_match(&path));
        prop_assert_eq!(glob.is_match(&other), super::compose(&other) == super::compose(&path));
    }
}
