//! `glob`: the files below a folder whose relative path matches a pattern, and for a backend that asks for it the folders.

use super::{Context, Listing, Row};
use crate::{
    dialect::GlobOrder,
    error::{Error, ErrorKind, Fault, Operation},
    path::VirtualPath,
    pattern::{Glob, GlobOptions},
    storage::{Kind, Time, Walk},
};
use std::{borrow::Cow, cmp::Ordering, ops::ControlFlow};

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
    let named = named_folder(cx, &glob);
    let start = named.map(|folder| VirtualPath::parse(&format!("{}{folder}", root.prefix())));
    let start = start.transpose().map_err(fail)?;
    let walk = Walk {
        root: start.as_ref().unwrap_or(&root),
        descend: &|folder| (names_git || !is_git(folder)) && glob.may_contain(&below(named, folder)),
        // The root may be a file, which then goes by its name.
        admit: &|file| match (file.is_empty(), named) {
            (true, None) => glob.is_match(root.name()),
            (true, Some(_)) => false,
            (false, _) => glob.is_match(&below(named, file)),
        },
        directories: cx.meaning.glob_directories,
        stat: true,
        gitignore: cx.meaning.gitignore,
        max_entries: limits.walk_entries,
        control: cx.control,
    };
    let mut listing = Listing::default();
    let prefix = root.prefix();
    let walked = cx.storage.walk(&walk, &mut |file, metadata| {
        let file = if file.is_empty() { Cow::Borrowed("") } else { below(named, file) };
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
        // A pattern finds what it can; that it names a folder that can not be entered is no mistake of the call.
        Err(fault) if named.is_some() && is_closed(fault.kind) => {}
        Err(fault) => return Err(fail(fault)),
    }
    if cx.meaning.dialect.glob_order == GlobOrder::NewestFirst {
        listing.rows.sort_by(|one, other| newest_first(stamp(one), stamp(other)));
    }
    Ok(listing)
}

/// The folder below the root where the walk starts: what the pattern names is looked up, links and all, as in every other
/// call, while what it finds by wildcard is walked, which enters no links. Where the folder itself, or ignore files on the
/// way to it, have a say, the walk starts at the root.
fn named_folder<'g>(cx: &Context<'_>, glob: &'g Glob) -> Option<&'g str> {
    let folder = glob.folder()?;
    let is_found = cx.meaning.glob_directories && glob.is_match(&format!("{folder}/"));
    (!cx.meaning.gitignore && !is_found).then_some(folder)
}

/// A path relative to where the walk starts as one relative to the folder the pattern is about.
fn below<'r>(named: Option<&str>, relative: &'r str) -> Cow<'r, str> {
    named.map_or(Cow::Borrowed(relative), |folder| Cow::Owned(format!("{folder}/{relative}")))
}

const fn is_closed(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::OutsideRoot
            | ErrorKind::SymlinkLoop
            | ErrorKind::PermissionDenied
            | ErrorKind::NotRegularFile
    )
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
