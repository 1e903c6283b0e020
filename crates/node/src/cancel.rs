//! `CancelHandle`: a flag that running calls look at.

use napi_derive::napi;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// See `CancelHandle` in the contract.
#[napi(js_name = "Cancel")]
#[derive(Default)]
pub struct CancelHandle {
    flag: Arc<AtomicBool>,
}

#[napi]
impl CancelHandle {
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    #[napi]
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

impl CancelHandle {
    /// The flag of a call: the caller's, or one that nobody raises.
    pub fn flag(given: Option<&Self>) -> Arc<AtomicBool> {
        given.map(|cancel| Arc::clone(&cancel.flag)).unwrap_or_default()
    }
}
