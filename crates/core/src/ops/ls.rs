//! `ls`: the children of one directory.

use super::{Context, Listing, Row};
use crate::{
    error::{Error, ErrorKind, Operation},
    path::VirtualPath,
};

/// Lists a directory. A missing path and a file list nothing, as upstream, unless
/// [`Meaning::strict_ls`](super::Meaning::strict_ls) makes them errors.
///
/// # Errors
/// An invalid path, one that leads out of the root, what the system refuses.
pub fn ls(cx: &Context<'_>, raw: &str) -> Result<Listing, Error> {
    let limits = &cx.meaning.limits;
    // The caller may have meant the twin spelling of the folder, whose rows then carry the stored name.
    let mut listed = None;
    let answer = cx.locate(Operation::Ls, raw, |path| {
        let children = cx.storage.list(path, limits.walk_entries, cx.control)?;
        listed = Some(path.clone());
        Ok(children)
    });
    let (children, complete) = match answer {
        Ok(children) => children,
        Err(error) if is_nothing(error.kind) && !cx.meaning.strict_ls => return Ok(Listing::default()),
        Err(error) => return Err(error),
    };
    let prefix = listed.unwrap_or_else(VirtualPath::root).prefix();
    let mut listing = Listing::default();
    listing.truncated = !complete;
    for child in children {
        if let Some(row) = Row::of(format!("{prefix}{}", child.name), &child.metadata)
            && !listing.push(row, limits.result_bytes)
        {
            break;
        }
    }
    Ok(listing)
}

const fn is_nothing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}
