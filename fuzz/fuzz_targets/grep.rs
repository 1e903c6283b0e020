//! Grep: the lines found are those a plain search finds, in one piece, in blocks, and in memory alike.
#![no_main]

use arbitrary::Arbitrary;
use deepfs_core::{
    Fault, Unlimited,
    pattern::{LineSearch, Needle},
    storage::{Candidate, FileMatches, Kind, Metadata, Source, Time},
    text::{Detected, detect},
};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    needle: &'a str,
    line_chars: u8,
    max: u8,
    head: u16,
    /// How often the bytes are repeated, to get past the size of a block.
    times: u8,
    bytes: &'a [u8],
}

struct File<'a> {
    bytes: &'a [u8],
    metadata: Metadata,
}

impl Source for File<'_> {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

fuzz_target!(|input: Input<'_>| {
    let Ok(needle) = Needle::new(input.needle) else {
        assert!(input.needle.is_empty());
        return;
    };
    // Mostly once; now and then some hundred kilobytes.
    let times = if input.times < 250 { 1 } else { (300_000 / input.bytes.len().max(1)).clamp(1, 2_000) };
    let bytes = input.bytes.repeat(times);
    let line_chars = usize::from(input.line_chars) + 1;
    let max_matches = usize::from(input.max) + 1;
    let search =
        LineSearch { needle, line_chars, max_matches, result_bytes: 1 << 20, max_file_bytes: 1 << 20 };
    let metadata = Metadata {
        kind: Kind::File,
        size: bytes.len() as u64,
        created: Time::Unknown,
        modified: Time::Unknown,
        mime: None,
    };
    let file = File { bytes: &bytes, metadata };
    let inspect = |head: usize| {
        let head = &bytes[..head.min(bytes.len())];
        let whole = head.len() == bytes.len();
        search
            .inspect(&Candidate { path: "f", head, whole, source: &file }, &Unlimited)
            .expect("nothing stops it")
    };
    let whole = inspect(bytes.len());
    if let Some(found) = &whole {
        check(found, &search);
    }
    // A first block tells the encoding for all of it, so the two can be compared where that is certain.
    if std::str::from_utf8(&bytes).is_ok() && detect(&bytes, true) == Detected::Utf8 {
        let text = std::str::from_utf8(&bytes).expect("looked at before");
        let lines: Vec<u32> = expected(text, input.needle).take(max_matches).collect();
        let found = whole.map_or(Vec::new(), |found| found.lines);
        assert_eq!(found, lines);
        assert_eq!(search.search_text(text, max_matches).lines, lines);
        let streamed = inspect(usize::from(input.head)).map_or(Vec::new(), |found| found.lines);
        assert_eq!(streamed, lines, "in blocks");
    } else {
        inspect(usize::from(input.head)).inspect(|found| check(found, &search));
    }
});

fn check(found: &FileMatches, search: &LineSearch) {
    assert!(!found.lines.is_empty() && found.lines.len() <= search.max_matches);
    assert_eq!(found.lines.len(), found.texts.len());
    assert!(found.lines.is_sorted_by(|one, next| one < next));
    for text in &found.texts {
        assert!(!text.contains('\n'));
        // What is cut says so in a few words more.
        assert!(text.chars().count() <= search.line_chars + 80, "{text:?}");
    }
}

/// The numbers of the lines with the needle, by the plainest of means.
fn expected<'t>(text: &'t str, needle: &'t str) -> impl Iterator<Item = u32> + 't {
    let lines = text.split('\n').zip(1..).filter(move |(line, _)| line.contains(needle));
    lines.map(|(_, number)| number)
}
