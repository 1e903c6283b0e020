//! Records and flat keys: data from elsewhere, as broken as it comes; and the operations over files in memory.
#![no_main]

use arbitrary::Arbitrary;
use deepfs_core::{
    Dialect, Memory, Operation, Storage, Unlimited, VirtualPath,
    columns::{FileColumns, MatchColumns},
    content::Content,
    mime,
    ops::{self, Context, Meaning, PathMode, records},
    record::{Body, Record, lines_of, text_of},
    text::line_window,
};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Call<'a> {
    Write(&'a str, &'a str),
    Upload(&'a str, &'a [u8]),
    Edit(&'a str, &'a str, &'a str, bool),
    Read(&'a str, f64, f64),
    ReadRaw(&'a str),
    Ls(&'a str),
    Glob(&'a str, &'a str),
    Grep(&'a str, &'a str, Option<&'a str>, Option<u8>),
    Delete(&'a str),
    Snapshot,
}

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    keys: Vec<String>,
    base: &'a str,
    glob: Option<&'a str>,
    text: &'a str,
    calls: Vec<Call<'a>>,
}

fuzz_target!(|input: Input<'_>| {
    flat_keys(&input);
    assert_eq!(text_of(&lines_of(input.text)), input.text);
    let storage = Memory::default();
    let meaning = Meaning::of(Dialect::STATE);
    let paths = PathMode::Virtual { host_root: None };
    let cx = Context {
        storage: &storage,
        meaning: &meaning,
        paths: &paths,
        control: &Unlimited,
        now: "2026-01-01T00:00:00.000Z",
    };
    for call in &input.calls {
        make(&cx, &storage, call);
    }
    for (path, record) in storage.snapshot() {
        assert!(VirtualPath::parse(&path).is_ok_and(|parsed| parsed.as_str() == path), "{path:?}");
        assert_eq!(mime::is_text(&record.mime) && matches!(record.body, Body::Bytes(_)), legacy(&record));
    }
});

/// Text types over bytes are for legacy encodings alone.
fn legacy(record: &Record) -> bool {
    matches!(&record.body, Body::Bytes(bytes) if mime::is_text(&record.mime) && std::str::from_utf8(bytes).is_err())
}

fn flat_keys(input: &Input<'_>) {
    let keys = &input.keys;
    if let Ok(base) = VirtualPath::parse(input.base) {
        let (files, folders) = records::list_columns(keys, &base);
        assert!(files.iter().all(|&file| file == -1 || usize::try_from(file).is_ok_and(|at| at < keys.len())));
        let count = files.iter().filter(|&&file| file == -1).count();
        assert_eq!(folders.split('\0').filter(|folder| !folder.is_empty()).count(), count);
    }
    for selected in [
        records::filter_keys(keys, input.base, input.glob),
        records::glob_keys(keys, input.glob.unwrap_or("**"), input.base, false),
    ]
    .into_iter()
    .flatten()
    {
        assert!(selected.iter().all(|&at| (at as usize) < keys.len()));
        let mut once = selected.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), selected.len());
    }
    if let Ok(found) = records::grep_texts(keys, keys, input.text, Some(3), Some(10)) {
        assert!(found.rows() <= 3);
        let columns = MatchColumns::from(found);
        assert_eq!(columns.counts.iter().sum::<u32>() as usize, columns.lines.len());
    }
}

fn make(cx: &Context<'_>, storage: &Memory, call: &Call<'_>) {
    match *call {
        Call::Write(path, text) => {
            if ops::write(cx, path, Content::Text(text)).is_ok() && !mime::is_binary_path(path) {
                assert_eq!(ops::download(cx, path).as_deref(), Ok(text.as_bytes()));
            }
        }
        Call::Upload(path, bytes) => {
            if ops::upload(cx, path, bytes).is_ok() {
                assert_eq!(ops::download(cx, path).as_deref(), Ok(bytes));
            }
        }
        Call::Edit(path, old, new, all) => {
            let before = ops::download(cx, path);
            let edited = ops::edit(cx, path, old, new, all);
            let same = ops::download(cx, path) == before;
            // An empty file can be filled with nothing.
            assert!(if edited.is_ok() { !same || old == new } else { same }, "{path:?} {old:?} {new:?}");
        }
        Call::Read(path, offset, limit) => drop(ops::read(cx, path, line_window(offset, limit))),
        Call::ReadRaw(path) => drop(ops::read_raw(cx, path)),
        Call::Ls(path) => {
            if let Ok(listing) = ops::ls(cx, path) {
                let columns = FileColumns::from(listing);
                assert_eq!(columns.count as usize, columns.sizes.len());
            }
        }
        Call::Glob(pattern, path) => drop(ops::glob(cx, pattern, path)),
        Call::Grep(pattern, path, glob, max) => {
            if let Ok(found) = ops::grep(cx, pattern, path, glob, max.map(usize::from)) {
                assert!(max.is_none_or(|max| found.rows() <= usize::from(max)));
            }
        }
        Call::Delete(path) => {
            if ops::delete(cx, path).is_ok() {
                let path = cx.path(Operation::Read, path).expect("it was deleted");
                assert!(storage.metadata(&path).is_err());
            }
        }
        Call::Snapshot => {
            let records = storage.snapshot().into_iter();
            let records = records.map(|(path, record)| {
                (VirtualPath::parse(&path).expect("a stored path"), Record::clone(&record))
            });
            assert!(storage.restore(records.collect()).is_ok());
        }
    }
}
