//! What the file protocol of AI agents means, once, for every place that bytes can live and every runtime that asks.
//!
//! The crate is synchronous and host-free: it knows no disk, no clock, no process and no JavaScript, and builds for
//! `wasm32-unknown-unknown`. Operations ([`ops`]) are plain functions over a [`Storage`].

pub mod columns;
pub mod content;
pub mod dialect;
pub mod error;
pub mod limits;
pub mod message;
pub mod mime;
pub mod ops;
pub mod path;
pub mod pattern;
pub mod record;
pub mod storage;
pub mod text;
pub mod time;
pub mod tree;

pub use dialect::Dialect;
pub use error::{Error, ErrorKind, Fault, Operation};
pub use limits::{Control, Limits, Unlimited};
pub use path::VirtualPath;
pub use storage::{Memory, Storage};
