//! What single paths and the children of one directory are.

use super::{
    fault,
    folder::{Child, Folder, by_path},
    folder_reader::FolderReader,
    gate::{self, Gate},
    known_folders::KnownFolders,
    stat,
};
use deepfs_core::{
    Control, ErrorKind, Fault,
    storage::{Entry, Kind, Metadata},
};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, OFlags},
    io::Errno,
};

/// Entries between two looks at the [`Control`].
const BLOCK: usize = 256;
/// A second thread is worth its start from this many entries on.
const SHARED_FROM: usize = 4096;

/// See [`deepfs_core::Storage::metadata`].
pub(crate) fn metadata(gate: &Gate, place: &[u8]) -> Result<Metadata, Fault> {
    let reason = match gate.handle(place) {
        Ok(handle) => return rustix::fs::fstat(&handle).map(|stat| stat::metadata(&stat)).map_err(fault::of),
        Err(reason) => reason,
    };
    let Some(kind) = kind_of_broken(&reason) else { return Err(reason) };
    match gate.node(place) {
        Ok(node) if node.target.is_some() => Ok(stat::with_kind(&node.stat, kind)),
        _ => Err(reason),
    }
}

/// What a link is that leads nowhere allowed; `None` when the reason says nothing about the link.
fn kind_of_broken(reason: &Fault) -> Option<Kind> {
    match reason.kind {
        ErrorKind::OutsideRoot => Some(Kind::OutsideLink),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::SymlinkLoop => Some(Kind::DeadLink),
        _ => None,
    }
}

/// Where a link leads: the metadata of what it names, or its own kind.
pub(crate) fn behind_link(gate: &Gate, place: &[u8]) -> Result<Metadata, Kind> {
    match gate.handle(place) {
        Ok(handle) => {
            rustix::fs::fstat(&handle).map(|stat| stat::metadata(&stat)).map_err(|_| Kind::DeadLink)
        }
        // A link that cannot be looked behind is as good as dead to the caller.
        Err(reason) => Err(kind_of_broken(&reason).unwrap_or(Kind::DeadLink)),
    }
}

/// The place of a child.
pub(crate) fn below(place: &[u8], name: &[u8]) -> Vec<u8> {
    if place == b"." {
        return name.to_vec();
    }
    [place, b"/", name].concat()
}

/// See [`deepfs_core::Storage::list`].
pub(crate) fn list(
    gate: &Gate,
    known: Option<&KnownFolders>,
    place: &[u8],
    max_entries: u64,
    control: &dyn Control,
) -> Result<(Vec<Entry>, bool), Fault> {
    control.check()?;
    let handle = gate.open(place, OFlags::RDONLY | OFlags::DIRECTORY)?;
    // In the order of the paths already, so that sorting what comes out of it is one look.
    known.map(KnownFolders::begin_walk);
    let (folder, _, complete) = FolderReader::new(known, max_entries).read(&handle).map_err(fault::of)?;
    let listing = Listing { gate, place, handle: &handle, folder: &folder, control };
    let mut entries = listing.describe_all()?;
    // Links to directories are known as such only now.
    entries.sort_by(|one, other| {
        let is_folder = |entry: &Entry| entry.metadata.kind == Kind::Directory;
        by_path(one.name.as_bytes(), is_folder(one), other.name.as_bytes(), is_folder(other))
    });
    Ok((entries, complete))
}

struct Listing<'l> {
    gate: &'l Gate,
    place: &'l [u8],
    handle: &'l OwnedFd,
    folder: &'l Folder,
    control: &'l dyn Control,
}

impl Listing<'_> {
    fn describe_all(&self) -> Result<Vec<Entry>, Fault> {
        let children = self.folder.children();
        if children.len() < SHARED_FROM {
            return self.describe(children);
        }
        let (first, second) = children.split_at(children.len() / 2);
        std::thread::scope(|scope| {
            let helper = std::thread::Builder::new().spawn_scoped(scope, || self.describe(second));
            let mut entries = self.describe(first)?;
            let rest = match helper {
                Ok(helper) => helper.join().unwrap_or_else(|_| Err(ErrorKind::Internal.into())),
                // No thread to be had.
                Err(_) => self.describe(second),
            };
            entries.append(&mut rest?);
            Ok(entries)
        })
    }

    fn describe(&self, children: &[Child]) -> Result<Vec<Entry>, Fault> {
        let mut entries = Vec::with_capacity(children.len());
        for block in children.chunks(BLOCK) {
            self.control.check()?;
            for child in block {
                let name = self.folder.host_name(*child);
                match self.metadata_of(name, *child) {
                    Ok(metadata) => {
                        entries.push(Entry { name: self.folder.name(*child).to_owned(), metadata });
                    }
                    // It vanished since the directory was read.
                    Err(Errno::NOENT) => {}
                    // The directory may be read but not entered.
                    Err(Errno::ACCESS) => entries.push(Entry {
                        name: self.folder.name(*child).to_owned(),
                        metadata: stat::bare(stat::kind_of(child.file_type)),
                    }),
                    Err(errno) => return Err(fault::of(errno)),
                }
            }
        }
        Ok(entries)
    }

    fn metadata_of(&self, name: &[u8], child: Child) -> Result<Metadata, Errno> {
        let stat = gate::child_stat(self.handle, name)?;
        if child.file_type != FileType::Symlink {
            return Ok(stat::metadata(&stat));
        }
        let behind = behind_link(self.gate, &below(self.place, name));
        Ok(behind.unwrap_or_else(|kind| stat::with_kind(&stat, kind)))
    }
}
