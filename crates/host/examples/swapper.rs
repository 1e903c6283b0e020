//! Plays the one who changes a workspace while it is used: swaps files and folders for links, over and over, until its
//! standard input closes, and then prints how often it did. For `npm run attack`.
//!
//! ```text
//! swapper ROOT PAIR…        PAIR: <folder>|<name>|<other name>|dir or file|<target of the link>
//! ```
//!
//! Of the two names of a pair one stands for a file or folder, the other for a link. It takes care not to be led out of
//! the root itself: what is found outside afterwards was somebody else's doing.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("swapping names in one step needs Linux");
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::{
        fd::{AsFd, OwnedFd},
        fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, ResolveFlags},
        io::Errno,
    };
    use std::{
        env,
        io::Read as _,
        process::exit,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
        thread,
        time::Duration,
    };

    const HANDLE: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    /// Two names that change places.
    struct Pair {
        folder: String,
        one: String,
        other: String,
        is_folder: bool,
        target: String,
    }

    impl Pair {
        fn parse(text: &str) -> Option<Self> {
            let mut parts = text.split('|').map(str::to_owned);
            let (folder, one, other, kind, target) =
                (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
            Some(Self { folder, one, other, is_folder: kind == "dir", target })
        }

        /// One swap; the step that is not atomic leaves a gap in which a name is missing.
        fn swap(&self, root: &OwnedFd, atomic: bool) -> Result<(), Errno> {
            let folder = folder_at(root, &self.folder)?;
            self.mend(&folder)?;
            let (one, other) = (&self.one, &self.other);
            if atomic {
                return rustix::fs::renameat_with(&folder, one, &folder, other, RenameFlags::EXCHANGE);
            }
            let away = format!("{one}.away");
            rustix::fs::renameat(&folder, one, &folder, &away)?;
            let swapped = rustix::fs::renameat(&folder, other, &folder, one);
            let _ = rustix::fs::renameat(&folder, &away, &folder, other);
            swapped
        }

        /// Makes what others have removed, and takes away what they have made in place of a link.
        fn mend(&self, folder: &OwnedFd) -> Result<(), Errno> {
            let (one, other) = (is_link(folder, &self.one), is_link(folder, &self.other));
            match (one, other) {
                (Some(true), Some(true)) => {
                    rustix::fs::unlinkat(folder, &self.one, AtFlags::empty())?;
                    self.make(folder, &self.one)
                }
                (Some(true), None) => self.make(folder, &self.other),
                (None, Some(true)) => self.make(folder, &self.one),
                (Some(false), Some(false)) => {
                    rustix::fs::renameat(folder, &self.other, folder, format!("{}.old", self.other))
                        .or_else(|_| rustix::fs::unlinkat(folder, &self.other, AtFlags::empty()))?;
                    rustix::fs::symlinkat(&self.target, folder, &self.other)
                }
                (Some(false), None) => rustix::fs::symlinkat(&self.target, folder, &self.other),
                (None, Some(false)) => rustix::fs::symlinkat(&self.target, folder, &self.one),
                (None, None) => {
                    self.make(folder, &self.one)?;
                    rustix::fs::symlinkat(&self.target, folder, &self.other)
                }
                (Some(true), Some(false)) | (Some(false), Some(true)) => Ok(()),
            }
        }

        fn make(&self, folder: &OwnedFd, name: &str) -> Result<(), Errno> {
            if self.is_folder {
                return rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o755));
            }
            let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let file = rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(0o644))?;
            rustix::io::write(file, b"inside\n").map(drop)
        }
    }

    /// A folder below the root, through no link at all.
    fn folder_at(root: &OwnedFd, path: &str) -> Result<OwnedFd, Errno> {
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        rustix::fs::openat2(root, path, HANDLE, Mode::empty(), resolve)
    }

    fn is_link(folder: impl AsFd, name: &str) -> Option<bool> {
        let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    }

    pub(super) fn main() {
        let mut arguments = env::args().skip(1);
        let root =
            arguments.next().and_then(|root| rustix::fs::openat(CWD, root, HANDLE, Mode::empty()).ok());
        let pairs: Vec<Pair> = arguments.filter_map(|text| Pair::parse(&text)).collect();
        let (Some(root), false) = (root, pairs.is_empty()) else {
            eprintln!("usage: swapper ROOT PAIR…");
            exit(2);
        };
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        thread::spawn(move || {
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            told.store(true, Ordering::Relaxed);
        });
        println!("ready");
        let mut swaps = 0_u64;
        let mut turn = 0_u64;
        while !stop.load(Ordering::Relaxed) {
            for pair in &pairs {
                swaps += u64::from(pair.swap(&root, turn % 4 != 3).is_ok());
            }
            turn += 1;
            // Both halves of a race need their turns, on a machine with one processor too.
            if turn.is_multiple_of(8) {
                thread::sleep(Duration::from_micros(200));
            }
        }
        println!("{swaps}");
    }
}
