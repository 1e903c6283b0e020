//! The least that a look at every file of a tree can cost, on one thread: reading the folders; with a `stat` of each file; with
//! opening each; with reading each into one buffer. Searching cannot be cheaper than the last, nor listing than the second.
//!
//! `cargo run --release -p deepfs-host --example floor -- <folder>`; medians of nine runs, processor time.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a program for measuring"
)]

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("the floor is told in Linux's own calls");
}

#[cfg(target_os = "linux")]
mod linux {
    use rustix::{
        fd::{AsFd, OwnedFd},
        fs::{AtFlags, FileType, Mode, OFlags, RawDir},
        time::{ClockId, clock_gettime},
    };
    use std::{env, mem::MaybeUninit};

    const ROUNDS: usize = 9;

    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    enum Depth {
        Walk,
        Stat,
        Open,
        Read,
    }

    struct Counts {
        files: u64,
        bytes: u64,
    }

    pub(super) fn main() {
        let root = env::args().nth(1).unwrap();
        for (name, depth) in [
            ("walk", Depth::Walk),
            ("walk, stat", Depth::Stat),
            ("walk, open", Depth::Open),
            ("walk, open, read", Depth::Read),
        ] {
            let mut counts = Counts { files: 0, bytes: 0 };
            let mut times: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    counts = Counts { files: 0, bytes: 0 };
                    let start = cpu_ms();
                    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
                    let folder = rustix::fs::open(&root, flags, Mode::empty()).unwrap();
                    visit(&folder, depth, &mut counts, &mut vec![0; 256 << 10]);
                    cpu_ms() - start
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!(
                "{name}: {:.1} ms for {} files, {} MB",
                times[ROUNDS / 2],
                counts.files,
                counts.bytes / 1_000_000
            );
        }
    }

    fn visit(folder: &OwnedFd, depth: Depth, counts: &mut Counts, content: &mut [u8]) {
        let mut room = [MaybeUninit::uninit(); 32 << 10];
        let mut entries = RawDir::new(folder, &mut room);
        let mut folders = Vec::new();
        while let Some(Ok(entry)) = entries.next() {
            let name = entry.file_name();
            if entry.file_type() == FileType::Directory {
                if name != c"." && name != c".." {
                    folders.push(name.to_owned());
                }
                continue;
            }
            counts.files += 1;
            if depth == Depth::Stat {
                rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).unwrap();
            }
            if depth >= Depth::Open {
                let file = open(folder, name, OFlags::RDONLY);
                if depth == Depth::Read {
                    counts.bytes += rustix::io::read(&file, &mut *content).unwrap() as u64;
                }
            }
        }
        for name in folders {
            visit(&open(folder, &name, OFlags::RDONLY | OFlags::DIRECTORY), depth, counts, content);
        }
    }

    fn open(folder: impl AsFd, name: &std::ffi::CStr, flags: OFlags) -> OwnedFd {
        rustix::fs::openat(folder, name, flags | OFlags::CLOEXEC, Mode::empty()).unwrap()
    }

    fn cpu_ms() -> f64 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    }
}
