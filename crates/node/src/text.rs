//! Text on its way to JS. A long one is lent without a copy where the runtime can take it so.

use deepfs_core::text::encoding::{latin1_bytes, utf16_units};
use napi::{bindgen_prelude::*, sys};
use std::{
    ffi::{c_char, c_void},
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Text in the form that costs the JS thread least; made off that thread.
pub enum Text {
    /// Every character is one byte in Latin-1, V8's compact form.
    Latin1(Vec<u8>),
    /// UTF-16.
    Utf16(Vec<u16>),
    /// Short enough for the conversion not to matter.
    Utf8(String),
}

/// From here on, in bytes, decoding on the JS thread takes longer than preparing elsewhere saves, and a copy longer than
/// handing the memory over.
const PREPARE_FROM: usize = 64 << 10;

impl From<String> for Text {
    fn from(text: String) -> Self {
        if text.is_ascii() {
            return Self::Latin1(text.into_bytes());
        }
        if text.len() < PREPARE_FROM {
            return Self::Utf8(text);
        }
        latin1_bytes(&text).map_or_else(|| Self::Utf16(utf16_units(&text)), Self::Latin1)
    }
}

impl TypeName for Text {
    fn type_name() -> &'static str {
        "string"
    }
    fn value_type() -> ValueType {
        ValueType::String
    }
}

impl ToNapiValue for Text {
    #[expect(
        unsafe_code,
        reason = "the calls of Node-API are unsafe; these get a live buffer and its length"
    )]
    unsafe fn to_napi_value(env: sys::napi_env, text: Self) -> Result<sys::napi_value> {
        let mut value = ptr::null_mut();
        // SAFETY: `env` is the environment the caller vouches for; each buffer outlives its call.
        let status = unsafe {
            match text {
                Self::Latin1(bytes) => match External::known() {
                    Some(external) if bytes.len() >= PREPARE_FROM && may_lend(&bytes) => {
                        hand_over(env, bytes, external.latin1, &raw mut value)
                    }
                    _ => {
                        let (text, length) = (bytes.as_ptr().cast(), length(bytes.len()));
                        sys::napi_create_string_latin1(env, text, length, &raw mut value)
                    }
                },
                Self::Utf16(units) => match External::known() {
                    Some(external) if may_lend(&units) => {
                        hand_over(env, units, external.utf16, &raw mut value)
                    }
                    _ => sys::napi_create_string_utf16(
                        env,
                        units.as_ptr(),
                        length(units.len()),
                        &raw mut value,
                    ),
                },
                Self::Utf8(text) => {
                    let (start, length) = (text.as_ptr().cast(), length(text.len()));
                    sys::napi_create_string_utf8(env, start, length, &raw mut value)
                }
            }
        };
        check_status!(status, "the text is too long for a JS string")?;
        Ok(value)
    }
}

fn length(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

/// A function of Node-API that makes a string of memory which stays ours until it calls back.
type Create<Unit> = unsafe extern "C" fn(
    sys::napi_env,
    *const Unit,
    isize,
    Option<unsafe extern "C" fn(sys::napi_env, *mut c_void, *mut c_void)>,
    *mut c_void,
    *mut sys::napi_value,
    *mut bool,
) -> sys::napi_status;

/// These came with Node 18.18 and 20.4. Other runtimes may lack them, and nothing but the symbols tells.
#[derive(Clone, Copy)]
struct External {
    latin1: Create<c_char>,
    utf16: Create<u16>,
}

impl External {
    fn known() -> Option<Self> {
        static KNOWN: OnceLock<Option<External>> = OnceLock::new();
        // The switch of every shortcut: see `fast-paths.ts`.
        let is_off = || std::env::var_os("DEEPFS_FAST_PATHS").is_some_and(|setting| setting == "off");
        *KNOWN.get_or_init(|| if is_off() { None } else { Self::look_up() })
    }

    #[expect(
        unsafe_code,
        reason = "symbols have no types; these two are declared as in Node's js_native_api.h"
    )]
    fn look_up() -> Option<Self> {
        #[cfg(unix)]
        let host = libloading::os::unix::Library::this();
        #[cfg(windows)]
        let host = libloading::os::windows::Library::this().ok()?;
        // SAFETY: the symbols are functions of the running program, of these signatures, and never go away.
        unsafe {
            Some(Self {
                latin1: *host.get::<Create<c_char>>(b"node_api_create_external_string_latin1\0").ok()?,
                utf16: *host.get::<Create<u16>>(b"node_api_create_external_string_utf16\0").ok()?,
            })
        }
    }
}

/// Memory of ours that JS strings may hold at a time, in bytes; further texts are copied. A string that borrows its text is small to
/// the engine, and lives where it seldom looks for garbage: gigabytes of dead texts would gather. Told of each text, it would look
/// all the time. Within this budget a long text now and then costs neither a copy nor a collection.
const MAX_LENT_BYTES: usize = 64 << 20;

static LENT_BYTES: AtomicUsize = AtomicUsize::new(0);

fn bytes_of<Item>(buffer: &Vec<Item>) -> usize {
    buffer.capacity() * size_of::<Item>()
}

/// Takes the buffer's size from the budget, if it fits; [`take_back`] gives it back.
fn may_lend<Item>(buffer: &Vec<Item>) -> bool {
    let with_it = |lent: usize| lent.checked_add(bytes_of(buffer)).filter(|&sum| sum <= MAX_LENT_BYTES);
    LENT_BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_it).is_ok()
}

/// Gives a buffer to a JS string; it is dropped when the string is, or at once if the runtime made a copy after all.
#[expect(
    unsafe_code,
    reason = "Node-API takes the buffer as a pointer, and gives it back to `take_back` exactly once"
)]
unsafe fn hand_over<Item, Unit>(
    env: sys::napi_env,
    buffer: Vec<Item>,
    create: Create<Unit>,
    value: *mut sys::napi_value,
) -> sys::napi_status {
    let (start, units) = (buffer.as_ptr().cast(), length(buffer.len()));
    let owner = Box::into_raw(Box::new(buffer));
    let mut copied = false;
    // SAFETY: the buffer lives until `take_back` is called with `owner`.
    unsafe { create(env, start, units, Some(take_back::<Item>), owner.cast(), value, &raw mut copied) }
}

#[expect(unsafe_code, reason = "the counterpart of `hand_over`")]
unsafe extern "C" fn take_back<Item>(_: sys::napi_env, _: *mut c_void, owner: *mut c_void) {
    // SAFETY: `owner` is the box that `hand_over` made for a buffer of these items, and this is its one call.
    let buffer = unsafe { Box::from_raw(owner.cast::<Vec<Item>>()) };
    LENT_BYTES.fetch_sub(bytes_of(&buffer), Ordering::Relaxed);
}
