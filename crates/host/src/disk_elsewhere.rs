//! The place of [`disk`](crate) on systems where containment is not the kernel's so far: everything compiles,
//! and every operation says why it does nothing.

use deepfs_core::{
    Control, ErrorKind, Fault, Storage, VirtualPath,
    storage::{Change, Entry, Existing, FileMatches, Metadata, Search, Source, Stamp, Walk, Walked},
    text::LineIndex,
};
use std::ops::ControlFlow;

#[path = "disk/control.rs"]
mod control;
#[path = "disk/options.rs"]
mod options;

pub use control::Deadline;
pub use options::DiskOptions;

/// A disk that refuses. Its methods are those of the one for Linux.
#[derive(Debug)]
pub struct Disk;

fn refused() -> Fault {
    Fault::with(
        ErrorKind::Unsupported,
        "files on a disk are kept below their root by the Linux kernel, which this system does not have; use a backend \
         that keeps files in memory or in a store",
    )
}

impl Disk {
    /// Takes the same options as on Linux.
    #[must_use]
    pub fn new(_options: DiskOptions) -> Self {
        Self
    }

    /// Refuses.
    ///
    /// # Errors
    /// Always [`ErrorKind::Unsupported`].
    pub fn resolve(&self, _path: &VirtualPath) -> Result<VirtualPath, Fault> {
        Err(refused())
    }

    /// There is no quick way here.
    #[must_use]
    pub fn open_cached(&self, _path: &VirtualPath) -> Option<Result<Box<dyn Source + '_>, Fault>> {
        None
    }

    /// There is no quick way here.
    #[must_use]
    pub fn load_cached(&self, _path: &VirtualPath) -> Option<Box<dyn Source>> {
        None
    }

    /// Refuses.
    ///
    /// # Errors
    /// Always [`ErrorKind::Unsupported`].
    pub fn read_lines<T>(
        &self,
        _path: &VirtualPath,
        _read: impl FnOnce(&dyn Source, Option<&mut LineIndex>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        Err(refused())
    }

    /// There is no root here.
    #[must_use]
    pub fn strip_host_prefix<'r>(&self, _raw: &'r str) -> Option<&'r str> {
        None
    }
}

/// Whether a fault of [`Disk::open_cached`]'s source only says that the bytes are not in memory.
#[must_use]
pub fn would_block(fault: &Fault) -> bool {
    fault.kind == ErrorKind::Unavailable
}

impl Storage for Disk {
    fn metadata(&self, _path: &VirtualPath) -> Result<Metadata, Fault> {
        Err(refused())
    }

    fn open(&self, _path: &VirtualPath) -> Result<Box<dyn Source + '_>, Fault> {
        Err(refused())
    }

    fn write(&self, _: &VirtualPath, _: &[u8], _: Existing, _: &Stamp<'_>) -> Result<(), Fault> {
        Err(refused())
    }

    fn update(
        &self,
        _path: &VirtualPath,
        _max_bytes: u64,
        _stamp: &Stamp<'_>,
        _change: &mut Change<'_>,
    ) -> Result<(), Fault> {
        Err(refused())
    }

    fn remove(&self, _path: &VirtualPath, _control: &dyn Control) -> Result<(), Fault> {
        Err(refused())
    }

    fn list(&self, _: &VirtualPath, _: u64, _: &dyn Control) -> Result<(Vec<Entry>, bool), Fault> {
        Err(refused())
    }

    fn walk(
        &self,
        _walk: &Walk<'_>,
        _visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        Err(refused())
    }

    fn search(
        &self,
        _search: &Search<'_>,
        _found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        Err(refused())
    }

    fn same_letters(&self, _path: &VirtualPath) -> Option<VirtualPath> {
        None
    }
}
