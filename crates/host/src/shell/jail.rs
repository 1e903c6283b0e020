//! The jail: what the kernel lets a command touch.
//!
//! A command is confined between `fork` and `exec`, by means that any user has and that no descendant can take off:
//! a Landlock ruleset (files, TCP, signals), a seccomp filter (everything Landlock does not cover), `no_new_privs`,
//! and for a root user the loss of all capabilities but those over its own files. Where the kernel or the processor
//! lacks any of it, [`Shell::new`](super::Shell::new) fails and says what is missing: it runs a trial command behind
//! the same walls. There is no weaker jail.
//!
//! Needed: Linux 6.12 or newer with Landlock switched on, on x86-64 or 64-bit ARM, and no filter of system calls above
//! the host that has a listener of its own (the kernel allows one, so there is no jail in a jail). Not needed: root,
//! user namespaces, control groups, a helper program.
//!
//! # What it stops
//!
//! - **Writing** (creating, changing, truncating, renaming, linking, removing) outside the working directory, the
//!   private temporary folder and [`Jail::write`]. The kernel decides at each access by where the file really lies:
//!   symbolic links, `..`, renames and bind mounts change nothing. New hard links cannot carry a file over the fence,
//!   in either direction. Nothing but `/dev/null`, `zero`, `full`, `random` and `urandom` of the devices.
//! - **Changing mode, owner, times, attributes or extended attributes** outside those places. Extended attributes can
//!   not be changed anywhere.
//! - **Reading and executing** outside those places, [`Jail::read`], the system's programs and libraries (`/usr`, `/bin`,
//!   `/sbin`, `/lib*`, `/nix/store`), named files of `/etc` that programs need (no keys, no `shadow`), and facts about
//!   the machine (`/proc/cpuinfo`, `meminfo`, …). So not `/root`, `/home`, `/tmp`, `/var`, `/run`, `/opt`, nor the
//!   folders of processes in `/proc`, its own included.
//! - **The network**, unless [`Jail::network`]: no sockets but pairs for a command's own use. Even with the network: no
//!   raw packets, and no Unix sockets, by which daemons of the host (Docker, D-Bus, an SSH agent) would be asked for what
//!   the command may not do itself.
//! - **Other processes**: no signal, no `ptrace`, no look into memory, environment or descriptors, no change of limits,
//!   priority or processor of any process outside the command: the host is safe from `kill`. Shared memory, semaphores
//!   and message queues are refused.
//! - **Gaining rights**: set-uid programs (`sudo`) have no effect; a root user has no capabilities but `CHOWN`,
//!   `DAC_OVERRIDE`, `FOWNER` and `FSETID`, all within the fence. No new namespaces, no mounts.
//! - **The kernel's rarer interfaces**: `bpf`, `io_uring`, `userfaultfd`, `perf`, keys, modules, `kexec`, clocks; and
//!   system calls of other ABIs (32-bit programs are ended by `SIGSYS`).
//! - **Staying on** after a time-out, cancelling or [`Shell::close`](super::Shell::close): the tag by which a command's
//!   processes are found cannot be taken off inside the jail.
//!
//! # What it does not stop
//!
//! - **Anything inside the working directory**, `.git/hooks` and build files included: what the user later runs from
//!   there runs outside the jail. The same holds for [`Jail::write`].
//! - **Hard links that were there before**: a file below the working directory can be changed, also where it has
//!   another name elsewhere. The same holds for a mount below the working directory.
//! - **Seeing that a file exists**, its size and times, and by `inotify` when it changes: these are not confined to
//!   places, as far as the user may. Contents and listings are.
//! - **Using the machine up**: processors, memory, disk space and process numbers have no limit of their own.
//! - **Reading what is shown to everybody** below `/usr`, or hidden side channels between processes on one machine.
//! - **With the network on**: everything the host can reach, services on loopback and in the private network included,
//!   and sending out whatever the command can read.
//! - **Faults of the kernel itself.** The filter makes it smaller, but it is one kernel for the jail and the host.
//!
//! # What commands notice
//!
//! - `TMPDIR` is the private folder, and so is `HOME` if it was outside the fence; `/tmp` itself is closed.
//! - Each command is a jail of its own: it cannot signal what an earlier one left in the background.
//! - Programs that need Unix sockets, `/dev/shm`, `/proc/self` or user namespaces (browsers, `ps`, Docker, some debuggers)
//!   do not work, or with less.
//! - Where Yama restricts `ptrace` (Ubuntu), background processes whose shell has ended get "not permitted" from
//!   `chmod`, `chown` and `utime` by path.

use std::fmt;
use std::path::PathBuf;

/// What a command may touch besides its working directory and the system's own programs: see [the module](self).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Jail {
    /// Further places it may write to and read, with all that lies below.
    pub write: Vec<PathBuf>,
    /// Further places it may read, with all that lies below.
    pub read: Vec<PathBuf>,
    /// Whether it may use the network.
    pub network: bool,
}

/// Why there can be no jail, in plain words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JailRefused(String);

impl JailRefused {
    pub(in crate::shell) fn because(reason: impl fmt::Display) -> Self {
        Self(format!("The jail for commands cannot be set up: {reason}."))
    }
}

impl fmt::Display for JailRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for JailRefused {}
