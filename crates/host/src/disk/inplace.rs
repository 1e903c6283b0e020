//! Rewriting a file without giving its name to another one: for files with several names (hard links), for
//! files whose owner could not be kept, and for folders in which no file can be made.
//!
//! The old content is put aside first and put back when the rewriting fails. A reader may see the change half
//! done, which is the price of keeping the file itself.

use super::{fault, gate, names, source, staged::Staged, stat, target::Target};
use deepfs_core::{ErrorKind, Fault};
use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags, Stat},
    io::Errno,
};

/// The most old content that is put aside in memory, where it cannot be in the folder.
const MEMORY_BYTES: u64 = 64 << 20;
const BLOCK_BYTES: usize = 256 << 10;

/// Where the old content waits.
enum Aside<'f> {
    Folder(Staged<'f>),
    Memory(Vec<u8>),
}

/// Makes `parts` the content of `file`, which is open for writing and the one `target` names. `unchanged` is
/// asked when everything is ready; its `false` leaves the file alone and is handed on.
pub(crate) fn rewrite(
    target: &Target,
    file: &OwnedFd,
    known: &Stat,
    parts: &[&[u8]],
    durable: bool,
    unchanged: &dyn Fn() -> bool,
) -> Result<bool, Fault> {
    let old = gate::child(&target.folder, &target.name, OFlags::RDONLY).map_err(fault::of)?;
    if !rustix::fs::fstat(&old).is_ok_and(|stat| stat::same_file(&stat, known)) {
        return Ok(false);
    }
    let aside = put_aside(target, &old, known, durable)?;
    if !unchanged() {
        return Ok(false);
    }
    match overwrite(file, parts, durable) {
        Ok(()) => Ok(true),
        Err(errno) => Err(put_back(file, aside, known).unwrap_or_else(|| fault::of(errno))),
    }
}

fn put_aside<'t>(target: &'t Target, old: &OwnedFd, known: &Stat, durable: bool) -> Result<Aside<'t>, Fault> {
    match copy_in_folder(target, old, durable) {
        Ok(copy) => Ok(Aside::Folder(copy)),
        Err(Errno::ACCESS | Errno::PERM | Errno::ROFS | Errno::OPNOTSUPP) => {
            source::read_all(old, stat::size(known), MEMORY_BYTES).map(Aside::Memory).map_err(|fault| {
                if fault.kind == ErrorKind::TooLarge {
                    return Fault::with(ErrorKind::PermissionDenied, "no file can be made in the folder");
                }
                fault
            })
        }
        Err(errno) => Err(fault::of(errno)),
    }
}

fn copy_in_folder<'t>(target: &'t Target, old: &OwnedFd, durable: bool) -> Result<Staged<'t>, Errno> {
    let mut copy = Staged::new(&target.folder, Mode::from_raw_mode(0o600), names::OLD_SUFFIX)?;
    rustix::fs::fchmod(copy.file(), Mode::from_raw_mode(0o600))?;
    pour(old, |_, block| copy.fill(block))?;
    if durable {
        rustix::fs::fsync(copy.file())?;
    }
    copy.show()?;
    Ok(copy)
}

/// Hands the blocks of a file over, each with its offset.
fn pour(from: &OwnedFd, mut take: impl FnMut(u64, &[u8]) -> Result<(), Errno>) -> Result<(), Errno> {
    let mut block = vec![0; BLOCK_BYTES];
    let mut offset = 0;
    loop {
        match rustix::io::pread(from, &mut *block, offset) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                take(offset, block.get(..count).unwrap_or_default())?;
                offset += count as u64;
            }
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

fn overwrite(file: &OwnedFd, parts: &[&[u8]], durable: bool) -> Result<(), Errno> {
    let mut end = 0;
    for part in parts {
        write_at(file, end, part)?;
        end += part.len() as u64;
    }
    rustix::fs::ftruncate(file, end)?;
    if durable { rustix::fs::fsync(file) } else { Ok(()) }
}

fn write_at(file: &OwnedFd, start: u64, bytes: &[u8]) -> Result<(), Errno> {
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        match rustix::io::pwrite(file, rest, start + done as u64) {
            Ok(0) => return Err(Errno::IO),
            Ok(count) => done += count,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(())
}

/// The old content again. `Some` when that failed as well, naming where the old content is kept.
fn put_back(file: &OwnedFd, aside: Aside<'_>, known: &Stat) -> Option<Fault> {
    let restored = match &aside {
        Aside::Memory(bytes) => write_at(file, 0, bytes),
        Aside::Folder(copy) => {
            copy.read_again().and_then(|copy| pour(&copy, |offset, block| write_at(file, offset, block)))
        }
    }
    .and_then(|()| rustix::fs::ftruncate(file, stat::size(known)));
    if restored.is_ok() {
        return None;
    }
    let kept = match aside {
        Aside::Folder(copy) => copy.keep(),
        Aside::Memory(_) => None,
    };
    Some(match kept {
        Some(name) => Fault::with(ErrorKind::Io, format!("the write failed; the old content is in '{name}'")),
        None => Fault::with(ErrorKind::Io, "the write failed, and the old content could not be put back"),
    })
}
