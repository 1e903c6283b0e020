#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{Below, Child, ChildKind, below, children, listing_order, normal_key, subtree};
use crate::path::VirtualPath;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn path(text: &str) -> VirtualPath {
    VirtualPath::parse(text).unwrap()
}

fn file(name: &str, index: usize) -> Child {
    Child { name: name.to_owned(), kind: ChildKind::File(index) }
}

fn folder(name: &str) -> Child {
    Child { name: name.to_owned(), kind: ChildKind::Folder }
}

/// Written by several programs, in no order, one of them careless.
const KEYS: [&str; 11] =
    ["/b.md", "notes.txt", "/a/x/1", "/a//y", "/a/y", "/a-b", "/a", "/../no", "", "/nul\0", "/é/f"];

#[test]
fn children_of_keys_from_everywhere() {
    let table = [
        (
            "/",
            vec![
                file("a", 6),
                file("a-b", 5),
                folder("a"),
                file("b.md", 0),
                file("notes.txt", 1),
                folder("é"),
            ],
        ),
        // The normal spelling of the same path wins.
        ("/a", vec![folder("x"), file("y", 4)]),
        ("/a/x", vec![file("1", 2)]),
        ("/b.md", vec![]),
        ("/missing", vec![]),
    ];
    for (dir, expected) in table {
        assert_eq!(children(KEYS, &path(dir)), expected, "{dir}");
    }
}

#[test]
fn subtrees_of_keys_from_everywhere() {
    let at = |dir: &str| -> Vec<(usize, String)> {
        subtree(KEYS, &path(dir), |_| true)
            .into_iter()
            .map(|Below { index, relative }| (index, relative.into_owned()))
            .collect()
    };
    let row = |index, relative: &str| (index, relative.to_owned());
    assert_eq!(at("/a"), [row(6, ""), row(2, "x/1"), row(4, "y")]);
    assert_eq!(at("/b.md"), [row(0, "")]);
    assert_eq!(at("/missing"), []);
    assert_eq!(
        at("/"),
        [
            row(6, "a"),
            row(5, "a-b"),
            row(2, "a/x/1"),
            row(4, "a/y"),
            row(0, "b.md"),
            row(1, "notes.txt"),
            row(10, "é/f")
        ]
    );
}

#[test]
fn keys_are_normalised_or_passed_over() {
    for (key, expected) in [
        ("/a/b", Some("/a/b")),
        ("a", Some("/a")),
        ("/a//b/./c/", Some("/a/b/c")),
        ("/a/..", None),
        ("/", None),
        ("", None),
        ("/a\0", None),
    ] {
        assert_eq!(normal_key(key).as_deref(), expected, "{key:?}");
    }
    assert_eq!(below(&VirtualPath::root(), "/a/b"), Some("a/b"));
    assert_eq!(below(&path("/a"), "/a-b"), None);
}

fn keys() -> impl Strategy<Value = BTreeSet<String>> {
    let name =
        prop::sample::select(vec!["a", "b", "a-b", "a.b", "a b", "ab", "é", "😀", "\u{ffff}", "A", "!"]);
    let key = prop::collection::vec(name, 1..5).prop_map(|names| format!("/{}", names.join("/")));
    prop::collection::btree_set(key, 0..25)
}

/// Depth first, by listing one folder after the other.
fn walk(keys: &[&str], dir: &VirtualPath, out: &mut Vec<String>) {
    for child in children(keys.iter().copied(), dir) {
        let path = dir.child(&child.name);
        match child.kind {
            ChildKind::File(index) => {
                assert_eq!(keys[index], path.as_str());
                out.push(path.as_str().to_owned());
            }
            ChildKind::Folder => walk(keys, &path, out),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walking_by_listings_is_the_order_of_full_paths(keys in keys()) {
        let shuffled: Vec<&str> = keys.iter().rev().map(String::as_str).collect();
        let mut walked = Vec::new();
        walk(&shuffled, &VirtualPath::root(), &mut walked);
        let sorted: Vec<String> = keys.iter().cloned().collect();
        prop_assert_eq!(&walked, &sorted);

        let below_root: Vec<String> =
            subtree(shuffled.iter().copied(), &VirtualPath::root(), |_| true).into_iter().map(|found| format!("/{}", found.relative)).collect();
        prop_assert_eq!(&below_root, &sorted);
    }

    #[test]
    fn the_order_is_that_of_names_with_their_slash(
        left in "[a!-/0é😀]{0,4}", right in "[a!-/0é😀]{0,4}", left_folder: bool, right_folder: bool
    ) {
        let spelt = |name: &str, folder: bool| if folder { format!("{name}/") } else { name.to_owned() };
        prop_assert_eq!(
            listing_order((&left, left_folder), (&right, right_folder)),
            spelt(&left, left_folder).cmp(&spelt(&right, right_folder))
        );
    }
}
