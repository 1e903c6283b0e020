//! What a new file takes over from the one it replaces: owner, attributes, mode.

use rustix::{
    buffer::spare_capacity,
    fd::OwnedFd,
    fs::{Gid, Mode, Stat, Uid, XattrFlags},
    io::Errno,
};
use std::ffi::CStr;

/// Attributes that describe the old bytes, or grant them rights: not for new bytes.
const LEFT_BEHIND: [&[u8]; 3] = [b"security.capability", b"security.ima", b"security.evm"];

/// Permission bits and the sticky bit. The kernel takes set-user-id and set-group-id away from a file that is
/// written, and so does this.
const KEPT_MODE: u32 = 0o1777;
const ALL_MODES: u32 = 0o7777;

/// Makes `new` look like `old`. [`Errno::PERM`] when the owner or group cannot be kept.
pub(crate) fn like(new: &OwnedFd, old: &OwnedFd, known: &Stat) -> Result<(), Errno> {
    let fresh = rustix::fs::fstat(new)?;
    if (fresh.st_uid, fresh.st_gid) != (known.st_uid, known.st_gid) {
        rustix::fs::fchown(new, Some(Uid::from_raw(known.st_uid)), Some(Gid::from_raw(known.st_gid)))
            .map_err(|_| Errno::PERM)?;
    }
    let has_attributes = copy_attributes(new, old);
    let mode = known.st_mode & KEPT_MODE;
    // Access lists and a new owner may have changed the mode that was seen.
    let is_fresh = !has_attributes && (fresh.st_uid, fresh.st_gid) == (known.st_uid, known.st_gid);
    if is_fresh && fresh.st_mode & ALL_MODES == mode {
        return Ok(());
    }
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode))
}

/// Copies extended attributes, access lists among them, as far as the caller may. Tells whether there are any.
fn copy_attributes(new: &OwnedFd, old: &OwnedFd) -> bool {
    let mut list = Vec::new();
    let Ok(length) = rustix::fs::flistxattr_query(old) else { return false };
    if length == 0 {
        return false;
    }
    list.reserve(length);
    if rustix::fs::flistxattr(old, spare_capacity(&mut list)).is_err() {
        return true;
    }
    for name in list.split_inclusive(|byte| *byte == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        if LEFT_BEHIND.contains(&name.to_bytes()) {
            continue;
        }
        let mut value = Vec::new();
        let Ok(length) = rustix::fs::fgetxattr_query(old, name) else { continue };
        value.reserve(length);
        if rustix::fs::fgetxattr(old, name, spare_capacity(&mut value)).is_ok() {
            let _ = rustix::fs::fsetxattr(new, name, &value, XattrFlags::empty());
        }
    }
    true
}
