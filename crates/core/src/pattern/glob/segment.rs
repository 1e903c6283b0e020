//! One segment of a pattern: from text to items.

use super::{
    brackets::{Brackets, posix_name},
    expand::expand,
    invalid,
};
use crate::error::Fault;

/// The longest text of a `+(…)`, `*(…)` or `!(…)`, in bytes, and how deep these may stand in each other. Each level
/// may cost a pass over the name for each of its positions.
const MAX_REPEATED_BYTES: usize = 1_024;
const MAX_REPEATED_DEPTH: usize = 2;

/// What one segment of a path has to look like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Segment {
    /// `**`: any number of segments, none included.
    AnyDepth,
    /// Exactly this name.
    Name(String),
    /// A name that these items match.
    Items(Vec<Item>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Text(String),
    /// `?`: one character (code point).
    One,
    /// `*`: any characters, or none.
    Many,
    Class(Class),
    Group(Group),
}

/// `[a-z]`. Its own text matches too: folders are called `[id]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) ranges: Vec<(char, char)>,
    pub(super) text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) sign: Sign,
    pub(super) branches: Vec<Vec<Item>>,
}

/// How often the branches of a group may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// `@(…)`, and `(…)`, which has its own text as one more branch.
    Once,
    /// `?(…)`
    AtMostOnce,
    /// `+(…)`
    AtLeastOnce,
    /// `*(…)`
    AnyTimes,
    /// `!(…)`: anything but.
    Not,
}

impl Sign {
    fn of(byte: u8) -> Option<Self> {
        match byte {
            b'@' => Some(Self::Once),
            b'?' => Some(Self::AtMostOnce),
            b'+' => Some(Self::AtLeastOnce),
            b'*' => Some(Self::AnyTimes),
            b'!' => Some(Self::Not),
            _ => None,
        }
    }

    const fn repeats(self) -> bool {
        matches!(self, Self::AtLeastOnce | Self::AnyTimes | Self::Not)
    }
}

/// Reads one segment, which has no braces any more (those in groups aside) and no slash.
pub(super) fn parse(text: &str) -> Result<Segment, Fault> {
    if text == "**" {
        return Ok(Segment::AnyDepth);
    }
    let mut items = items(text, 0)?;
    Ok(match items.as_mut_slice() {
        [] => Segment::Name(String::new()),
        [Item::Text(name)] => Segment::Name(std::mem::take(name)),
        _ => Segment::Items(items),
    })
}

/// `text` with every escape resolved.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\\' {
            // A backslash at the end stands for itself.
            out.push(characters.next().unwrap_or('\\'));
        } else {
            out.push(character);
        }
    }
    out
}

fn items(text: &str, repeated: usize) -> Result<Vec<Item>, Fault> {
    let brackets = Brackets::scan(text)?;
    let mut items = Items::default();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let bytes = rest.as_bytes();
        let sign = bytes.first().copied().and_then(Sign::of).filter(|_| bytes.get(1) == Some(&b'('));
        if let (Some(sign), Some(end)) = (sign, brackets.close(at + 1)) {
            items.other(Item::Group(group(text, &brackets, sign, at + 1, end, repeated)?));
            at = end + 1;
            continue;
        }
        let mut characters = rest.chars();
        let Some(character) = characters.next() else { break };
        at += character.len_utf8();
        match (character, brackets.close(at - 1)) {
            ('\\', _) => {
                let escaped = characters.next().unwrap_or('\\');
                items.text(escaped);
                at += escaped.len_utf8();
            }
            ('*', _) => items.many(),
            ('?', _) => items.other(Item::One),
            ('[', Some(end)) => {
                items.other(Item::Class(class(text.get(at - 1..=end).unwrap_or(""))));
                at = end + 1;
            }
            ('(', Some(end)) => {
                let mut group = group(text, &brackets, Sign::Once, at - 1, end, repeated)?;
                group.branches.push(vec![Item::Text(unescape(text.get(at - 1..=end).unwrap_or("")))]);
                items.other(Item::Group(group));
                at = end + 1;
            }
            _ => items.text(character),
        }
    }
    Ok(items.0)
}

/// Items in the making: neighbouring characters are one text, neighbouring stars one star.
#[derive(Default)]
struct Items(Vec<Item>);

impl Items {
    fn text(&mut self, character: char) {
        match self.0.last_mut() {
            Some(Item::Text(text)) => text.push(character),
            _ => self.0.push(Item::Text(character.to_string())),
        }
    }

    fn many(&mut self) {
        if self.0.last() != Some(&Item::Many) {
            self.0.push(Item::Many);
        }
    }

    fn other(&mut self, item: Item) {
        self.0.push(item);
    }
}

fn group(
    text: &str,
    brackets: &Brackets,
    sign: Sign,
    open: usize,
    end: usize,
    repeated: usize,
) -> Result<Group, Fault> {
    let repeated = repeated + usize::from(sign.repeats());
    if repeated > MAX_REPEATED_DEPTH {
        return Err(invalid(format!(
            "its '+(…)', '*(…)' and '!(…)' groups stand in each other more than {MAX_REPEATED_DEPTH} deep"
        )));
    }
    if sign.repeats() && end - open > MAX_REPEATED_BYTES {
        return Err(invalid(format!("one of its groups is longer than {MAX_REPEATED_BYTES} bytes")));
    }
    let mut branches = Vec::new();
    for branch in brackets.split(text, open + 1, end, b'|') {
        for alternative in expand(branch)? {
            branches.push(items(&alternative, repeated)?);
        }
    }
    Ok(Group { sign, branches })
}

fn class(text: &str) -> Class {
    let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    let negated = inner.starts_with(['!', '^']);
    let mut rest = if negated { inner.get(1..).unwrap_or("") } else { inner };
    let mut ranges = Vec::new();
    while let Some(first) = rest.chars().next() {
        if let Some(members) = posix_name(rest.as_bytes()).and_then(posix_class) {
            ranges.extend_from_slice(members);
            rest = rest.find(":]").and_then(|at| rest.get(at + 2..)).unwrap_or("");
            continue;
        }
        let (low, after) = member(rest, first);
        let upper =
            after.strip_prefix('-').and_then(|tail| tail.chars().next().map(|upper| member(tail, upper)));
        match upper {
            Some((high, tail)) => {
                // A range that runs backwards has no members.
                ranges.push((low, high));
                rest = tail;
            }
            None => {
                ranges.push((low, low));
                rest = after;
            }
        }
    }
    Class { negated, ranges, text: unescape(text) }
}

/// One member of a class, and what follows it.
fn member(text: &str, first: char) -> (char, &str) {
    let rest = text.get(first.len_utf8()..).unwrap_or("");
    match rest.chars().next() {
        Some(escaped) if first == '\\' => (escaped, rest.get(escaped.len_utf8()..).unwrap_or("")),
        _ => (first, rest),
    }
}

fn posix_class(name: &[u8]) -> Option<&'static [(char, char)]> {
    Some(match name {
        b"alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        b"alpha" => &[('a', 'z'), ('A', 'Z')],
        b"ascii" => &[('\0', '\x7f')],
        b"blank" => &[(' ', ' '), ('\t', '\t')],
        b"cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        b"digit" => &[('0', '9')],
        b"graph" => &[('\x21', '\x7e')],
        b"lower" => &[('a', 'z')],
        b"print" => &[('\x20', '\x7e')],
        b"punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        b"space" => &[(' ', ' '), ('\t', '\r')],
        b"upper" => &[('A', 'Z')],
        b"word" => &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')],
        b"xdigit" => &[('a', 'f'), ('A', 'F'), ('0', '9')],
        _ => return None,
    })
}
