#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "tests"
)]

use super::*;
use crate::{
    Limits, Memory, Unlimited,
    ops::{Meaning, PathMode},
    storage::Kind,
};

/// A file that begins with `head` and goes on with zeros, as one with a hole does.
struct Sparse {
    head: &'static [u8],
    metadata: Metadata,
}

impl Source for Sparse {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let count = (self.metadata.size - offset.min(self.metadata.size)).min(buffer.len() as u64) as usize;
        for (at, byte) in buffer[..count].iter_mut().enumerate() {
            *byte = self.head.get(offset as usize + at).copied().unwrap_or(0);
        }
        Ok(count)
    }
}

fn read_first_line(path: &str, head: &'static [u8], size: u64) -> Result<ReadFile, ErrorKind> {
    let storage = Memory::default();
    let meaning =
        Meaning { limits: Limits { read_bytes: 1000, ..Limits::default() }, ..Meaning::of(Dialect::DISK) };
    let paths = PathMode::Virtual { host_root: None };
    let cx = Context { storage: &storage, meaning: &meaning, paths: &paths, control: &Unlimited, now: "" };
    let metadata =
        Metadata { kind: Kind::File, size, created: Time::Unknown, modified: Time::Unknown, mime: None };
    let window = LineWindow { offset: 0, limit: Some(1) };
    let path = VirtualPath::parse(path).unwrap();
    read_source(&cx, &path, &Sparse { head, metadata }, window, None).map_err(|fault| fault.kind)
}

#[test]
fn a_log_with_a_hole_that_is_too_large_for_bytes_is_read_by_lines() {
    let first = ReadFile::Text {
        text: "first".into(),
        mime: "text/plain".into(),
        total_lines: 2,
        span: Some((1, 1)),
        next_offset: Some(1),
        encoding: None,
    };
    assert_eq!(read_first_line("/big.log", b"first\n", 1001), Ok(first));
    // The hole itself is one line, and too large as well.
    assert_eq!(read_first_line("/big.log", b"", 1001), Err(ErrorKind::TooLarge));
    // What can be handed out as bytes is, and what is binary by name has no lines.
    assert!(matches!(read_first_line("/big.log", b"first\n", 1000), Ok(ReadFile::Bytes { .. })));
    assert_eq!(read_first_line("/big.png", b"first\n", 1001), Err(ErrorKind::TooLarge));
}
