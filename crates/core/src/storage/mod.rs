//! Where bytes live: the trait every storage implements, and the one in memory.
//!
//! Operations are written once over [`Storage`] (see [`crate::ops`]); a storage knows nothing of lines, edits,
//! globs or messages. `crates/testkit` runs one conformance suite over every implementation.

mod memory;

pub use crate::time::Time;
pub use memory::Memory;

use crate::{
    error::{ErrorKind, Fault},
    limits::Control,
    path::VirtualPath,
    text::Spliced,
};
use std::ops::ControlFlow;

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file, or a link to one inside the root.
    File,
    /// A directory, or a link to one inside the root.
    Directory,
    /// A link that leads out of the root: shown, never followed, and its target is not described.
    OutsideLink,
    /// A link whose target is missing, or a chain of links that never ends: not shown.
    DeadLink,
    /// A FIFO, socket or device.
    Special,
}

/// What is known of a path without reading it.
#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    /// What the path names.
    pub kind: Kind,
    /// Bytes; 0 for directories, and for links that lead nowhere allowed.
    pub size: u64,
    /// Created (disk: `ctime`, as the upstream reports it).
    pub created: Time,
    /// Last modified.
    pub modified: Time,
    /// The MIME type the record carries, where the storage keeps one.
    pub mime: Option<String>,
}

/// A child of a directory.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// One name, no slash. Bytes that are not UTF-8 are written `\xNN`, and the storage finds the file again
    /// under that spelling.
    pub name: String,
    /// See [`Metadata`].
    pub metadata: Metadata,
}

/// An open file, read at any offset. It stays the same version of the file while it is open, as far as the
/// storage can promise that.
pub trait Source {
    /// What was known of the file when it was opened.
    fn metadata(&self) -> &Metadata;

    /// Fills `buffer` from `offset` on as far as the file reaches; 0 means the end. May fill less than the buffer
    /// only at the end of the file.
    ///
    /// # Errors
    /// The system's.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault>;

    /// The whole content, where the storage has it in one piece anyway.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }

    /// Reads everything, at most `cap` bytes.
    ///
    /// # Errors
    /// [`ErrorKind::TooLarge`] over the cap; the system's.
    fn read_all(&self, cap: u64) -> Result<Vec<u8>, Fault> {
        if let Some(bytes) = self.in_memory() {
            check_size(bytes.len() as u64, cap)?;
            return Ok(bytes.to_vec());
        }
        let expected = self.metadata().size;
        check_size(expected, cap)?;
        let mut bytes = vec![0; usize::try_from(expected).unwrap_or(0) + 1];
        let mut filled = 0;
        while let Some(rest) = bytes.get_mut(filled..) {
            let count = self.read_at(filled as u64, rest)?;
            filled += count;
            if count == 0 {
                break;
            }
            check_size(filled as u64, cap)?;
            if filled == bytes.len() {
                bytes.resize(bytes.len() * 2, 0);
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}

fn check_size(size: u64, cap: u64) -> Result<(), Fault> {
    if size > cap {
        return Err(Fault::with(ErrorKind::TooLarge, format!("{size} bytes, the limit is {cap}")));
    }
    Ok(())
}

/// What a replacing write may meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// An existing file is replaced.
    Replace,
    /// An existing file is an error, [`ErrorKind::AlreadyExists`].
    Refuse,
}

/// Decides on the new content of a file from its old one; see [`Storage::update`].
pub type Change<'a> = dyn for<'o> FnMut(&'o [u8], &Metadata) -> Result<Spliced<'o>, Fault> + 'a;

/// What comes with the bytes of a write.
#[derive(Debug, Clone, Copy)]
pub struct Stamp<'a> {
    /// The time of the call as ISO text, for storages that keep records.
    pub now: &'a str,
    /// The MIME type of the content, for storages that keep records.
    pub mime: &'a str,
}

/// Which files a walk visits. Every path handed to these functions is relative to the walk's root, without a
/// leading slash.
pub struct Walk<'a> {
    /// Where the walk starts. A file is visited as itself, with an empty relative path.
    pub root: &'a VirtualPath,
    /// Whether to look into a directory (its relative path, no trailing slash).
    pub descend: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether a file is wanted at all.
    pub admit: &'a (dyn Fn(&str) -> bool + Sync),
    /// Whether directories are handed out too (they are, before their children).
    pub directories: bool,
    /// Whether sizes and times are needed; without, [`Metadata`] may hold only the kind.
    pub stat: bool,
    /// Whether files that ignore files (`.gitignore`, `.ignore`) exclude are left out.
    pub gitignore: bool,
    /// The most entries looked at; the walk then ends with [`Walked::complete`] false.
    pub max_entries: u64,
    /// Asked between entries.
    pub control: &'a dyn Control,
}

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Walked {
    /// False when a cap or a time limit ended the walk before everything was seen. A visitor that breaks does
    /// not make a walk incomplete.
    pub complete: bool,
}

/// A file during a search: its first block is read already.
pub struct Candidate<'a> {
    /// The path relative to the walk's root.
    pub path: &'a str,
    /// The first bytes of the file.
    pub head: &'a [u8],
    /// Whether `head` is the whole file.
    pub whole: bool,
    /// For what lies behind `head`.
    pub source: &'a dyn Source,
}

/// Matching lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileMatches {
    /// 1-based line numbers, rising.
    pub lines: Vec<u32>,
    /// The texts of those lines, without their line ends; the same length as `lines`.
    pub texts: Vec<String>,
    /// Whether the file has more matches than were collected.
    pub more: bool,
}

/// The answer to [`Search::inspect`]: matches, or a fault that ends the search (cancelled, timed out).
pub type Inspected = Result<Option<FileMatches>, Fault>;

/// A search over contents.
pub struct Search<'a> {
    /// Which files are searched.
    pub walk: Walk<'a>,
    /// Files larger than this are left out, in bytes.
    pub max_file_bytes: u64,
    /// Decides on one file. Runs on any thread, in any order.
    pub inspect: &'a (dyn Fn(&Candidate<'_>) -> Inspected + Sync),
}

/// A place that holds files under virtual paths.
///
/// Contract, for every implementation:
/// - Paths are exact; nothing is trimmed, folded or guessed.
/// - A missing path is [`ErrorKind::NotFound`]; a file used as a folder on the way is
///   [`ErrorKind::NotADirectory`].
/// - Links inside the root are followed; one that leads out is [`ErrorKind::OutsideRoot`].
/// - A FIFO, socket or device is [`ErrorKind::NotRegularFile`], at once, without being opened for long.
/// - No fault carries a host path.
/// - Every method may be called from several threads at once.
pub trait Storage: Send + Sync {
    /// What the path names.
    ///
    /// # Errors
    /// See the contract. A link that leads out or nowhere answers with its [`Kind`], not with an error.
    fn metadata(&self, path: &VirtualPath) -> Result<Metadata, Fault>;

    /// Opens a file for reading.
    ///
    /// # Errors
    /// See the contract; [`ErrorKind::IsDirectory`] for a directory.
    fn open(&self, path: &VirtualPath) -> Result<Box<dyn Source + '_>, Fault>;

    /// Puts `bytes` at `path`, all or nothing: a reader sees the old content or the new one. Missing folders are
    /// made. Mode and creation time of an existing file are kept.
    ///
    /// # Errors
    /// See the contract; [`ErrorKind::AlreadyExists`] as `existing` says; [`ErrorKind::IsDirectory`] for a
    /// directory and for the root; [`ErrorKind::PermissionDenied`] for a file that is read-only.
    fn write(
        &self,
        path: &VirtualPath,
        bytes: &[u8],
        existing: Existing,
        stamp: &Stamp<'_>,
    ) -> Result<(), Fault>;

    /// Reads a file, lets `change` decide, and replaces it with the outcome, so that no other `update` or `write` of
    /// this file through deepfs, in this process or another, falls between. `change` answers `Err` to leave the
    /// file as it is; it gets the content and the metadata, and may be called again when the file changed meanwhile.
    ///
    /// # Errors
    /// As [`Storage::write`], and what `change` answers; [`ErrorKind::NotFound`]; [`ErrorKind::Conflict`] when the
    /// file kept changing under the call; [`ErrorKind::TooLarge`] for a file over `max_bytes`.
    fn update(
        &self,
        path: &VirtualPath,
        max_bytes: u64,
        stamp: &Stamp<'_>,
        change: &mut Change<'_>,
    ) -> Result<(), Fault>;

    /// Removes a file, a link (never its target), or a directory with all it holds. What is gone when `control` stops
    /// the call stays gone.
    ///
    /// # Errors
    /// See the contract; [`ErrorKind::RootRefused`] for the root; what `control` says.
    fn remove(&self, path: &VirtualPath, control: &dyn Control) -> Result<(), Fault>;

    /// The children of a directory, in the order of [`crate::tree::listing_order`]. Stops after `max_entries`
    /// children; the second value tells whether these are all.
    ///
    /// # Errors
    /// See the contract; [`ErrorKind::NotADirectory`] for a file.
    fn list(
        &self,
        path: &VirtualPath,
        max_entries: u64,
        control: &dyn Control,
    ) -> Result<(Vec<Entry>, bool), Fault>;

    /// Visits what lies below [`Walk::root`], in code-point order of the full paths. Links to directories are not
    /// entered; links to files inside the root are visited as the files they name. Unreadable directories and
    /// entries that vanish are passed over.
    ///
    /// # Errors
    /// Those of the root, and those of [`Walk::control`] (except a time-out, which ends the walk as incomplete).
    fn walk(
        &self,
        walk: &Walk<'_>,
        visit: &mut dyn FnMut(&str, &Metadata) -> ControlFlow<()>,
    ) -> Result<Walked, Fault>;

    /// Walks, reads every admitted file, and hands the matches over in the order of the walk, whatever the order
    /// in which files were inspected. Files that cannot be read are passed over. Links to files are not searched:
    /// what they name is found under its own name.
    ///
    /// # Errors
    /// As [`Storage::walk`], and what [`Search::inspect`] answers.
    fn search(
        &self,
        search: &Search<'_>,
        found: &mut dyn FnMut(&str, FileMatches) -> ControlFlow<()>,
    ) -> Result<Walked, Fault>;

    /// Another path that names the same letters under another Unicode normalisation (a name composed where the
    /// stored one is decomposed, or the other way round), if exactly one exists. `None` for storages that fold
    /// names themselves, and for plain ASCII.
    fn same_letters(&self, path: &VirtualPath) -> Option<VirtualPath>;
}
