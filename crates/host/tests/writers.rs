//! Many writers at once: threads, disks, processes. No edit is lost, no process that dies leaves a torn file.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{ErrorKind, Storage, storage::Existing};
use std::{fs, process::Child, thread, time::Duration};
use support::*;

fn count_up(disk: &deepfs_host::disk::Disk, at: &str, times: usize) {
    for _ in 0..times {
        disk.update(&path(at), 1 << 20, &STAMP, &mut |old, _| {
            let count: usize = std::str::from_utf8(old).unwrap().trim().parse().unwrap();
            Ok(format!("{}\n", count + 1).into_bytes().into())
        })
        .unwrap();
    }
}

#[test]
fn no_edit_of_64_threads_is_lost() {
    let place = Place::new();
    place.file("n", b"0\n");
    // Half of them through a disk of their own.
    let other = contained(&place.ws);
    thread::scope(|scope| {
        for number in 0..64 {
            let disk = if number % 2 == 0 { &place.disk } else { &other };
            scope.spawn(move || count_up(disk, "/n", 20));
        }
    });
    assert_eq!(read(&place.disk, "/n").unwrap(), "1280\n");
    assert_eq!(fs::read_dir(&place.ws).unwrap().count(), 1);
}

#[test]
fn no_edit_of_several_processes_is_lost_on_files_with_one_name_or_two() {
    let place = Place::new();
    place.file("n", b"0\n");
    let twice = place.file("twice", b"0\n");
    fs::hard_link(twice, place.ws.join("second")).unwrap();
    let children: Vec<Child> = (0..4).map(|_| child("child_counts", &place.ws).spawn().unwrap()).collect();
    count_up(&place.disk, "/n", 100);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(read(&place.disk, "/n").unwrap(), "500\n");
    assert_eq!(read(&place.disk, "/second").unwrap(), "160\n");
}

#[test]
#[ignore = "a child of another test"]
fn child_counts() {
    let disk = contained(&child_root());
    count_up(&disk, "/n", 100);
    count_up(&disk, "/twice", 20);
    count_up(&disk, "/second", 20);
}

#[test]
fn creating_writing_editing_and_removing_at_once_ends_well() {
    let place = Place::new();
    thread::scope(|scope| {
        for number in 0..8 {
            let disk = &place.disk;
            scope.spawn(move || {
                for round in 0..50 {
                    let text = format!("{number} {round}");
                    match number % 4 {
                        0 => write(disk, "/d/f", &text).unwrap(),
                        1 => {
                            let done =
                                kind(disk.write(&path("/d/f"), text.as_bytes(), Existing::Refuse, &STAMP));
                            assert!(matches!(done, Ok(()) | Err(ErrorKind::AlreadyExists)), "{done:?}");
                        }
                        2 => {
                            let done = edit(disk, "/d/f", "1", "2");
                            assert!(
                                matches!(done, Ok(()) | Err(ErrorKind::NotFound | ErrorKind::NoMatch)),
                                "{done:?}"
                            );
                        }
                        _ => {
                            let done = remove(disk, if round % 2 == 0 { "/d/f" } else { "/d" });
                            assert!(
                                matches!(done, Ok(()) | Err(ErrorKind::NotFound | ErrorKind::Conflict)),
                                "{done:?}"
                            );
                        }
                    }
                }
            });
        }
    });
    write(&place.disk, "/d/f", "end").unwrap();
    assert_eq!(list(&place.disk, "/d").unwrap(), ["f"]);
    assert_eq!(fs::read_dir(place.ws.join("d")).unwrap().count(), 1);
}

#[test]
fn exactly_one_creation_wins() {
    let place = Place::new();
    let wins = thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|number| {
                let disk = &place.disk;
                scope.spawn(move || {
                    let text = format!("{number}");
                    kind(disk.write(&path("/a/b/new"), text.as_bytes(), Existing::Refuse, &STAMP))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(Result::is_ok).count()
    });
    assert_eq!(wins, 1);
}

#[test]
fn a_writer_that_is_killed_leaves_the_old_content_or_the_new_one() {
    let place = Place::new();
    let size = 4 << 20;
    for round in 0..12_u64 {
        place.file("f", "o".repeat(size).as_bytes());
        let mut child = child("child_writes", &place.ws).spawn().unwrap();
        // From before the first write to the middle of one.
        thread::sleep(Duration::from_millis(5 + 7 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let content = fs::read(place.ws.join("f")).unwrap();
        assert_eq!(content.len(), size);
        assert!(content.iter().all(|byte| *byte == content[0]), "torn in round {round}");
        assert_eq!(list(&place.disk, "/").unwrap(), ["f"], "what is left is hidden");
    }
    // Nobody holds the lock of the dead.
    edit(&place.disk, "/f", "o", "x").or_else(|_| edit(&place.disk, "/f", "n", "x")).unwrap();
}

#[test]
#[ignore = "a child of another test"]
fn child_writes() {
    let disk = contained(&child_root());
    loop {
        write(&disk, "/f", &"n".repeat(4 << 20)).unwrap();
    }
}
