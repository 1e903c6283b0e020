//! Finding every process that belongs to a command, however it tried to leave.
//!
//! A command can leave its process group (`setsid`), its parent (a double fork) and its environment (`env -i`). What
//! was weighed for finding its processes all the same, without root:
//!
//! - *A PID namespace* is ended by the kernel as one, but user namespaces are switched off in many containers and
//!   distributions, and inside one process numbers, `/proc` and `sudo` differ from what the user sees.
//! - *A control group* needs a delegated, writable hierarchy.
//! - *Making the host a subreaper* would hand it the orphans of unrelated children.
//! - *A supervisor process* must be forked without exec from the host, which pins the host's memory, or be a program
//!   of its own to ship for each platform; and the command can kill it.
//! - *A mark in the environment or an open descriptor* is dropped by `env -i` and by daemons.
//!
//! So two marks are used together that cost nothing and that no ordinary program touches:
//!
//! 1. **The tag**: a hard limit on real-time CPU (`RLIMIT_RTTIME`), set to a number of the command's own. It is so
//!    large that it never limits anything. The kernel hands it to every descendant, through any `fork`, `exec` and
//!    `setsid`; anyone with the same user can read it; in a jail the filter forbids to change it.
//! 2. **The tree**: the shell itself is the subreaper of its descendants, so that orphans stay below it, also those
//!    that changed their tag. It counts while the shell lives, which is why it is stopped first and ended last.
//!
//! A program outside the jail can defeat both by lowering its limit and killing its own shell. It has the host user's
//! full rights then anyway.

use std::collections::HashSet;
use std::fs;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::process::{Pid, Resource, Signal};
use rustix::rand::GetRandomFlags;

use super::kernel::realtime_limit;

/// Low bits of a tag that count the commands of one shell.
const COUNT_BITS: u32 = 24;
/// The tag must stay far above any limit that means something, in microseconds: 2^56 are 2,000 years.
const LEAST_BITS: u32 = 56;

/// More members than this are ended without being asked or looked at one by one.
pub(super) const MANY: usize = 64;

/// Tags of one shell: a random number, then a count.
#[derive(Debug)]
pub(super) struct Tags {
    base: Option<u64>,
    count: AtomicU64,
}

/// The tags of one command, or of all commands of a shell.
pub(super) type TagRange = RangeInclusive<u64>;

impl Tags {
    pub(super) fn new() -> Self {
        // A host that runs inside a command of another shell has a finite limit, and can only go below it: the
        // highest bit drops by one with each level.
        let top = match rustix::process::getrlimit(Resource::Rttime).maximum {
            None => 63,
            Some(limit) => limit.checked_ilog2().unwrap_or(0).saturating_sub(1),
        };
        let mut random = [0_u8; 8];
        let drawn = rustix::rand::getrandom(&mut random, GetRandomFlags::empty());
        let base = (top >= LEAST_BITS && drawn == Ok(random.len())).then(|| {
            let top = 1_u64 << top;
            let count = (1_u64 << COUNT_BITS) - 1;
            top | (u64::from_ne_bytes(random) & (top - 1) & !count)
        });
        Self { base, count: AtomicU64::new(0) }
    }

    /// A tag for one command; `None` where tags cannot be set.
    pub(super) fn next(&self) -> Option<u64> {
        let count = self.count.fetch_add(1, Ordering::Relaxed) & ((1 << COUNT_BITS) - 1);
        self.base.map(|base| base | count)
    }

    /// Every tag this shell has given.
    pub(super) fn all(&self) -> Option<TagRange> {
        self.base.map(|base| base..=(base | ((1 << COUNT_BITS) - 1)))
    }
}

/// The living processes that carry one of the tags or descend from `leader`, and all their descendants; without
/// `leader` itself and the host. When [more than a few](MANY) carry a tag it is these alone, the dead ones included:
/// asking each for its state and children would take longer than a fork bomb gives.
pub(super) fn members(leader: Option<Pid>, tags: Option<&TagRange>) -> HashSet<Pid> {
    let host = rustix::process::getpid();
    let is_member = |pid: Pid| Some(pid) != leader && pid != host && pid != Pid::INIT;
    let mut found: HashSet<Pid> = tags.map(tagged).unwrap_or_default();
    if found.len() > MANY {
        found.retain(|&pid| is_member(pid));
        return found;
    }
    let mut open: Vec<Pid> = found.iter().copied().chain(leader).collect();
    while let Some(parent) = open.pop() {
        for child in children(parent) {
            if found.insert(child) {
                open.push(child);
            }
        }
    }
    found.retain(|&pid| is_member(pid) && is_alive(pid));
    found
}

/// Sends a signal to a process that is known to be a member at this moment.
pub(super) fn signal(pids: &HashSet<Pid>, signal: Signal) {
    for &pid in pids {
        // It may be gone by now, or have become another user's: neither can be helped.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

fn tagged(tags: &TagRange) -> HashSet<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return HashSet::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        .filter(|&pid| realtime_limit(pid).is_some_and(|limit| tags.contains(&limit)))
        .collect()
}

/// The children of every thread of a process.
fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            list.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
        })
        .filter_map(Pid::from_raw)
        .collect()
}

/// Whether a process still runs: one that has ended and waits for its parent to notice does not.
fn is_alive(pid: Pid) -> bool {
    let Ok(stat) = fs::read(format!("/proc/{pid}/stat")) else { return false };
    // The state follows the name, which may itself hold brackets and blanks.
    let state = stat.iter().rposition(|&byte| byte == b')').and_then(|at| stat.get(at + 2));
    !matches!(state, None | Some(b'Z' | b'X'))
}
