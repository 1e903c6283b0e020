//! One line that is too long to be held: it is read through, and only what stands around its first match is kept.

use super::{
    UTF8_MARK,
    cut::{Line, count_starts},
    slice::decode_line,
    stream::Stream,
};
use crate::{error::Fault, storage::Source};

/// What reading a line through tells of it.
#[derive(Default)]
struct Seen {
    /// Where the first match starts.
    hit: Option<u64>,
    /// Characters before the match, and of the whole line.
    before_chars: u64,
    chars: u64,
    /// Where the line ends: at its newline, or the end of the file.
    end: u64,
    /// Where the next line starts.
    next: u64,
}

/// Takes the line that starts at `start`. Answers where the next one starts, or `None` when the search is over.
pub(super) fn take(stream: &mut Stream<'_>, start: u64) -> Result<Option<u64>, Fault> {
    let Some(seen) = read_through(stream, start)? else { return Ok(None) };
    if let Some(hit) = seen.hit {
        if stream.check_text().is_break() || stream.collector.check_room().is_break() {
            return Ok(None);
        }
        let Some(text) = around(stream, start, hit, &seen) else { return Ok(None) };
        stream.collector.push(text);
    }
    // A newline, or the end of the file, behind which there is nothing to number.
    stream.collector.pass(b"\n");
    Ok(Some(seen.next))
}

/// `None` where the file cannot be read.
fn read_through(stream: &Stream<'_>, start: u64) -> Result<Option<Seen>, Fault> {
    let finder = &stream.search.needle.finder;
    let overlap = finder.needle().len() - 1;
    let mut seen = Seen::default();
    // The end of the block before, in which a match may start, and behind it the new block.
    let mut window: Vec<u8> = Vec::new();
    let mut at = start;
    loop {
        stream.control.check()?;
        let kept = window.len();
        window.resize(kept + stream.block, 0);
        let Some(count) =
            window.get_mut(kept..).and_then(|block| stream.candidate.source.read_at(at, block).ok())
        else {
            return Ok(None);
        };
        window.truncate(kept + count);
        let block = window.get(kept..).unwrap_or(&[]);
        let newline = memchr::memchr(b'\n', block);
        let line = window.get(..kept + newline.unwrap_or(count)).unwrap_or(&[]);
        if seen.hit.is_none()
            && let Some(hit) = finder.find(line)
        {
            seen.hit = Some(at - kept as u64 + hit as u64);
            let kept_chars = count_starts(window.get(..kept).unwrap_or(&[]));
            seen.before_chars = seen.chars - kept_chars + count_starts(window.get(..hit).unwrap_or(&[]));
        }
        seen.chars += count_starts(line.get(kept..).unwrap_or(&[]));
        at += newline.unwrap_or(count) as u64;
        if newline.is_some() || count < stream.block {
            seen.end = at;
            seen.next = at + u64::from(newline.is_some());
            return Ok(Some(seen));
        }
        window.drain(..window.len().saturating_sub(overlap));
    }
}

/// The line cut around its match. `None` where the file cannot be read.
fn around(stream: &Stream<'_>, start: u64, hit: u64, seen: &Seen) -> Option<String> {
    let source = stream.candidate.source;
    let needle = stream.search.needle.bytes();
    let limit = stream.search.line_chars;
    // No character has more than four bytes.
    let reach = (limit as u64).saturating_mul(4);
    let hit_end = hit + needle.len() as u64;
    let before = read_range(source, start.max(hit.saturating_sub(reach)), hit)?;
    let after = read_range(source, hit_end, seen.end.min(hit_end.saturating_add(reach)))?;
    let needle_chars = count_starts(needle);
    let mut line = Line {
        before: &decode_line(from_character(&before)),
        matched: &decode_line(needle),
        after: &decode_line(to_character(&after)),
        before_chars: seen.before_chars,
        after_chars: seen.chars.saturating_sub(seen.before_chars + needle_chars),
    };
    if start == 0 && stream.candidate.head.starts_with(UTF8_MARK) {
        line.before = line.before.strip_prefix('\u{feff}').unwrap_or(line.before);
        line.before_chars = line.before_chars.saturating_sub(1);
    }
    if read_range(source, seen.end - 1, seen.end)?.as_slice() == b"\r" && line.after_chars > 0 {
        line.after = line.after.strip_suffix('\r').unwrap_or(line.after);
        line.after_chars -= 1;
    }
    Some(line.cut(limit))
}

fn read_range(source: &dyn Source, from: u64, to: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(to.saturating_sub(from)).ok()?];
    let count = if bytes.is_empty() { 0 } else { source.read_at(from, &mut bytes).ok()? };
    bytes.truncate(count);
    Some(bytes)
}

/// Without the rest of a character that the start cut.
fn from_character(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
    bytes.get(start..).unwrap_or(bytes)
}

/// Without the start of a character that the end cut.
fn to_character(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}
