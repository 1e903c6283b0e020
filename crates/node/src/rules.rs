//! `RecordRules`: the core's rules for data that JavaScript owns.

use crate::{
    convert::{EditParts, Failure, PackedMatches, ReadParts, content, number, rows},
    js_text::{JsText, JsTexts},
    task::{guarded, shaped},
    text::Text,
};
use deepfs_core::{
    Dialect, ErrorKind, Operation, VirtualPath,
    columns::MatchColumns,
    content::Content,
    mime,
    ops::{Edited, records, records::TextSearch},
    record::Record,
    text::line_window,
};
use napi::bindgen_prelude::*;
use napi_derive::napi;

/// A path in its normal form.
#[napi(object, object_from_js = false)]
pub struct ParsedPath {
    /// The virtual path.
    pub path: String,
}

/// `RecordRules.parsePath`
#[napi(catch_unwind)]
pub fn parse_path(method: String, path: String) -> Either<ParsedPath, Failure> {
    match records::parse_path(&method, &path) {
        Ok(path) => Either::A(ParsedPath { path: path.to_string() }),
        Err(error) => Either::B(error.into()),
    }
}

/// `RecordRules.failure`
#[napi(catch_unwind)]
pub fn failure(method: String, code: String, path: String, detail: String) -> Failure {
    records::failure(&method, &code, &path, &detail).into()
}

/// `RecordRules.transferCode`
#[napi(catch_unwind)]
pub fn transfer_code(code: String) -> String {
    ErrorKind::from_code(&code).unwrap_or(ErrorKind::Io).transfer_code().to_owned()
}

/// What a path alone tells of its content.
#[napi(object, object_from_js = false)]
pub struct MimeOfPath {
    /// The MIME type.
    pub mime_type: String,
    /// Whether that is a text type.
    pub text: bool,
}

/// `RecordRules.mimeOf`
#[napi(catch_unwind)]
pub fn mime_of(path: String) -> MimeOfPath {
    let mime_type = mime::by_path(&path).to_owned();
    MimeOfPath { text: mime::is_text(&mime_type), mime_type }
}

/// See `KeyListing` in the contract.
#[napi(object, object_from_js = false)]
pub struct KeyListing {
    /// Index of a key, or -1 for a folder.
    pub files: Int32Array,
    /// The folders, joined by NUL.
    pub folders: String,
}

/// `RecordRules.listKeys`
#[napi(catch_unwind)]
pub fn list_keys(keys: String, dir: String) -> KeyListing {
    let root = VirtualPath::parse(&dir).unwrap_or_else(|_| VirtualPath::root());
    let (files, folders) = records::list_columns(&records::split_keys(&keys), &root);
    KeyListing { files: files.into(), folders }
}

/// `RecordRules.filterKeys`
#[napi(catch_unwind)]
pub fn filter_keys(keys: String, base: String, glob: Option<String>) -> Either<Uint32Array, Failure> {
    shaped(guarded(Operation::Grep, &base, || {
        records::filter_keys(&records::split_keys(&keys), &base, glob.as_deref())
    }))
}

/// `RecordRules.globKeys`
#[napi(catch_unwind)]
pub fn glob_keys(
    #[napi(ts_arg_type = "string")] keys: JsText,
    pattern: String,
    base: String,
    bare_recursive: bool,
) -> Either<Uint32Array, Failure> {
    shaped(guarded(Operation::Glob, &base, || {
        records::glob_keys(&records::split_keys(keys.as_ref()), &pattern, &base, bare_recursive)
    }))
}

/// `RecordRules.globOrder`
#[napi(catch_unwind)]
pub fn glob_order(modified: String, dialect: String) -> Uint32Array {
    records::glob_order(&modified, &named(&dialect)).into()
}

/// `RecordRules.grepTexts`
#[napi(catch_unwind)]
pub fn grep_texts(
    #[napi(ts_arg_type = "Array<string>")] paths: JsTexts,
    #[napi(ts_arg_type = "Array<string>")] contents: JsTexts,
    pattern: String,
    max_count: Option<f64>,
    line_chars: Option<f64>,
) -> Result<Either<PackedMatches, Failure>> {
    let mut search = match TextSearch::new(&pattern, max_count.map(rows), line_chars.map(rows)) {
        Ok(search) => search,
        Err(error) => return Ok(Either::B(error.into())),
    };
    let (mut text, mut path) = (Vec::new(), Vec::new());
    for at in 0..contents.len() {
        if !search.look_at(paths.read(at, &mut path)?, contents.read(at, &mut text)?) {
            break;
        }
    }
    Ok(Either::A(MatchColumns::from(search.into_matches()).into()))
}

/// See `LinePlan` in the contract.
#[napi(object, object_from_js = false)]
pub struct LinePlan {
    pub total_lines: f64,
    pub start_line: f64,
    pub end_line: f64,
    pub next_offset: Option<f64>,
    pub skip: f64,
    pub until: Option<f64>,
}

/// `RecordRules.planLines`
#[napi(catch_unwind)]
pub fn plan_lines(line_feeds: f64, has_open_line: bool, offset: f64, limit: f64) -> Option<LinePlan> {
    let plan = records::plan_lines(rows(line_feeds) as u64, has_open_line, line_window(offset, limit))?;
    Some(LinePlan {
        total_lines: number(plan.total_lines),
        start_line: number(plan.start_line),
        end_line: number(plan.end_line),
        next_offset: plan.next_offset.map(number),
        skip: number(plan.skip),
        until: plan.until.map(number),
    })
}

/// `RecordRules.readText`
#[napi(catch_unwind)]
pub fn read_text(
    path: String,
    content: String,
    offset: f64,
    limit: f64,
    dialect: String,
) -> Either<ReadParts, Failure> {
    shaped(guarded(Operation::Read, &path, || {
        records::read_text(&path, &content, line_window(offset, limit), &named(&dialect))
    }))
}

/// `RecordRules.readBytes`
#[napi(catch_unwind)]
pub fn read_bytes(
    path: String,
    content: Uint8Array,
    offset: f64,
    limit: f64,
    dialect: String,
) -> Either<ReadParts, Failure> {
    shaped(guarded(Operation::Read, &path, || {
        records::read_bytes(&path, &content, line_window(offset, limit), &named(&dialect))
    }))
}

/// An edit and its outcome.
#[napi(object, object_from_js = false)]
pub struct EditedContent {
    pub occurrences: u32,
    pub filled: bool,
    pub content: Either<Text, Uint8Array>,
}

impl EditedContent {
    fn of(content: Either<Text, Uint8Array>, edited: Edited) -> Self {
        let EditParts { occurrences, filled } = edited.into();
        Self { occurrences, filled, content }
    }
}

impl From<(String, Edited)> for EditedContent {
    fn from((text, edited): (String, Edited)) -> Self {
        Self::of(Either::A(text.into()), edited)
    }
}

impl From<(Vec<u8>, Edited)> for EditedContent {
    fn from((bytes, edited): (Vec<u8>, Edited)) -> Self {
        Self::of(Either::B(bytes.into()), edited)
    }
}

/// `RecordRules.editText`
#[napi(catch_unwind, ts_return_type = "(EditParts & { content: string }) | Failure")]
pub fn edit_text(
    path: String,
    content: String,
    old_string: String,
    new_string: String,
    replace_all: bool,
) -> Either<EditedContent, Failure> {
    shaped(guarded(Operation::Edit, &path, || {
        records::edit_text(&path, &content, &old_string, &new_string, replace_all)
    }))
}

/// `RecordRules.editBytes`
#[napi(catch_unwind, ts_return_type = "(EditParts & { content: Uint8Array }) | Failure")]
pub fn edit_bytes(
    path: String,
    content: Uint8Array,
    old_string: String,
    new_string: String,
    replace_all: bool,
) -> Either<EditedContent, Failure> {
    shaped(guarded(Operation::Edit, &path, || {
        records::edit_bytes(&path, &content, &old_string, &new_string, replace_all)
    }))
}

/// See `StoredContent` in the contract.
#[napi(object, object_from_js = false)]
pub struct StoredContent {
    /// Text, or bytes that are none.
    pub content: Either<Text, Uint8Array>,
    /// The MIME type.
    pub mime_type: String,
}

impl From<Record> for StoredContent {
    fn from(record: Record) -> Self {
        Self { content: content(record.body), mime_type: record.mime }
    }
}

/// `RecordRules.storeContent`
#[napi(catch_unwind)]
pub fn store_content(path: String, content: Either<String, Uint8Array>) -> Either<StoredContent, Failure> {
    let content = match &content {
        Either::A(text) => Content::Text(text),
        Either::B(bytes) => Content::Bytes(bytes),
    };
    shaped(guarded(Operation::Write, &path, || records::store_content(&path, content)))
}

/// `RecordRules.storeUpload`
#[napi(catch_unwind)]
pub fn store_upload(path: String, content: Uint8Array) -> StoredContent {
    records::store_upload(&path, content.to_vec()).into()
}

fn named(dialect: &str) -> Dialect {
    Dialect::named(dialect).unwrap_or(Dialect::STATE)
}
