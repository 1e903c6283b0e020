//! `MemoryHandle`: files in the core's own memory.

use crate::{
    convert::{
        Done, EditParts, Failure, LimitParts, MeaningParts, PackedFiles, PackedMatches, RawParts, ReadParts,
        TransferParts, rows,
    },
    record::RecordParts,
    task::{guarded, shaped},
};
use deepfs_core::{
    Dialect, Error, Memory, Operation, Unlimited,
    columns::{FileColumns, MatchColumns},
    content::Content,
    ops::{self, Context, Meaning, PathMode},
    text::line_window,
};
use deepfs_host::disk::Deadline;
use napi::bindgen_prelude::*;
use napi_derive::napi;
use std::{sync::Arc, time::Duration};

const VIRTUAL: PathMode = PathMode::Virtual { host_root: None };

/// See `MemoryHandle` in the contract.
#[napi(js_name = "Memory")]
pub struct MemoryHandle {
    files: Memory,
    meaning: Meaning,
    search_limit: Option<Duration>,
}

#[napi]
impl MemoryHandle {
    #[napi(constructor, catch_unwind)]
    pub fn new(meaning: MeaningParts) -> Self {
        Self {
            files: Memory::default(),
            meaning: meaning.meaning(Dialect::STATE),
            search_limit: meaning.limits.as_ref().and_then(LimitParts::search_limit),
        }
    }

    fn cx<'a>(&'a self, now: &'a str) -> Context<'a> {
        Context { storage: &self.files, meaning: &self.meaning, paths: &VIRTUAL, control: &Unlimited, now }
    }

    fn search<T>(
        &self,
        operation: Operation,
        path: &str,
        run: impl FnOnce(&Context<'_>) -> std::result::Result<T, Error>,
    ) -> std::result::Result<T, Error> {
        let control = Deadline::new(Arc::default(), self.search_limit);
        guarded(operation, path, || run(&Context { control: &control, ..self.cx("") }))
    }

    #[napi(catch_unwind)]
    pub fn ls(&self, path: String) -> Either<PackedFiles, Failure> {
        shaped(self.search(Operation::Ls, &path, |cx| ops::ls(cx, &path).map(FileColumns::from)))
    }

    #[napi(catch_unwind)]
    pub fn read(&self, path: String, offset: f64, limit: f64) -> Either<ReadParts, Failure> {
        shaped(guarded(Operation::Read, &path, || ops::read(&self.cx(""), &path, line_window(offset, limit))))
    }

    #[napi(catch_unwind)]
    pub fn read_raw(&self, path: String) -> Either<RawParts, Failure> {
        shaped(guarded(Operation::ReadRaw, &path, || ops::read_raw(&self.cx(""), &path)))
    }

    #[napi(catch_unwind)]
    pub fn write(
        &self,
        path: String,
        content: Either<String, Uint8Array>,
        now: String,
    ) -> Either<Done, Failure> {
        let content = match &content {
            Either::A(text) => Content::Text(text),
            Either::B(bytes) => Content::Bytes(bytes),
        };
        shaped(guarded(Operation::Write, &path, || ops::write(&self.cx(&now), &path, content)))
    }

    #[napi(catch_unwind)]
    pub fn edit(
        &self,
        path: String,
        old_string: String,
        new_string: String,
        replace_all: bool,
        now: String,
    ) -> Either<EditParts, Failure> {
        shaped(guarded(Operation::Edit, &path, || {
            ops::edit(&self.cx(&now), &path, &old_string, &new_string, replace_all)
        }))
    }

    #[napi(catch_unwind)]
    pub fn glob(&self, pattern: String, path: String) -> Either<PackedFiles, Failure> {
        shaped(
            self.search(Operation::Glob, &path, |cx| ops::glob(cx, &pattern, &path).map(FileColumns::from)),
        )
    }

    #[napi(catch_unwind)]
    pub fn grep(
        &self,
        pattern: String,
        path: String,
        glob: Option<String>,
        max_count: Option<f64>,
    ) -> Either<PackedMatches, Failure> {
        let max = max_count.map(rows);
        shaped(self.search(Operation::Grep, &path, |cx| {
            ops::grep(cx, &pattern, &path, glob.as_deref(), max).map(MatchColumns::from)
        }))
    }

    #[napi(catch_unwind)]
    pub fn delete(&self, path: String) -> Either<Done, Failure> {
        shaped(guarded(Operation::Delete, &path, || ops::delete(&self.cx(""), &path)))
    }

    #[napi(catch_unwind)]
    pub fn upload(&self, paths: Vec<String>, contents: Vec<Uint8Array>, now: String) -> Vec<TransferParts> {
        let stored = paths.iter().zip(&contents).map(|(path, bytes)| {
            guarded(Operation::Upload, path, || ops::upload(&self.cx(&now), path, bytes)).map(|()| None)
        });
        stored.map(TransferParts::from).collect()
    }

    #[napi(catch_unwind)]
    pub fn download(&self, paths: Vec<String>) -> Vec<TransferParts> {
        let read = paths
            .iter()
            .map(|path| guarded(Operation::Download, path, || ops::download(&self.cx(""), path)).map(Some));
        read.map(TransferParts::from).collect()
    }

    #[napi(catch_unwind)]
    pub fn snapshot(&self) -> Vec<RecordParts> {
        self.files.snapshot().into_iter().map(|(path, record)| RecordParts::of(path, &record)).collect()
    }

    #[napi(catch_unwind)]
    pub fn restore(&self, records: Vec<RecordParts>) -> Either<Done, Failure> {
        let place = records.first().map(|record| record.path.clone()).unwrap_or_default();
        shaped(guarded(Operation::Upload, &place, || {
            let records = records.into_iter().map(RecordParts::into_record);
            let records = records.collect::<std::result::Result<_, _>>()?;
            self.files.restore(records).map_err(|fault| fault.at(Operation::Upload, &place))
        }))
    }
}
