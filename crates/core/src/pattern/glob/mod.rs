//! Globs: the one meaning of `*.ts`, `src/**` and the like, for `glob` and for the filter of `grep`.
//!
//! A pattern goes through these rooms: `brackets` finds what belongs together, `expand` writes braces out as
//! alternatives, `segment` reads the text between two slashes, `shape` picks the cheapest form that means the same,
//! `name` matches names where comparing is not enough.

mod brackets;
mod expand;
mod name;
mod positions;
mod segment;
mod shape;

#[cfg(test)]
mod corpus_tests;
#[cfg(test)]
mod cost_tests;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use crate::{
    error::{ErrorKind, Fault},
    path::VirtualPath,
};
use brackets::Brackets;
use expand::{MAX_BYTES, expand};
use shape::Shape;
use std::{borrow::Cow, collections::HashSet};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// How a [`Glob`] reads its pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GlobOptions {
    /// A pattern without a slash, such as `*.ts`, matches at every depth.
    pub bare_recursive: bool,
}

/// A compiled pattern for paths relative to some folder.
///
/// `*` stays in one segment, `**` as a whole segment spans any number of them, `?` and `[a-z]` are one character (code
/// point), `{a,b}` and `{1..9}` are alternatives, `@(a|b)`, `?(…)`, `+(…)`, `*(…)`, `!(…)` groups; `\` takes the
/// meaning from the next character. Names that start with a dot are like any others. A leading `/` or `./` means
/// nothing, a leading `!` turns the answer round. A segment in brackets, `[id]` or `(shop)`, also matches itself. Text
/// that is not ASCII is compared composed (NFC).
///
/// ```
/// use deepfs_core::pattern::{Glob, GlobOptions};
/// let glob = Glob::new("src/**/*.{ts,tsx}", GlobOptions::default())?;
/// assert!(glob.is_match("src/app/[id]/page.tsx"));
/// assert!(!glob.is_match("lib/a.ts"));
/// assert!(!glob.may_contain("lib"));
/// # Ok::<(), deepfs_core::Fault>(())
/// ```
#[derive(Debug, Clone)]
pub struct Glob {
    negated: bool,
    alternatives: Vec<Alternative>,
    /// The pattern as it was given, where it names exactly one path.
    literal: Option<String>,
    /// The folders that the pattern starts with, where it names them.
    folder: Option<String>,
    /// The segments that are plain names, to tell what the pattern spells out.
    names: HashSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Alternative {
    shape: Shape,
    /// The pattern ends in a slash.
    folders_only: bool,
}

impl Glob {
    /// Reads a pattern. Brackets that nothing closes are plain characters, and a segment `..` matches nothing: no
    /// pattern leaves the folder it is relative to.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] for a pattern that is empty, stands for more than 1,000 alternatives or 64 KiB
    /// of them, or nests its groups too deeply.
    pub fn new(pattern: &str, options: GlobOptions) -> Result<Self, Fault> {
        if pattern.len() > MAX_BYTES {
            return Err(invalid(format!("it is longer than {MAX_BYTES} bytes")));
        }
        let plain = without_idle_escapes(pattern);
        let composed = compose(&plain);
        let (negated, text) = strip_negation(&composed);
        let mut glob =
            Self { negated, alternatives: Vec::new(), literal: None, folder: None, names: HashSet::new() };
        let texts = alternatives_of(text)?;
        for alternative in &texts {
            // Alternatives can bring a letter and its accent together.
            glob.add(&compose(alternative), options)?;
        }
        if let [only] = texts.as_slice()
            && !negated
        {
            glob.folder = leading_folder(only);
        }
        if glob.alternatives.len() == 1 && !negated {
            let (_, spelt) = strip_negation(&plain);
            let exact = glob.alternatives.first().and_then(|only| only.exact_in(text, spelt));
            // What no path can be, a NUL or an endless name, is not to be looked up.
            glob.literal = exact.filter(|path| VirtualPath::parse(path).is_ok());
        }
        Ok(glob)
    }

    fn add(&mut self, text: &str, options: GlobOptions) -> Result<(), Fault> {
        let at_any_depth = options.bare_recursive && !text.contains('/');
        let shape = match whole_exclusion(text)? {
            Some(excluded) => Some(Shape::Except(excluded)),
            None => Shape::parse(text, at_any_depth)?,
        };
        for part in shape::split(text) {
            if let Ok(segment::Segment::Name(name)) = segment::parse(part) {
                self.names.insert(name);
            }
        }
        if let Some(shape) = shape {
            let alternative = Alternative { shape, folders_only: text.ends_with('/') };
            if !self.alternatives.contains(&alternative) {
                self.alternatives.push(alternative);
            }
        }
        Ok(())
    }

    /// Whether the pattern matches a path relative to its folder, without a leading slash. A path with a trailing
    /// slash is a folder; only such paths match a pattern that ends in one.
    #[must_use]
    pub fn is_match(&self, relative: &str) -> bool {
        let (path, folder) = relative.strip_suffix('/').map_or((relative, false), |path| (path, true));
        !path.is_empty() && self.selects(&compose(path), folder) != self.negated
    }

    /// As [`Glob::is_match`] without the meaning of a leading `!`, for a composed path.
    pub(super) fn selects(&self, path: &str, folder: bool) -> bool {
        self.alternatives.iter().any(|alternative| {
            (folder || !alternative.folders_only) && alternative.shape.matches(path, folder)
        })
    }

    /// Whether anything below this folder can match, so that a walk has to look into it. Exact for the common
    /// patterns; where it is not, it errs towards `true`. The folder itself is the empty path.
    #[must_use]
    pub fn may_contain(&self, folder: &str) -> bool {
        let folder = compose(folder);
        if self.negated {
            let covers =
                |alternative: &Alternative| !alternative.folders_only && alternative.shape.covers(&folder);
            return !self.alternatives.iter().any(covers);
        }
        self.alternatives.iter().any(|alternative| alternative.shape.may_contain(&folder))
    }

    /// The path that the pattern names, where it can match no other: to look it up instead of walking. It is spelt
    /// as in the pattern, not composed.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        self.literal.as_deref()
    }

    /// The folder that the pattern names before its first wildcard and that all its matches are below, `src/app` for
    /// `src/app/*.ts`: a search may start there. Only where it has one spelling.
    #[must_use]
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// Whether the pattern spells this name out as one of its segments, as `.git/**` does with `.git`.
    #[must_use]
    pub fn spells(&self, name: &str) -> bool {
        !self.negated && self.names.contains(name)
    }

    /// Whether a leading `!` turns the answer round.
    pub(super) const fn is_negated(&self) -> bool {
        self.negated
    }
}

impl Alternative {
    /// The one path that is matched, as the caller spelt it.
    fn exact_in(&self, composed: &str, spelt: &str) -> Option<String> {
        let exact = self.shape.exact().filter(|_| !self.folders_only)?;
        if composed == spelt {
            return Some(exact.to_owned());
        }
        let spelt =
            alternatives_of(spelt).ok()?.into_iter().find_map(|text| Shape::parse(&text, false).ok()?)?;
        spelt.exact().map(str::to_owned)
    }
}

fn leading_folder(text: &str) -> Option<String> {
    if !text.is_ascii() || whole_exclusion(text).ok()?.is_some() {
        return None;
    }
    let parts: Vec<&str> = shape::split(text).filter(|part| !matches!(*part, "" | ".")).collect();
    let (_, folders) = parts.split_last()?;
    let names = folders.iter().map_while(|part| match segment::parse(part) {
        Ok(segment::Segment::Name(name)) => Some(name),
        _ => None,
    });
    let folder = names.collect::<Vec<_>>().join("/");
    (!folder.is_empty() && VirtualPath::parse(&folder).is_ok()).then_some(folder)
}

/// A fault about a pattern, with what is wrong with it.
fn invalid(reason: String) -> Fault {
    Fault::with(ErrorKind::InvalidArgument, format!("the glob pattern cannot be used: {reason}"))
}

/// The text composed (NFC). Costs a look when it is ASCII, and one pass when it is composed already.
pub(super) fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.nfc().collect())
}

/// Without the backslashes that take no meaning away: nothing beyond ASCII has one, and a backslash between a letter and
/// its accent would keep the two from being composed.
fn without_idle_escapes(pattern: &str) -> Cow<'_, str> {
    if pattern.is_ascii() || !pattern.contains('\\') {
        return Cow::Borrowed(pattern);
    }
    let mut plain = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        let escaped = if char == '\\' { chars.next() } else { None };
        if escaped.is_none_or(|escaped| escaped.is_ascii()) {
            plain.push(char);
        }
        plain.extend(escaped);
    }
    Cow::Owned(plain)
}

/// Takes `!` off the front as often as it stands there (`!(` starts a group); each one turns the meaning round.
fn strip_negation(pattern: &str) -> (bool, &str) {
    let (mut negated, mut rest) = (false, pattern);
    while let Some(tail) = rest.strip_prefix('!').filter(|tail| !tail.starts_with('(')) {
        (negated, rest) = (!negated, tail);
    }
    (negated, rest)
}

/// The alternatives that the text of a pattern stands for.
fn alternatives_of(text: &str) -> Result<Vec<String>, Fault> {
    if exclusion_branches(text)?.is_some() { Ok(vec![text.to_owned()]) } else { expand(text) }
}

/// The shapes that `!(a|b/c)` as the whole pattern excludes. Only there a `!(…)` may reach over a slash.
fn whole_exclusion(text: &str) -> Result<Option<Vec<Shape>>, Fault> {
    let Some(branches) = exclusion_branches(text)? else { return Ok(None) };
    let mut excluded = Vec::new();
    for branch in branches {
        for alternative in expand(branch)? {
            excluded.extend(Shape::parse(&alternative, false)?);
        }
    }
    Ok(Some(excluded))
}

fn exclusion_branches(text: &str) -> Result<Option<Vec<&str>>, Fault> {
    let text = text.trim_start_matches('/');
    let text = text.strip_prefix("./").unwrap_or(text);
    if !text.starts_with("!(") || !text.contains('/') {
        return Ok(None);
    }
    let brackets = Brackets::scan(text)?;
    let end = brackets.close(1).filter(|end| end + 1 == text.len());
    Ok(end.map(|end| brackets.split(text, 2, end, b'|')))
}
