//! Walks and searches: order, caps, rules, and the same answer from one thread and from several.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{
    Control, Dialect, ErrorKind, Fault, Storage, Unlimited, VirtualPath,
    ops::{self, Context, Meaning, PathMode},
    storage::{FileMatches, Search, Walk},
};
use deepfs_host::disk::Deadline;
use std::{
    fs,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use support::*;

/// 3,000 files in 60 folders, enough for helpers to be brought in.
fn forest() -> (Place, Vec<String>) {
    let place = Place::new();
    let mut paths = Vec::new();
    for folder in 0..60 {
        for file in 0..50 {
            let path = format!("d{folder}/e{}/f{file}.txt", folder % 7);
            place.file(&path, format!("needle {folder} {file}").as_bytes());
            paths.push(path);
        }
    }
    paths.sort();
    (place, paths)
}

#[test]
fn order_is_that_of_full_paths_however_many_threads() {
    let (place, paths) = forest();
    let root = VirtualPath::root();
    for stat in [false, true] {
        assert_eq!(walk(&place.disk, &Walk { stat, ..everything(&root) }).unwrap(), paths);
    }
    assert_eq!(search(&place.disk, everything(&root), "needle", usize::MAX).unwrap(), paths);
    let late: Vec<_> = paths.iter().filter(|path| path.starts_with("d7/")).cloned().collect();
    assert_eq!(search(&place.disk, everything(&root), "needle 7 ", usize::MAX).unwrap(), late);
    for max in [1, 10, 251, 600, 2999] {
        assert_eq!(search(&place.disk, everything(&root), "needle", max).unwrap(), paths[..max], "{max}");
    }
    let below = path("/d3");
    let cut: Vec<_> = paths.iter().filter_map(|path| path.strip_prefix("d3/")).collect();
    assert_eq!(walk(&place.disk, &everything(&below)).unwrap(), cut);
}

#[test]
fn a_break_stops_the_work() {
    let (place, _) = forest();
    let root = VirtualPath::root();
    let inspected = AtomicUsize::new(0);
    let search = Search {
        walk: everything(&root),
        max_file_bytes: 1 << 20,
        inspect: &|_| {
            inspected.fetch_add(1, Ordering::Relaxed);
            Ok(Some(FileMatches::default()))
        },
    };
    let mut count = 0;
    let ended = place.disk.search(&search, &mut |_, _| {
        count += 1;
        if count == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(ended.unwrap().complete);
    assert_eq!(count, 300);
    // 250 on the calling thread, and 12 batches of 128 at most that helpers have begun.
    assert!(inspected.into_inner() < 2000, "what is in flight is bounded");
}

#[test]
fn descend_and_admit_choose() {
    let place = Place::new();
    for path in [".git/config", "a/.git/x", "a/b.ts", "a/c.js", ".env", "node_modules/x.ts"] {
        place.file(path, b"x");
    }
    let root = VirtualPath::root();
    let chosen = Walk {
        descend: &|path| !path.ends_with(".git") && path != "node_modules",
        admit: &|path| !path.ends_with(".js"),
        ..everything(&root)
    };
    assert_eq!(walk(&place.disk, &chosen).unwrap(), [".env", "a/b.ts"]);
    let folders = Walk { directories: true, ..chosen };
    assert_eq!(
        walk(&place.disk, &folders).unwrap(),
        [".env", ".git/", "a/", "a/.git/", "a/b.ts", "node_modules/"]
    );
    let git = path("/.git");
    assert_eq!(walk(&place.disk, &everything(&git)).unwrap(), ["config"]);
}

#[test]
fn a_file_as_the_root_is_visited_as_itself() {
    let place = Place::new();
    place.file("a.txt", b"needle");
    place.file("b.txt", b"needle");
    let root = path("/a.txt");
    assert_eq!(walk(&place.disk, &everything(&root)).unwrap(), [""]);
    assert_eq!(search(&place.disk, everything(&root), "needle", 9).unwrap(), [""]);
}

#[test]
fn ignore_files_are_respected_when_asked_for() {
    let place = Place::new();
    place.file(".gitignore", b"dist/\n*.log\n!keep.log\n/only-top\n");
    place.file("src/.gitignore", b"gen\n!deep.log\n");
    place.file("src/.ignore", b"secret\n");
    for path in ["dist/o.js", "x.log", "keep.log", "only-top", "src/only-top", "src/gen/a", "src/deep.log"] {
        place.file(path, b"x");
    }
    for path in ["src/secret", "src/a.rs", "src/a.log"] {
        place.file(path, b"x");
    }
    let root = VirtualPath::root();
    let wanted = [
        ".gitignore",
        "keep.log",
        "src/.gitignore",
        "src/.ignore",
        "src/a.rs",
        "src/deep.log",
        "src/only-top",
    ];
    assert_eq!(walk(&place.disk, &Walk { gitignore: true, ..everything(&root) }).unwrap(), wanted);
    let ruled = Walk { gitignore: true, ..everything(&root) };
    assert_eq!(
        search(&place.disk, ruled, "x", 99).unwrap(),
        ["keep.log", "src/a.rs", "src/deep.log", "src/only-top"]
    );
    assert_eq!(walk(&place.disk, &everything(&root)).unwrap().len(), 13);
    let src = path("/src");
    assert_eq!(
        walk(&place.disk, &Walk { gitignore: true, ..everything(&src) }).unwrap(),
        [".gitignore", ".ignore", "a.rs", "deep.log", "only-top"]
    );
}

#[test]
fn caps_and_controls_end_a_walk() {
    let (place, paths) = forest();
    let root = VirtualPath::root();
    let mut count = 0;
    let capped = Walk { max_entries: 100, ..everything(&root) };
    let ended = place.disk.walk(&capped, &mut |_, _| {
        count += 1;
        ControlFlow::Continue(())
    });
    assert!(!ended.unwrap().complete);
    assert!(count < 100 && count > 50, "folders are entries too: {count}");

    let late = Deadline::new(Arc::default(), Some(Duration::ZERO));
    let ended =
        place.disk.walk(&Walk { control: &late, ..everything(&root) }, &mut |_, _| panic!("too late"));
    assert!(!ended.unwrap().complete);
    let cancelled = Deadline::new(Arc::new(AtomicBool::new(true)), None);
    assert_eq!(
        walk(&place.disk, &Walk { control: &cancelled, ..everything(&root) }),
        Err(ErrorKind::Cancelled)
    );
    assert_eq!(kind(place.disk.list(&root, 9, &cancelled)), Err(ErrorKind::Cancelled));

    // In the middle, with helpers at work.
    for (reason, want) in
        [(ErrorKind::TimedOut, Ok(false)), (ErrorKind::Cancelled, Err(ErrorKind::Cancelled))]
    {
        let control = After { left: AtomicUsize::new(1500), reason };
        let search = Search {
            walk: Walk { control: &control, ..everything(&root) },
            max_file_bytes: 1 << 20,
            inspect: &|_| Ok(Some(FileMatches::default())),
        };
        let mut found = Vec::new();
        let ended = place.disk.search(&search, &mut |path, _| {
            found.push(path.to_owned());
            ControlFlow::Continue(())
        });
        assert_eq!(kind(ended).map(|ended| ended.complete), want);
        assert!(found.len() < paths.len());
        assert_eq!(found, paths[..found.len()]);
    }
}

#[test]
fn a_removal_that_is_stopped_leaves_the_rest() {
    let place = Place::new();
    for at in 0..200 {
        place.file(&format!("all/d{}/f{at}.txt", at % 4), b"x");
    }
    let folder = path("/all");
    // The four folders are asked about as well.
    for (checks, ended, left) in
        [(0, Err(ErrorKind::Cancelled), 200), (74, Err(ErrorKind::Cancelled), 130), (usize::MAX, Ok(()), 0)]
    {
        let control = After { left: AtomicUsize::new(checks), reason: ErrorKind::Cancelled };
        assert_eq!(kind(place.disk.remove(&folder, &control)), ended);
        let files = walk(&place.disk, &everything(&folder)).unwrap_or_default();
        assert_eq!(files.iter().filter(|file| file.ends_with(".txt")).count(), left);
    }
    assert!(!place.ws.join("all").exists());
}

/// Stops after so many questions.
struct After {
    left: AtomicUsize,
    reason: ErrorKind,
}

impl Control for After {
    fn check(&self) -> Result<(), Fault> {
        let enough =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err();
        if enough { Err(self.reason.into()) } else { Ok(()) }
    }
}

#[test]
fn what_inspect_answers_ends_the_search() {
    let (place, _) = forest();
    let root = VirtualPath::root();
    for from in [1, 2000] {
        let seen = AtomicUsize::new(0);
        let search = Search {
            walk: everything(&root),
            max_file_bytes: 1 << 20,
            inspect: &|_| match seen.fetch_add(1, Ordering::Relaxed) {
                count if count >= from => Err(ErrorKind::Cancelled.into()),
                _ => Ok(None),
            },
        };
        let ended = place.disk.search(&search, &mut |_, _| ControlFlow::Continue(()));
        assert_eq!(kind(ended), Err(ErrorKind::Cancelled));
    }
}

#[test]
fn a_panic_on_another_thread_is_a_fault_and_not_a_hang() {
    let (place, _) = forest();
    let root = VirtualPath::root();
    let here = std::thread::current().id();
    let search = Search {
        walk: everything(&root),
        max_file_bytes: 1 << 20,
        inspect: &|_| {
            assert!(std::thread::current().id() == here, "a fault of the test's own");
            std::thread::sleep(Duration::from_micros(50));
            Ok(None)
        },
    };
    let ended = kind(place.disk.search(&search, &mut |_, _| ControlFlow::Continue(())));
    let alone = std::thread::available_parallelism().unwrap().get() == 1;
    assert_eq!(ended.map(|ended| ended.complete), if alone { Ok(true) } else { Err(ErrorKind::Internal) });
}

#[test]
fn large_files_are_read_past_their_head_and_left_out_over_the_cap() {
    let place = Place::new();
    for (name, size) in [("a", (256 << 10) - 1), ("b", 256 << 10), ("c", (256 << 10) + 1), ("d", 3 << 20)] {
        let mut content = vec![b'x'; size];
        content.extend_from_slice(b"needle");
        place.file(name, &content);
    }
    let root = VirtualPath::root();
    assert_eq!(search(&place.disk, everything(&root), "needle", 9).unwrap(), ["a", "b", "c", "d"]);
    let names = std::sync::Mutex::new(Vec::new());
    let capped = Search {
        walk: everything(&root),
        max_file_bytes: 256 << 10 | 6,
        inspect: &|candidate| {
            names.lock().unwrap().push((candidate.path.to_owned(), candidate.whole));
            Ok(None)
        },
    };
    place.disk.search(&capped, &mut |_, _| ControlFlow::Continue(())).unwrap();
    assert_eq!(names.into_inner().unwrap(), [("a".to_owned(), false), ("b".to_owned(), false)]);
}

#[test]
fn files_of_writers_that_were_killed_are_not_seen() {
    let place = Place::new();
    let own = ".deepfs-0123456789abcdef.tmp";
    place.file(own, b"needle");
    place.file("a", b"needle");
    let root = VirtualPath::root();
    let disk = &place.disk;
    assert_eq!(list(disk, "/").unwrap(), ["a"]);
    assert_eq!(walk(disk, &everything(&root)).unwrap(), ["a"]);
    assert_eq!(search(disk, everything(&root), "needle", 9).unwrap(), ["a"]);
    let at = format!("/{own}");
    assert_eq!(read(disk, &at), Err(ErrorKind::NotFound));
    assert_eq!(kind(disk.metadata(&path(&at))), Err(ErrorKind::NotFound));
    assert_eq!(remove(disk, &at), Err(ErrorKind::NotFound));
    assert_eq!(write(disk, &at, "x"), Err(ErrorKind::InvalidPath));
    assert!(disk.load_cached(&path(&at)).is_none());
    // A young one may be in use; an old one that nobody holds is taken away by the next write there.
    write(disk, "/b", "x").unwrap();
    assert!(place.ws.join(own).exists());
    let old = std::time::SystemTime::now() - Duration::from_secs(120);
    fs::File::options().write(true).open(place.ws.join(own)).unwrap().set_modified(old).unwrap();
    let held = fs::File::open(place.ws.join(own)).unwrap();
    held.lock().unwrap();
    write(&contained(&place.ws), "/b", "x").unwrap();
    assert!(place.ws.join(own).exists());
    drop(held);
    write(&contained(&place.ws), "/b", "x").unwrap();
    assert!(!place.ws.join(own).exists());
}

#[test]
fn globs_can_list_the_folders_that_match() {
    let place = Place::new();
    place.secret();
    place.file("src/deep/c.ts", b"x");
    place.file("src/b.ts", b"x");
    place.file(".git/HEAD", b"x");
    place.link("src", "link");
    place.link("../secret", "out");
    let mut meaning = Meaning::of(Dialect::DISK);
    meaning.glob_directories = true;
    let paths = PathMode::Virtual { host_root: None };
    let cx = Context { storage: &place.disk, meaning: &meaning, paths: &paths, control: &Unlimited, now: "" };
    let glob = |pattern: &str, base: &str| -> Vec<String> {
        ops::glob(&cx, pattern, base).unwrap().rows.into_iter().map(|row| row.path).collect()
    };
    assert_eq!(glob("*", "/"), ["/.git/", "/link/", "/out", "/src/"]);
    assert_eq!(glob("**/*", "/src"), ["/src/b.ts", "/src/deep/", "/src/deep/c.ts"]);
    assert_eq!(glob("*/", "/"), ["/.git/", "/link/", "/src/"]);
    assert_eq!(glob("src", "/"), ["/src/"]);
    let outside = ops::glob(&cx, "*", "/out").map_err(|error| error.kind);
    assert_eq!(outside, Err(ErrorKind::OutsideRoot));
    assert_eq!(glob("!**/*.ts", "/src"), ["/src/deep/"]);
}
