//! `edit`: replaces text in a file, and only that text.

use super::{Context, write::check_size};
use crate::{
    error::{Error, Fault, Operation},
    mime,
    storage::Stamp,
    text::{self, Replaced, Spliced},
};

/// What an edit did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edited {
    /// Replacements made; 0 when an empty file was filled, as upstream counts.
    pub occurrences: usize,
    /// Whether an empty file was filled through an empty `oldString`.
    pub filled: bool,
}

/// Replaces `old` with `new` in a text file: the one occurrence, or every one with `all`.
///
/// # Errors
/// See [`crate::Storage::update`] and [`crate::text::replace_bytes`].
pub fn edit(cx: &Context<'_>, raw: &str, old: &str, new: &str, all: bool) -> Result<Edited, Error> {
    let cap = cx.meaning.limits.write_bytes;
    cx.locate(Operation::Edit, raw, |path| {
        let mut edited = Edited { occurrences: 0, filled: false };
        let stamp = Stamp { now: cx.now, mime: mime::by_path(path.as_str()) };
        cx.storage.update(path, cap, &stamp, &mut |bytes, _| {
            cx.control.check()?;
            let replaced = edit_bytes(path.as_str(), bytes, old, new, all)?;
            check_size(replaced.content.size(), cap)?;
            edited = Edited { occurrences: replaced.occurrences, filled: replaced.filled };
            Ok(replaced.content)
        })?;
        Ok(edited)
    })
}

/// The edit of bytes at a path; also for bytes that JavaScript owns.
///
/// # Errors
/// See [`crate::text::replace_bytes`].
pub fn edit_bytes<'b>(
    path: &str,
    bytes: &'b [u8],
    old: &str,
    new: &str,
    all: bool,
) -> Result<Replaced<Spliced<'b>>, Fault> {
    // A picture that happens to look like some legacy text is still a picture.
    if mime::is_binary_path(path) && std::str::from_utf8(bytes).is_err() {
        return Err(crate::ErrorKind::Binary.into());
    }
    text::replace_bytes(bytes, old, new, all)
}
