//! Braces: `{a,b}`, `{1..9}`, `{a..e}`, and groups that reach over a slash, written out as alternatives.
//!
//! Written out rather than matched in place, because an alternative can open or close a segment (`{,**/}x`,
//! `a{/b,}`), and what a segment is decides what `**` means.

use super::{brackets::Brackets, invalid, segment::unescape};
use crate::error::Fault;

/// The most alternatives one pattern may stand for.
pub(super) const MAX_ALTERNATIVES: usize = 1_000;
/// The most bytes all alternatives may have together.
pub(super) const MAX_BYTES: usize = 64 << 10;

/// The alternatives that `text` stands for, in order. Escapes, classes and groups inside one segment are left as
/// they are.
pub(super) fn expand(text: &str) -> Result<Vec<String>, Fault> {
    let brackets = Brackets::scan(text)?;
    let bytes = text.as_bytes();
    let mut out = Alternatives { texts: vec![String::new()], bytes: 0 };
    let mut at = 0;
    // Everything between `plain` and `at` is still to be copied as it is.
    let mut plain = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' {
            at += 2;
            continue;
        }
        match group_at(text, &brackets, plain, at)? {
            Some((start, end, Choices::Several(choices))) => {
                out.append(text.get(plain..start).unwrap_or(""))?;
                out.multiply(&choices)?;
                at = end;
                plain = end + 1;
            }
            Some((_, end, Choices::Whole)) => at = end,
            Some((_, _, Choices::Plain)) | None => {}
        }
        at += 1;
    }
    out.append(text.get(plain..).unwrap_or(""))?;
    Ok(out.texts)
}

/// The brackets that open at `at`: where they start (with the sign of a group, unless it lies before `plain`), where
/// they end, and what they stand for.
fn group_at(
    text: &str,
    brackets: &Brackets,
    plain: usize,
    at: usize,
) -> Result<Option<(usize, usize, Choices)>, Fault> {
    let Some(end) = brackets.close(at) else { return Ok(None) };
    Ok(Some(match text.as_bytes().get(at) {
        Some(b'{') => (at, end, brace_choices(text, brackets, at, end)?),
        Some(b'(') => {
            let start = if at > plain { at - usize::from(is_group_sign(text.as_bytes(), at)) } else { at };
            (start, end, group_choices(text, brackets, start, at, end)?)
        }
        // Braces and parentheses inside a class are its members.
        _ => (at, end, Choices::Whole),
    }))
}

/// What a pair of brackets stands for.
enum Choices {
    /// Alternatives to write out.
    Several(Vec<String>),
    /// Nothing to write out here, but perhaps inside.
    Plain,
    /// To be copied as it is, with all that is in it.
    Whole,
}

struct Alternatives {
    texts: Vec<String>,
    bytes: usize,
}

impl Alternatives {
    fn append(&mut self, text: &str) -> Result<(), Fault> {
        self.bytes = self.bytes.saturating_add(text.len().saturating_mul(self.texts.len()));
        check_bytes(self.bytes)?;
        for alternative in &mut self.texts {
            alternative.push_str(text);
        }
        Ok(())
    }

    fn multiply(&mut self, choices: &[String]) -> Result<(), Fault> {
        check_count(self.texts.len().saturating_mul(choices.len()))?;
        let chosen: usize = choices.iter().map(String::len).sum();
        self.bytes = self.bytes.saturating_mul(choices.len()).saturating_add(chosen * self.texts.len());
        check_bytes(self.bytes)?;
        self.texts = self
            .texts
            .iter()
            .flat_map(|head| choices.iter().map(move |choice| format!("{head}{choice}")))
            .collect();
        Ok(())
    }
}

fn check_count(count: usize) -> Result<(), Fault> {
    if count > MAX_ALTERNATIVES {
        return Err(invalid(format!(
            "its braces stand for more than {MAX_ALTERNATIVES} alternatives; use '*'"
        )));
    }
    Ok(())
}

fn check_bytes(bytes: usize) -> Result<(), Fault> {
    if bytes > MAX_BYTES {
        return Err(invalid(format!(
            "its braces stand for more than {MAX_BYTES} bytes of patterns; use '*'"
        )));
    }
    Ok(())
}

fn brace_choices(text: &str, brackets: &Brackets, start: usize, end: usize) -> Result<Choices, Fault> {
    let parts = brackets.split(text, start + 1, end, b',');
    if parts.len() > 1 {
        return expand_all(&parts);
    }
    let inner = text.get(start + 1..end).unwrap_or("");
    Ok(range(inner)?.map_or(Choices::Plain, Choices::Several))
}

fn expand_all(parts: &[&str]) -> Result<Choices, Fault> {
    let mut choices = Vec::with_capacity(parts.len());
    for part in parts {
        choices.append(&mut expand(part)?);
        check_count(choices.len())?;
    }
    Ok(Choices::Several(choices))
}

/// `(a|b)` with or without a sign in front. Inside one segment it is matched in place; over a slash, the choices
/// are written out.
fn group_choices(
    text: &str,
    brackets: &Brackets,
    start: usize,
    open: usize,
    end: usize,
) -> Result<Choices, Fault> {
    let inner = text.get(open + 1..end).unwrap_or("");
    if !inner.contains('/') {
        return Ok(Choices::Whole);
    }
    let sign = text.as_bytes().get(start).copied();
    if matches!(sign, Some(b'!' | b'+' | b'*')) {
        return Err(invalid(
            "a '!(…)', '+(…)' or '*(…)' group inside a longer pattern cannot hold a '/'; use '**' or a leading '!'"
                .to_owned(),
        ));
    }
    let mut parts = brackets.split(text, open + 1, end, b'|');
    if sign == Some(b'?') {
        parts.push("");
    }
    let Choices::Several(mut choices) = expand_all(&parts)? else { return Ok(Choices::Whole) };
    if sign == Some(b'(') {
        // Without a sign it may as well be a part of names, as in `(shop)/(cart)`.
        choices.push(escape(&unescape(text.get(open..=end).unwrap_or(""))));
    }
    Ok(Choices::Several(choices))
}

/// Whether the `(` at `at` has one of the signs of a group in front of it. An escaped sign is a character.
fn is_group_sign(bytes: &[u8], at: usize) -> bool {
    let Some(before) = bytes.get(..at) else { return false };
    let Some((b'@' | b'!' | b'?' | b'+' | b'*', before)) = before.split_last() else { return false };
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0
}

/// The members of `1..9`, `01..10..2`, `a..e`; `None` where `inner` is no range.
fn range(inner: &str) -> Result<Option<Vec<String>>, Fault> {
    let parts: Vec<&str> = inner.split("..").collect();
    let (first, last, step) = match parts.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] => match step.parse::<i64>() {
            Ok(step) => (*first, *last, step.checked_abs().unwrap_or(i64::MAX).max(1)),
            Err(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    if let (Some(from), Some(to)) = (letter(first), letter(last)) {
        let members = count_from_to(i64::from(from), i64::from(to), step)?;
        let letters = members.into_iter().filter_map(|code| u8::try_from(code).ok());
        // Between `Z` and `a` lie characters that mean something.
        return Ok(Some(letters.map(|code| escape(&char::from(code).to_string())).collect()));
    }
    let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) else { return Ok(None) };
    let width = if is_padded(first) || is_padded(last) { first.len().max(last.len()) } else { 0 };
    let members = count_from_to(from, to, step)?;
    Ok(Some(members.into_iter().map(|number| format!("{number:0width$}")).collect()))
}

fn letter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(*byte),
        _ => None,
    }
}

fn is_padded(number: &str) -> bool {
    let digits = number.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0')
}

fn count_from_to(from: i64, to: i64, step: i64) -> Result<Vec<i64>, Fault> {
    let distance = to.abs_diff(from) / step.unsigned_abs().max(1);
    check_count(usize::try_from(distance).unwrap_or(usize::MAX).saturating_add(1))?;
    let signed = if from <= to { step } else { -step };
    let members = std::iter::successors(Some(from), |at| at.checked_add(signed));
    Ok(members.take(usize::try_from(distance).unwrap_or(0) + 1).collect())
}

/// `text` as a pattern that names exactly it.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\*?[](){}!@+|,^".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
