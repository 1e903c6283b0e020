//! The places of a shell: how many of its commands run at once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a waiting or running command looks at its cancel flag.
pub(super) const CANCEL_CHECK: Duration = Duration::from_millis(20);

/// A counting semaphore whose waiting can be cancelled.
#[derive(Debug)]
pub(super) struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

/// One place, given back on drop.
#[derive(Debug)]
pub(super) struct Place<'a>(&'a Places);

impl Places {
    pub(super) fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), freed: Condvar::new() }
    }

    /// Waits for a place; `None` once the command is to stop.
    pub(super) fn take(&self, stops: &dyn Fn() -> bool) -> Option<Place<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if stops() {
                return None;
            }
            if *free > 0 {
                *free -= 1;
                return Some(Place(self));
            }
            free = self.freed.wait_timeout(free, CANCEL_CHECK).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}
