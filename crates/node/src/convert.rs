//! The shapes of values as they cross to JS: the Rust side of `binding/contract.ts`, and nothing else.

use crate::{file_bytes::FileBytes, text::Text};
use deepfs_core::{
    Dialect, Error,
    columns::{FileColumns, MatchColumns},
    ops::{Edited, Meaning, RawContent, RawFile, ReadFile},
    record::Body,
};
use napi::bindgen_prelude::*;
use napi_derive::napi;
use std::time::Duration;

/// A failure: the sentence and the code.
#[napi(object, object_from_js = false)]
pub struct Failure {
    /// The sentence for a model.
    pub error: String,
    /// What programs branch on.
    pub code: String,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error: error.to_string(), code: error.kind.code().to_owned() }
    }
}

/// Success without a value crosses as `null`.
pub struct Done;

impl From<()> for Done {
    fn from((): ()) -> Self {
        Self
    }
}

impl TypeName for Done {
    fn type_name() -> &'static str {
        "null"
    }
    fn value_type() -> ValueType {
        ValueType::Null
    }
}

impl ToNapiValue for Done {
    #[expect(unsafe_code, reason = "the trait of the binding library is unsafe; this only forwards")]
    unsafe fn to_napi_value(env: sys::napi_env, _: Self) -> Result<sys::napi_value> {
        // SAFETY: `env` is the environment that the caller of this conversion vouches for.
        unsafe { Null::to_napi_value(env, Null) }
    }
}

/// See `PackedFiles` in the contract.
#[napi(object, object_from_js = false)]
pub struct PackedFiles {
    pub paths: Text,
    pub count: u32,
    pub sizes: Float64Array,
    pub folders: Uint8Array,
    pub stamps: Text,
    pub tells_unknown: bool,
    pub truncated: bool,
}

impl From<FileColumns> for PackedFiles {
    fn from(columns: FileColumns) -> Self {
        Self {
            paths: columns.paths.into(),
            count: columns.count,
            sizes: columns.sizes.into(),
            folders: columns.folders.into(),
            stamps: columns.stamps.into(),
            tells_unknown: columns.tells_unknown,
            truncated: columns.truncated,
        }
    }
}

/// See `PackedMatches` in the contract.
#[napi(object, object_from_js = false)]
pub struct PackedMatches {
    pub paths: Text,
    pub counts: Uint32Array,
    pub lines: Uint32Array,
    pub texts: Vec<Text>,
    pub truncated: bool,
}

impl From<MatchColumns> for PackedMatches {
    fn from(columns: MatchColumns) -> Self {
        Self {
            paths: columns.paths.into(),
            counts: columns.counts.into(),
            lines: columns.lines.into(),
            texts: columns.texts.into_iter().map(Text::from).collect(),
            truncated: columns.truncated,
        }
    }
}

/// See `ReadParts` in the contract.
#[napi(object, object_from_js = false)]
pub struct ReadParts {
    pub content: Either<Text, Uint8Array>,
    pub mime_type: String,
    pub total_lines: Option<f64>,
    pub start_line: Option<f64>,
    pub end_line: Option<f64>,
    pub next_offset: Option<f64>,
    pub encoding: Option<String>,
}

impl From<ReadFile> for ReadParts {
    fn from(file: ReadFile) -> Self {
        match file {
            ReadFile::Text { text, mime, total_lines, span, next_offset, encoding } => Self {
                content: Either::A(text.into()),
                mime_type: mime,
                total_lines: Some(number(total_lines)),
                start_line: span.map(|(start, _)| number(start)),
                end_line: span.map(|(_, end)| number(end)),
                next_offset: next_offset.map(number),
                encoding: encoding.map(str::to_owned),
            },
            ReadFile::Bytes { bytes, mime } => Self {
                content: Either::B(bytes.into()),
                mime_type: mime,
                total_lines: None,
                start_line: None,
                end_line: None,
                next_offset: None,
                encoding: None,
            },
        }
    }
}

/// See `RawParts` in the contract.
#[napi(object, object_from_js = false)]
pub struct RawParts {
    pub content: Either<Text, Uint8Array>,
    pub mime_type: String,
    pub created: String,
    pub modified: String,
    pub encoding: Option<String>,
}

impl From<RawFile> for RawParts {
    fn from(file: RawFile) -> Self {
        Self {
            content: match file.content {
                RawContent::Text(text) => Either::A(text.into()),
                RawContent::Bytes(bytes) => Either::B(bytes.into()),
            },
            mime_type: file.mime,
            created: file.created.iso().into_owned(),
            modified: file.modified.iso().into_owned(),
            encoding: file.encoding.map(str::to_owned),
        }
    }
}

/// See `EditParts` in the contract.
#[napi(object, object_from_js = false)]
pub struct EditParts {
    pub occurrences: u32,
    pub filled: bool,
}

impl From<Edited> for EditParts {
    fn from(edited: Edited) -> Self {
        Self { occurrences: count(edited.occurrences), filled: edited.filled }
    }
}

/// See `TransferParts` and `DownloadParts` in the contract.
#[napi(object, object_from_js = false)]
pub struct TransferParts {
    // `None` would leave the field out, and the protocol says null.
    pub content: Either<FileBytes, Null>,
    pub error: Either<String, Null>,
    pub code: Option<String>,
    pub message: Option<String>,
}

impl From<std::result::Result<Option<Vec<u8>>, Error>> for TransferParts {
    fn from(result: std::result::Result<Option<Vec<u8>>, Error>) -> Self {
        match result {
            Ok(content) => Self {
                content: content.map_or(Either::B(Null), |bytes| Either::A(bytes.into())),
                error: Either::B(Null),
                code: None,
                message: None,
            },
            Err(error) => Self {
                content: Either::B(Null),
                error: Either::A(error.kind.transfer_code().to_owned()),
                code: Some(error.kind.code().to_owned()),
                message: Some(error.to_string()),
            },
        }
    }
}

/// See `Contents` in the contract.
#[napi(object, object_from_js = false)]
pub struct Contents {
    pub contents: Vec<Either<FileBytes, Null>>,
    pub failures: Vec<TransferParts>,
}

impl FromIterator<std::result::Result<Vec<u8>, Error>> for Contents {
    fn from_iter<I: IntoIterator<Item = std::result::Result<Vec<u8>, Error>>>(outcomes: I) -> Self {
        let mut failures = Vec::new();
        let contents = outcomes.into_iter().map(|outcome| match outcome {
            Ok(bytes) => Either::A(bytes.into()),
            Err(error) => {
                failures.push(Err(error).into());
                Either::B(Null)
            }
        });
        Self { contents: contents.collect(), failures }
    }
}

/// See `LimitParts` in the contract.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct LimitParts {
    pub read_bytes: Option<f64>,
    pub write_bytes: Option<f64>,
    pub grep_file_bytes: Option<f64>,
    pub result_bytes: Option<f64>,
    pub walk_entries: Option<f64>,
    pub line_chars: Option<f64>,
    pub search_ms: Option<f64>,
}

/// See `MeaningParts` in the contract.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct MeaningParts {
    pub dialect: Option<String>,
    pub sniff: Option<bool>,
    pub bare_glob_recursive: Option<bool>,
    pub create_only: Option<bool>,
    pub strict_ls: Option<bool>,
    pub gitignore: Option<bool>,
    pub glob_directories: Option<bool>,
    pub limits: Option<LimitParts>,
}

impl LimitParts {
    /// The longest time of one search; none for an odd number.
    pub fn search_limit(&self) -> Option<Duration> {
        self.search_ms.filter(|ms| *ms >= 0.0).and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok())
    }
}

impl MeaningParts {
    /// The options as the core takes them, with its defaults for what is missing.
    pub fn meaning(&self, default: Dialect) -> Meaning {
        let dialect = self.dialect.as_deref().and_then(Dialect::named).unwrap_or(default);
        let mut meaning = Meaning::of(dialect);
        meaning.sniff = self.sniff.unwrap_or(true);
        meaning.bare_recursive = self.bare_glob_recursive.unwrap_or(false);
        meaning.create_only = self.create_only.unwrap_or(false);
        meaning.strict_ls = self.strict_ls.unwrap_or(false);
        meaning.gitignore = self.gitignore.unwrap_or(false);
        meaning.glob_directories = self.glob_directories.unwrap_or(false);
        if let Some(parts) = &self.limits {
            let limits = &mut meaning.limits;
            limits.read_bytes = cap(parts.read_bytes, limits.read_bytes);
            limits.write_bytes = cap(parts.write_bytes, limits.write_bytes);
            limits.grep_file_bytes = cap(parts.grep_file_bytes, limits.grep_file_bytes);
            limits.result_bytes = cap(parts.result_bytes, limits.result_bytes);
            limits.walk_entries = cap(parts.walk_entries, limits.walk_entries);
            let line_chars = cap(parts.line_chars, limits.line_chars as u64);
            limits.line_chars = usize::try_from(line_chars).unwrap_or(usize::MAX);
        }
        meaning
    }
}

/// A cap as JS gives it: a missing or odd number is the default, Infinity is no cap.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as wanted here")]
fn cap(given: Option<f64>, default: u64) -> u64 {
    given.filter(|number| *number >= 0.0).map_or(default, |number| number as u64)
}

/// A count of lines or bytes as JS holds it: exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "nothing counted here reaches 2^53")]
pub fn number(count: u64) -> f64 {
    count as f64
}

/// A number of rows or characters as JS gives it; more than any answer has is no cap.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, as wanted here")]
pub fn rows(number: f64) -> usize {
    number as usize
}

/// A count that never reaches 2^32 in memory.
pub fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The content of a record.
pub fn content(body: Body) -> Either<Text, Uint8Array> {
    match body {
        Body::Text(text) => Either::A(text.into()),
        Body::Bytes(bytes) => Either::B(bytes.into()),
    }
}
