//! Searching a file that is larger than its first block, block by block.
//!
//! What is held is one block and the piece of a line that the block before ended with. A line that outgrows that is
//! handed to `long_line`.

use super::{LineSearch, Searched, long_line, slice::Collector};
use crate::{error::Fault, limits::Control, storage::Candidate};
use std::ops::ControlFlow;

/// Bytes read at once, and the longest piece of a line that is kept while its end is not in sight.
const BLOCK: usize = 256 << 10;

/// Searches the file of a candidate. One that fails to read is one without matches.
pub(super) fn search(
    search: &LineSearch,
    candidate: &Candidate<'_>,
    control: &dyn Control,
) -> Result<Searched, Fault> {
    search_in_blocks(search, candidate, control, BLOCK)
}

/// As [`search`], in blocks of a size that suits a test.
pub(super) fn search_in_blocks(
    search: &LineSearch,
    candidate: &Candidate<'_>,
    control: &dyn Control,
    block: usize,
) -> Result<Searched, Fault> {
    let mut stream = Stream {
        search,
        candidate,
        control,
        collector: Collector::new(search, search.max_matches),
        held: candidate.head.to_vec(),
        offset: candidate.head.len() as u64,
        is_text: false,
        block,
    };
    Ok(match stream.run()? {
        ControlFlow::Break(other) => other,
        ControlFlow::Continue(()) if stream.collector.found.lines.is_empty() => Searched::Nothing,
        ControlFlow::Continue(()) => Searched::Matches(stream.collector.found),
    })
}

pub(super) struct Stream<'a> {
    pub(super) search: &'a LineSearch,
    pub(super) candidate: &'a Candidate<'a>,
    pub(super) control: &'a dyn Control,
    pub(super) collector: Collector<'a>,
    /// Bytes from the start of a line on, not looked at yet.
    held: Vec<u8>,
    /// Where in the file `held` ends.
    offset: u64,
    /// Whether a hit has shown the file to be UTF-8.
    is_text: bool,
    /// See [`BLOCK`].
    pub(super) block: usize,
}

impl Stream<'_> {
    /// Goes through the file; breaks with what it is if not UTF-8 text.
    fn run(&mut self) -> Result<ControlFlow<Searched>, Fault> {
        let mut ended = false;
        loop {
            self.control.check()?;
            let lines = match ended {
                true => self.held.len(),
                false => memchr::memrchr(b'\n', &self.held).map_or(0, |newline| newline + 1),
            };
            if self.search_lines(lines).is_break() {
                return Ok(self.outcome());
            }
            if ended {
                return Ok(ControlFlow::Continue(()));
            }
            if self.held.len() >= self.block {
                let start = self.offset - self.held.len() as u64;
                self.held = Vec::new();
                match long_line::take(self, start)? {
                    Some(end) => self.offset = end,
                    None => return Ok(self.outcome()),
                }
            }
            match self.read_block() {
                Some(at_end) => ended = at_end,
                None => return Ok(ControlFlow::Break(Searched::Nothing)),
            }
        }
    }

    /// Searches the first `length` bytes held, which are whole lines, and lets go of them.
    fn search_lines(&mut self, length: usize) -> ControlFlow<()> {
        let mut held = std::mem::take(&mut self.held);
        let lines = held.get(..length).unwrap_or(&[]);
        match self.search.needle.finder.find(lines) {
            None => self.collector.pass(lines),
            Some(first) => {
                self.check_text()?;
                self.collector.collect(lines, first)?;
            }
        }
        held.drain(..length);
        self.held = held;
        ControlFlow::Continue(())
    }

    /// Called with the first hit: whether the file is UTF-8 text, so that bytes mean what they say.
    pub(super) fn check_text(&mut self) -> ControlFlow<()> {
        if !self.is_text && Searched::without_utf8(self.candidate).is_some() {
            return ControlFlow::Break(());
        }
        self.is_text = true;
        ControlFlow::Continue(())
    }

    /// Why the search stopped before the end.
    fn outcome(&self) -> ControlFlow<Searched> {
        match self.is_text {
            true => ControlFlow::Continue(()),
            false => {
                Searched::without_utf8(self.candidate).map_or(ControlFlow::Continue(()), ControlFlow::Break)
            }
        }
    }

    /// Adds a block to what is held. Tells whether the file ends with it; `None` where it cannot be read.
    fn read_block(&mut self) -> Option<bool> {
        let start = self.held.len();
        self.held.resize(start + self.block, 0);
        let count = self.candidate.source.read_at(self.offset, self.held.get_mut(start..)?).ok()?;
        self.held.truncate(start + count);
        self.offset += count as u64;
        Some(count < self.block)
    }
}
