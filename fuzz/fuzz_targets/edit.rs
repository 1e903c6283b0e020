//! Edits: untouched bytes stay, what is refused changes nothing, what is done can be undone.
#![no_main]

use arbitrary::Arbitrary;
use deepfs_core::{ErrorKind, text};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    old: &'a str,
    new: &'a str,
    all: bool,
    /// Where in the file `old` is taken from instead, so that edits succeed.
    from: Option<(u16, u8)>,
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    let Input { old, new, all, from, bytes } = input;
    let encoding = text::detect(bytes, true);
    let shown = text::decode(bytes, encoding).ok();
    let part = from.zip(shown.as_deref()).and_then(|((start, length), shown)| {
        let start = shown.char_indices().nth(usize::from(start) % (shown.len() + 1))?.0;
        let rest = shown.get(start..)?;
        let end = rest.char_indices().nth(usize::from(length)).map_or(rest.len(), |(end, _)| end);
        rest.get(..end)
    });
    let old = part.unwrap_or(old);
    match text::replace_bytes(bytes, old, new, all) {
        Err(fault) => {
            assert_ne!(fault.kind, ErrorKind::Internal);
            if old.is_empty() {
                assert!(matches!(
                    fault.kind,
                    ErrorKind::EmptyOldString | ErrorKind::Binary | ErrorKind::Encoding
                ));
            }
        }
        Ok(done) => {
            // An empty file can be filled with nothing.
            assert!(done.filled || old != new);
            assert!(all || done.occurrences <= 1);
            assert_eq!(done.filled, done.occurrences == 0);
            let shown = shown.as_deref().expect("what was edited is text");
            let content = &done.content.concat();
            if done.filled {
                assert!(old.is_empty() && (shown.is_empty() || shown == "\u{feff}"));
                return;
            }
            assert_ne!(content, bytes, "an edit that changes nothing is an error");
            if !all {
                check_one(bytes, content, shown, old);
            }
        }
    }
    if let Ok(plain) = std::str::from_utf8(bytes) {
        check_text(plain, old, new, all);
    }
});

/// One replacement: what is before and behind the place stays, byte for byte.
fn check_one(before: &[u8], after: &[u8], shown: &str, old: &str) {
    let head = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let most = before.len().min(after.len()) - head;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(most)
        .take_while(|(one, other)| one == other)
        .count();
    let changed = before.len() - head - tail;
    // No more bytes are changed than `old` can have: four a character, and a carriage return for each line feed.
    let room = old.chars().count() * 4 + old.matches('\n').count() * 4;
    assert!(changed <= room, "{changed} bytes of {before:?} changed for {old:?}, shown as {shown:?}");
}

/// The edit of text against the plainest of means, where line ends play no part.
fn check_text(text: &str, old: &str, new: &str, all: bool) {
    let plain = !text.contains('\r') && !old.contains('\r') && !new.contains('\r');
    let edited = text::replace_text(text, old, new, all);
    if !plain || old.is_empty() || old == new {
        return;
    }
    let places = text.match_indices(old).count();
    let overlapping = (0..text.len()).filter(|&at| text.as_bytes()[at..].starts_with(old.as_bytes())).count();
    match edited {
        Ok(done) => {
            assert!(if all { places > 0 } else { overlapping == 1 });
            assert_eq!(done.occurrences, if all { places } else { 1 });
            assert_eq!(done.content, text.replace(old, new));
        }
        Err(fault) => match fault.kind {
            ErrorKind::NoMatch => assert_eq!(places, 0),
            ErrorKind::Ambiguous => assert!(!all && overlapping > 1),
            ErrorKind::NoChange => assert_eq!(text.replace(old, new), text),
            other => panic!("{other:?}"),
        },
    }
}
