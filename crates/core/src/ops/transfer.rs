//! `uploadFiles` and `downloadFiles`: bytes as they are, file by file.

use super::{Context, write::check_size};
use crate::{
    error::{Error, Operation},
    mime,
    storage::Existing,
};

/// Stores one uploaded file, creating or replacing.
///
/// # Errors
/// See [`crate::Storage::write`].
pub fn upload(cx: &Context<'_>, raw: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = cx.spelled(cx.path(Operation::Upload, raw)?);
    let fail = |fault: crate::Fault| fault.at(Operation::Upload, raw);
    cx.control.check().map_err(fail)?;
    check_size(bytes.len() as u64, cx.meaning.limits.write_bytes).map_err(fail)?;
    let mime = mime::classify(path.as_str(), bytes, true, cx.meaning.sniff).mime;
    cx.storage.write(&path, bytes, Existing::Replace, &cx.stamp(&mime)).map_err(fail)
}

/// The bytes of one file.
///
/// # Errors
/// See [`crate::Storage::open`]; [`crate::ErrorKind::TooLarge`].
pub fn download(cx: &Context<'_>, raw: &str) -> Result<Vec<u8>, Error> {
    cx.locate(Operation::Download, raw, |path| {
        cx.control.check()?;
        cx.storage.open(path)?.read_all(cx.meaning.limits.read_bytes)
    })
}
