//! Keys as they come from elsewhere.

use crate::path::VirtualPath;
use std::borrow::Cow;

/// A key as a normalised virtual path: other programs wrote `/a//b` and `notes.txt`. `None` for a key that is no path
/// of ours (a `..` segment, a NUL, the root); it is passed over, as nothing could name it.
///
/// ```
/// use deepfs_core::tree::normal_key;
/// assert_eq!(normal_key("notes.txt").as_deref(), Some("/notes.txt"));
/// assert_eq!(normal_key("/a//b").as_deref(), Some("/a/b"));
/// assert_eq!(normal_key("/a/../b"), None);
/// ```
#[must_use]
pub fn normal_key(key: &str) -> Option<Cow<'_, str>> {
    if VirtualPath::is_normal(key) {
        return Some(Cow::Borrowed(key));
    }
    let path = VirtualPath::parse(key).ok()?;
    if path.is_root() {
        return None;
    }
    Some(if path.as_str() == key { Cow::Borrowed(key) } else { Cow::Owned(path.as_str().to_owned()) })
}
