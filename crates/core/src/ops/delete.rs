//! `delete`: removes a file, a link, or a folder with all it holds.

use super::Context;
use crate::error::{Error, ErrorKind, Operation};

/// Removes what the path names; never the root. A call that is stopped has removed a part.
///
/// # Errors
/// See [`crate::Storage::remove`]; [`ErrorKind::RootRefused`].
pub fn delete(cx: &Context<'_>, raw: &str) -> Result<(), Error> {
    cx.locate(Operation::Delete, raw, |path| {
        if cx.is_protected(path) {
            return Err(ErrorKind::RootRefused.into());
        }
        cx.control.check()?;
        cx.storage.remove(path, cx.control)
    })
}
