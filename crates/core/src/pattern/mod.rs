//! Patterns: [`Glob`] for paths, [`Needle`] for lines.

mod filter;
mod glob;
mod literal;

pub use filter::GrepFilter;
pub use glob::{Glob, GlobOptions};
pub use literal::{LineSearch, Needle};
