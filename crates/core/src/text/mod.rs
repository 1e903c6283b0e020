//! What a file's bytes mean as text: encodings, windows of lines, replacement.

pub mod encoding;
pub mod number;
pub mod replace;
pub mod window;

mod blocks;
mod detect;
mod fold;
mod hint;
mod index;
mod line_ends;
mod matches;
mod spliced;
mod view;

pub use detect::{HEAD_BYTES, detect};
pub use encoding::{Detected, decode, encode};
pub use index::LineIndex;
pub use number::{DEFAULT_LIMIT, line_limit, line_offset, line_window};
pub use replace::{Replaced, replace_bytes, replace_text};
pub use spliced::Spliced;
pub use window::{LinePlan, LineWindow, Page, Paged, page_bytes, page_indexed, page_source, page_text};
