//! Links: inside the root they are followed, outside the kernel says no, and nothing behind them is told.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{
    ErrorKind, Storage, Unlimited, VirtualPath,
    dialect::Dialect,
    ops::{self, Context, Meaning, PathMode},
    storage::{Kind, Walk},
};
use std::fs;
use support::*;

#[test]
fn links_inside_are_followed_relative_and_absolute() {
    let place = Place::new();
    place.file("docs/real.md", b"hi\n");
    place.file("data/..v1/file", b"config");
    place.link("docs/real.md", "rel.md");
    place.link(place.ws.join("docs/real.md"), "abs.md");
    place.link(place.ws.join("docs"), "absdir");
    place.link("../rel.md", "docs/up.md");
    place.link("..v1", "data/..data");
    place.link("..data/file", "data/file");
    let disk = &place.disk;
    for at in ["/rel.md", "/abs.md", "/absdir/real.md", "/docs/up.md", "/absdir/up.md"] {
        assert_eq!(read(disk, at), Ok("hi\n".to_owned()), "{at}");
        assert_eq!(kind(disk.resolve(&path(at))), Ok(path("/docs/real.md")), "{at}");
        assert_eq!(kind(disk.metadata(&path(at))).map(|found| found.size), Ok(3), "{at}");
    }
    assert_eq!(read(disk, "/data/file"), Ok("config".to_owned()));
    assert_eq!(list(disk, "/absdir").unwrap(), ["real.md", "up.md"]);
    edit(disk, "/abs.md", "hi", "ho").unwrap();
    write(disk, "/absdir/new", "new").unwrap();
    write(disk, "/absdir/x/y", "deep").unwrap();
    assert_eq!(fs::read_to_string(place.ws.join("docs/real.md")).unwrap(), "ho\n");
    assert_eq!(fs::read_to_string(place.ws.join("docs/new")).unwrap(), "new");
    assert_eq!(fs::read_to_string(place.ws.join("docs/x/y")).unwrap(), "deep");
    assert!(fs::symlink_metadata(place.ws.join("abs.md")).unwrap().is_symlink());
}

#[test]
fn nothing_leaves_the_root() {
    let place = Place::new();
    let secret = place.secret();
    place.link(&secret, "out");
    place.link("../secret", "relout");
    place.link(secret.join("key.txt"), "key");
    place.link(secret.join("new.txt"), "fresh");
    place.link(place.top.join("nodir"), "nodir");
    place.link("out", "twice");
    let disk = &place.disk;
    for at in ["/out/key.txt", "/relout/key.txt", "/key", "/twice/key.txt", "/fresh", "/nodir/x"] {
        assert_eq!(read(disk, at), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(write(disk, at, "PWN"), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(edit(disk, at, "TOP", "PWN"), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(kind(disk.resolve(&path(at))), Err(ErrorKind::OutsideRoot), "{at}");
    }
    for at in ["/out", "/relout", "/twice"] {
        let root = path(at);
        assert_eq!(list(disk, at), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(walk(disk, &everything(&root)), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(search(disk, everything(&root), "TOP", 9), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(write(disk, &format!("{at}/n/new"), "PWN"), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(remove(disk, &format!("{at}/key.txt")), Err(ErrorKind::OutsideRoot), "{at}");
    }
    assert_eq!(fs::read_dir(&secret).unwrap().count(), 1);
    assert_eq!(fs::read_dir(&place.top).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(secret.join("key.txt")).unwrap(), "TOP");
}

#[test]
fn links_that_lead_out_are_shown_without_their_target() {
    let place = Place::new();
    let secret = place.secret();
    place.link(secret.join("key.txt"), "key");
    place.link(&secret, "out");
    place.link("missing", "dead");
    place.link("loop", "loop");
    let disk = &place.disk;
    assert_eq!(list(disk, "/").unwrap(), ["dead?", "key@", "loop?", "out@"]);
    let root = VirtualPath::root();
    for stat in [false, true] {
        assert_eq!(walk(disk, &Walk { stat, ..everything(&root) }).unwrap(), ["key@", "out@"]);
    }
    assert_eq!(search(disk, everything(&root), "TOP", 9).unwrap(), [""; 0]);
    let (entries, _) = disk.list(&root, 99, &Unlimited).unwrap();
    assert!(entries.iter().all(|entry| entry.metadata.size == 0));
    for (at, want) in [("/key", Kind::OutsideLink), ("/dead", Kind::DeadLink), ("/loop", Kind::DeadLink)] {
        assert_eq!(
            kind(disk.metadata(&path(at))).map(|found| (found.kind, found.size)),
            Ok((want, 0)),
            "{at}"
        );
    }
    assert_eq!(kind(disk.metadata(&path("/out/key.txt"))), Err(ErrorKind::OutsideRoot));
    assert_eq!(read(disk, "/dead"), Err(ErrorKind::NotFound));
    assert_eq!(read(disk, "/loop"), Err(ErrorKind::SymlinkLoop));
    assert_eq!(read(disk, "/loop/x"), Err(ErrorKind::SymlinkLoop));
}

#[test]
fn a_dead_link_inside_is_written_through() {
    let place = Place::new();
    place.link("d/new.txt", "l");
    fs::create_dir(place.ws.join("d")).unwrap();
    write(&place.disk, "/l", "x").unwrap();
    assert_eq!(fs::read_to_string(place.ws.join("d/new.txt")).unwrap(), "x");
    assert_eq!(kind(place.disk.resolve(&path("/l/not/there"))), Err(ErrorKind::NotADirectory));
    assert_eq!(kind(place.disk.resolve(&path("/d/not/there"))), Ok(path("/d/not/there")));
}

#[test]
fn removing_a_link_leaves_its_target() {
    let place = Place::new();
    let secret = place.secret();
    place.file("keep/f", b"x");
    place.link("keep", "inside");
    place.link(&secret, "out");
    place.link("nowhere", "dead");
    place.file("d/a", b"");
    place.link(&secret, "d/out");
    place.link("../keep", "d/keep");
    for at in ["/inside/", "/out/", "/dead", "/d"] {
        assert_eq!(remove(&place.disk, at), Ok(()), "{at}");
    }
    assert_eq!(list(&place.disk, "/").unwrap(), ["keep/"]);
    assert_eq!(list(&place.disk, "/keep").unwrap(), ["f"]);
    assert!(secret.join("key.txt").exists());
}

#[test]
fn walks_visit_file_links_and_do_not_enter_folder_links() {
    let place = Place::new();
    place.file("d/f", b"x");
    place.link("d/f", "f.lnk");
    place.link("d", "dl");
    place.link(".", "d/self");
    let root = VirtualPath::root();
    let disk = &place.disk;
    assert_eq!(walk(disk, &everything(&root)).unwrap(), ["d/f", "f.lnk"]);
    let all = Walk { directories: true, stat: true, ..everything(&root) };
    assert_eq!(walk(disk, &all).unwrap(), ["d/", "d/f", "d/self/", "dl/", "f.lnk"]);
    // The file is found under its own name.
    assert_eq!(search(disk, everything(&root), "x", 9).unwrap(), ["d/f"]);
    // A link named as the root of a walk is meant.
    let link = path("/dl");
    assert_eq!(walk(disk, &everything(&link)).unwrap(), ["f"]);
}

#[test]
fn a_pattern_enters_the_folder_links_that_it_names() {
    let place = Place::new();
    place.file("d/f.txt", b"x");
    place.file("d/e/g.txt", b"x");
    place.link("d", "dl");
    place.link("/", "out");
    place.link("loop", "loop");
    let (meaning, paths) = (Meaning::of(Dialect::DISK), PathMode::Virtual { host_root: None });
    let cx = Context { storage: &place.disk, meaning: &meaning, paths: &paths, control: &Unlimited, now: "" };
    let table: [(&str, &[&str]); 9] = [
        ("dl/*", &["/dl/f.txt"]),
        ("dl/**/*.txt", &["/dl/e/g.txt", "/dl/f.txt"]),
        ("dl/f.txt", &["/dl/f.txt"]),
        ("dl/e/*", &["/dl/e/g.txt"]),
        // What is not named is walked, and walks enter no links.
        ("*/f.txt", &["/d/f.txt"]),
        ("**/f.txt", &["/d/f.txt"]),
        ("out/etc/*", &[]),
        ("loop/*", &[]),
        ("d/f.txt/*", &[]),
    ];
    for (pattern, expected) in table {
        let listing = ops::glob(&cx, pattern, "/").unwrap();
        let found: Vec<&str> = listing.rows.iter().map(|row| row.path.as_str()).collect();
        assert_eq!(found, expected, "{pattern}");
    }
}
