//! Caps of one call, and the means to stop it.

use crate::error::{ErrorKind, Fault};

/// Caps of a backend. A cap stops the work; the answer then says so (`truncated`, or an error).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The largest content that one `read` or `readRaw` hands out, in bytes. A text window is streamed, so
    /// this bounds the window, not the file.
    pub read_bytes: u64,
    /// The largest content that `write`, `edit` or one uploaded file may have, in bytes.
    pub write_bytes: u64,
    /// Files larger than this are left out of `grep`, in bytes: the option `maxFileSizeMb`. None are unless asked for:
    /// a search reads in blocks and stops at its caps, whatever the size of a file.
    pub grep_file_bytes: u64,
    /// The most bytes of paths and lines that one `ls`, `glob` or `grep` collects before it stops.
    pub result_bytes: u64,
    /// The most entries that one walk visits before it stops.
    pub walk_entries: u64,
    /// The longest matching line `grep` hands out, in characters; longer ones are cut around the match.
    pub line_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // V8 strings end at about 512 MiB (2^29 - 24 units); a result must stay well below.
            read_bytes: 256 << 20,
            write_bytes: 256 << 20,
            grep_file_bytes: u64::MAX,
            result_bytes: 64 << 20,
            walk_entries: 10_000_000,
            line_chars: 2_000,
        }
    }
}

/// Tells a running operation whether to go on. The host implements it with a flag and a clock, which the
/// core does not have.
pub trait Control: Sync {
    /// `Err` with [`ErrorKind::Cancelled`] or [`ErrorKind::TimedOut`] once the call has to end. Cheap: called
    /// once per file and per block of bytes.
    ///
    /// # Errors
    /// The reason to stop.
    fn check(&self) -> Result<(), Fault>;
}

/// A [`Control`] that never stops anything.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unlimited;

impl Control for Unlimited {
    fn check(&self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Whether a stop is the end of a search (its findings so far are an answer) or the end of the call.
#[must_use]
pub fn keeps_partial_result(fault: &Fault) -> bool {
    fault.kind == ErrorKind::TimedOut
}
