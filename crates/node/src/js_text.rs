//! Texts on their way from JS.

use napi::{bindgen_prelude::*, sys};
use std::ptr;

/// A text from JS. As a `String` it would be gone through twice, once to learn its length in UTF-8.
pub struct JsText(String);

impl AsRef<str> for JsText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl TypeName for JsText {
    fn type_name() -> &'static str {
        "string"
    }
    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ValidateNapiValue for JsText {}

impl FromNapiValue for JsText {
    #[expect(unsafe_code, reason = "the trait of the binding library is unsafe; this only forwards")]
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        let mut bytes = Vec::new();
        // SAFETY: `env` and `value` are what the caller vouches for.
        unsafe { read(env, value, &mut bytes) }?;
        String::from_utf8(bytes).map(Self).map_err(|_| ill_formed())
    }
}

/// An array of texts, which cross one by one as they are asked for: into memory that was used for the one before.
pub struct JsTexts {
    env: sys::napi_env,
    array: sys::napi_value,
    len: u32,
}

impl JsTexts {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// The text at an index, put into `room` in place of what is there.
    #[expect(unsafe_code, reason = "the calls of Node-API are unsafe; this one gets a live array")]
    pub fn read<'r>(&self, at: u32, room: &'r mut Vec<u8>) -> Result<&'r str> {
        let mut value = ptr::null_mut();
        // SAFETY: a `JsTexts` is an argument of a call and cannot leave its thread, so both are alive as long as it is.
        let status = unsafe { sys::napi_get_element(self.env, self.array, at, &raw mut value) };
        check_status!(status, "the array cannot be read")?;
        // SAFETY: as above; the value was just got.
        unsafe { read(self.env, value, room) }?;
        str::from_utf8(room).map_err(|_| ill_formed())
    }
}

impl TypeName for JsTexts {
    fn type_name() -> &'static str {
        "string[]"
    }
    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ValidateNapiValue for JsTexts {}

impl FromNapiValue for JsTexts {
    #[expect(unsafe_code, reason = "the calls of Node-API are unsafe; this one gets a live value")]
    unsafe fn from_napi_value(env: sys::napi_env, array: sys::napi_value) -> Result<Self> {
        let mut len = 0;
        // SAFETY: `env` and `array` are what the caller vouches for.
        let status = unsafe { sys::napi_get_array_length(env, array, &raw mut len) };
        check_status!(status, "an array is expected")?;
        Ok(Self { env, array, len })
    }
}

/// Puts a string into `bytes`, as UTF-8.
///
/// # Safety
/// `env` and `value` are alive.
#[expect(
    unsafe_code,
    reason = "the calls of Node-API are unsafe; these get a live value and a buffer with its size"
)]
unsafe fn read(env: sys::napi_env, value: sys::napi_value, bytes: &mut Vec<u8>) -> Result<()> {
    let mut units = 0;
    // SAFETY: as the caller vouches; without a buffer only the length is told.
    let status = unsafe { sys::napi_get_value_string_utf16(env, value, ptr::null_mut(), 0, &raw mut units) };
    check_status!(status, "a string is expected")?;
    bytes.clear();
    // A unit takes three bytes at most (a pair of them four), and there is a NUL at the end.
    bytes.reserve(units.saturating_mul(3).saturating_add(1));
    let mut written = 0;
    // SAFETY: as before; the buffer has the size that is told with it.
    let status = unsafe {
        let start = bytes.as_mut_ptr().cast();
        sys::napi_get_value_string_utf8(env, value, start, bytes.capacity(), &raw mut written)
    };
    check_status!(status, "the string cannot be read")?;
    // SAFETY: the call has written that many bytes, which the capacity holds.
    unsafe { bytes.set_len(written.min(bytes.capacity())) };
    Ok(())
}

fn ill_formed() -> Error {
    Error::new(Status::InvalidArg, "the string is not well formed")
}
