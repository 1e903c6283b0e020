//! A workspace of its own for each test, and short ways to ask a disk.

#![allow(dead_code, unreachable_pub, reason = "every test file uses a part of it")]

use deepfs_core::{
    ErrorKind, Fault, Storage, Unlimited, VirtualPath,
    storage::{Existing, FileMatches, Kind, Search, Stamp, Walk},
};
use deepfs_host::disk::{Disk, DiskOptions};
use std::{
    env, fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

pub const STAMP: Stamp<'static> = Stamp { now: "2026-01-01T00:00:00.000Z", mime: "text/plain" };

/// A folder with `ws` (the root) and room beside it for what must not be reached.
pub struct Place {
    pub top: PathBuf,
    pub ws: PathBuf,
    pub disk: Disk,
}

impl Place {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let top = base().join(format!("deepfs-test-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&top);
        let ws = top.join("ws");
        fs::create_dir_all(&ws).unwrap();
        let disk = contained(&ws);
        Self { top, ws, disk }
    }

    /// Makes a file on the host, with its folders.
    pub fn file(&self, path: &str, content: &[u8]) -> PathBuf {
        let host = self.ws.join(path);
        fs::create_dir_all(host.parent().unwrap()).unwrap();
        fs::write(&host, content).unwrap();
        host
    }

    pub fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.ws.join(path)).unwrap();
    }

    /// A secret beside the root.
    pub fn secret(&self) -> PathBuf {
        let folder = self.top.join("secret");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("key.txt"), "TOP").unwrap();
        folder
    }
}

/// Where workspaces are made: in memory where that is possible, since some tests make thousands of files.
/// `DEEPFS_TEST_DIR` names another folder, to run the same tests on another file system.
fn base() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    match env::var_os("DEEPFS_TEST_DIR") {
        Some(folder) => folder.into(),
        None if memory.is_dir() => memory,
        None => env::temp_dir(),
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.top);
    }
}

pub fn contained(root: &Path) -> Disk {
    Disk::new(DiskOptions { root: root.to_owned(), contained: true, durable: false })
}

pub fn path(text: &str) -> VirtualPath {
    VirtualPath::parse(text).unwrap()
}

pub fn kind<T>(result: Result<T, Fault>) -> Result<T, ErrorKind> {
    result.map_err(|fault| fault.kind)
}

pub fn read(disk: &Disk, at: &str) -> Result<String, ErrorKind> {
    let bytes = disk.open(&path(at)).and_then(|source| source.read_all(1 << 30));
    kind(bytes).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

pub fn write(disk: &Disk, at: &str, content: &str) -> Result<(), ErrorKind> {
    kind(disk.write(&path(at), content.as_bytes(), Existing::Replace, &STAMP))
}

pub fn edit(disk: &Disk, at: &str, from: &str, to: &str) -> Result<(), ErrorKind> {
    kind(disk.update(&path(at), 1 << 30, &STAMP, &mut |old, _| {
        let text = String::from_utf8(old.to_vec()).unwrap();
        if !text.contains(from) {
            return Err(ErrorKind::NoMatch.into());
        }
        Ok(text.replacen(from, to, 1).into_bytes().into())
    }))
}

pub fn remove(disk: &Disk, at: &str) -> Result<(), ErrorKind> {
    kind(disk.remove(&path(at), &Unlimited))
}

/// Names, folders and links to folders with a slash, links that lead out with an `@`.
pub fn list(disk: &Disk, at: &str) -> Result<Vec<String>, ErrorKind> {
    let (entries, complete) = kind(disk.list(&path(at), u64::MAX, &Unlimited))?;
    assert!(complete);
    Ok(entries.into_iter().map(|entry| shown(&entry.name, entry.metadata.kind)).collect())
}

pub fn shown(name: &str, kind: Kind) -> String {
    let mark = match kind {
        Kind::File => "",
        Kind::Directory => "/",
        Kind::OutsideLink => "@",
        Kind::DeadLink => "?",
        Kind::Special => "|",
    };
    format!("{name}{mark}")
}

pub fn everything(root: &VirtualPath) -> Walk<'_> {
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

pub fn walk(disk: &Disk, walk: &Walk<'_>) -> Result<Vec<String>, ErrorKind> {
    let mut found = Vec::new();
    kind(disk.walk(walk, &mut |path, metadata| {
        found.push(shown(path, metadata.kind));
        ControlFlow::Continue(())
    }))?;
    Ok(found)
}

/// Files that hold `needle`.
pub fn search(disk: &Disk, walk: Walk<'_>, needle: &str, max: usize) -> Result<Vec<String>, ErrorKind> {
    let search = Search {
        walk,
        max_file_bytes: 1 << 30,
        inspect: &|candidate| {
            let bytes =
                if candidate.whole { candidate.head.to_vec() } else { candidate.source.read_all(1 << 30)? };
            let hit = bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
            Ok(hit.then(|| FileMatches { lines: vec![1], texts: vec![needle.to_owned()], more: false }))
        },
    };
    let mut found = Vec::new();
    kind(disk.search(&search, &mut |path, _| {
        found.push(path.to_owned());
        if found.len() == max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }))?;
    Ok(found)
}

/// This test program again, running one of the tests that are ignored otherwise.
pub fn child(test: &str, root: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("DEEPFS_CHILD_ROOT", root);
    command.stdout(Stdio::null()).stderr(Stdio::inherit());
    command
}

pub fn child_root() -> PathBuf {
    env::var_os("DEEPFS_CHILD_ROOT").expect("run by another test").into()
}
