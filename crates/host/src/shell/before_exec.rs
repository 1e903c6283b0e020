//! What happens in the child between `fork` and `exec`: the one place of the shell with `unsafe` code.
//!
//! The host is a process with many threads, so the child of its `fork` may do nothing but async-signal-safe calls: no
//! allocation, no lock, no formatting. Everything here is therefore prepared in the parent, and each step is one
//! system call.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::Arc;

use rustix::io::FdFlags;
use rustix::process::{Pid, Resource, Rlimit, Signal};

use super::jail::Walls;

/// First descriptor after stdin, stdout and stderr.
const FIRST_OTHER_FD: libc::c_uint = 3;

/// Everything the child does to itself before it becomes the shell.
pub(super) struct BeforeExec {
    /// The value by which the command's processes are found again: see [`super::census`].
    pub(super) tag: Option<u64>,
    /// A descriptor that stays open in the shell: a command too long for an argument.
    pub(super) script: Option<Arc<OwnedFd>>,
    /// The walls of the jail.
    pub(super) walls: Option<Walls>,
    /// This process, the child's parent.
    pub(super) parent: Pid,
}

impl BeforeExec {
    /// Makes the child of `command` run these steps.
    #[expect(unsafe_code, reason = "`pre_exec` is the only way to act between fork and exec")]
    pub(super) fn attach(self, command: &mut Command) {
        // SAFETY: `run` only makes system calls on values prepared here; it neither allocates nor takes a lock. What
        // it borrows is owned by the closure, which lives in `command` until after the fork.
        unsafe {
            command.pre_exec(move || self.run());
        }
    }

    fn run(&self) -> io::Result<()> {
        // A session of its own: no terminal to ask for passwords on, and a process group that can be ended as one.
        rustix::process::setsid()?;
        // Orphans of the command become children of its shell, where they are found, rather than of init.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        // A host that is killed can end nothing any more; the kernel ends the shell for it.
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        if rustix::process::getppid() != Some(self.parent) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if let Some(tag) = self.tag {
            // Some sandboxes refuse this. The command's processes are then found by parentage alone.
            let _ = rustix::process::setrlimit(
                Resource::Rttime,
                Rlimit { current: Some(tag), maximum: Some(tag) },
            );
        }
        close_others_on_exec()?;
        if let Some(script) = &self.script {
            rustix::io::fcntl_setfd(script, FdFlags::empty())?;
        }
        match &self.walls {
            Some(walls) => walls.raise(),
            None => Ok(()),
        }
    }
}

/// Nothing but the three streams reaches the command, whatever some library in the host has left inheritable.
#[expect(unsafe_code, reason = "rustix has no close_range")]
fn close_others_on_exec() -> io::Result<()> {
    // SAFETY: the call takes three integers and only sets flags on descriptors.
    let answer = unsafe {
        libc::syscall(libc::SYS_close_range, FIRST_OTHER_FD, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC)
    };
    let error = io::Error::last_os_error();
    // Kernels before 5.11 lack the call or the flag; Node marks its own descriptors close-on-exec on all of them.
    if answer == 0 || matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) {
        Ok(())
    } else {
        Err(error)
    }
}

/// The hard limit on real-time CPU of a process, or `None` when it can not be read.
#[expect(unsafe_code, reason = "rustix can not read another process's limits without setting them")]
pub(super) fn realtime_limit(pid: Pid) -> Option<u64> {
    let mut limit = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the new limit is null, so nothing is set; the old one is written to a live, exclusively borrowed value
    // of the type that the call fills.
    let answer = unsafe {
        libc::prlimit64(pid.as_raw_nonzero().get(), libc::RLIMIT_RTTIME, std::ptr::null(), &raw mut limit)
    };
    (answer == 0).then_some(limit.rlim_max)
}
