//! Ending a command with everything it started.

use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::census::{self, MANY, TagRange};

/// How long processes may tidy up (remove a lock file) between being asked to end and being killed.
const GRACE: Duration = Duration::from_millis(60);
/// When the caller gets its answer at the latest. What the kernel has not taken away by then (thousands of processes, a
/// disk that does not answer) is killed further on another thread.
const LATEST: Duration = Duration::from_millis(140);
/// How long that thread goes on.
const FURTHER: Duration = Duration::from_secs(10);
const STEP: Duration = Duration::from_millis(2);

/// Ends a command's shell `leader`, which nobody has waited for yet, and all its processes. `meanwhile` is called with
/// a time to spend, again and again, so that output is taken in on the way and nobody spends the grace blocked on a
/// full pipe.
pub(super) fn end(leader: Pid, tags: Option<&TagRange>, mut meanwhile: impl FnMut(Duration)) {
    let started = Instant::now();
    let latest = started + LATEST;
    // Stopping is atomic for the group: nothing in it forks any more. And it keeps the shell alive, below which its
    // orphans gather.
    stop_group(leader);
    let members = census::members(Some(leader), tags);
    if members.len() <= MANY {
        ask(leader, &members);
        while started.elapsed() < GRACE {
            meanwhile(STEP);
            // A shell without children is a program of its own, and was asked too.
            let leader_done = !members.is_empty() || has_ended(leader);
            if leader_done && census::members(Some(leader), tags).is_empty() {
                break;
            }
        }
        stop_group(leader);
        kill_members(Some(leader), tags, latest);
    } else {
        census::signal(&members, Signal::KILL);
    }
    let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    while !has_ended(leader) && Instant::now() < latest {
        meanwhile(STEP / 2);
    }
    // What was forked between the last look and the end of the shell.
    if let Some(tags) = tags {
        end_tagged(tags, latest);
    }
}

/// Kills every process of a shell that carries one of the tags.
pub(super) fn end_all(tags: &TagRange) {
    end_tagged(tags, Instant::now() + LATEST);
}

fn end_tagged(tags: &TagRange, latest: Instant) {
    if !kill_members(None, Some(tags), latest) {
        let (tags, further) = (tags.clone(), Instant::now() + FURTHER);
        // Without the thread they were still all sent the signal that ends them.
        let _ = thread::Builder::new()
            .name("deepfs-ending".to_owned())
            .spawn(move || kill_members(None, Some(&tags), further));
    }
}

/// Whether a child has ended. Its number stays its own until it is waited for.
pub(super) fn has_ended(child: Pid) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(rustix::process::waitid(WaitId::Pid(child), look), Ok(None))
}

/// Asks the members to end. The shell stays stopped meanwhile, or it would go on with its next line.
fn ask(leader: Pid, members: &HashSet<Pid>) {
    let alone = HashSet::from([leader]);
    let asked = if members.is_empty() { &alone } else { members };
    census::signal(asked, Signal::TERM);
    census::signal(asked, Signal::CONT);
}

fn stop_group(group: Pid) {
    let _ = rustix::process::kill_process_group(group, Signal::STOP);
}

/// Kills until none is left, which it tells, or until the time is over.
fn kill_members(leader: Option<Pid>, tags: Option<&TagRange>, latest: Instant) -> bool {
    let host = rustix::process::getpgrp();
    loop {
        let members = census::members(leader, tags);
        if members.is_empty() {
            return true;
        }
        // First all are stopped, then all are killed: what is stopped does not fork, so the next look finds the rest.
        members
            .iter()
            .filter_map(|&pid| rustix::process::getpgid(Some(pid)).ok())
            .filter(|&group| group != host)
            .collect::<HashSet<Pid>>()
            .into_iter()
            .for_each(stop_group);
        census::signal(&members, Signal::KILL);
        if Instant::now() >= latest {
            return false;
        }
        thread::sleep(STEP / 2);
    }
}
