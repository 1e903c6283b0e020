//! What lies below a folder.

use super::key::normal_key;
use crate::path::VirtualPath;
use std::cmp::Ordering;

/// The part of a normalised key below `dir`: empty when it is `dir` itself, `None` when it lies elsewhere.
///
/// ```
/// use deepfs_core::{VirtualPath, tree::below};
/// let dir = VirtualPath::parse("/mem").unwrap();
/// assert_eq!(below(&dir, "/mem/a/b"), Some("a/b"));
/// assert_eq!(below(&dir, "/mem"), Some(""));
/// assert_eq!(below(&dir, "/memory"), None);
/// ```
#[must_use]
pub fn below<'a>(dir: &VirtualPath, key: &'a str) -> Option<&'a str> {
    if dir.is_root() {
        return key.strip_prefix('/');
    }
    let rest = key.strip_prefix(dir.as_str())?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// A key at or below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    /// Which of the keys it is.
    pub index: usize,
    /// Its path below the folder; empty for the folder's own path.
    pub relative: String,
}

/// Every key at or below `dir`, in the order of their full paths. Of keys that mean the same path, the one that is
/// spelt normally counts, or else the first.
#[must_use]
pub fn subtree<'a>(keys: impl IntoIterator<Item = &'a str>, dir: &VirtualPath) -> Vec<Below> {
    let mut found: Vec<(Below, bool)> = Vec::new();
    for (index, key) in keys.into_iter().enumerate() {
        let Some(normal) = normal_key(key) else { continue };
        if let Some(relative) = below(dir, &normal) {
            found.push((Below { index, relative: relative.to_owned() }, normal != key));
        }
    }
    let by_path = |left: &(Below, bool), right: &(Below, bool)| left.0.relative.cmp(&right.0.relative);
    // A stable sort: the first key stays in front of its equals.
    found.sort_by(|left, right| match by_path(left, right) {
        Ordering::Equal => left.1.cmp(&right.1),
        order => order,
    });
    found.dedup_by(|right, left| by_path(left, right) == Ordering::Equal);
    found.into_iter().map(|(below, _)| below).collect()
}
