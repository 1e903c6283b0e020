//! One writer at a time for one file, across threads, backends and processes.
//!
//! The lock is `flock` on the file itself. A rename gives the path to another file, so whoever waited for the
//! old one has to look again: see [`super::target::Target::is_still`].

use super::fault;
use deepfs_core::{ErrorKind, Fault};
use rustix::{fd::AsFd, fs::FlockOperation, io::Errno};
use std::time::{Duration, Instant};

/// How long a writer waits for another.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

const FIRST_NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_millis(5);

/// Takes the lock; it is held as long as the handle is open.
pub(crate) fn take(file: impl AsFd, until: Instant) -> Result<(), Fault> {
    let mut nap = FIRST_NAP;
    loop {
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            // File systems without locks: what protects the file there is the look at it before the rename.
            Ok(()) | Err(Errno::NOLCK | Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) if Instant::now() < until => {
                std::thread::sleep(nap);
                nap = (nap * 2).min(LONGEST_NAP);
            }
            Err(Errno::AGAIN) => {
                return Err(Fault::with(
                    ErrorKind::Conflict,
                    "the file is locked by another process; try again",
                ));
            }
            Err(errno) => return Err(fault::of(errno)),
        }
    }
}

/// Takes the lock if nobody has it.
pub(crate) fn try_take(file: impl AsFd) -> bool {
    rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}
