//! deepfs as WebAssembly. Functions here parse arguments, call one function of the core, and convert the outcome; what
//! the protocol means is decided in `deepfs-core`.

#![allow(unsafe_code, reason = "wasm-bindgen expands to unsafe glue; nothing here is written unsafe")]

mod convert;
mod memory;
mod rules;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the core that this module was built with.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
