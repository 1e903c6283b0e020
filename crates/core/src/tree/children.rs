//! The direct children of a folder.

use super::{key::normal_key, order::listing_order, subtree::below};
use crate::path::VirtualPath;
use std::collections::HashMap;

/// A direct child of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Child {
    /// One name, no slash.
    pub name: String,
    /// What it is.
    pub kind: ChildKind,
}

/// What a child is. Data from elsewhere may hold a file `/a` and a file `/a/b`: then `a` is both, and listed as both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChildKind {
    /// A file: which of the keys it is.
    File(usize),
    /// A folder, which exists because some key lies below it.
    Folder,
}

/// The children of `dir` among flat keys, in [`listing_order`]. Of keys that mean the same path, the one that is spelt
/// normally counts, or else the first.
///
/// ```
/// use deepfs_core::{VirtualPath, tree::{Child, ChildKind, children}};
/// let keys = ["/src/b.rs", "/src/a/x.rs", "/lib/c.rs"];
/// let found = children(keys, &VirtualPath::parse("/src").unwrap());
/// assert_eq!(found[0], Child { name: "a".into(), kind: ChildKind::Folder });
/// assert_eq!(found[1], Child { name: "b.rs".into(), kind: ChildKind::File(0) });
/// ```
#[must_use]
pub fn children<'a>(keys: impl IntoIterator<Item = &'a str>, dir: &VirtualPath) -> Vec<Child> {
    // Per name and whether it is a folder: the key, and whether that key was spelt normally.
    let mut found: HashMap<(String, bool), (usize, bool)> = HashMap::new();
    for (index, key) in keys.into_iter().enumerate() {
        let Some(normal) = normal_key(key) else { continue };
        let Some(relative) = below(dir, &normal).filter(|relative| !relative.is_empty()) else { continue };
        let (name, folder) = relative.split_once('/').map_or((relative, false), |(name, _)| (name, true));
        let spelt_normally = normal == key;
        let known = found.entry((name.to_owned(), folder)).or_insert((index, spelt_normally));
        if spelt_normally && !known.1 {
            *known = (index, true);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|((left, left_folder), _), ((right, right_folder), _)| {
        listing_order((left, *left_folder), (right, *right_folder))
    });
    let child = |((name, folder), (index, _)): ((String, bool), (usize, bool))| Child {
        name,
        kind: if folder { ChildKind::Folder } else { ChildKind::File(index) },
    };
    found.into_iter().map(child).collect()
}
