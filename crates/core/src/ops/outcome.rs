//! Rows of listings and searches, collected under a byte cap.

use crate::storage::{FileMatches, Kind, Metadata, Time};

/// One file or folder of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The full virtual path; a folder's ends in a slash.
    pub path: String,
    /// Whether it is a folder.
    pub folder: bool,
    /// Bytes; 0 for a folder; `None` for a link that leads out of the root, whose target is nobody's business.
    pub size: Option<u64>,
    /// Last modified.
    pub modified: Time,
}

impl Row {
    /// The row of a path; `None` for what listings do not show: special files and links that lead nowhere.
    #[must_use]
    pub fn of(path: String, metadata: &Metadata) -> Option<Self> {
        let modified = metadata.modified.clone();
        match metadata.kind {
            Kind::File => Some(Self { path, folder: false, size: Some(metadata.size), modified }),
            Kind::Directory => Some(Self { path: path + "/", folder: true, size: Some(0), modified }),
            Kind::OutsideLink => Some(Self { path, folder: false, size: None, modified: Time::Unknown }),
            Kind::DeadLink | Kind::Special => None,
        }
    }
}

/// The rows of `ls` and `glob`, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    /// The rows.
    pub rows: Vec<Row>,
    /// Whether a cap or time limit ended the work early.
    pub truncated: bool,
    bytes: u64,
}

/// What a row costs besides its path: size, time, flags and the object made of it.
const ROW_BYTES: u64 = 64;

impl Listing {
    /// Adds a row; false when `cap` bytes are collected already, and the listing is then truncated.
    pub fn push(&mut self, row: Row, cap: u64) -> bool {
        self.bytes += row.path.len() as u64 + ROW_BYTES;
        if self.bytes > cap {
            self.truncated = true;
            return false;
        }
        self.rows.push(row);
        true
    }
}

/// The matches of `grep`, file by file, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// Path and matching lines of each file.
    pub files: Vec<(String, FileMatches)>,
    /// Whether a cap or time limit ended the search early.
    pub truncated: bool,
    rows: usize,
    bytes: u64,
}

impl Matches {
    /// Adds what one file has, as far as `max_rows` and `cap` bytes allow. False when the search is over: there is
    /// more than was asked for.
    pub fn push(&mut self, path: String, mut found: FileMatches, max_rows: usize, cap: u64) -> bool {
        let room = max_rows - self.rows;
        let mut fits = 0;
        for text in found.texts.iter().take(room) {
            self.bytes += text.len() as u64 + ROW_BYTES;
            if self.bytes > cap {
                break;
            }
            fits += 1;
        }
        self.truncated = fits < found.texts.len() || found.more;
        found.lines.truncate(fits);
        found.texts.truncate(fits);
        self.rows += fits;
        if fits > 0 {
            self.files.push((path, found));
        }
        !self.truncated
    }

    /// The number of matching lines.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }
}
