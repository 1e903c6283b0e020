//! One alternative of a pattern, in the cheapest form that means the same.

use super::{
    invalid, name,
    segment::{self, Item, Segment},
};
use crate::error::Fault;

/// What paths an alternative matches. All but the last two are decided by comparing ends of the path, which is what
/// most patterns come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// `src/main.rs`
    Exact(String),
    /// `src/*.rs` and, where `deep`, `src/**/*.rs`: `prefix`, any name that ends in `suffix`.
    Suffix { prefix: String, deep: bool, suffix: String },
    /// `src/**/mod.rs`: `prefix`, any folders, exactly `name`.
    Named { prefix: String, name: String },
    /// `src/**`: everything below the folder (empty: the root), which itself is not meant.
    Below(String),
    /// Segment by segment.
    Segments(Vec<Segment>),
    /// `!(a|b/c)` as the whole pattern: every path that none of these match.
    Except(Vec<Self>),
}

impl Shape {
    /// The shape of one alternative without braces; `None` when it can match nothing, because a segment is `..`.
    /// Slashes in front, repeated or at the end, and `.` segments, mean nothing.
    pub(super) fn parse(text: &str, at_any_depth: bool) -> Result<Option<Self>, Fault> {
        let mut segments = Vec::new();
        if at_any_depth {
            segments.push(Segment::AnyDepth);
        }
        // The one form in which `**` means depth without being a segment: both of the peer's matchers read `**.ts` so.
        let text = match text.strip_prefix("**.") {
            Some(extension) if !text.contains('/') => &format!("**/*.{extension}"),
            _ => text,
        };
        for part in split(text) {
            match segment::parse(part)? {
                Segment::Name(name) if name == ".." => return Ok(None),
                Segment::Name(name) if name.is_empty() || name == "." => {}
                Segment::AnyDepth if segments.last() == Some(&Segment::AnyDepth) => {}
                segment => segments.push(segment),
            }
        }
        if segments.is_empty() {
            return Err(invalid("it names nothing; '**/*' matches every file".to_owned()));
        }
        Ok(Some(Self::of(segments)))
    }

    fn of(segments: Vec<Segment>) -> Self {
        let names = segments.iter().take_while(|segment| matches!(segment, Segment::Name(_))).count();
        let (front, rest) = segments.split_at_checked(names).unwrap_or((&segments, &[]));
        let folder = || join(front);
        let prefix = || front.iter().map(|segment| join(std::slice::from_ref(segment)) + "/").collect();
        match rest {
            [] => Self::Exact(folder()),
            [Segment::AnyDepth] => Self::Below(folder()),
            [Segment::AnyDepth, Segment::Name(name)] => Self::Named { prefix: prefix(), name: name.clone() },
            [Segment::Items(items)] => match suffix(items) {
                Some(suffix) => Self::Suffix { prefix: prefix(), deep: false, suffix },
                None => Self::Segments(segments),
            },
            [Segment::AnyDepth, Segment::Items(items)] => match suffix(items) {
                Some(suffix) => Self::Suffix { prefix: prefix(), deep: true, suffix },
                None => Self::Segments(segments),
            },
            _ => Self::Segments(segments),
        }
    }

    /// Whether the path is one of these. Not empty, no slash at either end; `folder` tells what it names.
    pub(super) fn matches(&self, path: &str, folder: bool) -> bool {
        match self {
            Self::Exact(exact) => path == exact,
            Self::Suffix { prefix, deep, suffix } => after(path, prefix).is_some_and(|rest| {
                !rest.is_empty() && ends_with(rest, suffix) && (*deep || !rest.contains('/'))
            }),
            Self::Named { prefix, name } => after(path, prefix)
                .and_then(|rest| rest.strip_suffix(name.as_str()))
                .is_some_and(|folders| folders.is_empty() || folders.ends_with('/')),
            Self::Below(base) => is_below(path, base),
            Self::Segments(segments) => matches_segments(segments, path, folder),
            Self::Except(shapes) => !shapes.iter().any(|shape| shape.matches(path, folder)),
        }
    }

    /// Whether something below this folder can match. The root is the empty path.
    pub(super) fn may_contain(&self, folder: &str) -> bool {
        if folder.is_empty() {
            return true;
        }
        match self {
            Self::Exact(exact) => is_below(exact, folder),
            Self::Suffix { prefix, deep, .. } => leads_into(folder, prefix, *deep),
            Self::Named { prefix, .. } => leads_into(folder, prefix, true),
            Self::Below(base) => leads_into(folder, base, true),
            Self::Segments(segments) => may_continue(segments, folder),
            Self::Except(shapes) => !shapes.iter().any(|shape| shape.covers(folder)),
        }
    }

    /// Whether everything below this folder matches, where that is easily seen.
    pub(super) fn covers(&self, folder: &str) -> bool {
        match self {
            Self::Below(base) => base.is_empty() || is_within(folder, base),
            Self::Suffix { prefix, deep: true, suffix } if suffix.is_empty() => {
                let base = prefix.strip_suffix('/').unwrap_or(prefix);
                base.is_empty() || is_within(folder, base)
            }
            Self::Except(shapes) => !shapes.iter().any(|shape| shape.may_contain(folder)),
            _ => false,
        }
    }

    /// The one path this matches.
    pub(super) fn exact(&self) -> Option<&str> {
        match self {
            Self::Exact(exact) => Some(exact),
            _ => None,
        }
    }
}

/// [`str::strip_prefix`]. Most patterns have no prefix, and to compare nothing with nothing can take longer than all the rest
/// (glibc's `memcmp` for AVX-512 loads from where an empty `String` points, with a mask that leaves nothing of it).
fn after<'p>(path: &'p str, prefix: &str) -> Option<&'p str> {
    if prefix.is_empty() { Some(path) } else { path.strip_prefix(prefix) }
}

/// [`str::ends_with`], byte by byte from the end: most paths of a walk end otherwise, and differ in the last byte or two.
fn ends_with(text: &str, end: &str) -> bool {
    text.len() >= end.len() && text.bytes().rev().zip(end.bytes().rev()).all(|(one, other)| one == other)
}

/// The segments of a pattern's text, still escaped. An escaped slash is a slash.
pub(super) fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut parts = text.split('/').peekable();
    std::iter::from_fn(move || {
        let part = parts.next()?;
        let escapes_slash =
            parts.peek().is_some() && part.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1;
        Some(if escapes_slash { part.strip_suffix('\\').unwrap_or(part) } else { part })
    })
}

fn join(segments: &[Segment]) -> String {
    let names = segments.iter().map(|segment| match segment {
        Segment::Name(name) => name.as_str(),
        _ => "",
    });
    names.collect::<Vec<_>>().join("/")
}

/// The fixed end of `*` or `*.ext`.
fn suffix(items: &[Item]) -> Option<String> {
    match items {
        [Item::Many] => Some(String::new()),
        [Item::Many, Item::Text(text)] => Some(text.clone()),
        _ => None,
    }
}

/// Whether `path` is `folder` or lies below it.
fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether `path` lies below `folder`; everything lies below the root.
fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether `folder` lies on the way to `prefix` (which may end in a slash, or is empty), or, where `deep`, below it.
fn leads_into(folder: &str, prefix: &str, deep: bool) -> bool {
    let base = prefix.strip_suffix('/').unwrap_or(prefix);
    is_within(base, folder) || (deep && (base.is_empty() || is_within(folder, base)))
}

/// Walks path and segments together. A `**` is remembered, and takes one more segment each time what follows it
/// fails; an earlier `**` never has to be tried again, as the later one can take whatever it could. A `**` at the end
/// means what is below: it matches nothing at all only where the path is a folder.
fn matches_segments(segments: &[Segment], path: &str, folder: bool) -> bool {
    let (mut at, mut rest) = (0, Some(path));
    let mut retry: Option<(usize, &str)> = None;
    loop {
        match (segments.get(at), rest) {
            (None, None) => return true,
            (Some(Segment::AnyDepth), None) if !folder => {}
            (Some(Segment::AnyDepth), _) => {
                at += 1;
                retry = rest.map(|rest| (at, rest));
                continue;
            }
            (Some(segment), Some(path)) => {
                let (first, tail) = cut(path);
                if matches_one(segment, first) {
                    (at, rest) = (at + 1, tail);
                    continue;
                }
            }
            (None, Some(_)) | (Some(_), None) => {}
        }
        let Some((after, from)) = retry else { return false };
        (at, rest) = (after, cut(from).1);
        retry = rest.map(|rest| (after, rest));
    }
}

/// Up to the first `**`, folder and segments run side by side; behind it anything is possible.
fn may_continue(segments: &[Segment], folder: &str) -> bool {
    let mut names = folder.split('/');
    for segment in segments {
        match (segment, names.next()) {
            (Segment::AnyDepth, _) | (_, None) => return true,
            (segment, Some(name)) if !matches_one(segment, name) => return false,
            _ => {}
        }
    }
    false
}

fn matches_one(segment: &Segment, name: &str) -> bool {
    match segment {
        Segment::AnyDepth => true,
        Segment::Name(wanted) => wanted == name,
        Segment::Items(items) => name::matches(items, name),
    }
}

fn cut(path: &str) -> (&str, Option<&str>) {
    path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)))
}
