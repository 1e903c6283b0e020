//! Walking flat keys as the folders they stand for.

use super::{
    files::{Files, Found, find, from},
    opened::{describe, plain},
};
use crate::{
    error::Fault,
    limits::keeps_partial_result,
    record::Record,
    storage::Metadata,
    storage::{Kind, Walk, Walked},
};
use std::{ops::ControlFlow, sync::Arc};

/// Takes an entry: its relative path, what is known of it, and the record of a file.
type Each<'a> = dyn FnMut(&str, &Metadata, Option<&Arc<Record>>) -> Result<ControlFlow<()>, Fault> + 'a;

/// Why a walk stops before the last key.
enum Stop {
    /// The visitor has seen enough.
    Enough,
    /// A cap or the time limit.
    Cap,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        if keeps_partial_result(&fault) { Self::Cap } else { Self::Fault(fault) }
    }
}

/// Visits what lies below the root of the walk, folders before what they hold.
pub(super) fn walk_files(files: &Files, walk: &Walk<'_>, each: &mut Each<'_>) -> Result<Walked, Fault> {
    let mut walker = Walker { walk, each, entries: 0 };
    let walked = match find(files, walk.root)? {
        Found::File(record) => walker.file("", record),
        Found::Folder => walker.folder(files),
    };
    match walked {
        Ok(()) | Err(Stop::Enough) => Ok(Walked { complete: true }),
        Err(Stop::Cap) => Ok(Walked { complete: false }),
        Err(Stop::Fault(fault)) => Err(fault),
    }
}

struct Walker<'a, 'b> {
    walk: &'a Walk<'a>,
    each: &'a mut Each<'b>,
    entries: u64,
}

impl Walker<'_, '_> {
    fn folder(&mut self, files: &Files) -> Result<(), Stop> {
        let prefix = self.walk.root.prefix();
        let mut entered = "";
        let mut rest = from(files, &prefix);
        while let Some((key, record)) = rest.next() {
            let Some(relative) = key.strip_prefix(&prefix) else { break };
            match self.enter(entered, relative)? {
                // Everything below has the slash; the next character stands behind all of it.
                Some(closed) => rest = from(files, &format!("{prefix}{closed}0")),
                None => self.file(relative, record)?,
            }
            entered = relative;
        }
        Ok(())
    }

    /// Visits the folders of a file that its predecessor did not have. Answers with the first one that is not to be
    /// looked into.
    fn enter<'a>(&mut self, before: &str, relative: &'a str) -> Result<Option<&'a str>, Stop> {
        let common = before.bytes().zip(relative.bytes()).take_while(|(left, right)| left == right).count();
        for (slash, _) in relative.match_indices('/').filter(|(slash, _)| *slash >= common) {
            let folder = relative.get(..slash).unwrap_or("");
            self.count()?;
            if self.walk.directories && (self.each)(folder, &plain(Kind::Directory), None)?.is_break() {
                return Err(Stop::Enough);
            }
            if !(self.walk.descend)(folder) {
                return Ok(Some(folder));
            }
        }
        Ok(None)
    }

    fn file(&mut self, relative: &str, record: &Arc<Record>) -> Result<(), Stop> {
        self.count()?;
        if !(self.walk.admit)(relative) {
            return Ok(());
        }
        let metadata = if self.walk.stat { describe(record) } else { plain(Kind::File) };
        match (self.each)(relative, &metadata, Some(record))? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Enough),
        }
    }

    fn count(&mut self) -> Result<(), Stop> {
        if self.entries >= self.walk.max_entries {
            return Err(Stop::Cap);
        }
        self.entries += 1;
        Ok(self.walk.control.check()?)
    }
}
