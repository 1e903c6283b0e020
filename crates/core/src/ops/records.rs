//! The operations over data that JavaScript owns (graph state, stores, hubs): flat keys, and one record at a time. An
//! adapter in TypeScript fetches; what a listing, a match, an edit *is* is decided here.

use super::{
    Edited, Matches, ReadFile, edit,
    glob::{is_git, names_git, newest_first},
    read,
    write::check_size,
};
use crate::{
    content::{self, Content},
    dialect::{Dialect, GlobOrder},
    error::{Error, ErrorKind, Fault, Operation},
    limits::Limits,
    mime,
    path::VirtualPath,
    pattern::{Glob, GlobOptions, GrepFilter, LineSearch, Needle},
    record::Record,
    text::{self, LinePlan, LineWindow},
    tree::{self, Child, ChildKind},
};

/// Keys, or other texts without NUL, as they cross a binding: joined by NUL, which costs a fraction of crossing one by
/// one. An empty text is none at all.
#[must_use]
pub fn split_keys(joined: &str) -> Vec<&str> {
    if joined.is_empty() { Vec::new() } else { joined.split('\0').collect() }
}

/// The children of `dir` among flat keys, in listing order.
#[must_use]
pub fn list_keys<K: AsRef<str>>(keys: &[K], dir: &VirtualPath) -> Vec<Child> {
    tree::children(keys.iter().map(K::as_ref), dir)
}

/// The same as columns: the index of a key, or -1 for a folder; and the folders' paths, each with its trailing slash, joined
/// by NUL.
#[must_use]
pub fn list_columns<K: AsRef<str>>(keys: &[K], dir: &VirtualPath) -> (Vec<i32>, String) {
    let mut files = Vec::new();
    let mut folders = Vec::new();
    let prefix = dir.prefix();
    for child in list_keys(keys, dir) {
        match child.kind {
            ChildKind::File(index) => files.push(i32::try_from(index).unwrap_or(i32::MAX)),
            ChildKind::Folder => {
                files.push(-1);
                folders.push(format!("{prefix}{}/", child.name));
            }
        }
    }
    (files, folders.join("\0"))
}

/// Where the keys at or below `base` are that `filter` admits by grep's rule, in the order of paths.
///
/// # Errors
/// An invalid path or filter.
pub fn filter_keys<K: AsRef<str>>(keys: &[K], base: &str, filter: Option<&str>) -> Result<Vec<u32>, Error> {
    let fail = |fault: Fault| fault.at(Operation::Grep, base);
    let root = VirtualPath::parse(base).map_err(fail)?;
    let admits = GrepFilter::new(filter, &root).map_err(fail)?;
    let git = names_git(&root, |name| admits.spells(name));
    Ok(select(keys, &root, git, |relative| admits.admits(relative)))
}

/// Where the keys are whose path below `base` matches a glob, in the order of paths.
///
/// # Errors
/// An invalid path or pattern.
pub fn glob_keys<K: AsRef<str>>(
    keys: &[K],
    pattern: &str,
    base: &str,
    bare_recursive: bool,
) -> Result<Vec<u32>, Error> {
    let fail = |fault: Fault| fault.at(Operation::Glob, base);
    let root = VirtualPath::parse(base).map_err(fail)?;
    let glob = Glob::new(pattern, GlobOptions { bare_recursive }).map_err(fail)?;
    Ok(select(keys, &root, names_git(&root, |name| glob.spells(name)), |relative| {
        glob.is_match(if relative.is_empty() { root.name() } else { relative })
    }))
}

/// The order in which a dialect's `glob` shows files that are in the order of paths; `modified` are the times of one or more,
/// ISO texts, joined by NUL.
#[must_use]
pub fn glob_order(modified: &str, dialect: &Dialect) -> Vec<u32> {
    let modified: Vec<&str> = modified.split('\0').collect();
    let mut order: Vec<u32> = (0..u32::try_from(modified.len()).unwrap_or(u32::MAX)).collect();
    if dialect.glob_order == GlobOrder::NewestFirst {
        let stamp = |index: &u32| modified.get(*index as usize).copied().unwrap_or_default();
        order.sort_by(|one, other| newest_first(stamp(one), stamp(other)));
    }
    order
}

/// Indices of the keys at or below `root` that `wanted` takes by their path below it (empty for the root itself), in the order of paths.
fn select<K: AsRef<str>>(
    keys: &[K],
    root: &VirtualPath,
    git: bool,
    wanted: impl Fn(&str) -> bool,
) -> Vec<u32> {
    let hidden = |relative: &str| {
        !git && relative.rsplit_once('/').is_some_and(|(folder, _)| folder.split('/').any(is_git))
    };
    // Which, before in what order: most keys of a search are not wanted.
    tree::subtree(keys.iter().map(K::as_ref), root, |relative| wanted(relative) && !hidden(relative))
        .into_iter()
        .map(|below| u32::try_from(below.index).unwrap_or(u32::MAX))
        .collect()
}

/// A search over texts that come one after the other.
pub struct TextSearch {
    lines: LineSearch,
    max_rows: usize,
    matches: Matches,
}

impl TextSearch {
    /// A search for `pattern` that finds `max_count` lines at most, and cuts each after `line_chars` characters.
    ///
    /// # Errors
    /// An empty pattern.
    pub fn new(pattern: &str, max_count: Option<usize>, line_chars: Option<usize>) -> Result<Self, Error> {
        let limits = Limits::default();
        let max_rows = max_count.unwrap_or(usize::MAX);
        let lines = LineSearch {
            needle: Needle::new(pattern).map_err(|fault| fault.at(Operation::Grep, "/"))?,
            line_chars: line_chars.unwrap_or(limits.line_chars),
            max_matches: max_rows,
            result_bytes: limits.result_bytes,
            max_file_bytes: limits.grep_file_bytes,
        };
        Ok(Self { lines, max_rows, matches: Matches::default() })
    }

    /// Looks at the next text, of the file at `path`. False when no further text is wanted.
    pub fn look_at(&mut self, path: &str, text: &str) -> bool {
        let found = self.lines.search_text(text, (self.max_rows - self.matches.rows()).max(1));
        if found.texts.is_empty() && !found.more {
            return true;
        }
        self.matches.push(path.to_owned(), found, self.max_rows, Limits::default().result_bytes)
    }

    /// What was found.
    #[must_use]
    pub fn into_matches(self) -> Matches {
        self.matches
    }
}

/// The lines of texts that hold `pattern`, in the order given, at most `max_count`.
///
/// # Errors
/// An empty pattern.
pub fn grep_texts<T: AsRef<str>>(
    paths: &[T],
    texts: &[T],
    pattern: &str,
    max_count: Option<usize>,
    line_chars: Option<usize>,
) -> Result<Matches, Error> {
    let mut search = TextSearch::new(pattern, max_count, line_chars)?;
    for (path, text) in paths.iter().zip(texts) {
        if !search.look_at(path.as_ref(), text.as_ref()) {
            break;
        }
    }
    Ok(search.into_matches())
}

/// Where a window is in a record's text, for a text that does not have to cross for it. `None` where the answer is not lines:
/// [`read_text`] has it.
#[must_use]
pub fn plan_lines(line_feeds: u64, has_open_line: bool, lines: LineWindow) -> Option<LinePlan> {
    LinePlan::new(line_feeds + u64::from(has_open_line), line_feeds, lines)
}

/// A window of a record's text.
///
/// # Errors
/// [`ErrorKind::PastEnd`] in the dialects that have it;
/// [`ErrorKind::TooLarge`] over the default cap of a read.
pub fn read_text(path: &str, text: &str, lines: LineWindow, dialect: &Dialect) -> Result<ReadFile, Error> {
    read::read_text(path, text, lines, dialect, Limits::default().read_bytes)
        .map_err(|fault| fault.at(Operation::Read, path))
}

/// What a record's bytes are to a reader.
///
/// # Errors
/// As [`read_text`].
pub fn read_bytes(path: &str, bytes: &[u8], lines: LineWindow, dialect: &Dialect) -> Result<ReadFile, Error> {
    read::read_bytes(path, bytes, lines, dialect, Limits::default().read_bytes)
        .map_err(|fault| fault.at(Operation::Read, path))
}

/// An edit of a record's text.
///
/// # Errors
/// See [`crate::text::replace_bytes`].
pub fn edit_text(path: &str, text: &str, old: &str, new: &str, all: bool) -> Result<(String, Edited), Error> {
    text::replace_text(text, old, new, all)
        .map(|done| (done.content, Edited { occurrences: done.occurrences, filled: done.filled }))
        .map_err(|fault| fault.at(Operation::Edit, path))
}

/// An edit of a record's bytes.
///
/// # Errors
/// See [`crate::text::replace_bytes`].
pub fn edit_bytes(
    path: &str,
    bytes: &[u8],
    old: &str,
    new: &str,
    all: bool,
) -> Result<(Vec<u8>, Edited), Error> {
    edit::edit_bytes(path, bytes, old, new, all)
        .map(|done| (done.content.concat(), Edited { occurrences: done.occurrences, filled: done.filled }))
        .map_err(|fault| fault.at(Operation::Edit, path))
}

/// How written content is kept as a record, without times: text as text, everything else as bytes.
///
/// # Errors
/// [`ErrorKind::InvalidContent`], [`ErrorKind::TooLarge`].
pub fn store_content(path: &str, content: Content<'_>) -> Result<Record, Error> {
    let fail = |fault: Fault| fault.at(Operation::Write, path);
    let bytes = content::to_bytes(path, content).map_err(fail)?;
    check_size(bytes.len() as u64, Limits::default().write_bytes).map_err(fail)?;
    Ok(store_upload(path, bytes.into_owned()))
}

/// How uploaded bytes are kept as a record, without times.
#[must_use]
pub fn store_upload(path: &str, bytes: Vec<u8>) -> Record {
    let mime = mime::classify(path, &bytes, true, true).mime;
    Record::from_bytes(path, bytes, &mime, "", None)
}

/// The error of a failure that happened in TypeScript.
#[must_use]
pub fn failure(method: &str, code: &str, path: &str, detail: &str) -> Error {
    let kind = ErrorKind::from_code(code).unwrap_or(ErrorKind::Io);
    Fault::with(kind, detail).at(operation(method), path)
}

/// Normalises a path, or says why not.
///
/// # Errors
/// See [`VirtualPath::parse`].
pub fn parse_path(method: &str, path: &str) -> Result<VirtualPath, Error> {
    VirtualPath::parse(path).map_err(|fault| fault.at(operation(method), path))
}

fn operation(method: &str) -> Operation {
    Operation::from_method(method).unwrap_or(Operation::Read)
}
