//! What is remembered of directories never shows: a disk that remembers answers as one that does not, whatever others do to
//! the tree.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{Storage, Unlimited, VirtualPath, storage::Walk};
use deepfs_host::disk::Disk;
use std::{
    fs::{self, File, FileTimes},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    thread,
    time::Duration,
};
use support::*;

/// Longer than it takes until a directory is remembered.
const SETTLED: Duration = Duration::from_millis(2200);

/// Everything that walks tell, in every way of walking.
fn told(disk: &Disk) -> Vec<Vec<String>> {
    let root = VirtualPath::root();
    let sub = path("/d1");
    let mut told = Vec::new();
    for (directories, gitignore) in [(false, false), (true, false), (false, true)] {
        for root in [&root, &sub] {
            let asked = Walk { directories, gitignore, stat: true, ..everything(root) };
            told.push(walk(disk, &asked).unwrap_or_default());
        }
        told.push(
            search(disk, Walk { gitignore, ..everything(&root) }, "needle", usize::MAX).unwrap_or_default(),
        );
    }
    for folder in ["/", "/d1", "/d1/e", "/d2", "/moved"] {
        told.push(list(disk, folder).unwrap_or_default());
    }
    for max_entries in [1, 7, 30] {
        let (listed, whole) = disk.list(&root, max_entries, &Unlimited).unwrap();
        told.push(vec![listed.len().to_string(), whole.to_string()]);
        let capped = Walk { max_entries, ..everything(&root) };
        let ended = disk.walk(&capped, &mut |_, _| std::ops::ControlFlow::Continue(())).unwrap();
        told.push(vec![ended.complete.to_string()]);
    }
    told
}

fn tree() -> Place {
    let place = Place::new();
    for folder in 0..12 {
        for file in 0..4 {
            place.file(&format!("d{folder}/e/f{file}.txt"), b"needle");
            place.file(&format!("d{folder}/g{file}.md"), b"needle");
        }
    }
    place.file("d3/.gitignore", b"*.md\n");
    // Deeper than directories are held open.
    for depth in [1, 63, 64, 65, 100] {
        place.file(&format!("deep/{}f.txt", "x/".repeat(depth)), b"needle");
    }
    place
}

fn times_of(folder: &Path) -> FileTimes {
    let known = fs::metadata(folder).unwrap();
    FileTimes::new().set_modified(known.modified().unwrap()).set_accessed(known.accessed().unwrap())
}

type Change = (&'static str, fn(&Path, &Path));

/// Each in a directory that no other one has changed.
const CHANGES: [Change; 16] = [
    ("a new file", |ws, _| fs::write(ws.join("d0/e/new.txt"), "needle").unwrap()),
    ("a removed file", |ws, _| fs::remove_file(ws.join("d1/e/f0.txt")).unwrap()),
    ("a renamed file", |ws, _| fs::rename(ws.join("d2/g0.md"), ws.join("d2/a.md")).unwrap()),
    ("other rules, written over the old ones", |ws, _| fs::write(ws.join("d3/.gitignore"), "e/\n").unwrap()),
    ("new rules", |ws, _| fs::write(ws.join("d4/.ignore"), "g1.md\n").unwrap()),
    ("removed rules", |ws, _| fs::remove_file(ws.join("d3/.gitignore")).unwrap()),
    ("a file that becomes a folder", |ws, _| {
        fs::remove_file(ws.join("d4/g0.md")).unwrap();
        fs::create_dir(ws.join("d4/g0.md")).unwrap();
        fs::write(ws.join("d4/g0.md/in.txt"), "needle").unwrap();
    }),
    ("a folder that becomes a link to another", |ws, _| {
        fs::remove_dir_all(ws.join("d5/e")).unwrap();
        symlink("../d6/e", ws.join("d5/e")).unwrap();
    }),
    ("a folder that becomes a link that leads out, to a folder with the same names", |ws, secret| {
        fs::rename(ws.join("d6/e"), secret.join("away")).unwrap();
        symlink(secret, ws.join("d6/e")).unwrap();
    }),
    ("a folder made anew", |ws, _| {
        fs::remove_dir_all(ws.join("d7/e")).unwrap();
        fs::create_dir(ws.join("d7/e")).unwrap();
    }),
    ("two folders exchanged", |ws, _| {
        fs::rename(ws.join("d8"), ws.join("away")).unwrap();
        fs::rename(ws.join("d9"), ws.join("d8")).unwrap();
        fs::rename(ws.join("away"), ws.join("d9")).unwrap();
    }),
    ("a folder moved into another", |ws, _| fs::rename(ws.join("d7"), ws.join("d8/d7")).unwrap()),
    ("a new file, and the old time set again", |ws, _| {
        let folder = ws.join("d10/e");
        let times = times_of(&folder);
        fs::write(folder.join("late.txt"), "needle").unwrap();
        File::open(&folder).unwrap().set_times(times).unwrap();
    }),
    ("a new file far down", |ws, _| {
        fs::create_dir_all(ws.join("d11/e/x/y/z")).unwrap();
        fs::write(ws.join("d11/e/x/y/z/new.txt"), "needle").unwrap();
    }),
    ("other rights", |ws, _| fs::set_permissions(ws.join("d11"), fs::Permissions::from_mode(0o500)).unwrap()),
    ("a whole new root", |ws, _| {
        fs::rename(ws, ws.with_extension("old")).unwrap();
        fs::create_dir(ws).unwrap();
        fs::write(ws.join("only.txt"), "needle").unwrap();
    }),
];

#[test]
fn every_change_is_seen_at_once() {
    let place = tree();
    let secret = place.secret();
    for file in 0..4 {
        fs::write(secret.join(format!("f{file}.txt")), "needle").unwrap();
    }
    thread::sleep(SETTLED);
    let plain = contained(&place.ws).without_shortcuts();
    for _ in 0..3 {
        assert_eq!(told(&place.disk), told(&plain), "nothing changed");
    }
    for (what, change) in CHANGES {
        change(&place.ws, &secret);
        // The root that was moved away stays the root of those that hold it.
        assert_eq!(told(&place.disk), told(&plain), "{what}");
        assert_eq!(told(&place.disk), told(&plain), "{what}, once more");
    }
}

#[test]
fn changes_that_nobody_chose_are_seen_at_once() {
    let place = tree();
    let plain = contained(&place.ws).without_shortcuts();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut any = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for round in 0..3 {
        // All is remembered anew, besides what changes from here on.
        thread::sleep(SETTLED);
        told(&place.disk);
        for step in 0..60 {
            let at = |folder: u64, file: u64| place.ws.join(format!("d{folder}/e/f{file}.txt"));
            let (from, to) = (at(any(12), any(6)), at(any(12), any(6)));
            // Whether it works is not the question.
            let _ = match any(5) {
                0 => fs::write(&to, "needle"),
                1 => fs::remove_file(&from),
                2 => fs::rename(&from, &to),
                3 => fs::rename(from.parent().unwrap(), place.ws.join(format!("d{}/e", any(12)))),
                _ => fs::create_dir_all(to.parent().unwrap()),
            };
            assert_eq!(told(&place.disk), told(&plain), "round {round}, step {step}");
        }
    }
}

#[test]
fn a_link_to_a_folder_is_ordered_as_one_where_that_is_shown() {
    let place = Place::new();
    place.file("a/x", b"1");
    place.file("a.b", b"1");
    place.link("a", "a0");
    place.link("nowhere", "a-");
    let root = VirtualPath::root();
    thread::sleep(SETTLED);
    for _ in 0..3 {
        let with = Walk { directories: true, ..everything(&root) };
        assert_eq!(walk(&place.disk, &with).unwrap(), ["a.b", "a/", "a/x", "a0/"]);
        assert_eq!(walk(&place.disk, &everything(&root)).unwrap(), ["a.b", "a/x"]);
        assert_eq!(list(&place.disk, "/").unwrap(), ["a-?", "a.b", "a/", "a0/"]);
        symlink("x", place.ws.join("a/l")).unwrap();
        fs::remove_file(place.ws.join("a/l")).unwrap();
    }
}
