//! What the child does to itself before it becomes the shell. Each step is one system call on something prepared in
//! the parent: see [`kernel::before_exec`].

use std::io;
use std::os::fd::OwnedFd;
use std::process::Command;

use rustix::io::FdFlags;
use rustix::process::{Pid, Resource, Rlimit, Signal};

use super::kernel;
use super::walls::Walls;

/// First descriptor after stdin, stdout and stderr.
const FIRST_OTHER_FD: u32 = 3;

/// Everything that happens between `fork` and `exec`.
pub(super) struct BeforeExec {
    /// The value by which the command's processes are found again: see [`super::census`].
    pub(super) tag: Option<u64>,
    /// A descriptor that stays open in the shell: a command too long for an argument.
    pub(super) script: Option<OwnedFd>,
    /// The walls of the jail.
    pub(super) walls: Option<Walls>,
    /// This process, the child's parent.
    pub(super) parent: Pid,
}

impl BeforeExec {
    /// Makes the child of `command` run these steps.
    pub(super) fn attach(self, command: &mut Command) {
        kernel::before_exec(command, move || self.run());
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
            let limit = Rlimit { current: Some(tag), maximum: Some(tag) };
            let _ = rustix::process::setrlimit(Resource::Rttime, limit);
        }
        // Nothing but the three streams reaches the command, whatever some library in the host left inheritable.
        // Kernels that lack the call are no obstacle: Node marks its own descriptors on all of them.
        match kernel::close_on_exec_from(FIRST_OTHER_FD) {
            Err(error) if !matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL)) => {
                return Err(error);
            }
            _ => {}
        }
        if let Some(script) = &self.script {
            rustix::io::fcntl_setfd(script, FdFlags::empty())?;
        }
        match &self.walls {
            Some(walls) => walls.raise(),
            None => Ok(()),
        }
    }
}
