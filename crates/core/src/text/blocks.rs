//! Reading a file in blocks: the same few calls over memory and over a [`Source`].

use crate::{error::Fault, limits::Control, storage::Source};

/// How much is read at once when a whole file is looked through, in bytes. Even, so that UTF-16 units stay whole.
const BLOCK: usize = 256 * 1024;

/// How much of a window is read between two questions whether to go on, in bytes.
const SLICE: usize = 4 << 20;

/// Bytes that are looked at in pieces.
pub(super) enum Input<'a> {
    Memory(&'a [u8]),
    File(Blocks<'a>),
}

/// A file and the block of it that was read last.
pub(super) struct Blocks<'a> {
    source: &'a dyn Source,
    control: &'a dyn Control,
    buffer: Vec<u8>,
    start: u64,
    filled: usize,
}

impl<'a> Input<'a> {
    pub fn of(source: &'a dyn Source, control: &'a dyn Control) -> Self {
        if let Some(bytes) = source.in_memory() {
            return Self::Memory(bytes);
        }
        // One byte more than the file should have, so that one read also meets its end.
        let size = usize::try_from(source.metadata().size).unwrap_or(BLOCK).saturating_add(1);
        let buffer = vec![0; size.next_multiple_of(4096).min(BLOCK)];
        Self::File(Blocks { source, control, buffer, start: 0, filled: 0 })
    }

    /// The bytes from `offset` on: at most `most` of them, fewer only at the end.
    pub fn block(&mut self, offset: u64, most: usize) -> Result<&[u8], Fault> {
        match self {
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                Ok(rest.get(..most).unwrap_or(rest))
            }
            Self::File(blocks) => blocks.block(offset, most),
        }
    }

    /// As many bytes as one look at a whole file takes at a time.
    pub fn long_block(&mut self, offset: u64) -> Result<&[u8], Fault> {
        let most = match self {
            Self::Memory(_) => BLOCK,
            Self::File(blocks) => blocks.buffer.len(),
        };
        self.block(offset, most)
    }

    /// The bytes from `start` to `end`, or to the end of the file if that comes first.
    pub fn range(&mut self, start: u64, end: u64) -> Result<Vec<u8>, Fault> {
        let length = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        match self {
            Self::File(blocks) if !blocks.holds(start, length) => blocks.range(start, length),
            _ => self.block(start, length).map(<[u8]>::to_vec),
        }
    }
}

impl Blocks<'_> {
    fn holds(&self, offset: u64, length: usize) -> bool {
        let end = offset.saturating_add(length as u64);
        offset >= self.start && end <= self.start + self.filled as u64
    }

    fn block(&mut self, offset: u64, most: usize) -> Result<&[u8], Fault> {
        let most = most.min(self.buffer.len());
        if !self.holds(offset, most) {
            self.control.check()?;
            let Some(room) = self.buffer.get_mut(..most) else { return Ok(&[]) };
            self.filled = 0;
            self.filled = self.source.read_at(offset, room)?;
            self.start = offset;
        }
        let skipped = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        let rest = self.buffer.get(skipped..self.filled).unwrap_or_default();
        Ok(rest.get(..most).unwrap_or(rest))
    }

    fn range(&self, start: u64, length: usize) -> Result<Vec<u8>, Fault> {
        let mut bytes = vec![0; length];
        let mut filled = 0;
        for slice in bytes.chunks_mut(SLICE) {
            self.control.check()?;
            let count = self.source.read_at(start + filled as u64, slice)?;
            filled += count;
            if count < slice.len() {
                break;
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }
}
