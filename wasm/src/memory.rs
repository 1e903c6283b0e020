//! `MemoryHandle`: files in the core's own memory.

use crate::convert::{Given, Shape, body, failure, field, meaning, object, rows, shaped, strings, transfer};
use deepfs_core::{
    Control, Error, ErrorKind, Fault, Memory, Operation, Unlimited, VirtualPath,
    columns::{FileColumns, MatchColumns},
    ops::{self, Context, Meaning, PathMode},
    record::{Body, Record},
    text::line_window,
};
use js_sys::{Array, Date, Uint8Array};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

const VIRTUAL: PathMode = PathMode::Virtual { host_root: None };

/// Stops a search at a point in time, in milliseconds since 1970.
struct Deadline {
    until: Option<f64>,
}

impl Control for Deadline {
    fn check(&self) -> Result<(), Fault> {
        match self.until {
            Some(until) if Date::now() >= until => Err(ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }
}

/// See `MemoryHandle` in the contract. Every method takes `&self`: were one to trap, the object stays usable.
#[wasm_bindgen(js_name = Memory)]
pub struct MemoryHandle {
    files: Memory,
    meaning: Meaning,
    /// The longest time of one search, in milliseconds.
    search_ms: Option<f64>,
}

#[wasm_bindgen(js_class = Memory)]
impl MemoryHandle {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Self {
        let search_ms = field(&field(options, "limits"), "searchMs").as_f64().filter(|ms| *ms >= 0.0);
        Self { files: Memory::default(), meaning: meaning(options), search_ms }
    }

    fn cx<'a>(&'a self, now: &'a str) -> Context<'a> {
        Context { storage: &self.files, meaning: &self.meaning, paths: &VIRTUAL, control: &Unlimited, now }
    }

    fn search<T>(&self, run: impl FnOnce(&Context<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let control = Deadline { until: self.search_ms.map(|ms| Date::now() + ms) };
        run(&Context { control: &control, ..self.cx("") })
    }

    pub fn ls(&self, path: &str) -> JsValue {
        shaped(self.search(|cx| ops::ls(cx, path)).map(FileColumns::from))
    }

    pub fn read(&self, path: &str, offset: f64, limit: f64) -> JsValue {
        shaped(ops::read(&self.cx(""), path, line_window(offset, limit)))
    }

    #[wasm_bindgen(js_name = readRaw)]
    pub fn read_raw(&self, path: &str) -> JsValue {
        shaped(ops::read_raw(&self.cx(""), path))
    }

    pub fn write(&self, path: &str, content: &JsValue, now: &str) -> JsValue {
        shaped(ops::write(&self.cx(now), path, Given::from(content).content()))
    }

    pub fn edit(
        &self,
        path: &str,
        old_string: &str,
        new_string: &str,
        replace_all: bool,
        now: &str,
    ) -> JsValue {
        shaped(ops::edit(&self.cx(now), path, old_string, new_string, replace_all))
    }

    pub fn glob(&self, pattern: &str, path: &str) -> JsValue {
        shaped(self.search(|cx| ops::glob(cx, pattern, path)).map(FileColumns::from))
    }

    pub fn grep(&self, pattern: &str, path: &str, glob: Option<String>, max_count: Option<f64>) -> JsValue {
        let max = max_count.map(rows);
        shaped(self.search(|cx| ops::grep(cx, pattern, path, glob.as_deref(), max)).map(MatchColumns::from))
    }

    pub fn delete(&self, path: &str) -> JsValue {
        shaped(ops::delete(&self.cx(""), path))
    }

    pub fn upload(&self, paths: &Array, contents: &Array, now: &str) -> Array {
        let files = strings(paths).into_iter().zip(contents.iter());
        files
            .map(|(path, bytes)| {
                let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
                transfer(ops::upload(&self.cx(now), &path, &bytes).map(|()| None))
            })
            .collect()
    }

    pub fn download(&self, paths: &Array) -> Array {
        strings(paths).iter().map(|path| transfer(ops::download(&self.cx(""), path).map(Some))).collect()
    }

    pub fn snapshot(&self) -> Array {
        let records = self.files.snapshot().into_iter();
        records
            .map(|(path, record)| {
                object([
                    ("path", path.into()),
                    ("content", body(&record.body)),
                    ("mimeType", record.mime.as_str().into()),
                    ("created_at", record.created.as_str().into()),
                    ("modified_at", record.modified.as_str().into()),
                ])
            })
            .collect()
    }

    pub fn restore(&self, records: &Array) -> JsValue {
        let mut parsed = Vec::new();
        for value in records.iter() {
            let text = |name| field(&value, name).as_string().unwrap_or_default();
            let raw = text("path");
            let path = match VirtualPath::parse(&raw) {
                Ok(path) => path,
                Err(fault) => return failure(&fault.at(Operation::Upload, &raw)),
            };
            let body = match Given::from(&field(&value, "content")) {
                Given::Text(text) => Body::Text(text),
                Given::Bytes(bytes) => Body::Bytes(bytes),
            };
            let record = Record {
                body,
                mime: text("mimeType"),
                created: text("created_at"),
                modified: text("modified_at"),
            };
            parsed.push((path, record));
        }
        match self.files.restore(parsed) {
            Ok(()) => ().shape(),
            Err(fault) => failure(&fault.at(Operation::Upload, "/")),
        }
    }
}
