//! The storage on a disk, put together.

use super::{
    DiskOptions, entries,
    gate::Gate,
    known_folders::KnownFolders,
    leftovers::Swept,
    line_indexes::LineIndexes,
    links, names, remove,
    replace::Writer,
    same_letters,
    source::{FileSource, LoadedSource},
    walk,
};
use deepfs_core::{
    Control, ErrorKind, Fault, Storage, VirtualPath,
    storage::{Change, Entry, Existing, FileMatches, Metadata, Search, Source, Stamp, Walk, Walked},
    text::LineIndex,
};
use std::{borrow::Cow, ops::ControlFlow, os::unix::ffi::OsStrExt};

/// Files on a disk, as a [`Storage`].
///
/// Beyond the contract of [`Storage`]:
/// - A file with several names (hard links) keeps them all when it is written: it is rewritten in place, with
///   a copy of the old content beside it until that is done. A reader may see such a change half done.
/// - The root is held open from the first use on. One that is deleted and made anew is found again; one that
///   is moved away stays the root.
/// - What directories hold is remembered, up to 16 MiB, and looked up again as soon as their times change; on file systems that
///   do not keep these times exactly, and for two seconds after a change, nothing is.
/// - A directory that is renamed by somebody else during a walk or a removal may be seen at either place.
///
/// ```
/// # #[cfg(target_os = "linux")] {
/// use deepfs_core::{Storage, VirtualPath, storage::{Existing, Stamp}};
/// use deepfs_host::disk::{Disk, DiskOptions};
///
/// let root = std::env::temp_dir().join(format!("deepfs-doc-{}", std::process::id()));
/// let disk = Disk::new(DiskOptions { root: root.clone(), contained: true, durable: false });
/// let path = VirtualPath::parse("/notes/a.txt").unwrap();
/// let stamp = Stamp { now: "2026-01-01T00:00:00.000Z", mime: "text/plain" };
/// disk.write(&path, b"hello", Existing::Replace, &stamp).unwrap();
/// assert_eq!(disk.open(&path).unwrap().read_all(100).unwrap(), b"hello");
/// # std::fs::remove_dir_all(root).unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct Disk {
    gate: Gate,
    swept: Swept,
    lines: LineIndexes,
    folders: KnownFolders,
    durable: bool,
    shortcuts: bool,
}

impl Disk {
    /// Nothing is opened yet: the root may not exist so far, and appears with the first write.
    #[must_use]
    pub fn new(options: DiskOptions) -> Self {
        let DiskOptions { root, contained, durable } = options;
        Self {
            gate: Gate::new(root, contained),
            swept: Swept::default(),
            lines: LineIndexes::default(),
            folders: KnownFolders::default(),
            durable,
            shortcuts: true,
        }
    }

    /// The same disk, whose walks remember no directories and search on the calling thread alone. The answers are the same;
    /// for tests that show it.
    #[must_use]
    pub fn without_shortcuts(mut self) -> Self {
        self.shortcuts = false;
        self
    }

    /// Where a path leads inside the root once every link on it is followed. The end of the path may not
    /// exist yet. For rules about files, which are not to be got round by a link.
    ///
    /// # Errors
    /// [`ErrorKind::OutsideRoot`] for a path that leaves the root; those of the system.
    pub fn resolve(&self, path: &VirtualPath) -> Result<VirtualPath, Fault> {
        let followed = links::follow(&self.gate, &self.place(path)?, links::Last::Follow)?;
        VirtualPath::parse(&names::spell(&followed))
    }

    /// A small file as a whole, if memory already holds it; `None` when reading it would wait for the disk, and for
    /// everything else. Cheap enough for a thread that must not wait.
    #[must_use]
    pub fn load_cached(&self, path: &VirtualPath) -> Option<Box<dyn Source>> {
        if names::may_be_spelt(path.as_str()) || hides(path) {
            return None;
        }
        let file = self.gate.open_cached(&self.gate.place(path))?;
        LoadedSource::cached(file).map(|source| Box::new(source) as Box<dyn Source>)
    }

    /// Opens a file to read some of its lines. `read` gets what is known of where they are from an earlier call, as long as
    /// the file is the same; what it finds out is remembered.
    ///
    /// # Errors
    /// Those of [`Storage::open`] and of `read`.
    pub fn read_lines<T>(
        &self,
        path: &VirtualPath,
        read: impl FnOnce(&dyn Source, Option<&mut LineIndex>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let file = FileSource::open(&self.gate, &self.place(path)?)?;
        let Some(version) = LineIndexes::version(file.stat()) else { return read(&*file.loaded()?, None) };
        let mut index = self.lines.take(version);
        let answer = read(&file, Some(&mut index));
        self.lines.keep(version, index);
        answer
    }

    fn known(&self) -> Option<&KnownFolders> {
        self.shortcuts.then_some(&self.folders)
    }

    /// The path as the host spells it.
    fn place<'p>(&self, path: &'p VirtualPath) -> Result<Cow<'p, [u8]>, Fault> {
        if hides(path) {
            return Err(ErrorKind::NotFound.into());
        }
        Ok(self.gate.place(path))
    }

    fn writable_place<'p>(&self, path: &'p VirtualPath) -> Result<Cow<'p, [u8]>, Fault> {
        if path.is_root() {
            return Err(ErrorKind::IsDirectory.into());
        }
        self.place(path).map_err(|_| Fault::with(ErrorKind::InvalidPath, "deepfs keeps this name for itself"))
    }

    fn writer(&self) -> Writer<'_> {
        Writer { gate: &self.gate, swept: &self.swept, durable: self.durable }
    }
}

/// Whether a path names one of deepfs's own hidden files.
fn hides(path: &VirtualPath) -> bool {
    path.as_str().contains(names::OWN_PREFIX) && path.segments().any(|name| names::is_own(name.as_bytes()))
}

impl Storage for Disk {
    fn metadata(&self, path: &VirtualPath) -> Result<Metadata, Fault> {
        entries::metadata(&self.gate, &self.place(path)?)
    }

    fn open(&self, path: &VirtualPath) -> Result<Box<dyn Source + '_>, Fault> {
        Ok(Box::new(FileSource::open(&self.gate, &self.place(path)?)?))
    }

    fn write(
        &self,
        path: &VirtualPath,
        bytes: &[u8],
        existing: Existing,
        _stamp: &Stamp<'_>,
    ) -> Result<(), Fault> {
        self.writer().write(&self.writable_place(path)?, bytes, existing)
    }

    fn update(
        &self,
        path: &VirtualPath,
        max_bytes: u64,
        _stamp: &Stamp<'_>,
        change: &mut Change<'_>,
    ) -> Result<(), Fault> {
        if path.is_root() {
            return Err(ErrorKind::IsDirectory.into());
        }
        self.writer().update(&self.place(path)?, max_bytes, change)
    }

    fn remove(&self, path: &VirtualPath, control: &dyn Control) -> Result<(), Fault> {
        // Unconfined, the root is a folder like any other for the system, and what holds it holds the
        // workspace.
        let root = self.gate.given_root().as_os_str().as_bytes();
        let holds_root =
            !self.gate.contained() && links::strip_segments(root, path.as_str().as_bytes()).is_some();
        if path.is_root() || holds_root {
            return Err(ErrorKind::RootRefused.into());
        }
        remove::remove(&self.gate, &self.place(path)?, control)
    }

    fn list(
        &self,
        path: &VirtualPath,
        max_entries: u64,
        control: &dyn Control,
    ) -> Result<(Vec<Entry>, bool), Fault> {
        entries::list(&self.gate, self.known(), &self.place(path)?, max_entries, control)
    }

    fn walk(
        &self,
        walk: &Walk<'_>,
        visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        walk::walk(&self.gate, self.known(), &self.place(walk.root)?, walk, visit)
    }

    fn search(
        &self,
        search: &Search<'_>,
        found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        walk::search(&self.gate, self.known(), &self.place(search.walk.root)?, search, found)
    }

    fn same_letters(&self, path: &VirtualPath) -> Option<VirtualPath> {
        same_letters::same_letters(&self.gate, path)
    }
}
