//! Following links by hand, for the two questions the kernel does not answer: where a path leads, and what an
//! absolute link means below the root.
//!
//! Nothing here opens a file for its content. The outcome is a path that is handed to the [`Gate`] like any
//! other, so a link that changes meanwhile gains nothing.

use super::gate::Gate;
use deepfs_core::{ErrorKind, Fault};
use std::os::unix::ffi::OsStrExt;

/// Links on one path, as the kernel counts them.
const MAX_LINKS: usize = 40;

/// Whether a link at the very end is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Last {
    /// It is.
    Follow,
    /// It stands for itself.
    Keep,
}

/// Where `place` leads: a path without links, relative to the root. An end that does not exist is kept as it
/// is.
pub(crate) fn follow(gate: &Gate, place: &[u8], last: Last) -> Result<Vec<u8>, Fault> {
    let mut pending: Vec<Vec<u8>> = Vec::new();
    push_segments(&mut pending, place);
    let mut reached: Vec<u8> = Vec::new();
    let mut missing = false;
    let mut links = 0;
    while let Some(segment) = pending.pop() {
        if segment == b".." {
            // A folder that does not exist has no parent.
            if missing {
                return Err(ErrorKind::NotFound.into());
            }
            go_up(&mut reached, gate)?;
            continue;
        }
        let parent = reached.len();
        if !reached.is_empty() {
            reached.push(b'/');
        }
        reached.extend_from_slice(&segment);
        if missing {
            continue;
        }
        let node = match gate.plain_node(&reached) {
            Err(fault) if fault.kind == ErrorKind::NotFound => {
                missing = true;
                continue;
            }
            node => node?,
        };
        let Some(target) = node.target else { continue };
        if pending.is_empty() && last == Last::Keep {
            continue;
        }
        links += 1;
        if links > MAX_LINKS {
            return Err(ErrorKind::SymlinkLoop.into());
        }
        reached.truncate(parent);
        if target.starts_with(b"/") {
            reached.clear();
            push_segments(&mut pending, below_root(gate, &target)?);
        } else {
            push_segments(&mut pending, &target);
        }
    }
    if reached.is_empty() {
        reached.push(b'.');
    }
    Ok(reached)
}

/// The part of an absolute host path that lies below the root.
fn below_root<'t>(gate: &Gate, target: &'t [u8]) -> Result<&'t [u8], Fault> {
    if !gate.contained() {
        return Ok(target);
    }
    let real = gate.real_root()?;
    [real.as_path(), gate.given_root()]
        .into_iter()
        .find_map(|root| strip_segments(target, root.as_os_str().as_bytes()))
        .ok_or_else(|| ErrorKind::OutsideRoot.into())
}

/// `path` without the whole segments of `prefix`.
pub(crate) fn strip_segments<'t>(path: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let prefix = prefix.strip_suffix(b"/").unwrap_or(prefix);
    let rest = path.strip_prefix(prefix)?;
    (rest.is_empty() || rest.starts_with(b"/")).then_some(rest)
}

fn go_up(reached: &mut Vec<u8>, gate: &Gate) -> Result<(), Fault> {
    match reached.iter().rposition(|byte| *byte == b'/') {
        Some(at) => reached.truncate(at),
        None if !reached.is_empty() => reached.clear(),
        // Above `/` is `/`; above a contained root is outside.
        None if gate.contained() => return Err(ErrorKind::OutsideRoot.into()),
        None => {}
    }
    Ok(())
}

/// Puts the segments of a path on a stack, the first on top.
fn push_segments(stack: &mut Vec<Vec<u8>>, path: &[u8]) {
    let segments = path.split(|byte| *byte == b'/').rev();
    stack.extend(segments.filter(|segment| !segment.is_empty() && *segment != b".").map(<[u8]>::to_vec));
}
