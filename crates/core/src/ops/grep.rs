//! `grep`: the lines that hold a literal text.

use super::{
    Context, Matches,
    glob::{is_git, names_git},
};
use crate::{
    error::{Error, ErrorKind, Fault, Operation},
    mime,
    pattern::{GrepFilter, LineSearch, Needle},
    storage::{Search, Walk},
};
use std::ops::ControlFlow;

/// Searches the text files at or below `raw` whose path passes `filter`. At most `max_count` lines, the first ones in
/// the order of paths. A missing folder holds nothing, as upstream.
///
/// # Errors
/// An invalid path, filter or pattern; what [`crate::Storage::search`] refuses.
pub fn grep(
    cx: &Context<'_>,
    pattern: &str,
    raw: &str,
    filter: Option<&str>,
    max_count: Option<usize>,
) -> Result<Matches, Error> {
    let root = cx.search_root(Operation::Grep, raw)?;
    let fail = |fault: Fault| fault.at(Operation::Grep, raw);
    let limits = &cx.meaning.limits;
    let max_rows = max_count.unwrap_or(usize::MAX);
    let lines = LineSearch {
        needle: Needle::new(pattern).map_err(fail)?,
        line_chars: limits.line_chars,
        // At least one: whether there is any match decides about "truncated" when none is asked for.
        max_matches: max_rows.max(1),
        result_bytes: limits.result_bytes,
        // What has to be decoded is held as a whole, as a read of it would be.
        max_file_bytes: limits.grep_file_bytes.min(limits.read_bytes),
    };
    let admits = GrepFilter::new(filter, &root).map_err(fail)?;
    let names_git = names_git(&root, |name| admits.spells(name));
    let search = Search {
        walk: Walk {
            root: &root,
            descend: &|folder| (names_git || !is_git(folder)) && admits.may_contain(folder),
            admit: &|file| {
                admits.admits(file) && !mime::is_binary_path(if file.is_empty() { root.name() } else { file })
            },
            directories: false,
            stat: false,
            gitignore: cx.meaning.gitignore,
            max_entries: limits.walk_entries,
            control: cx.control,
        },
        max_file_bytes: limits.grep_file_bytes,
        inspect: &|candidate| lines.inspect(candidate, cx.control),
    };
    let mut matches = Matches::default();
    let prefix = root.prefix();
    let searched = cx.storage.search(&search, &mut |file, found| {
        let path = if file.is_empty() { root.as_str().to_owned() } else { format!("{prefix}{file}") };
        if matches.push(path, found, max_rows, limits.result_bytes) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match searched {
        Ok(walked) => matches.truncated |= !walked.complete,
        Err(fault) if fault.kind == ErrorKind::NotFound || fault.kind == ErrorKind::NotADirectory => {}
        Err(fault) => return Err(fail(fault)),
    }
    Ok(matches)
}
