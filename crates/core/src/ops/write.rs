//! `write`: puts text or bytes at a path, creating or replacing.

use super::Context;
use crate::{
    content::{self, Content},
    error::{Error, ErrorKind, Fault, Operation},
    mime,
    storage::Existing,
};

/// Writes a file. Text for a path of a binary type must be base64 or a `data:` URL.
///
/// # Errors
/// See [`crate::Storage::write`]; [`ErrorKind::InvalidContent`]; [`ErrorKind::TooLarge`];
/// [`ErrorKind::AlreadyExists`] for a backend that only creates.
pub fn write(cx: &Context<'_>, raw: &str, content: Content<'_>) -> Result<(), Error> {
    let existing = if cx.meaning.create_only { Existing::Refuse } else { Existing::Replace };
    // A file or folder that exists under the twin spelling of a non-ASCII name is the one, no new one is made beside.
    let path = cx.spelled(cx.path(Operation::Write, raw)?);
    let fail = |fault: Fault| fault.at(Operation::Write, raw);
    let bytes = content::to_bytes(path.as_str(), content).map_err(fail)?;
    check_size(bytes.len() as u64, cx.meaning.limits.write_bytes).map_err(fail)?;
    let mime = mime::classify(path.as_str(), &bytes, true, cx.meaning.sniff).mime;
    cx.storage.write(&path, &bytes, existing, &cx.stamp(&mime)).map_err(fail)
}

/// Refuses content over the cap of the backend.
///
/// # Errors
/// [`ErrorKind::TooLarge`].
pub(super) fn check_size(size: u64, cap: u64) -> Result<(), Fault> {
    if size > cap {
        return Err(Fault::with(
            ErrorKind::TooLarge,
            format!("{size} bytes, the limit for a write is {cap}"),
        ));
    }
    Ok(())
}
