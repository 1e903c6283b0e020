//! Rows as columns: the form in which many rows leave the core. A row of five fields costs a few times less as a
//! place in five arrays than as an object of its own, and the arrays are made off the JS thread.

use crate::{
    ops::{Listing, Matches},
    storage::Time,
};

/// Rows of line texts in one block of [`MatchColumns::texts`], so that no slice of work on the JS thread is long.
pub const BLOCK_ROWS: usize = 8192;

/// An ISO text of this century and what separates it from the next.
const STAMP_BYTES: usize = 25;

/// The rows of `ls` and `glob`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileColumns {
    /// Paths joined by NUL, which no path contains.
    pub paths: String,
    /// The number of rows.
    pub count: u32,
    /// Bytes; -1 where the size must not be told.
    pub sizes: Vec<f64>,
    /// 1 for a folder.
    pub folders: Vec<u8>,
    /// ISO texts joined by NUL, empty where the time is not known.
    pub stamps: String,
    /// Whether a row whose time is not known tells an empty one, as in storages that keep texts.
    pub tells_unknown: bool,
    /// Whether a cap or time limit ended the work early.
    pub truncated: bool,
}

impl From<Listing> for FileColumns {
    fn from(listing: Listing) -> Self {
        let rows = listing.rows;
        let mut columns = Self {
            paths: String::with_capacity(rows.iter().map(|row| row.path.len() + 1).sum()),
            count: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            sizes: Vec::with_capacity(rows.len()),
            folders: Vec::with_capacity(rows.len()),
            stamps: String::with_capacity(rows.len() * STAMP_BYTES),
            tells_unknown: rows.iter().any(|row| matches!(row.modified, Time::Text(_))),
            truncated: listing.truncated,
        };
        for (at, row) in rows.iter().enumerate() {
            separate(&mut columns.paths, at, '\0');
            columns.paths.push_str(&row.path);
            columns.sizes.push(row.size.map_or(-1.0, bytes_as_number));
            columns.folders.push(u8::from(row.folder));
            separate(&mut columns.stamps, at, '\0');
            row.modified.push_iso(&mut columns.stamps);
        }
        columns
    }
}

/// The rows of `grep`: the n-th file has `counts[n]` of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchColumns {
    /// Paths of the files with matches, joined by NUL.
    pub paths: String,
    /// Matching lines of each file.
    pub counts: Vec<u32>,
    /// 1-based line numbers of all rows.
    pub lines: Vec<u32>,
    /// Line texts joined by `\n`, in blocks of at most [`BLOCK_ROWS`] rows.
    pub texts: Vec<String>,
    /// Whether a cap or time limit ended the search early.
    pub truncated: bool,
}

impl From<Matches> for MatchColumns {
    fn from(matches: Matches) -> Self {
        let rows = matches.rows();
        let mut columns =
            Self { truncated: matches.truncated, lines: Vec::with_capacity(rows), ..Self::default() };
        let mut block = String::new();
        let mut in_block = 0;
        for (at, (path, found)) in matches.files.into_iter().enumerate() {
            separate(&mut columns.paths, at, '\0');
            columns.paths.push_str(&path);
            columns.counts.push(u32::try_from(found.lines.len()).unwrap_or(u32::MAX));
            columns.lines.extend(found.lines);
            for text in found.texts {
                if in_block == BLOCK_ROWS {
                    columns.texts.push(std::mem::take(&mut block));
                    in_block = 0;
                }
                separate(&mut block, in_block, '\n');
                block.push_str(&text);
                in_block += 1;
            }
        }
        if in_block > 0 {
            columns.texts.push(block);
        }
        columns
    }
}

fn separate(text: &mut String, at: usize, separator: char) {
    if at > 0 {
        text.push(separator);
    }
}

/// A byte count as JavaScript holds it: exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "no file is larger than 2^53 bytes")]
fn bytes_as_number(bytes: u64) -> f64 {
    bytes as f64
}
