use std::io;
use std::os::fd::OwnedFd;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::Duration;

use rustix::process::Pid;

use super::census::TagRange;
use super::command::Started;
use super::ending;
use super::pump::Pump;
use crate::shell::transcript::Transcript;

/// Pieces of output that are still taken in after the end. Nobody writes any more, and a full pipe holds but a few; a
/// writer that got away must not hold the answer up.
const LAST_PIECES: usize = 64;
const STACK_BYTES: usize = 64 * 1024;

/// A command that has been started.
#[derive(Debug)]
pub(in crate::shell) struct Process {
    child: Child,
    pid: Pid,
    tags: Option<TagRange>,
    pump: Pump,
}

impl Process {
    /// Takes a child over, or ends it.
    ///
    /// # Errors
    /// When its output cannot be waited for.
    pub(super) fn new(started: Started, tag: Option<u64>, ordered: bool) -> io::Result<Self> {
        let Started { shell: child, out, err } = started;
        let tags = tag.map(|tag| tag..=tag);
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidData)?;
        match Pump::new(pid, out, err, ordered) {
            Ok(pump) => Ok(Self { child, pid, tags, pump }),
            Err(error) => {
                ending::end(pid, tags.as_ref(), thread::sleep);
                collect(child);
                Err(error)
            }
        }
    }

    /// Whether the shell has ended; processes it left behind do not count.
    pub(in crate::shell) fn has_ended(&mut self) -> bool {
        ending::has_ended(self.pid)
    }

    /// Whether something may still be printed.
    pub(in crate::shell) const fn is_open(&self) -> bool {
        self.pump.is_open()
    }

    /// Waits for at most `longest` and takes in what has been printed.
    pub(in crate::shell) fn turn(&mut self, longest: Duration, transcript: &mut Transcript) {
        self.pump.turn(longest, transcript);
    }

    /// Ends the command with all it started, and takes in what it printed to the last.
    pub(in crate::shell) fn end(&mut self, transcript: &mut Transcript) {
        let pump = &mut self.pump;
        ending::end(self.pid, self.tags.as_ref(), |time| {
            if pump.is_open() {
                pump.turn(time, transcript);
            } else {
                thread::sleep(time);
            }
        });
        for _ in 0..LAST_PIECES {
            if pump.is_open() {
                pump.turn(Duration::ZERO, transcript);
            }
        }
    }

    /// The status of the shell, and the pipes that others still hold open.
    pub(super) fn take_apart(self) -> (Option<ExitStatus>, impl Iterator<Item = OwnedFd>) {
        (collect(self.child), self.pump.into_open())
    }
}

/// The status of a shell that has ended or was killed. One that the kernel cannot end yet (its disk does not answer)
/// is waited for by a thread of its own.
fn collect(mut child: Child) -> Option<ExitStatus> {
    match child.try_wait() {
        Ok(None) => {
            // Without the thread it stays a zombie until the host ends: nothing is lost by that.
            let _ = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || child.wait());
            None
        }
        Ok(status) => status,
        Err(_) => None,
    }
}
