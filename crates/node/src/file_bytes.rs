//! Bytes of files on their way to JS.

use napi::{bindgen_prelude::*, sys};

/// From here on, in bytes, handing memory over takes less time than copying it. A shorter content is copied into memory of
/// V8's own, for which nothing has to be called back when it is collected.
const LEND_FROM: usize = 64 << 10;

/// See the module. A `Uint8Array` with memory of its own.
pub struct FileBytes(Vec<u8>);

impl From<Vec<u8>> for FileBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl TypeName for FileBytes {
    fn type_name() -> &'static str {
        Uint8Array::type_name()
    }
    fn value_type() -> ValueType {
        Uint8Array::value_type()
    }
}

impl ToNapiValue for FileBytes {
    #[expect(unsafe_code, reason = "the trait of the binding library is unsafe; this only forwards")]
    unsafe fn to_napi_value(env: sys::napi_env, Self(bytes): Self) -> Result<sys::napi_value> {
        if bytes.len() >= LEND_FROM {
            // SAFETY: `env` is the environment that the caller of this conversion vouches for.
            return unsafe { Uint8Array::to_napi_value(env, bytes.into()) };
        }
        let copy = Uint8ArraySlice::copy_from(&Env::from_raw(env), &bytes)?;
        // SAFETY: as above.
        unsafe { Uint8ArraySlice::to_napi_value(env, copy) }
    }
}
