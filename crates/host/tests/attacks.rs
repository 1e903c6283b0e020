//! Things in a workspace that are no files, trees that are no trees, and names made to hurt.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{
    ErrorKind, Storage, VirtualPath,
    storage::{Existing, Walk},
};
use rustix::fs::{CWD, FileType, Mode, OFlags, mkdirat, mknodat, openat};
use std::{
    fs,
    os::unix::net::UnixListener,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};
use support::*;

/// Fails instead of hanging.
fn promptly<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(work()));
    receive.recv_timeout(Duration::from_secs(5)).expect("it hangs")
}

#[test]
fn fifos_sockets_and_devices_are_refused_at_once() {
    let place = Place::new();
    mknodat(CWD, place.ws.join("pipe"), FileType::Fifo, Mode::from_raw_mode(0o666), 0).unwrap();
    let _socket = UnixListener::bind(place.ws.join("sock")).unwrap();
    place.link("/dev/zero", "zero");
    place.link("pipe", "to-pipe");
    let device = mknodat(
        CWD,
        place.ws.join("null"),
        FileType::CharacterDevice,
        Mode::from_raw_mode(0o666),
        rustix::fs::makedev(1, 3),
    )
    .is_ok();
    let mut special = vec!["/pipe", "/sock", "/to-pipe"];
    special.extend(device.then_some("/null"));
    promptly(move || {
        let disk = &place.disk;
        for at in &special {
            assert_eq!(read(disk, at), Err(ErrorKind::NotRegularFile), "{at}");
            assert_eq!(write(disk, at, "x"), Err(ErrorKind::NotRegularFile), "{at}");
            assert_eq!(edit(disk, at, "x", "y"), Err(ErrorKind::NotRegularFile), "{at}");
            assert!(disk.load_cached(&path(at)).is_none(), "{at}");
            let root = path(at);
            assert_eq!(walk(disk, &everything(&root)), Err(ErrorKind::NotRegularFile), "{at}");
            assert_eq!(search(disk, everything(&root), "x", 9), Err(ErrorKind::NotRegularFile), "{at}");
        }
        assert_eq!(read(disk, "/zero"), Err(ErrorKind::OutsideRoot));
        let create = disk.write(&path("/pipe"), b"x", Existing::Refuse, &STAMP);
        assert_eq!(kind(create), Err(ErrorKind::NotRegularFile));
        let root = VirtualPath::root();
        assert_eq!(search(disk, everything(&root), "x", 9).unwrap(), [""; 0]);
        let walked = walk(disk, &Walk { stat: true, ..everything(&root) }).unwrap();
        assert_eq!(walked.iter().filter(|name| name.ends_with('|')).count(), special.len());
        for at in special.iter().chain([&"/zero"]) {
            assert_eq!(remove(disk, at), Ok(()), "{at}");
        }
        assert_eq!(list(disk, "/").unwrap(), [""; 0]);
        assert!(fs::metadata("/dev/zero").is_ok());
    });
}

#[test]
fn the_magic_links_of_proc_are_not_followed() {
    let place = Place::new();
    let outside = fs::File::open("/etc/hostname").or_else(|_| fs::File::open("/etc/passwd")).unwrap();
    use std::os::fd::AsRawFd;
    place.link(format!("/proc/self/fd/{}", outside.as_raw_fd()), "magic");
    place.link("/proc/self/cwd", "cwd");
    place.link("/proc/self/root/etc/passwd", "root");
    for at in ["/magic", "/cwd/Cargo.toml", "/root"] {
        assert_eq!(read(&place.disk, at), Err(ErrorKind::OutsideRoot), "{at}");
        assert_eq!(write(&place.disk, at, "x"), Err(ErrorKind::OutsideRoot), "{at}");
    }
}

#[test]
fn a_tree_of_ten_thousand_levels_is_removed_and_walked() {
    const LEVELS: usize = 10_000;
    let place = Place::new();
    fs::create_dir(place.ws.join("deep")).unwrap();
    let mut folder = openat(CWD, place.ws.join("deep"), OFlags::PATH, Mode::empty()).unwrap();
    for _ in 0..LEVELS {
        mkdirat(&folder, c"d", Mode::from_raw_mode(0o755)).unwrap();
        folder = openat(&folder, c"d", OFlags::PATH, Mode::empty()).unwrap();
    }
    drop(folder);
    place.file("deep/d/d/f", b"needle");
    let disk = &place.disk;
    let root = VirtualPath::root();
    let mut deepest = 0;
    let walked = disk.walk(&Walk { directories: true, ..everything(&root) }, &mut |path, _| {
        deepest = deepest.max(path.len());
        std::ops::ControlFlow::Continue(())
    });
    assert!(!walked.unwrap().complete, "what no path can name is not seen, and the walk says so");
    assert!(deepest > 4000 && deepest < 4096, "{deepest}");
    assert_eq!(search(disk, everything(&root), "needle", 9).unwrap(), ["deep/d/d/f"]);
    let started = Instant::now();
    assert_eq!(remove(disk, "/deep"), Ok(()));
    assert!(
        started.elapsed() < Duration::from_secs(120),
        "the way back is not walked from the top each time"
    );
    assert_eq!(list(disk, "/").unwrap(), [""; 0]);
}

#[test]
fn a_removal_of_many_levels_and_files_finds_its_way_back() {
    let place = Place::new();
    // Deeper than the handles that are held, with more to do at every level on the way back.
    let mut at = String::from("deep");
    for level in 0..150 {
        place.file(&format!("{at}/a/f"), b"");
        place.file(&format!("{at}/z/f"), b"");
        at = format!("{at}/m{}", level % 10);
    }
    place.file("stays", b"");
    let root = VirtualPath::root();
    assert_eq!(walk(&place.disk, &everything(&root)).unwrap().len(), 301);
    remove(&place.disk, "/deep").unwrap();
    assert_eq!(list(&place.disk, "/").unwrap(), ["stays"]);
}

#[test]
fn long_names_and_long_paths_are_told_as_such() {
    let place = Place::new();
    let name = "n".repeat(255);
    write(&place.disk, &format!("/{name}"), "x").unwrap();
    assert_eq!(read(&place.disk, &format!("/{name}")).unwrap(), "x");
    // 255 letters are 255 bytes only in ASCII; the parser counts bytes as the system does.
    assert!(VirtualPath::parse(&"é".repeat(128)).is_err());
    let long = format!("/{}", vec!["d".repeat(200); 20].join("/"));
    assert_eq!(write(&place.disk, &long, "x"), Ok(()));
    assert_eq!(read(&place.disk, &long), Ok("x".to_owned()));
}

#[test]
fn a_flood_of_links_ends() {
    let place = Place::new();
    // Each link leads through the one before it, twice: the number of steps doubles with each.
    place.file("d0/f", b"x");
    for level in 1..60 {
        place.link(format!("d{}/../d{}", level - 1, level - 1), &format!("d{level}"));
    }
    let started = Instant::now();
    assert_eq!(read(&place.disk, "/d59/f"), Err(ErrorKind::SymlinkLoop));
    assert!(matches!(kind(place.disk.resolve(&path("/d59/f"))), Err(ErrorKind::SymlinkLoop)));
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn cached_reads_give_the_bytes_or_nothing() {
    let place = Place::new();
    place.file("a", b"hello");
    let disk = &place.disk;
    assert!(disk.load_cached(&path("/a")).is_none(), "the root is not open yet");
    assert_eq!(read(disk, "/a").unwrap(), "hello");
    // Whether memory still holds it is the kernel's affair.
    if let Some(source) = disk.load_cached(&path("/a")) {
        assert_eq!(source.read_all(9).unwrap(), b"hello");
    }
    fs::create_dir(place.ws.join("d")).unwrap();
    assert!(disk.load_cached(&path("/d")).is_none());
    let secret = place.secret();
    place.link(&secret, "out");
    assert!(disk.load_cached(&path("/out/key.txt")).is_none());
}
