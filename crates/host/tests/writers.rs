//! Many writers at once: threads, disks, processes. No edit is lost, no process that dies leaves a torn file.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use deepfs_core::{
    ErrorKind, Storage,
    storage::{Existing, Kind},
};
use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};
use support::*;

/// This test program again, running one of the tests that are ignored otherwise.
fn child(test: &str, root: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("DEEPFS_CHILD_ROOT", root);
    command.stdout(Stdio::null()).stderr(Stdio::inherit());
    command
}

fn child_root() -> PathBuf {
    env::var_os("DEEPFS_CHILD_ROOT").expect("run by another test").into()
}

fn count_up(disk: &deepfs_host::disk::Disk, at: &str, times: usize) {
    for _ in 0..times {
        disk.update(&path(at), 1 << 20, &STAMP, &mut |old, _| {
            let count: usize = std::str::from_utf8(old).unwrap().trim().parse().unwrap();
            Ok(format!("{}\n", count + 1).into_bytes())
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

#[test]
fn a_write_over_the_file_size_limit_leaves_the_old_content() {
    for trap in ["", "trap '' XFSZ; "] {
        let place = Place::new();
        place.file("a", &[b"x".repeat(2000), b"MARK".to_vec()].concat());
        place.file("hard", &b"h".repeat(2000));
        fs::hard_link(place.ws.join("hard"), place.ws.join("link")).unwrap();
        // With a signal that would end the process, and as in Node, where it is ignored.
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(format!("{trap}ulimit -f 8; exec \"$0\" --exact child_is_limited --ignored --nocapture"));
        shell.arg(env::current_exe().unwrap()).env("DEEPFS_CHILD_ROOT", &place.ws).stdout(Stdio::null());
        assert!(shell.status().unwrap().success());
        assert_eq!(read(&place.disk, "/a").unwrap(), "x".repeat(2000) + "MARK");
        assert_eq!(read(&place.disk, "/link").unwrap(), "h".repeat(2000));
        assert_eq!(fs::read_dir(&place.ws).unwrap().count(), 3, "nothing is left behind");
    }
}

#[test]
#[ignore = "a child of another test"]
fn child_is_limited() {
    let disk = contained(&child_root());
    let large = "y".repeat(20_000);
    assert_eq!(edit(&disk, "/a", "MARK", &large), Err(ErrorKind::StorageFull));
    assert_eq!(write(&disk, "/a", &large), Err(ErrorKind::StorageFull));
    assert_eq!(write(&disk, "/new", &large), Err(ErrorKind::StorageFull));
    assert_eq!(write(&disk, "/hard", &large), Err(ErrorKind::StorageFull));
}

#[test]
fn permissions_of_the_caller_hold() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let place = Place::new();
    for folder in [&place.top, &place.ws] {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).unwrap();
    }
    let own = |path: &Path, mode| {
        std::os::unix::fs::chown(path, Some(65534), Some(65534)).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    own(&place.file("readonly", b"old"), 0o444);
    own(&place.file("mine", b"old"), 0o640);
    own(&place.file("closed/f", b"old"), 0o600);
    // Root's folder: a file can not be made there, but the one that is there may be written.
    fs::set_permissions(place.ws.join("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    // Root's file that everybody may write keeps its owner.
    fs::set_permissions(place.file("shared", b"old"), fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(place.file("secret", b"old"), fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = child("child_has_no_rights", &place.ws);
    command.uid(65534).gid(65534);
    // The program itself must be readable for that user.
    let program = place.top.join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    let mut copy = Command::new(&program);
    copy.args(command.get_args()).env("DEEPFS_CHILD_ROOT", &place.ws).uid(65534).gid(65534);
    assert!(copy.stdout(Stdio::null()).status().unwrap().success());
    let content = |at: &str| fs::read_to_string(place.ws.join(at)).unwrap();
    assert_eq!(content("readonly"), "old");
    assert_eq!(content("secret"), "old");
    assert_eq!(
        (content("mine"), content("closed/f"), content("shared")),
        ("new".into(), "new".into(), "new".into())
    );
    let shared = fs::metadata(place.ws.join("shared")).unwrap();
    assert_eq!((shared.uid(), shared.mode() & 0o777), (0, 0o666));
    assert_eq!(fs::metadata(place.ws.join("mine")).unwrap().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(place.ws.join("closed")).unwrap().count(), 1);
    // Root may give files away: the owner of what root edits stays.
    edit(&place.disk, "/mine", "new", "newer").unwrap();
    assert_eq!(fs::metadata(place.ws.join("mine")).unwrap().uid(), 65534);
}

#[test]
#[ignore = "a child of another test"]
fn child_has_no_rights() {
    let disk = contained(&child_root());
    for at in ["/readonly", "/secret"] {
        assert_eq!(edit(&disk, at, "old", "new"), Err(ErrorKind::PermissionDenied), "{at}");
        assert_eq!(write(&disk, at, "x"), Err(ErrorKind::PermissionDenied), "{at}");
    }
    assert_eq!(read(&disk, "/secret"), Err(ErrorKind::PermissionDenied));
    assert_eq!(write(&disk, "/closed/new", "x"), Err(ErrorKind::PermissionDenied));
    assert_eq!(remove(&disk, "/closed/f"), Err(ErrorKind::PermissionDenied));
    for at in ["/mine", "/closed/f", "/shared"] {
        assert_eq!(edit(&disk, at, "old", "new"), Ok(()), "{at}");
    }
    assert_eq!(kind(disk.metadata(&path("/closed"))).map(|found| found.kind), Ok(Kind::Directory));
}
