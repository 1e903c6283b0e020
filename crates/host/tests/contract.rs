//! The contract of `Storage`, on a real folder.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{
    ErrorKind, Storage, Unlimited, VirtualPath,
    storage::{Existing, Kind, Time, Walk},
};
use std::{
    fs,
    os::unix::{
        ffi::OsStrExt,
        fs::{MetadataExt, PermissionsExt},
    },
};
use support::*;

#[test]
fn reads_what_was_written() {
    let place = Place::new();
    for content in ["", "a", "é\u{1f600}\r\n\0x", &"x".repeat(1 << 20)] {
        write(&place.disk, "/deep/er/a..b.txt", content).unwrap();
        assert_eq!(read(&place.disk, "/deep/er/a..b.txt").unwrap(), content);
        assert_eq!(fs::read(place.ws.join("deep/er/a..b.txt")).unwrap(), content.as_bytes());
    }
    assert_eq!(list(&place.disk, "/deep/er").unwrap(), ["a..b.txt"]);
}

#[test]
fn reads_at_any_offset() {
    let place = Place::new();
    place.file("a", b"0123456789");
    let source = place.disk.open(&path("/a")).unwrap();
    assert_eq!(source.metadata().size, 10);
    let mut buffer = [0; 4];
    for (offset, want) in [(0, &b"0123"[..]), (8, b"89"), (10, b""), (1 << 40, b"")] {
        let count = source.read_at(offset, &mut buffer).unwrap();
        assert_eq!(&buffer[..count], want, "{offset}");
    }
    assert_eq!(source.read_all(10).unwrap(), b"0123456789");
    assert_eq!(kind(source.read_all(9)), Err(ErrorKind::TooLarge));
}

#[test]
fn missing_and_mistaken_paths() {
    let place = Place::new();
    place.file("a.txt", b"x");
    place.file("d/f", b"x");
    let disk = &place.disk;
    assert_eq!(read(disk, "/nope"), Err(ErrorKind::NotFound));
    assert_eq!(read(disk, "/no/pe"), Err(ErrorKind::NotFound));
    assert_eq!(read(disk, "/d"), Err(ErrorKind::IsDirectory));
    assert_eq!(read(disk, "/"), Err(ErrorKind::IsDirectory));
    assert_eq!(read(disk, "/a.txt/b"), Err(ErrorKind::NotADirectory));
    assert_eq!(write(disk, "/a.txt/b", ""), Err(ErrorKind::NotADirectory));
    assert_eq!(write(disk, "/a.txt/b/c", ""), Err(ErrorKind::NotADirectory));
    assert_eq!(write(disk, "/d", ""), Err(ErrorKind::IsDirectory));
    assert_eq!(write(disk, "/", ""), Err(ErrorKind::IsDirectory));
    assert_eq!(edit(disk, "/nope", "a", "b"), Err(ErrorKind::NotFound));
    assert_eq!(edit(disk, "/no/pe", "a", "b"), Err(ErrorKind::NotFound));
    assert_eq!(edit(disk, "/d", "a", "b"), Err(ErrorKind::IsDirectory));
    assert_eq!(edit(disk, "/", "a", "b"), Err(ErrorKind::IsDirectory));
    assert_eq!(remove(disk, "/nope"), Err(ErrorKind::NotFound));
    assert_eq!(remove(disk, "/a.txt/b"), Err(ErrorKind::NotADirectory));
    assert_eq!(remove(disk, "/"), Err(ErrorKind::RootRefused));
    assert_eq!(list(disk, "/nope"), Err(ErrorKind::NotFound));
    assert_eq!(list(disk, "/a.txt"), Err(ErrorKind::NotADirectory));
    assert_eq!(kind(disk.metadata(&path("/nope"))), Err(ErrorKind::NotFound));
    let nope = path("/nope");
    assert_eq!(walk(disk, &everything(&nope)), Err(ErrorKind::NotFound));
    assert_eq!(search(disk, everything(&nope), "x", 9), Err(ErrorKind::NotFound));
    assert!(!place.ws.join("no").exists());
}

#[test]
fn creates_only_when_asked_to() {
    let place = Place::new();
    let create = |content: &[u8]| kind(place.disk.write(&path("/d/a"), content, Existing::Refuse, &STAMP));
    assert_eq!(create(b"one"), Ok(()));
    assert_eq!(create(b"two"), Err(ErrorKind::AlreadyExists));
    assert_eq!(read(&place.disk, "/d/a").unwrap(), "one");
}

#[test]
fn update_decides_on_the_content_and_keeps_it_on_a_refusal() {
    let place = Place::new();
    place.file("a", b"one");
    let disk = &place.disk;
    let mut seen = Vec::new();
    let kept = disk.update(&path("/a"), 3, &STAMP, &mut |old, metadata| {
        seen.push((old.to_vec(), metadata.size));
        Err(ErrorKind::NoMatch.into())
    });
    assert_eq!((kind(kept), seen), (Err(ErrorKind::NoMatch), vec![(b"one".to_vec(), 3)]));
    assert_eq!(
        kind(disk.update(&path("/a"), 2, &STAMP, &mut |_, _| Ok(vec![].into()))),
        Err(ErrorKind::TooLarge)
    );
    assert_eq!(read(disk, "/a").unwrap(), "one");
    assert_eq!(edit(disk, "/a", "one", "two and more"), Ok(()));
    assert_eq!(read(disk, "/a").unwrap(), "two and more");
}

#[test]
fn an_update_starts_anew_when_somebody_else_writes() {
    let place = Place::new();
    let host = place.file("a", b"1");
    let mut calls = 0;
    let done = place.disk.update(&path("/a"), 99, &STAMP, &mut |old, _| {
        calls += 1;
        if calls == 1 {
            fs::write(&host, "22").unwrap();
        }
        Ok([old, b"+"].concat().into())
    });
    assert_eq!((kind(done), calls, fs::read(&host).unwrap()), (Ok(()), 2, b"22+".to_vec()));

    let mut text = String::from("x");
    let never = place.disk.update(&path("/a"), 99, &STAMP, &mut |_, _| {
        text.push('x');
        fs::write(&host, &text).unwrap();
        Ok(b"mine".to_vec().into())
    });
    assert_eq!((kind(never), fs::read_to_string(&host).unwrap()), (Err(ErrorKind::Conflict), text));
}

#[test]
fn keeps_mode_and_attributes() {
    let place = Place::new();
    let host = place.file("run.sh", b"echo a\n");
    fs::set_permissions(&host, fs::Permissions::from_mode(0o751)).unwrap();
    let marked = rustix::fs::setxattr(&host, "user.deepfs", b"kept", rustix::fs::XattrFlags::empty()).is_ok();
    edit(&place.disk, "/run.sh", "a", "b").unwrap();
    write(&place.disk, "/run.sh", "echo c\n").unwrap();
    assert_eq!(fs::metadata(&host).unwrap().mode() & 0o7777, 0o751);
    if marked {
        let mut value = [0; 8];
        assert_eq!(rustix::fs::getxattr(&host, "user.deepfs", &mut value), Ok(4));
    }
}

#[test]
fn hard_links_stay_together() {
    let place = Place::new();
    let host = place.file("a.txt", b"old\n");
    fs::hard_link(&host, place.ws.join("b.txt")).unwrap();
    edit(&place.disk, "/a.txt", "old", "newer").unwrap();
    assert_eq!(read(&place.disk, "/b.txt").unwrap(), "newer\n");
    write(&place.disk, "/b.txt", "x").unwrap();
    assert_eq!(read(&place.disk, "/a.txt").unwrap(), "x");
    assert_eq!(fs::metadata(&host).unwrap().nlink(), 2);
    assert_eq!(fs::read_dir(&place.ws).unwrap().count(), 2, "no copies are left");
}

#[test]
fn durable_writes_do_the_same() {
    let place = Place::new();
    let disk = deepfs_host::disk::Disk::new(deepfs_host::disk::DiskOptions {
        root: place.ws.clone(),
        contained: true,
        durable: true,
    });
    write(&disk, "/d/a", "one").unwrap();
    write(&disk, "/d/a", "two").unwrap();
    fs::hard_link(place.ws.join("d/a"), place.ws.join("b")).unwrap();
    write(&disk, "/b", "three").unwrap();
    assert_eq!(read(&disk, "/d/a").unwrap(), "three");
}

#[test]
fn lists_in_the_order_of_paths_with_sizes_and_times() {
    let place = Place::new();
    for name in ["a/x", "a.txt", "a-b", "Z", ".hidden", "é", "\u{ff61}", "\u{10000}"] {
        place.file(name, b"12345");
    }
    let names = [".hidden", "Z", "a-b", "a.txt", "a/", "é", "\u{ff61}", "\u{10000}"];
    assert_eq!(list(&place.disk, "/").unwrap(), names);
    let (entries, _) = place.disk.list(&VirtualPath::root(), 99, &Unlimited).unwrap();
    let host = fs::metadata(place.ws.join("Z")).unwrap();
    let millis =
        |seconds: i64, nanos: i64| Time::Millis((seconds as f64 * 1000.0 + nanos as f64 / 1e6 + 0.5).floor());
    assert_eq!(entries[1].metadata.size, 5);
    assert_eq!(entries[1].metadata.modified, millis(host.mtime(), host.mtime_nsec()));
    assert_eq!(entries[1].metadata.created, millis(host.ctime(), host.ctime_nsec()));
    assert_eq!(entries[4].metadata.size, 0);
    let (entries, complete) = place.disk.list(&VirtualPath::root(), 3, &Unlimited).unwrap();
    assert_eq!((entries.len(), complete), (3, false));
}

#[test]
fn a_large_folder_is_listed_in_order() {
    let place = Place::new();
    let mut names: Vec<String> = (0..5000).map(|number| format!("f{number}")).collect();
    for name in &names {
        place.file(name, name.as_bytes());
    }
    names.sort();
    let (entries, complete) = place.disk.list(&VirtualPath::root(), 5000, &Unlimited).unwrap();
    assert!(complete);
    let listed: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.metadata.size)).collect();
    let wanted: Vec<_> = names.iter().map(|name| (name.as_str(), name.len() as u64)).collect();
    assert_eq!(listed, wanted);
}

#[test]
fn removes_files_folders_and_odd_names() {
    let place = Place::new();
    place.file("a", b"");
    place.file("d/e/f", b"");
    fs::write(place.ws.join("d").join(std::ffi::OsStr::from_bytes(b"x\xf6l")), "").unwrap();
    remove(&place.disk, "/a").unwrap();
    remove(&place.disk, "/d").unwrap();
    assert_eq!(fs::read_dir(&place.ws).unwrap().count(), 0);
}

#[test]
fn names_that_are_not_utf8_can_be_used() {
    let place = Place::new();
    let raw = |name: &[u8]| place.ws.join(std::ffi::OsStr::from_bytes(name));
    fs::create_dir(raw(b"d\xff")).unwrap();
    fs::write(raw(b"d\xff/f\xe9.txt"), "needle").unwrap();
    let disk = &place.disk;
    assert_eq!(list(disk, "/").unwrap(), ["d\\xff/"]);
    assert_eq!(list(disk, "/d\\xff").unwrap(), ["f\\xe9.txt"]);
    assert_eq!(read(disk, "/d\\xff/f\\xe9.txt").unwrap(), "needle");
    let root = VirtualPath::root();
    assert_eq!(walk(disk, &Walk { stat: true, ..everything(&root) }).unwrap(), ["d\\xff/f\\xe9.txt"]);
    assert_eq!(search(disk, everything(&root), "needle", 9).unwrap(), ["d\\xff/f\\xe9.txt"]);
    edit(disk, "/d\\xff/f\\xe9.txt", "needle", "pin").unwrap();
    write(disk, "/d\\xff/new", "x").unwrap();
    assert_eq!(fs::read_to_string(raw(b"d\xff/f\xe9.txt")).unwrap(), "pin");
    assert_eq!(fs::read_to_string(raw(b"d\xff/new")).unwrap(), "x");
    // A name that only looks like bytes is that name.
    write(disk, "/\\xe9", "literal").unwrap();
    assert_eq!(fs::read_to_string(format!("{}/\\xe9", place.ws.display())).unwrap(), "literal");
    remove(disk, "/d\\xff").unwrap();
    assert_eq!(list(disk, "/").unwrap(), ["\\xe9"]);
}

#[test]
fn same_letters_are_found_in_either_form() {
    let place = Place::new();
    place.file("cafe\u{301}/re\u{301}sume\u{301}.md", b"x");
    let wanted = path("/caf\u{e9}/r\u{e9}sum\u{e9}.md");
    assert_eq!(place.disk.same_letters(&wanted), Some(path("/cafe\u{301}/re\u{301}sume\u{301}.md")));
    assert_eq!(place.disk.same_letters(&path("/plain.md")), None);
    assert_eq!(place.disk.same_letters(&path("/\u{e9}")), None);
    place.file("e\u{323}\u{302}", b"");
    place.file("\u{1eb9}\u{302}", b"");
    assert_eq!(place.disk.same_letters(&path("/\u{1ec7}")), None, "two names have these letters");
}

#[test]
fn a_root_may_appear_vanish_and_come_back() {
    let place = Place::new();
    let root = place.top.join("later/ws");
    let disk = contained(&root);
    assert_eq!(read(&disk, "/a"), Err(ErrorKind::NotFound));
    assert_eq!(list(&disk, "/"), Err(ErrorKind::NotFound));
    write(&disk, "/a", "one").unwrap();
    assert_eq!(read(&disk, "/a").unwrap(), "one");
    fs::remove_dir_all(&root).unwrap();
    assert_eq!(read(&disk, "/a"), Err(ErrorKind::NotFound));
    fs::create_dir(&root).unwrap();
    fs::write(root.join("b"), "two").unwrap();
    assert_eq!(read(&disk, "/b").unwrap(), "two");
    assert_eq!(list(&disk, "/").unwrap(), ["b"]);
    fs::remove_dir_all(&root).unwrap();
    write(&disk, "/c", "three").unwrap();
    assert_eq!(fs::read_to_string(root.join("c")).unwrap(), "three");
    fs::remove_dir_all(&root).unwrap();
    fs::create_dir(&root).unwrap();
    fs::write(root.join("d"), "four").unwrap();
    assert_eq!(list(&disk, "/").unwrap(), ["d"]);
}

#[test]
fn unconfined_paths_are_host_paths() {
    let place = Place::new();
    let secret = place.secret();
    let disk = deepfs_host::disk::Disk::new(deepfs_host::disk::DiskOptions {
        root: place.ws.clone(),
        contained: false,
        durable: false,
    });
    let host = |at: &std::path::Path| at.to_str().unwrap().to_owned();
    place.link(&secret, "out");
    assert_eq!(read(&disk, &host(&place.ws.join("out/key.txt"))).unwrap(), "TOP");
    write(&disk, &host(&place.ws.join("n/a")), "x").unwrap();
    assert_eq!(list(&disk, &host(&place.ws)).unwrap(), ["n/", "out/"]);
    assert_eq!(read(&disk, "/dev/zero"), Err(ErrorKind::NotRegularFile));
    for held in ["/".to_owned(), host(&place.top), host(&place.ws)] {
        assert_eq!(remove(&disk, &held), Err(ErrorKind::RootRefused), "{held}");
    }
    remove(&disk, &host(&place.ws.join("out"))).unwrap();
    assert!(secret.join("key.txt").exists());
    let metadata = disk.metadata(&path(&host(&secret))).unwrap();
    assert_eq!(metadata.kind, Kind::Directory);
}
