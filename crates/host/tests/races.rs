//! Somebody changes the tree while it is used: nothing outside is ever read, written, listed or removed.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{ErrorKind, Storage, VirtualPath, storage::Walk};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};
use support::*;

const LONG_ENOUGH: Duration = Duration::from_millis(700);
/// Longer than it takes until a directory is remembered.
const SETTLED: Duration = Duration::from_millis(2200);

/// Swaps two names as fast as it can while `work` runs, and tells how often.
fn while_swapping(one: &Path, other: &Path, work: impl FnOnce()) -> usize {
    let stop = AtomicBool::new(false);
    let swaps = AtomicUsize::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
                    swaps.fetch_add(1, Ordering::Relaxed);
                }
                // Give the other thread a turn on a machine with one processor.
                thread::yield_now();
            }
        });
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        stop.store(true, Ordering::Relaxed);
        if let Err(panic) = done {
            std::panic::resume_unwind(panic);
        }
    });
    swaps.into_inner()
}

/// A folder that an attacker swaps for a link to a secret folder with the same names.
fn swapped_folder() -> Place {
    let place = Place::new();
    let secret = place.secret();
    fs::write(secret.join("gitignore"), "").unwrap();
    place.file("d/key.txt", b"in");
    place.link(&secret, "evil");
    place
}

fn names_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn reads_of_a_swapped_folder_stay_inside() {
    let place = swapped_folder();
    let (mut inside, mut refused) = (0, 0);
    let swaps = while_swapping(&place.ws.join("d"), &place.ws.join("evil"), || {
        let until = Instant::now() + LONG_ENOUGH;
        while Instant::now() < until {
            match read(&place.disk, "/d/key.txt").as_deref() {
                Ok("in") => inside += 1,
                Ok(other) => panic!("read {other}"),
                Err(ErrorKind::OutsideRoot | ErrorKind::Conflict | ErrorKind::NotFound) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    });
    assert!(inside > 0 && refused > 0 && swaps > 1, "{inside} {refused} {swaps}");
}

#[test]
fn writes_and_edits_of_a_swapped_folder_stay_inside() {
    let place = swapped_folder();
    let secret = place.top.join("secret");
    let mut done = 0;
    let swaps = while_swapping(&place.ws.join("d"), &place.ws.join("evil"), || {
        let until = Instant::now() + LONG_ENOUGH;
        while Instant::now() < until {
            done += usize::from(write(&place.disk, "/d/key.txt", "in").is_ok());
            done += usize::from(edit(&place.disk, "/d/key.txt", "in", "in").is_ok());
            done += usize::from(write(&place.disk, "/d/sub/new.txt", "in").is_ok());
            let _ = remove(&place.disk, "/d/sub");
            let _ = write(&place.disk, "/d/fresh.txt", "in");
            let _ = remove(&place.disk, "/d/fresh.txt");
        }
    });
    assert!(done > 0 && swaps > 1, "{done} {swaps}");
    assert_eq!(fs::read_to_string(secret.join("key.txt")).unwrap(), "TOP");
    assert_eq!(names_in(&secret), ["gitignore", "key.txt"]);
}

#[test]
fn removals_of_a_swapped_folder_stay_inside() {
    let place = swapped_folder();
    let secret = place.top.join("secret");
    let disk = &place.disk;
    // The folder below the one that is removed is swapped: a removal that follows names would step into the
    // secret.
    place.file("tree/d/x", b"");
    place.link(&secret, "tree/evil");
    while_swapping(&place.ws.join("tree/d"), &place.ws.join("tree/evil"), || {
        let until = Instant::now() + LONG_ENOUGH;
        while Instant::now() < until {
            let _ = remove(disk, "/tree/d/x");
            let _ = remove(disk, "/tree/d/key.txt");
            let _ = remove(disk, "/tree");
            // Made anew through the disk: a plain call would itself step into the secret.
            let _ = write(disk, "/tree/d/y/z", "");
            let _ = std::os::unix::fs::symlink(&secret, place.ws.join("tree/evil"));
        }
    });
    assert_eq!(fs::read_to_string(secret.join("key.txt")).unwrap(), "TOP");
    assert_eq!(names_in(&secret), ["gitignore", "key.txt"]);
}

#[test]
fn walks_and_searches_of_a_swapped_folder_stay_inside() {
    let place = swapped_folder();
    place.file("d/more/a", b"in");
    fs::create_dir(place.top.join("secret/more")).unwrap();
    fs::write(place.top.join("secret/more/TOP"), "TOP").unwrap();
    let root = VirtualPath::root();
    // From now on `d/more` is remembered, and stays so: only `d` itself changes.
    thread::sleep(SETTLED);
    assert_eq!(walk(&place.disk, &everything(&root)).unwrap(), ["d/key.txt", "d/more/a", "evil@"]);
    let mut found_inside = 0;
    while_swapping(&place.ws.join("d"), &place.ws.join("evil"), || {
        let until = Instant::now() + LONG_ENOUGH;
        while Instant::now() < until {
            assert_eq!(search(&place.disk, everything(&root), "TOP", 9).unwrap(), [""; 0]);
            found_inside += search(&place.disk, everything(&root), "in", 9).unwrap().len();
            for gitignore in [false, true] {
                let walked = walk(&place.disk, &Walk { stat: true, gitignore, ..everything(&root) }).unwrap();
                assert!(!walked.iter().any(|path| path.contains("TOP")), "{walked:?}");
            }
            let below = path("/d");
            if let Ok(found) = walk(&place.disk, &everything(&below)) {
                assert!(!found.contains(&"more/TOP".to_owned()), "{found:?}");
            }
            if let Ok(names) = list(&place.disk, "/d") {
                assert!(!names.contains(&"gitignore".to_owned()), "{names:?}");
            }
        }
    });
    assert!(found_inside > 0);
}

#[test]
fn a_file_swapped_for_a_link_is_not_followed_out() {
    let place = Place::new();
    let secret = place.secret();
    place.file("f", b"in");
    place.link(secret.join("key.txt"), "evil");
    let root = VirtualPath::root();
    while_swapping(&place.ws.join("f"), &place.ws.join("evil"), || {
        let until = Instant::now() + LONG_ENOUGH;
        while Instant::now() < until {
            assert!(matches!(read(&place.disk, "/f").as_deref(), Ok("in" | "out") | Err(_)));
            let _ = edit(&place.disk, "/f", "in", "in");
            let _ = write(&place.disk, "/f", "in");
            assert_eq!(search(&place.disk, everything(&root), "TOP", 9).unwrap(), [""; 0]);
            // Neither size nor kind of the secret is told: it has 3 bytes, the file 2.
            let mut sizes = Vec::new();
            place
                .disk
                .walk(&Walk { stat: true, ..everything(&root) }, &mut |_, metadata| {
                    sizes.push(metadata.size);
                    std::ops::ControlFlow::Continue(())
                })
                .unwrap();
            assert!(!sizes.contains(&3), "{sizes:?}");
        }
    });
    assert_eq!(fs::read_to_string(secret.join("key.txt")).unwrap(), "TOP");
}

#[test]
fn readers_see_the_old_content_or_the_new_one() {
    let place = Place::new();
    let (old, new) = ("A".repeat(2 << 20), "B".repeat(2 << 20));
    write(&place.disk, "/a", &old).unwrap();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..20 {
                write(&place.disk, "/a", &new).unwrap();
                write(&place.disk, "/a", &old).unwrap();
            }
            stop.store(true, Ordering::Relaxed);
        });
        let mut reads = 0;
        while !stop.load(Ordering::Relaxed) || reads == 0 {
            let seen = fs::read(place.ws.join("a")).unwrap();
            assert_eq!(seen.len(), 2 << 20);
            assert!(seen.iter().all(|byte| *byte == seen[0]), "torn");
            reads += 1;
        }
    });
}
