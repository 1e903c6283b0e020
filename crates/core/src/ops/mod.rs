//! The operations, one file per verb, written once over [`Storage`](crate::storage::Storage).
//!
//! Each takes a [`Context`] and the path as the caller spelt it, and answers with a typed outcome or an
//! [`Error`](crate::Error) that repeats that spelling.

mod context;
mod delete;
mod edit;
mod glob;
mod grep;
mod ls;
mod outcome;
mod read;
pub mod records;
mod transfer;
mod write;

pub use context::{Context, Meaning, PathMode};
pub use delete::delete;
pub use edit::{Edited, edit};
pub use glob::glob;
pub use grep::grep;
pub use ls::ls;
pub use outcome::{Listing, Matches, Row};
pub use read::{RawContent, RawFile, ReadFile, read, read_raw, read_source};
pub use transfer::{download, upload};
pub use write::write;
