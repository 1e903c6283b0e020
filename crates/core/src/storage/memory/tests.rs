#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use super::Memory;
use crate::{
    error::{ErrorKind, Fault},
    limits::Unlimited,
    path::VirtualPath,
    record::Record,
    storage::{Existing, Kind, Metadata, Stamp, Storage, Time, Walk, Walked},
};
use std::{
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

pub(super) const STAMP: Stamp<'static> = Stamp { now: "2025-01-01T00:00:00.000Z", mime: "text/plain" };
const LATER: Stamp<'static> = Stamp { now: "2025-02-02T00:00:00.000Z", mime: "text/plain" };

pub(super) fn path(text: &str) -> VirtualPath {
    VirtualPath::parse(text).unwrap()
}

pub(super) fn put(memory: &Memory, at: &str, text: &str) -> Result<(), Fault> {
    memory.write(&path(at), text.as_bytes(), Existing::Replace, &STAMP)
}

pub(super) fn memory(paths: &[&str]) -> Memory {
    let memory = Memory::default();
    for at in paths {
        put(&memory, at, &format!("text of {at}")).unwrap();
    }
    memory
}

pub(super) fn text(memory: &Memory, at: &str) -> Result<String, Fault> {
    Ok(String::from_utf8(memory.open(&path(at))?.read_all(1 << 20)?).unwrap())
}

fn kind<T>(result: Result<T, Fault>) -> Option<ErrorKind> {
    result.err().map(|fault| fault.kind)
}

/// A walk over everything below `root`.
pub(super) fn everything(root: &VirtualPath) -> Walk<'_> {
    Walk {
        root,
        descend: &|_| true,
        admit: &|_| true,
        directories: false,
        stat: false,
        gitignore: false,
        max_entries: u64::MAX,
        control: &Unlimited,
    }
}

pub(super) fn walked(memory: &Memory, walk: &Walk<'_>) -> (Vec<String>, Walked) {
    let mut seen = Vec::new();
    let end = memory.walk(walk, &mut |relative, metadata| {
        seen.push(if metadata.kind == Kind::Directory {
            format!("{relative}/")
        } else {
            relative.to_owned()
        });
        ControlFlow::Continue(())
    });
    (seen, end.unwrap())
}

#[test]
fn a_written_file_is_there_with_its_times_and_its_folders() {
    let memory = memory(&["/a/b/c.txt"]);
    assert_eq!(text(&memory, "/a/b/c.txt"), Ok("text of /a/b/c.txt".to_owned()));
    let file = |modified: &str, size| Metadata {
        kind: Kind::File,
        size,
        created: Time::Text(STAMP.now.to_owned()),
        modified: Time::Text(modified.to_owned()),
        mime: Some("text/plain".to_owned()),
    };
    assert_eq!(memory.metadata(&path("/a/b/c.txt")), Ok(file(STAMP.now, 18)));
    memory.write(&path("/a/b/c.txt"), "é".as_bytes(), Existing::Replace, &LATER).unwrap();
    assert_eq!(memory.metadata(&path("/a/b/c.txt")), Ok(file(LATER.now, 2)));
    for folder in ["/", "/a", "/a/b"] {
        assert_eq!(memory.metadata(&path(folder)).unwrap().kind, Kind::Directory, "{folder}");
    }
    assert_eq!(memory.metadata(&path("/")), Memory::default().metadata(&path("/")));
}

/// What each method says about a path, of a fresh storage each time: metadata, open, write, update, remove, list, walk.
fn answers(at: &str) -> [Option<ErrorKind>; 7] {
    let fresh = || memory(&["/file", "/dir/x"]);
    let at = path(at);
    [
        kind(fresh().metadata(&at)),
        kind(fresh().open(&at).map(drop)),
        kind(fresh().write(&at, b"", Existing::Replace, &STAMP)),
        kind(fresh().update(&at, 99, &STAMP, &mut |bytes, _| Ok(bytes.to_vec().into()))),
        kind(fresh().remove(&at, &Unlimited)),
        kind(fresh().list(&at, 9, &Unlimited)),
        kind(fresh().walk(&everything(&at), &mut |_, _| ControlFlow::Continue(()))),
    ]
}

#[test]
fn every_method_keeps_the_contract_about_wrong_paths() {
    use ErrorKind::{IsDirectory, NotADirectory, NotFound, RootRefused};
    let (missing, under, directory) = (Some(NotFound), Some(NotADirectory), Some(IsDirectory));
    assert_eq!(answers("/missing"), [missing, missing, None, missing, missing, missing, missing]);
    assert_eq!(answers("/file/x"), [under; 7]);
    assert_eq!(answers("/file/x/y"), [under; 7]);
    assert_eq!(answers("/file"), [None, None, None, None, None, under, None]);
    assert_eq!(answers("/dir"), [None, directory, directory, directory, None, None, None]);
    assert_eq!(answers("/"), [None, directory, directory, directory, Some(RootRefused), None, None]);
}

#[test]
fn a_write_that_only_creates_leaves_what_is_there() {
    let memory = memory(&["/a"]);
    let refused = memory.write(&path("/a"), b"new", Existing::Refuse, &STAMP);
    assert_eq!(kind(refused), Some(ErrorKind::AlreadyExists));
    assert_eq!(text(&memory, "/a"), Ok("text of /a".to_owned()));
    memory.write(&path("/b"), b"new", Existing::Refuse, &STAMP).unwrap();
    assert_eq!(text(&memory, "/b"), Ok("new".to_owned()));
}

#[test]
fn removing_takes_a_file_or_a_folder_with_all_it_holds() {
    let all = ["/a-b", "/a/b", "/a/c/d", "/a0", "/b"];
    let left = |removed: &str| -> Vec<String> {
        let memory = memory(&all);
        memory.remove(&path(removed), &Unlimited).unwrap();
        memory.snapshot().into_iter().map(|(at, _)| at).collect()
    };
    assert_eq!(left("/a"), ["/a-b", "/a0", "/b"]);
    assert_eq!(left("/a/c"), ["/a-b", "/a/b", "/a0", "/b"]);
    assert_eq!(left("/b"), ["/a-b", "/a/b", "/a/c/d", "/a0"]);
}

#[test]
fn updates_of_several_threads_all_count() {
    let memory = memory(&[]);
    put(&memory, "/count", "").unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    memory
                        .update(&path("/count"), 1 << 10, &STAMP, &mut |bytes, _| {
                            Ok([bytes, b"x"].concat().into())
                        })
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(text(&memory, "/count").unwrap().len(), 100);
}

#[test]
fn an_update_that_is_refused_or_overtaken_for_ever_changes_nothing() {
    let memory = memory(&["/a"]);
    let refused = memory.update(&path("/a"), 99, &STAMP, &mut |_, _| Err(ErrorKind::NoMatch.into()));
    assert_eq!(kind(refused), Some(ErrorKind::NoMatch));
    let large = memory.update(&path("/a"), 3, &STAMP, &mut |bytes, _| Ok(bytes.to_vec().into()));
    assert_eq!(kind(large), Some(ErrorKind::TooLarge));
    assert_eq!(text(&memory, "/a"), Ok("text of /a".to_owned()));

    let overtaken = memory.update(&path("/a"), 99, &STAMP, &mut |_, _| {
        put(&memory, "/a", "other")?;
        Ok(b"mine".to_vec().into())
    });
    assert_eq!(kind(overtaken), Some(ErrorKind::Conflict));
    assert_eq!(text(&memory, "/a"), Ok("other".to_owned()));
}

#[test]
fn a_panic_in_a_visitor_spoils_nothing() {
    let memory = memory(&["/a"]);
    let root = VirtualPath::root();
    let result =
        catch_unwind(AssertUnwindSafe(|| memory.walk(&everything(&root), &mut |_, _| panic!("visitor"))));
    assert!(result.is_err());
    // As if a writer had panicked with the lock in hand.
    let poisoned =
        catch_unwind(AssertUnwindSafe(|| memory.change(|_| -> Result<(), Fault> { panic!("writer") })));
    assert!(poisoned.is_err() && memory.files.is_poisoned());
    put(&memory, "/b", "b").unwrap();
    assert_eq!(walked(&memory, &everything(&root)).0, ["a", "b"]);
}

#[test]
fn names_in_another_normalisation_are_found_when_there_is_one() {
    let decomposed = "/cafe\u{301}/re\u{301}sume\u{301}.md";
    let memory = memory(&[decomposed, "/plain"]);
    let same = |at: &str| memory.same_letters(&path(at)).map(|found| found.as_str().to_owned());
    assert_eq!(same("/caf\u{e9}/r\u{e9}sum\u{e9}.md").as_deref(), Some(decomposed));
    assert_eq!(same("/caf\u{e9}").as_deref(), Some("/cafe\u{301}"));
    assert_eq!(
        [same(decomposed), same("/plain"), same("/caf\u{e8}"), same("/caf\u{e9}/x")],
        [None, None, None, None]
    );
    // Two candidates are none.
    put(&memory, "/a\u{30a}\u{e9}", "").unwrap();
    put(&memory, "/\u{e5}e\u{301}", "").unwrap();
    assert_eq!(same("/\u{e5}\u{e9}"), None);
}

#[test]
fn a_snapshot_can_be_restored_and_bad_records_change_nothing() {
    let memory = memory(&["/b", "/a/c"]);
    let snapshot = memory.snapshot();
    let parts = |rows: &[(String, Arc<Record>)]| -> Vec<(VirtualPath, Record)> {
        rows.iter().map(|(at, record)| (path(at), Record::clone(record))).collect()
    };
    let other = Memory::default();
    put(&other, "/old", "").unwrap();
    other.restore(parts(&snapshot)).unwrap();
    assert_eq!(other.snapshot(), snapshot);

    let record = || Record::clone(&snapshot[0].1);
    for bad in [vec!["/"], vec!["/a", "/a"], vec!["/a/b", "/a-b", "/a"]] {
        let rows = bad.iter().map(|at| (path(at), record())).collect();
        assert_eq!(kind(other.restore(rows)), Some(ErrorKind::InvalidArgument), "{bad:?}");
        assert_eq!(other.snapshot(), snapshot);
    }
}
