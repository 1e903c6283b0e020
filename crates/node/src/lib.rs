//! deepfs as a Node addon. Functions here parse arguments, call one function of the core or the host, and convert
//! the outcome; what the protocol means is decided in `deepfs-core`.
//!
//! A panic in a plain function would end the user's process: each one carries `#[napi(catch_unwind)]`, which makes it
//! a JS exception, and tasks catch panics in their own body.

#![allow(unsafe_code, reason = "napi-derive expands to the unsafe calls of Node-API; nothing here is written unsafe")]

use napi_derive::napi;

/// The version of the core that this addon was built with.
#[napi(catch_unwind)]
#[must_use]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

macro_rules! handle {
    ($name:ident) => {
        /// A handle that JS holds.
        #[napi]
        #[derive(Default)]
        pub struct $name;

        #[napi]
        impl $name {
            /// Makes the handle.
            #[napi(constructor)]
            #[must_use]
            pub fn new() -> Self {
                Self
            }
        }
    };
}

handle!(Memory);
handle!(Disk);
handle!(Shell);
handle!(Cancel);
