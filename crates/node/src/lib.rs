//! deepfs as a Node addon. Functions here parse arguments, call one function of the core or the host, and convert
//! the outcome; what the protocol means is decided in `deepfs-core`.
//!
//! A panic would end the user's process: every call runs inside `task::guarded`, which makes it an error result.

#![allow(
    unsafe_code,
    reason = "napi-derive expands to the unsafe calls of Node-API; nothing here is written unsafe"
)]

mod cancel;
mod convert;
mod disk;
mod file_bytes;
mod js_text;
mod memory;
mod record;
mod rules;
mod shell;
mod task;
mod text;

use napi_derive::napi;

/// The version of the core that this addon was built with.
#[napi(catch_unwind)]
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
