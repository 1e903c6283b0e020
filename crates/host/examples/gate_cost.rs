//! What opening a file through the gate costs over a plain open: both are followed by `fstat` and `close`, take turns in
//! one run, and are compared by their medians. Exits with 1 when the gate costs more than a tenth.
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
    use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
    use std::{
        error::Error,
        fs,
        path::{Path, PathBuf},
        process::ExitCode,
        time::Instant,
    };

    /// Files opened in one turn, and turns: short turns, so that what else the machine does meets both alike.
    const FILES: usize = 200;
    const TURNS: usize = 2_000;
    const MOST: f64 = 1.10;
    const FLAGS: OFlags = OFlags::RDONLY.union(OFlags::CLOEXEC);

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
        println!("{:<28}{:>14}{:>14}{:>10}", "path below the root", "plain open", "gate", "ratio");
        for folder in ["", "src", "src/a/b/c"] {
            holds &= compare(&root, folder)?;
        }
        fs::remove_dir_all(root)?;
        Ok(holds)
    }

    fn compare(root: &Path, folder: &str) -> Result<bool, Box<dyn Error>> {
        let disk = Disk::new(DiskOptions { root: root.to_owned(), contained: true, durable: false });
        let (hosts, paths) = make_files(root, folder)?;
        let mut plain = Vec::with_capacity(TURNS);
        let mut gate = Vec::with_capacity(TURNS);
        for turn in 0..TURNS {
            // Who is first changes from turn to turn.
            for plainly in [turn % 2 == 0, turn % 2 != 0] {
                let started = Instant::now();
                if plainly {
                    for host in &hosts {
                        fstat(&openat(CWD, host, FLAGS, Mode::empty())?)?;
                    }
                    plain.push(started.elapsed());
                } else {
                    for path in &paths {
                        drop(disk.open(path).map_err(|fault| fault.detail)?);
                    }
                    gate.push(started.elapsed());
                }
            }
        }
        let nanos = |times: &mut Vec<std::time::Duration>| {
            times.sort_unstable();
            times.get(times.len() / 2).map_or(0.0, |median| median.as_secs_f64() * 1e9 / FILES as f64)
        };
        let (plain, gate) = (nanos(&mut plain), nanos(&mut gate));
        let ratio = gate / plain;
        println!("{:<28}{plain:>11.0} ns{gate:>11.0} ns{ratio:>10.3}", format!("{folder}/file.txt"));
        Ok(ratio <= MOST)
    }

    fn make_files(root: &Path, folder: &str) -> Result<(Vec<PathBuf>, Vec<VirtualPath>), Box<dyn Error>> {
        fs::create_dir_all(root.join(folder))?;
        let mut made = (Vec::new(), Vec::new());
        for at in 0..FILES {
            let name = format!("{folder}/file{at}.txt");
            let host = root.join(name.trim_start_matches('/'));
            fs::write(&host, "content")?;
            made.0.push(host);
            made.1.push(VirtualPath::parse(&name).map_err(|fault| fault.detail)?);
        }
        Ok(made)
    }
}
