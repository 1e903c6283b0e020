//! What opening a file through the gate costs over a plain open. Two comparisons: the bare calls of the kernel, `openat` by
//! the full path and `openat2` below a held root; and what a program writes, `std::fs::File::open` with `metadata`, and
//! [`Storage::open`](deepfs_core::Storage::open), which knows its metadata as well. All take turns in one run and are
//! compared by their medians. Exits with 1 when the gate costs more than a tenth in either.
//!
//! ```text
//! cargo run --release -p deepfs-host --example gate_cost
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    linux::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("the gate is openat2, which Linux has");
}

#[cfg(target_os = "linux")]
mod linux {
    use deepfs_core::{Storage, VirtualPath};
    use deepfs_host::disk::{Disk, DiskOptions};
    use rustix::{
        fd::OwnedFd,
        fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat, openat2},
    };
    use std::{
        error::Error,
        fs,
        path::{Path, PathBuf},
        process::ExitCode,
        time::{Duration, Instant},
    };

    /// Files opened in one turn, and turns: short turns, so that what else the machine does meets both alike.
    const FILES: usize = 200;
    const TURNS: usize = 2_000;
    /// How many times as long as a plain open an open through the gate may take.
    const MOST: f64 = 1.10;
    const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOCTTY);
    const BENEATH: ResolveFlags = ResolveFlags::BENEATH.union(ResolveFlags::NO_MAGICLINKS);

    pub(super) fn main() -> ExitCode {
        match measure() {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    }

    /// Whether the gate is cheap enough at every depth.
    fn measure() -> Result<bool, Box<dyn Error>> {
        let root = std::env::temp_dir().join(format!("deepfs-gate-cost-{}", std::process::id()));
        let mut holds = true;
        println!("{:<20}{:^34}{:^34}", "", "the kernel's part", "as a program does it");
        print!("{:<20}", "path below the root");
        println!("{0:>12}{1:>12}{2:>10}{3:>12}{1:>12}{2:>10}", "openat", "gate", "ratio", "std::fs");
        for folder in ["", "src", "src/a/b/c"] {
            holds &= compare(&root, folder)?;
        }
        fs::remove_dir_all(root)?;
        Ok(holds)
    }

    fn compare(root: &Path, folder: &str) -> Result<bool, Box<dyn Error>> {
        let files = Files::make(root, folder)?;
        let mut times: [Vec<Duration>; WAYS.len()] = std::array::from_fn(|_| Vec::with_capacity(TURNS));
        for turn in 0..TURNS {
            // Who is first changes from turn to turn.
            for at in 0..WAYS.len() {
                let at = (at + turn) % WAYS.len();
                let (Some(way), Some(times)) = (WAYS.get(at), times.get_mut(at)) else { continue };
                let started = Instant::now();
                way(&files)?;
                times.push(started.elapsed());
            }
        }
        let [openat, openat2, std_fs, disk] = times.map(|mut times| {
            times.sort_unstable();
            times.get(times.len() / 2).map_or(0.0, |median| median.as_secs_f64() * 1e9 / FILES as f64)
        });
        let (kernel, program) = (openat2 / openat, disk / std_fs);
        print!("{:<20}", format!("{folder}/file.txt"));
        print!("{openat:>9.0} ns{openat2:>9.0} ns{kernel:>10.3}");
        println!("{std_fs:>9.0} ns{disk:>9.0} ns{program:>10.3}");
        Ok(kernel.max(program) <= MOST)
    }

    /// Ways to open all files once, one after the other; each file is asked for its `stat` and closed.
    type Way = fn(&Files) -> Result<(), Box<dyn Error>>;

    const WAYS: [Way; 4] = [
        // The bare call, by the full path.
        |files| {
            for host in &files.hosts {
                fstat(&openat(CWD, host, FLAGS, Mode::empty())?)?;
            }
            Ok(())
        },
        // The bare call that the gate makes.
        |files| {
            for path in &files.paths {
                fstat(&openat2(&files.root, path.relative(), FLAGS, Mode::empty(), BENEATH)?)?;
            }
            Ok(())
        },
        |files| {
            for host in &files.hosts {
                fs::File::open(host)?.metadata()?;
            }
            Ok(())
        },
        |files| {
            for path in &files.paths {
                files.disk.open(path).map_err(|fault| fault.detail)?;
            }
            Ok(())
        },
    ];

    struct Files {
        /// By their full paths.
        hosts: Vec<PathBuf>,
        /// By their paths below the root.
        paths: Vec<VirtualPath>,
        root: OwnedFd,
        disk: Disk,
    }

    impl Files {
        fn make(root: &Path, folder: &str) -> Result<Self, Box<dyn Error>> {
            fs::create_dir_all(root.join(folder))?;
            let (mut hosts, mut paths) = (Vec::new(), Vec::new());
            for at in 0..FILES {
                let path =
                    VirtualPath::parse(&format!("{folder}/file{at}.txt")).map_err(|fault| fault.detail)?;
                let host = root.join(path.relative());
                fs::write(&host, "content")?;
                hosts.push(host);
                paths.push(path);
            }
            let options = DiskOptions { root: root.to_owned(), contained: true, durable: false };
            let held = openat(CWD, root, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
            Ok(Self { hosts, paths, root: held, disk: Disk::new(options) })
        }
    }
}
