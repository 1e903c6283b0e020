//! Files in memory.

mod files;
mod opened;
mod walk;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod walk_tests;

use super::{
    Candidate, Change, Entry, Existing, FileMatches, Kind, Metadata, Search, Source, Stamp, Storage, Walk,
    Walked, check_size,
};
use crate::{
    error::{ErrorKind, Fault},
    limits::Control,
    path::VirtualPath,
    record::Record,
};
use files::{Files, Found, find, from, front, is_folder};
use opened::{Opened, describe, plain};
use std::{
    collections::BTreeSet,
    ops::ControlFlow,
    sync::{Arc, PoisonError, RwLock},
};
use unicode_normalization::UnicodeNormalization;
use walk::walk_files;

/// How often [`Storage::update`] tries again after somebody else changed the file meanwhile.
const UPDATE_ATTEMPTS: usize = 100;

/// Files in memory, as records. Folders exist as long as a file lies below them.
///
/// Readers take the whole state at once, for the price of a pointer, and hold no lock while they use it: a visitor
/// may call the storage again. A writer copies the map only when a reader still holds it.
///
/// ```
/// use deepfs_core::{Memory, Storage, VirtualPath, storage::{Existing, Stamp}};
/// let memory = Memory::default();
/// let path = VirtualPath::parse("/notes/today.md")?;
/// let stamp = Stamp { now: "2025-01-01T00:00:00.000Z", mime: "text/markdown" };
/// memory.write(&path, b"# Today", Existing::Replace, &stamp)?;
/// assert_eq!(memory.open(&path)?.read_all(100)?, b"# Today");
/// # Ok::<(), deepfs_core::Fault>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    files: RwLock<Arc<Files>>,
}

impl Memory {
    /// Every file, in the order of paths.
    #[must_use]
    pub fn snapshot(&self) -> Vec<(String, Arc<Record>)> {
        self.state().iter().map(|(path, record)| (path.clone(), Arc::clone(record))).collect()
    }

    /// Replaces everything.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`], and nothing is changed, when a path is the root, comes twice, or is a file and a
    /// folder at once.
    pub fn restore(&self, records: Vec<(VirtualPath, Record)>) -> Result<(), Fault> {
        let mut files = Files::new();
        for (path, record) in records {
            if path.is_root() || files.insert(path.as_str().to_owned(), Arc::new(record)).is_some() {
                return Err(unusable(path.as_str()));
            }
        }
        // Other names may stand between a file and what is below its path, so neighbours cannot tell.
        if let Some(path) = files.keys().find(|path| is_folder(&files, path)) {
            return Err(unusable(path));
        }
        self.change(|current| {
            *current = files;
            Ok(())
        })
    }

    /// The state at this moment.
    fn state(&self) -> Arc<Files> {
        // A panic elsewhere cannot leave the map half changed, so its lock is as good as before.
        Arc::clone(&self.files.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Files) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        change(Arc::make_mut(&mut files))
    }
}

fn unusable(path: &str) -> Fault {
    Fault::with(
        ErrorKind::InvalidArgument,
        format!("the records cannot be restored: '{path}' is there twice, or is a file and a folder at once"),
    )
}

impl Storage for Memory {
    fn metadata(&self, path: &VirtualPath) -> Result<Metadata, Fault> {
        let files = self.state();
        match find(&files, path)? {
            Found::File(record) => Ok(describe(record)),
            Found::Folder => Ok(plain(Kind::Directory)),
        }
    }

    fn open(&self, path: &VirtualPath) -> Result<Box<dyn Source + '_>, Fault> {
        let files = self.state();
        match find(&files, path)? {
            Found::File(record) => Ok(Box::new(Opened::new(Arc::clone(record)))),
            Found::Folder => Err(ErrorKind::IsDirectory.into()),
        }
    }

    fn write(
        &self,
        path: &VirtualPath,
        bytes: &[u8],
        existing: Existing,
        stamp: &Stamp<'_>,
    ) -> Result<(), Fault> {
        self.change(|files| {
            let old = match find(files, path) {
                Ok(Found::Folder) => return Err(ErrorKind::IsDirectory.into()),
                Ok(Found::File(_)) if existing == Existing::Refuse => {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                Ok(Found::File(record)) => Some(Arc::clone(record)),
                Err(fault) if fault.kind == ErrorKind::NotFound => None,
                Err(fault) => return Err(fault),
            };
            let record =
                Record::from_bytes(path.as_str(), bytes.to_vec(), stamp.mime, stamp.now, old.as_deref());
            files.insert(path.as_str().to_owned(), Arc::new(record));
            Ok(())
        })
    }

    fn update(
        &self,
        path: &VirtualPath,
        max_bytes: u64,
        stamp: &Stamp<'_>,
        change: &mut Change<'_>,
    ) -> Result<(), Fault> {
        for _ in 0..UPDATE_ATTEMPTS {
            let old = match find(&self.state(), path)? {
                Found::File(record) => Arc::clone(record),
                Found::Folder => return Err(ErrorKind::IsDirectory.into()),
            };
            check_size(old.bytes().len() as u64, max_bytes)?;
            // Without the lock, so that `change` may look at other files.
            let bytes = change(old.bytes(), &describe(&old))?.concat();
            let new = Arc::new(Record::from_bytes(path.as_str(), bytes, stamp.mime, stamp.now, Some(&old)));
            let replaced = self.change(|files| {
                Ok(match files.get_mut(path.as_str()) {
                    Some(current) if Arc::ptr_eq(current, &old) => {
                        *current = new;
                        true
                    }
                    _ => false,
                })
            })?;
            if replaced {
                return Ok(());
            }
        }
        Err(ErrorKind::Conflict.into())
    }

    // Nothing here takes long enough to be stopped.
    fn remove(&self, path: &VirtualPath, _control: &dyn Control) -> Result<(), Fault> {
        if path.is_root() {
            return Err(ErrorKind::RootRefused.into());
        }
        self.change(|files| {
            find(files, path)?;
            files.remove(path.as_str());
            let held: Vec<String> = from(files, &path.prefix())
                .map(|(key, _)| key.clone())
                .take_while(|key| key.starts_with(&path.prefix()))
                .collect();
            for key in held {
                files.remove(&key);
            }
            Ok(())
        })
    }

    fn list(
        &self,
        path: &VirtualPath,
        max_entries: u64,
        control: &dyn Control,
    ) -> Result<(Vec<Entry>, bool), Fault> {
        let mut entries = Vec::new();
        let always = |_: &str| true;
        let walk = Walk {
            root: path,
            descend: &|_| false,
            admit: &always,
            directories: true,
            stat: true,
            gitignore: false,
            max_entries,
            control,
        };
        let files = self.state();
        if let Found::File(_) = find(&files, path)? {
            return Err(ErrorKind::NotADirectory.into());
        }
        let walked = walk_files(&files, &walk, &mut |relative, metadata, _| {
            entries.push(Entry { name: relative.to_owned(), metadata: metadata.clone() });
            Ok(ControlFlow::Continue(()))
        })?;
        Ok((entries, walked.complete))
    }

    fn walk(
        &self,
        walk: &Walk<'_>,
        visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        walk_files(&self.state(), walk, &mut |relative, metadata, _| Ok(visit(relative, metadata)))
    }

    fn search(
        &self,
        search: &Search<'_>,
        found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
    ) -> Result<Walked, Fault> {
        walk_files(&self.state(), &search.walk, &mut |relative, _, record| {
            let Some(record) = record.filter(|record| record.bytes().len() as u64 <= search.max_file_bytes)
            else {
                return Ok(ControlFlow::Continue(()));
            };
            let source = Opened::new(Arc::clone(record));
            let candidate = Candidate { path: relative, head: record.bytes(), whole: true, source: &source };
            Ok((search.inspect)(&candidate)?
                .map_or(ControlFlow::Continue(()), |matches| found(relative, matches)))
        })
    }

    fn same_letters(&self, path: &VirtualPath) -> Option<VirtualPath> {
        if path.as_str().is_ascii() {
            return None;
        }
        let wanted: String = path.as_str().nfc().collect();
        let depth = path.segments().count();
        let files = self.state();
        let spelt: BTreeSet<&str> = files
            .keys()
            .filter(|key| !key.is_ascii())
            .filter_map(|key| front(key, depth))
            .filter(|front| *front != path.as_str() && front.nfc().eq(wanted.chars()))
            .collect();
        let mut spelt = spelt.into_iter();
        let only = spelt.next().filter(|_| spelt.next().is_none())?;
        VirtualPath::parse(only).ok()
    }
}
