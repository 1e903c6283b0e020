//! The shapes of values as they cross to JS: the Rust side of `binding/contract.ts`, and nothing else.

use deepfs_core::{
    Dialect, Error,
    columns::{FileColumns, MatchColumns},
    content::Content,
    ops::{Edited, Meaning, RawContent, RawFile, ReadFile},
    record::{Body, Record},
    text::LinePlan,
};
use js_sys::{Array, Float64Array, Int32Array, JsString, Object, Reflect, Uint8Array, Uint32Array};
use std::{cell::RefCell, collections::HashMap};
use wasm_bindgen::{JsCast, JsValue};

/// A plain object; fields that are `undefined` are left out, as in the native build.
pub fn object<const N: usize>(fields: [(&'static str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        if !value.is_undefined() {
            // Setting a field of a fresh plain object cannot fail.
            let _ = Reflect::set(&object, &known_name(name), &value);
        }
    }
    object.into()
}

/// The name of a field. Decoding it for each object would take longer than most calls do otherwise; there are a few dozen.
fn known_name(name: &'static str) -> JsValue {
    thread_local! {
        static NAMES: RefCell<HashMap<&'static str, JsValue>> = RefCell::default();
    }
    NAMES.with_borrow_mut(|names| names.entry(name).or_insert_with(|| JsValue::from_str(name)).clone())
}

/// A result as JS sees it: the value's shape, or a failure.
pub fn shaped<T: Shape>(result: Result<T, Error>) -> JsValue {
    match result {
        Ok(value) => value.shape(),
        Err(error) => failure(&error),
    }
}

/// A failure: the sentence and the code.
pub fn failure(error: &Error) -> JsValue {
    object([("error", error.to_string().into()), ("code", error.kind.code().into())])
}

/// What a value looks like in JS.
pub trait Shape {
    /// Makes the JS value.
    fn shape(self) -> JsValue;
}

impl Shape for () {
    fn shape(self) -> JsValue {
        JsValue::NULL
    }
}

impl Shape for Vec<u32> {
    fn shape(self) -> JsValue {
        Uint32Array::from(self.as_slice()).into()
    }
}

impl Shape for (Vec<i32>, String) {
    fn shape(self) -> JsValue {
        object([("files", Int32Array::from(self.0.as_slice()).into()), ("folders", self.1.into())])
    }
}

impl Shape for FileColumns {
    fn shape(self) -> JsValue {
        object([
            ("paths", self.paths.into()),
            ("count", self.count.into()),
            ("sizes", Float64Array::from(self.sizes.as_slice()).into()),
            ("folders", Uint8Array::from(self.folders.as_slice()).into()),
            ("stamps", self.stamps.into()),
            ("tellsUnknown", self.tells_unknown.into()),
            ("truncated", self.truncated.into()),
        ])
    }
}

impl Shape for MatchColumns {
    fn shape(self) -> JsValue {
        let texts: Array = self.texts.into_iter().map(JsValue::from).collect();
        object([
            ("paths", self.paths.into()),
            ("counts", Uint32Array::from(self.counts.as_slice()).into()),
            ("lines", Uint32Array::from(self.lines.as_slice()).into()),
            ("texts", texts.into()),
            ("truncated", self.truncated.into()),
        ])
    }
}

impl Shape for ReadFile {
    fn shape(self) -> JsValue {
        match self {
            Self::Text { text, mime, total_lines, span, next_offset, encoding } => object([
                ("content", text.into()),
                ("mimeType", mime.into()),
                ("totalLines", number(total_lines)),
                ("startLine", span.map_or(JsValue::UNDEFINED, |(start, _)| number(start))),
                ("endLine", span.map_or(JsValue::UNDEFINED, |(_, end)| number(end))),
                ("nextOffset", next_offset.map_or(JsValue::UNDEFINED, number)),
                ("encoding", encoding.into()),
            ]),
            Self::Bytes { bytes, mime } => {
                object([("content", Uint8Array::from(bytes.as_slice()).into()), ("mimeType", mime.into())])
            }
        }
    }
}

impl Shape for RawFile {
    fn shape(self) -> JsValue {
        let content = match self.content {
            RawContent::Text(text) => text.into(),
            RawContent::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        };
        object([
            ("content", content),
            ("mimeType", self.mime.into()),
            ("created", JsValue::from_str(&self.created.iso())),
            ("modified", JsValue::from_str(&self.modified.iso())),
            ("encoding", self.encoding.into()),
        ])
    }
}

impl Shape for LinePlan {
    fn shape(self) -> JsValue {
        object([
            ("totalLines", number(self.total_lines)),
            ("startLine", number(self.start_line)),
            ("endLine", number(self.end_line)),
            ("nextOffset", self.next_offset.map_or(JsValue::UNDEFINED, number)),
            ("skip", number(self.skip)),
            ("until", self.until.map_or(JsValue::UNDEFINED, number)),
        ])
    }
}

impl Shape for Edited {
    fn shape(self) -> JsValue {
        object([("occurrences", count(self.occurrences)), ("filled", self.filled.into())])
    }
}

impl Shape for (String, Edited) {
    fn shape(self) -> JsValue {
        edited(self.0.into(), self.1)
    }
}

impl Shape for (Vec<u8>, Edited) {
    fn shape(self) -> JsValue {
        edited(Uint8Array::from(self.0.as_slice()).into(), self.1)
    }
}

fn edited(content: JsValue, edited: Edited) -> JsValue {
    object([
        ("occurrences", count(edited.occurrences)),
        ("filled", edited.filled.into()),
        ("content", content),
    ])
}

impl Shape for Record {
    fn shape(self) -> JsValue {
        object([("content", body(&self.body)), ("mimeType", self.mime.into())])
    }
}

/// One answer of an upload or a download.
pub fn transfer(result: Result<Option<Vec<u8>>, Error>) -> JsValue {
    match result {
        Ok(content) => object([
            ("content", content.map_or(JsValue::NULL, |bytes| Uint8Array::from(bytes.as_slice()).into())),
            ("error", JsValue::NULL),
        ]),
        Err(error) => object([
            ("content", JsValue::NULL),
            ("error", error.kind.transfer_code().into()),
            ("code", error.kind.code().into()),
            ("message", error.to_string().into()),
        ]),
    }
}

/// The content of a record.
pub fn body(body: &Body) -> JsValue {
    match body {
        Body::Text(text) => text.into(),
        Body::Bytes(bytes) => Uint8Array::from(bytes.as_slice()).into(),
    }
}

/// Text or bytes that came from JS.
pub enum Given {
    /// A string.
    Text(String),
    /// A `Uint8Array`.
    Bytes(Vec<u8>),
}

impl Given {
    /// Takes what `protocol/arguments.ts` let through: a string or a `Uint8Array`.
    pub fn from(value: &JsValue) -> Self {
        match (value.as_string(), value.dyn_ref::<Uint8Array>()) {
            (Some(text), _) => Self::Text(text),
            (None, bytes) => Self::Bytes(bytes.map(Uint8Array::to_vec).unwrap_or_default()),
        }
    }

    /// The same, borrowed.
    pub fn content(&self) -> Content<'_> {
        match self {
            Self::Text(text) => Content::Text(text),
            Self::Bytes(bytes) => Content::Bytes(bytes),
        }
    }
}

/// Strings of a JS array.
pub fn strings(array: &Array) -> Vec<String> {
    array.iter().map(|value| value.as_string().unwrap_or_default()).collect()
}

/// A field of an object of options.
pub fn field(options: &JsValue, name: &str) -> JsValue {
    Reflect::get(options, &JsString::from(name)).unwrap_or(JsValue::UNDEFINED)
}

/// The options as the core takes them, with its defaults for what is missing.
pub fn meaning(options: &JsValue) -> Meaning {
    let dialect = field(options, "dialect").as_string().and_then(|name| Dialect::named(&name));
    let mut meaning = Meaning::of(dialect.unwrap_or(Dialect::STATE));
    meaning.sniff = field(options, "sniff").as_bool().unwrap_or(true);
    meaning.bare_recursive = field(options, "bareGlobRecursive").as_bool().unwrap_or(false);
    meaning.create_only = field(options, "createOnly").as_bool().unwrap_or(false);
    meaning.strict_ls = field(options, "strictLs").as_bool().unwrap_or(false);
    meaning.glob_directories = field(options, "globDirectories").as_bool().unwrap_or(false);
    let given = field(options, "limits");
    let limits = &mut meaning.limits;
    limits.read_bytes = cap(&given, "readBytes", limits.read_bytes);
    limits.write_bytes = cap(&given, "writeBytes", limits.write_bytes);
    limits.grep_file_bytes = cap(&given, "grepFileBytes", limits.grep_file_bytes);
    limits.result_bytes = cap(&given, "resultBytes", limits.result_bytes);
    limits.walk_entries = cap(&given, "walkEntries", limits.walk_entries);
    let line_chars = cap(&given, "lineChars", limits.line_chars as u64);
    limits.line_chars = usize::try_from(line_chars).unwrap_or(usize::MAX);
    meaning
}

/// A cap as JS gives it: a missing or odd number is the default, Infinity is no cap.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as wanted here")]
fn cap(limits: &JsValue, name: &str, default: u64) -> u64 {
    field(limits, name).as_f64().filter(|number| *number >= 0.0).map_or(default, |number| number as u64)
}

/// A count of lines or bytes as JS holds it: exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "nothing counted here reaches 2^53")]
fn number(count: u64) -> JsValue {
    JsValue::from_f64(count as f64)
}

/// A number of rows or characters as JS gives it; more than any answer has is no cap.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as wanted here")]
pub fn rows(number: f64) -> usize {
    number as usize
}

fn count(count: usize) -> JsValue {
    u32::try_from(count).unwrap_or(u32::MAX).into()
}
