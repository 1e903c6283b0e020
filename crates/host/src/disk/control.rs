//! Stopping a call that runs: a flag that another thread raises, and a point in time.

use deepfs_core::{Control, ErrorKind, Fault};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// A [`Control`] with a cancel flag and an optional time limit.
///
/// ```
/// use deepfs_core::{Control, ErrorKind};
/// use deepfs_host::disk::Deadline;
/// use std::sync::{Arc, atomic::{AtomicBool, Ordering}};
///
/// let flag = Arc::new(AtomicBool::new(false));
/// let control = Deadline::new(Arc::clone(&flag), None);
/// assert_eq!(control.check(), Ok(()));
/// flag.store(true, Ordering::Relaxed);
/// assert_eq!(control.check().map_err(|fault| fault.kind), Err(ErrorKind::Cancelled));
/// ```
#[derive(Debug, Clone)]
pub struct Deadline {
    cancelled: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Deadline {
    /// Stops when `cancelled` becomes true, or once `limit` has passed from now on.
    #[must_use]
    pub fn new(cancelled: Arc<AtomicBool>, limit: Option<Duration>) -> Self {
        // A limit too long for the clock is no limit.
        Self { cancelled, until: limit.and_then(|limit| Instant::now().checked_add(limit)) }
    }
}

impl Control for Deadline {
    fn check(&self) -> Result<(), Fault> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(ErrorKind::Cancelled.into());
        }
        match self.until {
            Some(until) if Instant::now() >= until => Err(ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}
