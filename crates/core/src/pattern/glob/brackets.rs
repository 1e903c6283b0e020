//! Which bracket closes which, found in one pass, so that nothing after it has to look ahead.

use super::invalid;
use crate::error::Fault;

/// The deepest nesting of `{}` and `()`: nobody writes more by hand, and the parsers recurse this deep.
const MAX_DEPTH: usize = 16;

/// The closing bracket of every `[`, `(` and `{` of a pattern that has one; the others are plain characters.
pub(super) struct Brackets {
    /// By byte index of the opening bracket; 0 where nothing closes it (no closing bracket is at 0).
    close: Vec<usize>,
}

/// Opening brackets that wait for their end.
#[derive(Default)]
struct Open {
    stack: Vec<(u8, usize)>,
    round: usize,
    curly: usize,
}

impl Open {
    fn count(&mut self, bracket: u8) -> &mut usize {
        if bracket == b'(' { &mut self.round } else { &mut self.curly }
    }

    fn push(&mut self, bracket: u8, at: usize) {
        *self.count(bracket) += 1;
        self.stack.push((bracket, at));
    }

    /// The start of the innermost `bracket`. What was opened inside it never closes. The counts keep this linear:
    /// the stack is searched only where the search ends, and everything passed over is gone.
    fn pop(&mut self, bracket: u8) -> Option<usize> {
        if *self.count(bracket) == 0 {
            return None;
        }
        while let Some((found, at)) = self.stack.pop() {
            *self.count(found) -= 1;
            if found == bracket {
                return Some(at);
            }
        }
        None
    }
}

impl Brackets {
    /// Pairs the brackets of `text`. Escaped brackets, and those inside a class, are not brackets.
    pub(super) fn scan(text: &str) -> Result<Self, Fault> {
        let bytes = text.as_bytes();
        let mut brackets = Self { close: vec![0; bytes.len()] };
        let mut open = Open::default();
        // Up to here it is known that no class ends; without it `[[[[…` would be quadratic.
        let mut no_class_before = 0;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'[' if at >= no_class_before => match class_end(bytes, at) {
                    Ok(end) => {
                        brackets.pair(at, end);
                        at = end;
                    }
                    Err(seen) => no_class_before = seen,
                },
                b'(' | b'{' => open.push(byte, at),
                b')' | b'}' => {
                    if let Some(start) = open.pop(if byte == b')' { b'(' } else { b'{' }) {
                        brackets.pair(start, at);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        brackets.check_depth(bytes)?;
        Ok(brackets)
    }

    fn pair(&mut self, start: usize, end: usize) {
        if let Some(slot) = self.close.get_mut(start) {
            *slot = end;
        }
    }

    fn check_depth(&self, bytes: &[u8]) -> Result<(), Fault> {
        let mut ends: Vec<usize> = Vec::new();
        for (at, &byte) in bytes.iter().enumerate() {
            while ends.last().is_some_and(|end| *end < at) {
                ends.pop();
            }
            if let (b'(' | b'{', Some(end)) = (byte, self.close(at)) {
                ends.push(end);
                if ends.len() > MAX_DEPTH {
                    return Err(invalid(format!("its brackets are nested more than {MAX_DEPTH} deep")));
                }
            }
        }
        Ok(())
    }

    /// The index of the bracket that closes the one at `at`.
    pub(super) fn close(&self, at: usize) -> Option<usize> {
        self.close.get(at).copied().filter(|end| *end > 0)
    }

    /// Cuts `text[from..to]` at every `separator` that stands outside all brackets.
    pub(super) fn split<'a>(&self, text: &'a str, from: usize, to: usize, separator: u8) -> Vec<&'a str> {
        let bytes = text.as_bytes();
        let mut parts = Vec::new();
        let (mut start, mut at) = (from, from);
        while at < to {
            match bytes.get(at) {
                Some(b'\\') => at += 1,
                Some(byte) if *byte == separator => {
                    parts.push(text.get(start..at).unwrap_or(""));
                    start = at + 1;
                }
                _ => at = self.close(at).unwrap_or(at),
            }
            at += 1;
        }
        parts.push(text.get(start..to).unwrap_or(""));
        parts
    }
}

/// The index of the `]` that ends the class at `start`, or how far it is certain that no class ends. A class never
/// holds a slash: `a[b/c]d` is a folder and a name.
fn class_end(bytes: &[u8], start: usize) -> Result<usize, usize> {
    let mut at = start + 1;
    if matches!(bytes.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    // A `]` in the first place is a member.
    if bytes.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match bytes.get(at) {
            None | Some(b'/') => return Err(at),
            Some(b']') => return Ok(at),
            Some(b'\\') => at += 1,
            Some(b'[') => at += posix_name(bytes.get(at..).unwrap_or(&[])).map_or(0, |name| name.len() + 3),
            Some(_) => {}
        }
        at += 1;
    }
}

/// The name in a leading `[:name:]`.
pub(super) fn posix_name(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"[:")?;
    let length = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let (name, rest) = rest.split_at_checked(length)?;
    rest.starts_with(b":]").then_some(name)
}
