//! Listing, walking and searching.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::Memory;
use crate::{
    error::{ErrorKind, Fault},
    limits::{Control, Unlimited},
    path::VirtualPath,
    storage::{Entry, FileMatches, Kind, Search, Storage, Walk, Walked},
    tree::{ChildKind, children, subtree},
};
use proptest::prelude::*;
use std::{
    cell::RefCell,
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use super::tests::{everything, memory, path, put, walked};

#[test]
fn listings_hold_the_direct_children_in_order() {
    let memory = memory(&["/a/x", "/a-b", "/a.txt", "/z/deep/er"]);
    let names = |entries: Vec<Entry>| -> Vec<(String, Kind)> {
        entries.into_iter().map(|entry| (entry.name, entry.metadata.kind)).collect()
    };
    let row = |name: &str, kind| (name.to_owned(), kind);
    let (entries, all) = memory.list(&path("/"), 99, &Unlimited).unwrap();
    assert!(all);
    assert_eq!(entries[0].metadata, memory.metadata(&path("/a-b")).unwrap());
    let expected = [
        row("a-b", Kind::File),
        row("a.txt", Kind::File),
        row("a", Kind::Directory),
        row("z", Kind::Directory),
    ];
    assert_eq!(names(entries), expected);
    let (entries, all) = memory.list(&path("/"), 2, &Unlimited).unwrap();
    assert_eq!((names(entries), all), (expected[..2].to_vec(), false));
    assert!(memory.list(&path("/"), 4, &Unlimited).unwrap().1);
    assert_eq!(Memory::default().list(&path("/"), 9, &Unlimited), Ok((vec![], true)));
}

#[test]
fn a_walk_admits_prunes_and_stops() {
    let memory = memory(&["/a/b/1", "/a/b/2", "/a/c/3", "/a-b", "/d/4"]);
    let root = VirtualPath::root();
    let complete = Walked { complete: true };
    let cut = Walked { complete: false };
    let rows =
        |rows: &[&str], end: &Walked| (rows.iter().map(|row| (*row).to_owned()).collect(), end.clone());

    let all = Walk { directories: true, ..everything(&root) };
    let expected = ["a-b", "a/", "a/b/", "a/b/1", "a/b/2", "a/c/", "a/c/3", "d/", "d/4"];
    assert_eq!(walked(&memory, &all), rows(&expected, &complete));
    let pruned = Walk { descend: &|folder| folder != "a/b", directories: true, ..everything(&root) };
    assert_eq!(
        walked(&memory, &pruned),
        rows(&["a-b", "a/", "a/b/", "a/c/", "a/c/3", "d/", "d/4"], &complete)
    );
    let admitted = Walk { admit: &|file| file.ends_with(['1', '3']), ..everything(&root) };
    assert_eq!(walked(&memory, &admitted), rows(&["a/b/1", "a/c/3"], &complete));
    let capped = Walk { max_entries: 4, ..everything(&root) };
    assert_eq!(walked(&memory, &capped), rows(&["a-b", "a/b/1"], &cut));
    let below = path("/a");
    assert_eq!(walked(&memory, &everything(&below)), rows(&["b/1", "b/2", "c/3"], &complete));
    let file = path("/a/c/3");
    assert_eq!(walked(&memory, &everything(&file)), rows(&[""], &complete));

    let mut count = 0;
    let broken = memory.walk(&everything(&root), &mut |_, _| {
        count += 1;
        ControlFlow::Break(())
    });
    assert_eq!((broken, count), (Ok(complete), 1));
}

#[test]
fn a_time_limit_ends_a_walk_and_a_cancelled_call_fails() {
    struct After(AtomicU64, ErrorKind);
    impl Control for After {
        fn check(&self) -> Result<(), Fault> {
            if self.0.fetch_sub(1, Ordering::Relaxed) == 0 { Err(self.1.into()) } else { Ok(()) }
        }
    }
    let memory = memory(&["/a", "/b", "/c"]);
    let root = VirtualPath::root();
    let seen = RefCell::new(Vec::new());
    let end = |kind| {
        seen.borrow_mut().clear();
        let control = After(AtomicU64::new(2), kind);
        memory.walk(&Walk { control: &control, ..everything(&root) }, &mut |relative, _| {
            seen.borrow_mut().push(relative.to_owned());
            ControlFlow::Continue(())
        })
    };
    assert_eq!(end(ErrorKind::TimedOut), Ok(Walked { complete: false }));
    assert_eq!(*seen.borrow(), ["a", "b"]);
    assert_eq!(end(ErrorKind::Cancelled), Err(ErrorKind::Cancelled.into()));
}

#[test]
fn a_search_hands_over_what_it_was_told_in_order() {
    let memory = memory(&["/b", "/a/x", "/a-b"]);
    put(&memory, "/large", &"x".repeat(100)).unwrap();
    let root = VirtualPath::root();
    let inspect = |candidate: &crate::storage::Candidate<'_>| {
        assert!(candidate.whole && candidate.source.in_memory() == Some(candidate.head));
        let text = String::from_utf8(candidate.head.to_vec()).unwrap();
        Ok((candidate.path != "a/x").then(|| FileMatches { lines: vec![1], texts: vec![text], more: false }))
    };
    let search = Search { walk: everything(&root), max_file_bytes: 50, inspect: &inspect };
    let mut rows = Vec::new();
    let end = memory.search(&search, &mut |relative, matches| {
        rows.push(format!("{relative}: {}", matches.texts.join("")));
        ControlFlow::Continue(())
    });
    assert_eq!(end, Ok(Walked { complete: true }));
    assert_eq!(rows, ["a-b: text of /a-b", "b: text of /b"]);

    let fails = |_: &crate::storage::Candidate<'_>| Err(ErrorKind::Cancelled.into());
    let search = Search { walk: everything(&root), max_file_bytes: 50, inspect: &fails };
    assert_eq!(
        memory.search(&search, &mut |_, _| ControlFlow::Continue(())),
        Err(ErrorKind::Cancelled.into())
    );
}

#[test]
fn visitors_may_use_the_storage_and_see_one_state() {
    let memory = memory(&["/a", "/b", "/c"]);
    let root = VirtualPath::root();
    let mut seen = Vec::new();
    memory
        .walk(&everything(&root), &mut |relative, _| {
            seen.push(relative.to_owned());
            put(&memory, "/bb", "new").unwrap();
            let _ = memory.remove(&path("/c"), &Unlimited);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen, ["a", "b", "c"]);
    assert_eq!(walked(&memory, &everything(&root)).0, ["a", "b", "bb"]);

    // What is open stays as it was.
    let place = path("/a");
    let open = memory.open(&place).unwrap();
    put(&memory, "/a", "changed").unwrap();
    assert_eq!(open.read_all(99), Ok(b"text of /a".to_vec()));
    let mut piece = [0; 4];
    assert_eq!(open.read_at(5, &mut piece), Ok(4));
    assert_eq!(
        (&piece, open.read_at(10, &mut [0]), open.read_at(u64::MAX, &mut [0])),
        (b"of /", Ok(0), Ok(0))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Memory and the functions over flat keys see the same tree.
    #[test]
    fn listings_and_walks_agree_with_the_keys(
        keys in prop::collection::vec("(/(a|b|a-b|ab|é)){1,4}", 0..20), root in "(/(a|b|é)){0,2}"
    ) {
        let memory = Memory::default();
        // Those that would be below a file, or a folder, are refused.
        for key in &keys {
            let _ = put(&memory, key, "");
        }
        let snapshot = memory.snapshot();
        let stored = || snapshot.iter().map(|(at, _)| at.as_str());
        let root = path(&root);
        let files: Vec<String> = subtree(stored(), &root, |_| true).into_iter().map(|found| found.relative.into_owned()).collect();
        if let Ok((entries, true)) = memory.list(&root, u64::MAX, &Unlimited) {
            let listed: Vec<_> = entries.into_iter().map(|entry| (entry.name, entry.metadata.kind == Kind::File)).collect();
            let expected: Vec<_> = children(stored(), &root)
                .into_iter()
                .map(|child| (child.name, matches!(child.kind, ChildKind::File(_))))
                .collect();
            prop_assert_eq!(listed, expected);
            prop_assert_eq!(walked(&memory, &everything(&root)).0, files);
        }
    }
}
