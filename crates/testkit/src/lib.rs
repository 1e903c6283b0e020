//! The corpus (`tests/corpus/*.json`) is the executable specification: files, calls, and the whole result of each call. This
//! crate loads it and runs it over any [`deepfs_core::Storage`]; the JS runner (`tests/support/corpus.ts`) runs the same data
//! over every backend and build.

mod case;
mod compare;
mod run;

pub use case::{Case, Content, Expected, Step, load};
pub use compare::difference;
pub use run::{Report, Target, run_case, run_corpus};
