//! Paths among flat keys.

use crate::{
    error::{ErrorKind, Fault},
    path::VirtualPath,
    record::Record,
};
use std::{
    collections::{BTreeMap, btree_map},
    ops::Bound,
    sync::Arc,
};

/// The records under their full paths. Plain byte order is the order of listings, as a folder is not an entry but the
/// common start of some.
pub(super) type Files = BTreeMap<String, Arc<Record>>;

/// What a path names.
pub(super) enum Found<'a> {
    File(&'a Arc<Record>),
    Folder,
}

pub(super) fn find<'a>(files: &'a Files, path: &VirtualPath) -> Result<Found<'a>, Fault> {
    if let Some(record) = files.get(path.as_str()) {
        return Ok(Found::File(record));
    }
    if path.is_root() || is_folder(files, path.as_str()) {
        return Ok(Found::Folder);
    }
    let mut above = path.parent();
    while let Some(folder) = above {
        if files.contains_key(folder.as_str()) {
            return Err(ErrorKind::NotADirectory.into());
        }
        above = folder.parent();
    }
    Err(ErrorKind::NotFound.into())
}

pub(super) fn is_folder(files: &Files, path: &str) -> bool {
    let prefix = format!("{path}/");
    from(files, &prefix).next().is_some_and(|(key, _)| key.starts_with(&prefix))
}

/// The files from `key` on, in order.
pub(super) fn from<'a>(files: &'a Files, key: &str) -> btree_map::Range<'a, String, Arc<Record>> {
    files.range::<str, _>((Bound::Included(key), Bound::Unbounded))
}

/// The first `depth` segments of a key that has as many.
pub(super) fn front(key: &str, depth: usize) -> Option<&str> {
    let ends = key.match_indices('/').map(|(at, _)| at).skip(1).chain([key.len()]);
    ends.take(depth).enumerate().find(|(nth, _)| nth + 1 == depth).and_then(|(_, end)| key.get(..end))
}
