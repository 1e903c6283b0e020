//! Names that look the same: composed and decomposed letters.

use super::{entries, folder_reader::FolderReader, gate::Gate};
use deepfs_core::VirtualPath;
use rustix::fs::OFlags;
use unicode_normalization::UnicodeNormalization;

/// Entries of one directory that are compared.
const MAX_ENTRIES: u64 = 100_000;

/// See [`deepfs_core::Storage::same_letters`].
pub(crate) fn same_letters(gate: &Gate, path: &VirtualPath) -> Option<VirtualPath> {
    if path.as_str().is_ascii() {
        return None;
    }
    let mut found = VirtualPath::root();
    for segment in path.segments() {
        let exact = found.child(segment);
        found = if entries::metadata(gate, &gate.place(&exact)).is_ok() {
            exact
        } else {
            found.child(&only_match(gate, &found, segment)?)
        };
    }
    (found != *path).then_some(found)
}

/// The one name in a directory that has the letters of `segment`.
fn only_match(gate: &Gate, folder: &VirtualPath, segment: &str) -> Option<String> {
    if segment.is_ascii() {
        return None;
    }
    let handle = gate.open(&gate.place(folder), OFlags::RDONLY | OFlags::DIRECTORY).ok()?;
    let (folder, ..) = FolderReader::new(None, MAX_ENTRIES).read(&handle).ok()?;
    let mut matching = folder
        .children()
        .iter()
        .map(|child| folder.name(*child))
        .filter(|name| !name.is_ascii() && name.nfc().eq(segment.nfc()));
    let only = matching.next()?.to_owned();
    matching.next().is_none().then_some(only)
}
