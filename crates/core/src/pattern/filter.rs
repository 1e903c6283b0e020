//! The `glob` argument of `grep`: which files are searched.

use super::glob::{Glob, GlobOptions, compose};
use crate::{error::Fault, path::VirtualPath};

/// Decides which files a `grep` looks into.
///
/// A glob without a slash speaks of the file's name, at every depth. One with a slash speaks of the path, relative to
/// the folder that is searched or to the root, whichever matches; with a leading slash, to the root alone. One that
/// ends in a slash admits everything below that folder.
///
/// ```
/// use deepfs_core::{VirtualPath, pattern::GrepFilter};
/// let filter = GrepFilter::new(Some("src/**/*.ts"), &VirtualPath::root())?;
/// assert!(filter.admits("src/app/main.ts"));
/// assert!(!filter.admits("lib/main.ts"));
/// # Ok::<(), deepfs_core::Fault>(())
/// ```
#[derive(Debug, Clone)]
pub struct GrepFilter {
    glob: Option<Glob>,
    /// The searched path relative to the root; empty for the root.
    base: String,
    reading: Reading,
}

/// What the paths of the glob are relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Name,
    BaseOrRoot,
    Root,
}

impl GrepFilter {
    /// The filter of a search at `base`; `None` and the empty glob admit everything.
    ///
    /// # Errors
    /// As [`Glob::new`].
    pub fn new(glob: Option<&str>, base: &VirtualPath) -> Result<Self, Fault> {
        let pattern = glob.unwrap_or("");
        let positive = pattern.trim_start_matches('!');
        let reading = if positive.starts_with('/') {
            Reading::Root
        } else if positive.contains('/') {
            Reading::BaseOrRoot
        } else {
            Reading::Name
        };
        let below = if pattern.ends_with('/') { "**" } else { "" };
        let glob = match pattern {
            "" => None,
            _ => Some(Glob::new(&format!("{pattern}{below}"), GlobOptions { bare_recursive: true })?),
        };
        Ok(Self { glob, base: base.relative().to_owned(), reading })
    }

    /// Whether to search a file. `relative` is its path relative to the base, empty for the base itself.
    #[must_use]
    pub fn admits(&self, relative: &str) -> bool {
        let Some(glob) = &self.glob else { return true };
        let from_base =
            if relative.is_empty() { self.base.rsplit('/').next().unwrap_or("") } else { relative };
        let selected = match self.reading {
            Reading::Name => glob.selects(&compose(from_base), false),
            Reading::Root => glob.selects(&compose(&self.rooted(relative)), false),
            Reading::BaseOrRoot => {
                glob.selects(&compose(from_base), false)
                    || (!self.base.is_empty() && glob.selects(&compose(&self.rooted(relative)), false))
            }
        };
        selected != glob.is_negated()
    }

    /// Whether a file below this folder (relative to the base) may be admitted; errs towards `true`.
    #[must_use]
    pub fn may_contain(&self, folder: &str) -> bool {
        match (&self.glob, self.reading) {
            (None, _) => true,
            (Some(glob), Reading::Root) => glob.may_contain(&self.rooted(folder)),
            (Some(glob), _) if self.base.is_empty() => glob.may_contain(folder),
            // Excluded from one point of view is excluded.
            (Some(glob), _) if glob.is_negated() => {
                glob.may_contain(folder) && glob.may_contain(&self.rooted(folder))
            }
            (Some(glob), _) => glob.may_contain(folder) || glob.may_contain(&self.rooted(folder)),
        }
    }

    /// Whether the glob spells this name out as a segment; see [`Glob::spells`].
    #[must_use]
    pub fn spells(&self, name: &str) -> bool {
        self.glob.as_ref().is_some_and(|glob| glob.spells(name))
    }

    fn rooted(&self, relative: &str) -> String {
        match (self.base.as_str(), relative) {
            ("", path) | (path, "") => path.to_owned(),
            (base, relative) => format!("{base}/{relative}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::GrepFilter;
    use crate::path::VirtualPath;

    const TREE: [&str; 6] =
        ["top.ts", "src/a.ts", "src/b.tsx", "src/src/c.ts", "src/deep/d.test.ts", "lib/e.js"];

    /// The admitted files of the tree, as paths from the root, in a search at `base`.
    fn admitted(glob: &str, base: &str) -> Vec<&'static str> {
        let base = VirtualPath::parse(base).unwrap();
        let filter = GrepFilter::new(Some(glob), &base).unwrap();
        let below = TREE.into_iter().filter_map(|path| {
            let prefix = base.prefix();
            let relative = path.strip_prefix(prefix.strip_prefix('/').unwrap_or(&prefix))?;
            Some((path, relative))
        });
        let found: Vec<_> = below.filter(|(_, relative)| filter.admits(relative)).collect();
        for (path, relative) in &found {
            for (at, _) in relative.match_indices('/') {
                let folder = relative.get(..at).unwrap();
                assert!(filter.may_contain(folder), "{glob} at {base} prunes {folder}, which holds {path}");
            }
        }
        found.into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn names_without_a_slash_and_paths_with_one() {
        let table: [(&str, &str, &[&str]); 16] = [
            ("", "/", &TREE),
            ("*.ts", "/", &["top.ts", "src/a.ts", "src/src/c.ts", "src/deep/d.test.ts"]),
            ("*.{tsx,js}", "/", &["src/b.tsx", "lib/e.js"]),
            ("!*.test.ts", "/src", &["src/a.ts", "src/b.tsx", "src/src/c.ts"]),
            ("src/**/*.ts", "/", &["src/a.ts", "src/src/c.ts", "src/deep/d.test.ts"]),
            ("src/*.ts", "/", &["src/a.ts"]),
            // Relative to the searched folder or to the root.
            ("src/*.ts", "/src", &["src/a.ts", "src/src/c.ts"]),
            ("deep/*", "/src", &["src/deep/d.test.ts"]),
            ("deep/*", "/", &[]),
            // From the root alone.
            ("/src/*.ts", "/src", &["src/a.ts"]),
            ("/*.ts", "/", &["top.ts"]),
            ("/*.ts", "/src", &[]),
            ("!src/**", "/", &["top.ts", "lib/e.js"]),
            // Excluded from either point of view is excluded.
            ("!src/**", "/src", &[]),
            ("src/", "/", &["src/a.ts", "src/b.tsx", "src/src/c.ts", "src/deep/d.test.ts"]),
            ("**/deep/**", "/", &["src/deep/d.test.ts"]),
        ];
        for (glob, base, expected) in table {
            assert_eq!(admitted(glob, base), expected, "{glob} at {base}");
        }
    }

    #[test]
    fn a_single_file_is_known_by_its_name_and_its_path() {
        let file = VirtualPath::parse("/src/a.ts").unwrap();
        for (glob, expected) in
            [("*.ts", true), ("*.js", false), ("src/*.ts", true), ("/*.ts", false), ("!*.ts", false)]
        {
            assert_eq!(GrepFilter::new(Some(glob), &file).unwrap().admits(""), expected, "{glob}");
        }
    }

    #[test]
    fn walks_are_pruned_only_where_the_glob_allows_it() {
        let root = GrepFilter::new(Some("src/**/*.ts"), &VirtualPath::root()).unwrap();
        assert_eq!([root.may_contain("src"), root.may_contain("lib")], [true, false]);
        let below = GrepFilter::new(Some("/src/a/*"), &VirtualPath::parse("/src").unwrap()).unwrap();
        assert_eq!([below.may_contain("a"), below.may_contain("b")], [true, false]);
        let name = GrepFilter::new(Some("*.ts"), &VirtualPath::root()).unwrap();
        assert!(name.may_contain("any/where"));
        let all = GrepFilter::new(None, &VirtualPath::root()).unwrap();
        assert!(all.admits("a/b") && all.may_contain("a") && !all.spells(".git"));
        assert!(GrepFilter::new(Some(".git/**"), &VirtualPath::root()).unwrap().spells(".git"));
        assert!(GrepFilter::new(Some("{1..5000}"), &VirtualPath::root()).is_err());
    }
}
