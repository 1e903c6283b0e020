//! Why an edit did not match: what a model copies from a page is often almost what the file holds, and without being
//! told the difference it sends the same text again. Nothing here changes what matches.

use super::fold::{fold, folded};
use memchr::memmem;
use std::ops::Range;

/// How far into a file a near match is looked for, in bytes. A miss has to stay cheap.
const MAX_TEXT_BYTES: usize = 2 << 20;
/// The longest `oldString` that gets a hint, in bytes.
const MAX_OLD_BYTES: usize = 64 << 10;
/// The shortest folded `oldString` whose near match says something, in bytes.
const MIN_FOLDED_BYTES: usize = 3;
/// How many near matches are compared to find the nearest.
const MAX_CANDIDATES: usize = 16;
/// How many differences a hint lists.
const MAX_DIFFERENCES: usize = 3;
/// How many characters of a line, or runs of one character in a difference, a hint repeats.
const MAX_SHOWN: usize = 80;

/// One or two sentences about the place in `text` that is nearest to `old`; empty when nothing is near.
pub(super) fn near_match(text: &str, old: &str) -> String {
    if old.len() > MAX_OLD_BYTES {
        return String::new();
    }
    // A cut inside a character gives nothing; at most three bytes earlier it is between two.
    let text = (0..4).find_map(|back| text.get(..MAX_TEXT_BYTES - back)).unwrap_or(text);
    look_alike(text, old).or_else(|| diverging(text, old)).unwrap_or_default()
}

/// A place that is `old` but for blanks, look-alikes and letter case.
fn look_alike(text: &str, old: &str) -> Option<String> {
    let wanted = folded(old);
    let wanted = wanted.trim_matches(['\n', ' ']);
    if wanted.len() < MIN_FOLDED_BYTES {
        return None;
    }
    let haystack = folded(text);
    let found: Vec<usize> = memmem::find_iter(haystack.as_bytes(), wanted).take(MAX_CANDIDATES).collect();
    let old_pieces = pieces(old);
    let (line, differences) = origins(text, &found, wanted.len())
        .into_iter()
        .map(|range| {
            let region = text.get(range.clone()).unwrap_or_default();
            // Indentation belongs to the first character of a line, and to the search text only if it has some.
            let blank = region.len() - region.trim_start().len();
            let line = 1 + count_lines(text.get(..range.start + blank).unwrap_or_default());
            (line, differences(&pieces(region), &old_pieces))
        })
        .min_by_key(|(_, differences)| -> usize {
            differences.iter().map(|(file, search)| file.chars().count() + search.chars().count()).sum()
        })?;
    if differences.is_empty() {
        return Some(format!(
            "A near match exists at line {line}; it differs in the blanks or line breaks before or after the text"
        ));
    }
    let shown: Vec<String> = differences
        .iter()
        .take(MAX_DIFFERENCES)
        .map(|(file, search)| format!("{} where the search text has {}", described(file), described(search)))
        .collect();
    let more = if differences.len() > shown.len() { ", and more" } else { "" };
    Some(format!("A near match exists at line {line}; it differs in: {}{more}", shown.join(", ")))
}

/// What the folded places, which rise, were folded from.
fn origins(text: &str, found: &[usize], length: usize) -> Vec<Range<usize>> {
    let mut origins: Vec<Range<usize>> = Vec::with_capacity(found.len());
    let mut places = found.iter().copied().peekable();
    let (mut emitted, mut behind, mut start) = (0, 0, None);
    fold(text, |character, end| {
        // Matches do not overlap, so at most one is open.
        if start.is_none() && places.next_if_eq(&emitted).is_some() {
            start = Some((behind, emitted + length));
        }
        emitted += character.len_utf8();
        behind = end;
        if let Some((from, until)) = start
            && emitted >= until
        {
            origins.push(from..end);
            start = None;
        }
        start.is_some() || places.peek().is_some()
    });
    origins
}

/// The text cut into what each folded character came from, blank edges left out.
fn pieces(text: &str) -> Vec<(char, &str)> {
    let mut pieces = Vec::new();
    let mut behind = 0;
    fold(text, |character, end| {
        let piece = text.get(behind..end).unwrap_or_default();
        behind = end;
        if !pieces.is_empty() || character != '\n' {
            pieces.push((character, piece));
        }
        true
    });
    while pieces.pop_if(|(character, _)| *character == '\n').is_some() {}
    pieces
}

/// The runs in which two texts that fold to the same differ: what the file has, what the search text has.
fn differences<'t>(file: &[(char, &'t str)], search: &[(char, &'t str)]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut in_run = false;
    for (at, ((_, file), (_, search))) in file.iter().zip(search).enumerate() {
        // The search text may begin in the middle of a line.
        let starts_bare = at == 0 && search.trim_start().len() == search.len();
        let file = if starts_bare { file.trim_start() } else { file };
        if file == *search {
            in_run = false;
            continue;
        }
        if !in_run {
            all.push((String::new(), String::new()));
        }
        in_run = true;
        if let Some((all_file, all_search)) = all.last_mut() {
            all_file.push_str(file);
            all_search.push_str(search);
        }
    }
    all.into_iter().map(|(file, search)| without_common_ends(&file, &search)).collect()
}

fn without_common_ends(one: &str, other: &str) -> (String, String) {
    let mut one: Vec<char> = one.chars().collect();
    let mut other: Vec<char> = other.chars().collect();
    while !one.is_empty() && one.last() == other.last() {
        one.pop();
        other.pop();
    }
    let head = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    (one.iter().skip(head).collect(), other.iter().skip(head).collect())
}

/// Characters by their code points, for what cannot be told apart by eye: `2 × U+0020 (space)`.
fn described(text: &str) -> String {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for character in text.chars() {
        match runs.last_mut() {
            Some((last, count)) if *last == character => *count += 1,
            _ => runs.push((character, 1)),
        }
    }
    if runs.is_empty() {
        return "nothing".to_owned();
    }
    let shown: Vec<String> = runs
        .iter()
        .take(MAX_SHOWN / 16)
        .map(|&(character, count)| {
            let times = if count == 1 { String::new() } else { format!("{count} × ") };
            format!("{times}U+{:04X}{}", u32::from(character), name(character))
        })
        .collect();
    let more = if runs.len() > shown.len() { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}

fn name(character: char) -> String {
    match character {
        ' ' => " (space)".to_owned(),
        '\t' => " (tab)".to_owned(),
        '\n' => " (line feed)".to_owned(),
        '\r' => " (carriage return)".to_owned(),
        '\u{a0}' => " (no-break space)".to_owned(),
        _ if character.is_alphanumeric() || character.is_ascii_punctuation() => format!(" ({character})"),
        _ => String::new(),
    }
}

/// A place where the first lines of `old` are found and a later one is not.
fn diverging(text: &str, old: &str) -> Option<String> {
    let wanted: Vec<&str> = old.trim_matches('\n').lines().collect();
    let first = wanted.first()?.trim();
    if wanted.len() < 2 || first.len() < MIN_FOLDED_BYTES {
        return None;
    }
    let places = memmem::find_iter(text.as_bytes(), first).take(MAX_CANDIDATES);
    let (at, same) = places
        .map(|at| {
            let lines = text.get(at..).unwrap_or_default().lines();
            (at, lines.zip(&wanted).take_while(|(line, wanted)| line.trim() == wanted.trim()).count())
        })
        .max_by_key(|&(at, same)| (same, std::cmp::Reverse(at)))?;
    let wanted = wanted.get(same).filter(|_| same > 0)?;
    let line = 1 + count_lines(text.get(..at).unwrap_or_default());
    let found = text.get(at..).unwrap_or_default().lines().nth(same);
    let found = found.map_or("the end of the file".to_owned(), |line| format!("'{}'", cut(line.trim())));
    Some(format!(
        "The first {same} of its lines match from line {line} on; line {} of the file is {found} where the search \
         text has '{}'",
        line + same,
        cut(wanted.trim())
    ))
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
#[path = "hint_tests.rs"]
mod tests;
