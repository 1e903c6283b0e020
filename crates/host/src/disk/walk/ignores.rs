//! Rules of ignore files (`.gitignore`, `.ignore`), read through the gate and matched by the `ignore` crate.

use crate::disk::{gate, gate::Gate, names, source, stat};
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, OFlags},
};

/// A larger file of rules is not meant as one.
const MAX_BYTES: u64 = 1 << 20;

/// The rules that one directory brings for what lies below it.
#[derive(Default)]
pub(crate) struct Rules(Vec<Gitignore>);

/// What rules say about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Leave it out.
    Ignored,
    /// Take it, whatever rules further up say.
    Wanted,
    /// Ask further up.
    Silent,
}

impl Rules {
    /// The rules in a directory. Files that cannot be read bring none.
    pub(crate) fn read(folder: &OwnedFd) -> Self {
        // The first that has an opinion decides.
        Self(
            [&b".ignore"[..], b".gitignore"].into_iter().filter_map(|name| read_file(folder, name)).collect(),
        )
    }

    /// What these rules say about a path relative to their directory.
    pub(crate) fn verdict(&self, path: &str, is_folder: bool) -> Verdict {
        for rules in &self.0 {
            match rules.matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return Verdict::Ignored,
                Match::Whitelist(_) => return Verdict::Wanted,
            }
        }
        Verdict::Silent
    }
}

fn read_file(folder: &OwnedFd, name: &[u8]) -> Option<Gitignore> {
    let file = gate::child(folder, name, OFlags::RDONLY).ok()?;
    let known = rustix::fs::fstat(&file).ok()?;
    if stat::file_type(&known) != FileType::RegularFile {
        return None;
    }
    let bytes = source::read_all(&file, stat::size(&known), MAX_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new("");
    for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
        // A line that is no pattern is passed over, as git does.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}

/// The rules of the directories above a walk's root, the nearest first, each with the path from there to that
/// root.
pub(crate) fn above(gate: &Gate, place: &[u8]) -> Vec<(String, Rules)> {
    let mut found = Vec::new();
    if place == b"." {
        return found;
    }
    let mut starts: Vec<usize> = vec![0];
    starts.extend(place.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at + 1));
    for start in starts.into_iter().rev() {
        let folder = place.get(..start.saturating_sub(1)).filter(|folder| !folder.is_empty()).unwrap_or(b".");
        let Ok(handle) = gate.folder(folder) else { continue };
        let rest = place.get(start..).unwrap_or_default();
        found.push((format!("{}/", names::spell(rest)), Rules::read(&handle)));
    }
    found.retain(|(_, rules)| !rules.0.is_empty());
    found
}
