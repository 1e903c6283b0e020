//! What lies below a folder.

use super::key::normal_key;
use crate::path::VirtualPath;
use std::{borrow::Cow, cmp::Ordering};

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
pub struct Below<'a> {
    /// Which of the keys it is.
    pub index: usize,
    /// Its path below the folder; empty for the folder's own path.
    pub relative: Cow<'a, str>,
}

/// Every key at or below `dir` whose path below it is `wanted`, in the order of their full paths. Of keys that mean the
/// same path, the one that is spelt normally counts, or else the first.
#[must_use]
pub fn subtree<'a>(
    keys: impl IntoIterator<Item = &'a str>,
    dir: &VirtualPath,
    wanted: impl Fn(&str) -> bool,
) -> Vec<Below<'a>> {
    let mut found: Vec<(Below<'a>, bool)> = Vec::new();
    for (index, key) in keys.into_iter().enumerate() {
        let Some(normal) = normal_key(key) else { continue };
        let is_odd = matches!(normal, Cow::Owned(_));
        let relative = match normal {
            Cow::Borrowed(normal) => below(dir, normal).map(Cow::Borrowed),
            Cow::Owned(normal) => below(dir, &normal).map(|relative| Cow::Owned(relative.to_owned())),
        };
        if let Some(relative) = relative.filter(|relative| wanted(relative)) {
            found.push((Below { index, relative }, is_odd));
        }
    }
    let by_path =
        |left: &(Below<'_>, bool), right: &(Below<'_>, bool)| left.0.relative.cmp(&right.0.relative);
    // A stable sort: the first key stays in front of its equals.
    found.sort_by(|left, right| match by_path(left, right) {
        Ordering::Equal => left.1.cmp(&right.1),
        order => order,
    });
    found.dedup_by(|right, left| by_path(left, right) == Ordering::Equal);
    found.into_iter().map(|(below, _)| below).collect()
}
