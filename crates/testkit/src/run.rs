//! Runs cases over a storage through the operations, and shapes the outcomes as the protocol's results.

use crate::{
    case::{Case, Step, to_hex},
    compare::difference,
};
use deepfs_core::{
    Dialect, Error, Storage, Unlimited,
    content::Content,
    limits::Limits,
    ops::{self, Context, Listing, Matches, Meaning, PathMode, RawContent, ReadFile},
    storage::Time,
    text::line_window,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A storage to run the corpus on, and what to call it.
pub struct Target<'a> {
    /// Its name, and the group it belongs to (`disk`, `records`).
    pub names: &'a [&'a str],
    /// `disk` or `state`.
    pub dialect: &'a str,
    /// Makes an empty storage.
    pub fresh: &'a dyn Fn() -> Box<dyn Storage>,
}

/// How a corpus run ended.
#[derive(Debug, Default)]
pub struct Report {
    /// Cases that agree.
    pub passed: usize,
    /// The same by kind of fault.
    pub by_kind: BTreeMap<String, usize>,
    /// Key and difference of those that do not.
    pub failed: Vec<String>,
    /// Cases that do not apply to the target.
    pub not_applicable: usize,
}

/// Runs all cases that apply.
#[must_use]
pub fn run_corpus(cases: &[Case], target: &Target<'_>) -> Report {
    let mut report = Report::default();
    for case in cases {
        if !case.only.is_empty() && !case.only.iter().any(|name| target.names.contains(&name.as_str())) {
            report.not_applicable += 1;
            continue;
        }
        match run_case(case, target) {
            Ok(()) => {
                report.passed += 1;
                *report.by_kind.entry(case.kind.clone()).or_default() += 1;
            }
            Err(difference) => report.failed.push(format!("{}: {difference}", case.key)),
        }
    }
    report
}

/// Runs one case.
///
/// # Errors
/// The first difference.
pub fn run_case(case: &Case, target: &Target<'_>) -> Result<(), String> {
    let storage = (target.fresh)();
    let meaning = meaning(&case.options, target.dialect);
    let paths = PathMode::Virtual { host_root: None };
    let cx = Context {
        storage: &*storage,
        meaning: &meaning,
        paths: &paths,
        control: &Unlimited,
        now: "2026-01-01T00:00:00.000Z",
    };
    for (path, content) in &case.files {
        ops::upload(&cx, path, &content.bytes()).map_err(|error| format!("setup of {path}: {error}"))?;
    }
    for (at, step) in case.steps.iter().enumerate() {
        let actual = call(&cx, step)?;
        if let Some(difference) = difference(step.result.of(target.dialect), &actual) {
            return Err(format!("step {at} ({}): {difference}", step.call));
        }
    }
    match &case.after {
        None => Ok(()),
        Some(after) => {
            let want: BTreeMap<String, String> =
                after.iter().map(|(path, content)| (path.clone(), to_hex(&content.bytes()))).collect();
            let got = everything(&cx)?;
            if want == got { Ok(()) } else { Err(format!("files after: expected {want:?}, got {got:?}")) }
        }
    }
}

/// Every file with its bytes.
fn everything(cx: &Context<'_>) -> Result<BTreeMap<String, String>, String> {
    let rows = ops::glob(cx, "**/{*,.git/**}", "/").map_err(|error| error.to_string())?.rows;
    rows.into_iter()
        .map(|row| {
            let bytes = ops::download(cx, &row.path).map_err(|error| error.to_string())?;
            Ok((row.path, to_hex(&bytes)))
        })
        .collect()
}

fn meaning(options: &BTreeMap<String, Value>, dialect: &str) -> Meaning {
    let mut meaning = Meaning::of(Dialect::named(dialect).unwrap_or(Dialect::STATE));
    let is = |name: &str, value: &str| options.get(name).and_then(Value::as_str) == Some(value);
    let flag = |name: &str| options.get(name).and_then(Value::as_bool);
    meaning.sniff = flag("sniff").unwrap_or(true);
    meaning.strict_ls = flag("strict").unwrap_or(false);
    meaning.gitignore = flag("gitignore").unwrap_or(false);
    meaning.bare_recursive = is("bareGlob", "recursive");
    meaning.create_only = is("writeMode", "create");
    let defaults = Limits::default();
    meaning.limits.line_chars = options
        .get("maxLineLength")
        .and_then(Value::as_u64)
        .and_then(|chars| usize::try_from(chars).ok())
        .unwrap_or(defaults.line_chars);
    let limit =
        |name: &str| options.get("limits").and_then(|limits| limits.get(name)).and_then(Value::as_u64);
    let Limits { read_bytes, write_bytes, walk_entries, .. } = defaults;
    meaning.limits.read_bytes = limit("readBytes").unwrap_or(read_bytes);
    meaning.limits.write_bytes = limit("writeBytes").unwrap_or(write_bytes);
    meaning.limits.walk_entries = limit("walkEntries").unwrap_or(walk_entries);
    meaning
}

fn call(cx: &Context<'_>, step: &Step) -> Result<Value, String> {
    let text = |at: usize| step.args.get(at).and_then(Value::as_str).unwrap_or("");
    let number = |at: usize| step.args.get(at).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let max = |at: usize| step.args.get(at).and_then(Value::as_u64).and_then(|max| usize::try_from(max).ok());
    let filter = step.args.get(2).and_then(Value::as_str);
    let root = |at: usize| step.args.get(at).and_then(Value::as_str).unwrap_or("/");
    Ok(match step.call.as_str() {
        "ls" => shaped(ops::ls(cx, text(0)), listing),
        "read" => shaped(ops::read(cx, text(0), line_window(number(1), number(2))), read),
        "readRaw" => shaped(ops::read_raw(cx, text(0)), |file| {
            let content = match file.content {
                RawContent::Text(text) => json!(text),
                RawContent::Bytes(bytes) => json!({ "hex": to_hex(&bytes) }),
            };
            json!({ "data": { "content": content, "mimeType": file.mime, "created_at": time(&file.created), "modified_at": time(&file.modified) } })
        }),
        "write" => {
            let bytes = step.args.get(1).and_then(bytes_of);
            let content = bytes.as_deref().map_or(Content::Text(text(1)), Content::Bytes);
            shaped(ops::write(cx, text(0), content), |()| json!({ "path": text(0) }))
        }
        "edit" => {
            let all = step.args.get(3).and_then(Value::as_bool).unwrap_or(false);
            shaped(ops::edit(cx, text(0), text(1), text(2), all), |edited| {
                let mut result = json!({ "path": text(0), "occurrences": edited.occurrences });
                if edited.filled {
                    set(&mut result, "metadata", json!({ "filled": true }));
                }
                result
            })
        }
        "glob" => shaped(ops::glob(cx, text(0), root(1)), listing),
        "grep" => shaped(ops::grep(cx, text(0), root(1), filter, max(3)), matches),
        "delete" => shaped(ops::delete(cx, text(0)), |()| json!({ "path": text(0) })),
        "uploadFiles" => each(step, |item| {
            let path = item.get(0).and_then(Value::as_str).unwrap_or("");
            let bytes = item.get(1).and_then(bytes_of).unwrap_or_default();
            let error = ops::upload(cx, path, &bytes).err();
            json!({ "path": path, "error": error.map(|error| error.kind.transfer_code()) })
        }),
        "downloadFiles" => each(step, |item| {
            let path = item.as_str().unwrap_or("");
            match ops::download(cx, path) {
                Ok(bytes) => json!({ "path": path, "content": { "hex": to_hex(&bytes) }, "error": null }),
                Err(error) => {
                    json!({ "path": path, "content": null, "error": error.kind.transfer_code() })
                }
            }
        }),
        other => return Err(format!("no such call: {other}")),
    })
}

fn each(step: &Step, answer: impl Fn(&Value) -> Value) -> Value {
    let items = step.args.first().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().map(answer).collect()
}

fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    let content: crate::case::Content = serde_json::from_value(value.clone()).ok()?;
    value.is_object().then(|| content.bytes())
}

/// The result object of a call; failures of listings and searches carry an empty list besides, as in JavaScript.
fn shaped<T>(outcome: Result<T, Error>, shape: impl FnOnce(T) -> Value) -> Value {
    match outcome {
        Ok(value) => shape(value),
        Err(error) => json!({ "error": error.to_string(), "code": error.kind.code() }),
    }
}

fn listing(listing: Listing) -> Value {
    let files: Vec<Value> = listing
        .rows
        .iter()
        .map(|row| {
            let mut file = json!({ "path": row.path, "is_dir": row.folder });
            if let Some(size) = row.size {
                set(&mut file, "size", json!(size));
                set(&mut file, "modified_at", json!(time(&row.modified)));
            }
            file
        })
        .collect();
    with_truncated(json!({ "files": files }), listing.truncated)
}

fn matches(found: Matches) -> Value {
    let truncated = found.truncated;
    let rows: Vec<Value> = found
        .files
        .iter()
        .flat_map(|(path, file)| {
            let lines = file.lines.iter().zip(&file.texts);
            lines.map(move |(line, text)| json!({ "path": path, "line": line, "text": text }))
        })
        .collect();
    with_truncated(json!({ "matches": rows }), truncated)
}

fn read(file: ReadFile) -> Value {
    match file {
        ReadFile::Text { text, mime, total_lines, span, next_offset, encoding } => {
            let mut result = json!({ "content": text, "mimeType": mime, "totalLines": total_lines });
            if let Some((start, end)) = span {
                set(&mut result, "startLine", json!(start));
                set(&mut result, "endLine", json!(end));
            }
            if let Some(next) = next_offset {
                set(&mut result, "nextOffset", json!(next));
            }
            if let Some(label) = encoding {
                set(&mut result, "encoding", json!(label));
            }
            result
        }
        ReadFile::Bytes { bytes, mime } => json!({ "content": { "hex": to_hex(&bytes) }, "mimeType": mime }),
    }
}

fn with_truncated(mut result: Value, truncated: bool) -> Value {
    if truncated {
        set(&mut result, "truncated", json!(true));
    }
    result
}

fn set(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(fields) = object {
        let fields: &mut Map<String, Value> = fields;
        fields.insert(name.to_owned(), value);
    }
}

/// A time as the comparison knows it: the storage has one, or not.
fn time(time: &Time) -> String {
    match time {
        Time::Millis(_) => "2026-01-01T00:00:00.000Z".to_owned(),
        Time::Text(text) => text.clone(),
        Time::Unknown => String::new(),
    }
}
