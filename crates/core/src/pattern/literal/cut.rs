//! Shortening a long line around its match.

/// A matching line in three parts, of which the outer two may have been left out in part already.
pub(super) struct Line<'a> {
    /// The end of what stands before the match: all of it, or at least as many characters as will be shown.
    pub(super) before: &'a str,
    pub(super) matched: &'a str,
    /// The start of what stands behind it, likewise.
    pub(super) after: &'a str,
    /// How many characters the line really has before and behind the match.
    pub(super) before_chars: u64,
    pub(super) after_chars: u64,
}

impl Line<'_> {
    /// The line in at most `limit` characters, the match in the middle where possible, and what is missing told on
    /// either side: `[120 characters cut]… text …[7 characters cut]`.
    pub(super) fn cut(&self, limit: usize) -> String {
        let limit = limit as u64;
        let matched_chars = count(self.matched).min(limit);
        let room = limit - matched_chars;
        let behind = self.after_chars.min(room - self.before_chars.min(room / 2));
        let before = self.before_chars.min(room - behind);
        let matched = first(self.matched, matched_chars);
        let cut_from_match = count(self.matched) - matched_chars;
        let shown = [last(self.before, before), matched, first(self.after, behind)].concat();
        let missing_before = self.before_chars - before;
        let missing_behind = self.after_chars - behind + cut_from_match;
        match (missing_before, missing_behind) {
            (0, 0) => shown,
            (0, behind) => format!("{shown}…[{behind} characters cut]"),
            (before, 0) => format!("[{before} characters cut]…{shown}"),
            (before, behind) => format!("[{before} characters cut]…{shown}…[{behind} characters cut]"),
        }
    }
}

/// Characters (code points) of a text.
pub(super) fn count(text: &str) -> u64 {
    count_starts(text.as_bytes())
}

/// Bytes that start a character; of any piece of UTF-8, also one that is cut inside a character.
pub(super) fn count_starts(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u64
}

fn first(text: &str, characters: u64) -> &str {
    let nth = usize::try_from(characters).unwrap_or(usize::MAX);
    text.char_indices().nth(nth).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

fn last(text: &str, characters: u64) -> &str {
    match usize::try_from(characters).unwrap_or(usize::MAX).checked_sub(1) {
        None => "",
        Some(nth) => {
            text.char_indices().nth_back(nth).and_then(|(start, _)| text.get(start..)).unwrap_or(text)
        }
    }
}
