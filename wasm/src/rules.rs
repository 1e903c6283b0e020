//! `RecordRules`: the core's rules for data that JavaScript owns.

use crate::convert::{Given, Shape, failure as shape_failure, object, rows, shaped, strings};
use deepfs_core::{
    Dialect, ErrorKind, VirtualPath, columns::MatchColumns, mime, ops::records, text::line_window,
};
use js_sys::Array;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// `RecordRules.parsePath`
#[wasm_bindgen(js_name = parsePath)]
pub fn parse_path(method: &str, path: &str) -> JsValue {
    match records::parse_path(method, path) {
        Ok(path) => object([("path", path.as_str().into())]),
        Err(error) => shape_failure(&error),
    }
}

/// `RecordRules.failure`
#[wasm_bindgen]
pub fn failure(method: &str, code: &str, path: &str, detail: &str) -> JsValue {
    shape_failure(&records::failure(method, code, path, detail))
}

/// `RecordRules.transferCode`
#[wasm_bindgen(js_name = transferCode)]
pub fn transfer_code(code: &str) -> String {
    ErrorKind::from_code(code).unwrap_or(ErrorKind::Io).transfer_code().to_owned()
}

/// `RecordRules.mimeOf`
#[wasm_bindgen(js_name = mimeOf)]
pub fn mime_of(path: &str) -> JsValue {
    let mime = mime::by_path(path);
    object([("mimeType", mime.into()), ("text", mime::is_text(mime).into())])
}

/// `RecordRules.listKeys`
#[wasm_bindgen(js_name = listKeys)]
pub fn list_keys(keys: &str, dir: &str) -> JsValue {
    let root = VirtualPath::parse(dir).unwrap_or_else(|_| VirtualPath::root());
    records::list_columns(&records::split_keys(keys), &root).shape()
}

/// `RecordRules.filterKeys`
#[wasm_bindgen(js_name = filterKeys)]
pub fn filter_keys(keys: &str, base: &str, glob: Option<String>) -> JsValue {
    shaped(records::filter_keys(&records::split_keys(keys), base, glob.as_deref()))
}

/// `RecordRules.globKeys`
#[wasm_bindgen(js_name = globKeys)]
pub fn glob_keys(keys: &str, pattern: &str, base: &str, bare_recursive: bool) -> JsValue {
    shaped(records::glob_keys(&records::split_keys(keys), pattern, base, bare_recursive))
}

/// `RecordRules.globOrder`
#[wasm_bindgen(js_name = globOrder)]
pub fn glob_order(modified: &str, dialect: &str) -> Vec<u32> {
    records::glob_order(modified, &named(dialect))
}

/// `RecordRules.grepTexts`
#[wasm_bindgen(js_name = grepTexts)]
pub fn grep_texts(
    paths: &Array,
    contents: &Array,
    pattern: &str,
    max_count: Option<f64>,
    line_chars: Option<f64>,
) -> JsValue {
    let (max, chars) = (max_count.map(rows), line_chars.map(rows));
    let matches = records::grep_texts(&strings(paths), &strings(contents), pattern, max, chars);
    shaped(matches.map(MatchColumns::from))
}

/// `RecordRules.readText`
#[wasm_bindgen(js_name = readText)]
pub fn read_text(path: &str, content: &str, offset: f64, limit: f64, dialect: &str) -> JsValue {
    shaped(records::read_text(path, content, line_window(offset, limit), &named(dialect)))
}

/// `RecordRules.readBytes`
#[wasm_bindgen(js_name = readBytes)]
pub fn read_bytes(path: &str, content: &[u8], offset: f64, limit: f64, dialect: &str) -> JsValue {
    shaped(records::read_bytes(path, content, line_window(offset, limit), &named(dialect)))
}

/// `RecordRules.editText`
#[wasm_bindgen(js_name = editText)]
pub fn edit_text(
    path: &str,
    content: &str,
    old_string: &str,
    new_string: &str,
    replace_all: bool,
) -> JsValue {
    shaped(records::edit_text(path, content, old_string, new_string, replace_all))
}

/// `RecordRules.editBytes`
#[wasm_bindgen(js_name = editBytes)]
pub fn edit_bytes(
    path: &str,
    content: &[u8],
    old_string: &str,
    new_string: &str,
    replace_all: bool,
) -> JsValue {
    shaped(records::edit_bytes(path, content, old_string, new_string, replace_all))
}

/// `RecordRules.storeContent`
#[wasm_bindgen(js_name = storeContent)]
pub fn store_content(path: &str, content: &JsValue) -> JsValue {
    shaped(records::store_content(path, Given::from(content).content()))
}

/// `RecordRules.storeUpload`
#[wasm_bindgen(js_name = storeUpload)]
pub fn store_upload(path: &str, content: &[u8]) -> JsValue {
    records::store_upload(path, content.to_vec()).shape()
}

fn named(dialect: &str) -> Dialect {
    Dialect::named(dialect).unwrap_or(Dialect::STATE)
}
