//! The file that a write is about: the folder that holds it and its name there, links resolved.

use super::{
    fault,
    gate::{self, Gate},
    links, stat,
};
use deepfs_core::{ErrorKind, Fault};
use rustix::{
    fd::OwnedFd,
    fs::{Mode, OFlags, Stat},
    io::Errno,
};

/// Links from name to name that one write follows by itself; [`links::follow`] does the counting within each.
const HOPS: usize = 8;

/// A place for a file: a name in a folder that is held open.
pub(crate) struct Target {
    /// A handle, not open for reading.
    pub folder: OwnedFd,
    /// One name.
    pub name: Vec<u8>,
}

/// What is at the place.
pub(crate) enum Found {
    /// Nothing.
    Nothing(Target),
    /// A regular file, opened as asked.
    File(Target, OwnedFd, Stat),
}

/// Whether folders that are missing on the way are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folders {
    /// They are.
    Make,
    /// They are an error, [`ErrorKind::NotFound`].
    Expect,
}

impl Target {
    /// Finds the place that `place` leads to and opens the file there with `flags`, which ask for writing: a
    /// file that the caller may not write is refused here, although a rename would only need the folder.
    pub(crate) fn find(gate: &Gate, place: &[u8], flags: OFlags, folders: Folders) -> Result<Found, Fault> {
        let mut place = place.to_vec();
        for _ in 0..HOPS {
            let (folder, name) = split(&place).ok_or(ErrorKind::IsDirectory)?;
            let folder = match gate.folder(folder) {
                Err(fault) if fault.kind == ErrorKind::NotFound && folders == Folders::Make => {
                    make_folders(gate, folder)?
                }
                folder => folder?,
            };
            let target = Self { folder, name: name.to_vec() };
            match gate::child(&target.folder, &target.name, flags) {
                Ok(file) => {
                    let stat = rustix::fs::fstat(&file).map_err(fault::of)?;
                    return match stat::file_type(&stat) {
                        rustix::fs::FileType::RegularFile => Ok(Found::File(target, file, stat)),
                        rustix::fs::FileType::Directory => Err(ErrorKind::IsDirectory.into()),
                        _ => Err(ErrorKind::NotRegularFile.into()),
                    };
                }
                Err(Errno::NOENT) => return Ok(Found::Nothing(target)),
                Err(Errno::LOOP) => place = links::follow(gate, &place, links::Last::Follow)?,
                Err(errno) => return Err(fault::of(errno)),
            }
        }
        Err(ErrorKind::SymlinkLoop.into())
    }

    /// Whether the name still stands for the file of this `stat`.
    pub(crate) fn is_still(&self, known: &Stat) -> bool {
        gate::child_stat(&self.folder, &self.name).is_ok_and(|now| stat::same_file(known, &now))
    }
}

/// The folder and the name of a place; `None` for the root.
pub(crate) fn split(place: &[u8]) -> Option<(&[u8], &[u8])> {
    match place.iter().rposition(|byte| *byte == b'/') {
        Some(at) => Some((place.get(..at)?, place.get(at + 1..)?)),
        None if place == b"." || place.is_empty() => None,
        None => Some((b".", place)),
    }
}

/// Makes `folder` and what is missing above it.
fn make_folders(gate: &Gate, folder: &[u8]) -> Result<OwnedFd, Fault> {
    gate.make_root()?;
    let mut above = gate.folder(b".")?;
    let mut start = 0;
    while start < folder.len() {
        let rest = folder.get(start..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == b'/').map_or(folder.len(), |at| start + at);
        let (Some(until), Some(name)) = (folder.get(..end), folder.get(start..end)) else { break };
        // From the root each time: a link on the way may go up and down again.
        above = match gate.folder(until) {
            Err(fault) if fault.kind == ErrorKind::NotFound => {
                match rustix::fs::mkdirat(&above, name, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(errno) => return Err(fault::of(errno)),
                }
                gate.folder(until)?
            }
            found => found?,
        };
        start = end + 1;
    }
    Ok(above)
}
