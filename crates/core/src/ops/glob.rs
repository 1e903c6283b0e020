//! `glob`: the files below a folder whose relative path matches a pattern, and for a backend that asks for it the folders.

use super::{Context, Listing, Row};
use crate::{
    dialect::GlobOrder,
    error::{Error, ErrorKind, Fault, Operation},
    path::VirtualPath,
    pattern::{Glob, GlobOptions},
    storage::{Kind, Time, Walk},
};
use std::{cmp::Ordering, ops::ControlFlow};

/// Finds files by their path below `raw`. A missing folder holds nothing, as upstream. With
/// [`Meaning::glob_directories`](super::Meaning::glob_directories) the folders below it are found as well.
///
/// # Errors
/// An invalid path or pattern; what [`crate::Storage::walk`] refuses.
pub fn glob(cx: &Context<'_>, pattern: &str, raw: &str) -> Result<Listing, Error> {
    let root = cx.search_root(Operation::Glob, raw)?;
    let fail = |fault: Fault| fault.at(Operation::Glob, raw);
    let options = GlobOptions { bare_recursive: cx.meaning.bare_recursive };
    let glob = Glob::new(pattern, options).map_err(fail)?;
    let limits = &cx.meaning.limits;
    let names_git = names_git(&root, |name| glob.spells(name));
    let walk = Walk {
        root: &root,
        descend: &|folder| (names_git || !is_git(folder)) && glob.may_contain(folder),
        // The root may be a file, which then goes by its name.
        admit: &|file| glob.is_match(if file.is_empty() { root.name() } else { file }),
        directories: cx.meaning.glob_directories,
        stat: true,
        gitignore: cx.meaning.gitignore,
        max_entries: limits.walk_entries,
        control: cx.control,
    };
    let mut listing = Listing::default();
    let prefix = root.prefix();
    let walked = cx.storage.walk(&walk, &mut |file, metadata| {
        if metadata.kind == Kind::Directory && !glob.is_match(&format!("{file}/")) {
            return ControlFlow::Continue(());
        }
        let path = if file.is_empty() { root.as_str().to_owned() } else { format!("{prefix}{file}") };
        let fits = Row::of(path, metadata).is_none_or(|row| listing.push(row, limits.result_bytes));
        if fits { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match walked {
        Ok(walked) => listing.truncated |= !walked.complete,
        Err(fault) if fault.kind == ErrorKind::NotFound || fault.kind == ErrorKind::NotADirectory => {}
        Err(fault) => return Err(fail(fault)),
    }
    if cx.meaning.dialect.glob_order == GlobOrder::NewestFirst {
        listing.rows.sort_by(|one, other| newest_first(stamp(one), stamp(other)));
    }
    Ok(listing)
}

fn stamp(row: &Row) -> &str {
    match &row.modified {
        Time::Text(text) => text,
        _ => "",
    }
}

/// The order of two ISO texts that puts the later one first. Sorting by it is stable: what is equally old stays by path.
pub(super) fn newest_first(one: &str, other: &str) -> Ordering {
    other.cmp(one)
}

/// Whether a search below `root` may look into `.git` folders: only when the root or the pattern names one.
pub(super) fn names_git(root: &VirtualPath, spells: impl Fn(&str) -> bool) -> bool {
    root.segments().any(|segment| segment == GIT) || spells(GIT)
}

/// Whether a relative folder path ends in `.git`.
pub(super) fn is_git(folder: &str) -> bool {
    folder.rsplit('/').next() == Some(GIT)
}

const GIT: &str = ".git";
