//! `DiskHandle`: files on a disk, each call on the thread pool.

use crate::{
    cancel::CancelHandle,
    convert::{
        Contents, Done, EditParts, LimitParts, MeaningParts, PackedFiles, PackedMatches, RawParts, ReadParts,
        TransferParts, rows,
    },
    task::{Work, guarded},
};
use deepfs_core::{
    Dialect, Error, ErrorKind, Fault, Operation, VirtualPath,
    columns::{FileColumns, MatchColumns},
    content::Content,
    ops::{self, Context, Meaning, PathMode},
    text::line_window,
};
use deepfs_host::disk::{Deadline, Disk, DiskOptions};
use napi::bindgen_prelude::*;
use napi_derive::napi;
use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// See `DiskParts` in the contract.
#[napi(object, object_to_js = false)]
pub struct DiskParts {
    pub root: String,
    pub contained: bool,
    pub durable: Option<bool>,
    pub dialect: Option<String>,
    pub sniff: Option<bool>,
    pub bare_glob_recursive: Option<bool>,
    pub create_only: Option<bool>,
    pub strict_ls: Option<bool>,
    pub gitignore: Option<bool>,
    pub fast_paths: Option<bool>,
    pub glob_directories: Option<bool>,
    pub limits: Option<LimitParts>,
}

/// What the calls of one handle share; a call that is still running keeps it alive.
struct Shared {
    disk: Disk,
    meaning: Meaning,
    paths: PathMode,
    search_limit: Option<Duration>,
    fast_paths: bool,
}

impl Shared {
    fn cx<'a>(&'a self, control: &'a Deadline) -> Context<'a> {
        Context { storage: &self.disk, meaning: &self.meaning, paths: &self.paths, control, now: "" }
    }

    /// The control of a call that has no time limit of its own.
    fn unhurried() -> Deadline {
        Deadline::new(Arc::default(), None)
    }
}

/// See `DiskHandle` in the contract.
#[napi(js_name = "Disk")]
pub struct DiskHandle {
    shared: Arc<Shared>,
}

impl DiskHandle {
    /// A call on the thread pool, which ends when it is cancelled, and when it has run for `limit`.
    fn task<T, S>(
        &self,
        operation: Operation,
        path: String,
        cancel: Arc<AtomicBool>,
        limit: Option<Duration>,
        run: impl FnOnce(&Context<'_>, &str) -> std::result::Result<T, Error> + Send + 'static,
    ) -> AsyncTask<Work<S>>
    where
        T: Send + 'static,
        S: From<T> + Send + ToNapiValue + TypeName + 'static,
    {
        let shared = Arc::clone(&self.shared);
        let raw = path.clone();
        // The time counts from the start of the work, not from its place in the queue.
        Work::new(operation, path, move || run(&shared.cx(&Deadline::new(cancel, limit)), &raw))
    }
}

#[napi]
impl DiskHandle {
    #[napi(constructor)]
    pub fn new(parts: DiskParts) -> Result<Self> {
        let root = VirtualPath::resolve(&VirtualPath::root(), &parts.root).map_err(misuse)?;
        let search_limit = parts.limits.as_ref().and_then(LimitParts::search_limit);
        let options = DiskOptions {
            root: PathBuf::from(root.as_str()),
            contained: parts.contained,
            durable: parts.durable.unwrap_or(false),
        };
        let paths = if parts.contained {
            PathMode::Virtual { host_root: Some(root) }
        } else {
            PathMode::Host { cwd: root }
        };
        let meaning = MeaningParts {
            dialect: parts.dialect,
            sniff: parts.sniff,
            bare_glob_recursive: parts.bare_glob_recursive,
            create_only: parts.create_only,
            strict_ls: parts.strict_ls,
            gitignore: parts.gitignore,
            glob_directories: parts.glob_directories,
            limits: parts.limits,
        };
        let fast_paths = parts.fast_paths.unwrap_or(true);
        let disk = Disk::new(options);
        let shared = Shared {
            disk: if fast_paths { disk } else { disk.without_shortcuts() },
            meaning: meaning.meaning(Dialect::DISK),
            paths,
            fast_paths,
            search_limit,
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    #[napi(ts_return_type = "Promise<PackedFiles | Failure>")]
    pub fn ls(&self, path: String, cancel: Option<&CancelHandle>) -> AsyncTask<Work<PackedFiles>> {
        self.task(Operation::Ls, path, CancelHandle::flag(cancel), self.shared.search_limit, |cx, path| {
            ops::ls(cx, path).map(FileColumns::from)
        })
    }

    #[napi(ts_return_type = "Promise<ReadParts | Failure>")]
    pub fn read(
        &self,
        path: String,
        offset: f64,
        limit: f64,
        cancel: Option<&CancelHandle>,
    ) -> AsyncTask<Work<ReadParts>> {
        let window = line_window(offset, limit);
        let shared = Arc::clone(&self.shared);
        self.task(Operation::Read, path, CancelHandle::flag(cancel), None, move |cx, raw| {
            cx.locate(Operation::Read, raw, |path| {
                shared.disk.read_lines(path, |source, index| {
                    let index = index.filter(|_| shared.fast_paths);
                    ops::read_source(cx, path, source, window, index)
                })
            })
        })
    }

    /// Answers inside the call, or with nothing: for whatever would wait, and for every failure, `read` has the answer.
    #[napi(catch_unwind, ts_return_type = "ReadParts | null")]
    pub fn read_now(&self, path: String, offset: f64, limit: f64) -> Option<ReadParts> {
        if !self.shared.fast_paths {
            return None;
        }
        let control = Shared::unhurried();
        let cx = self.shared.cx(&control);
        let path = cx.plain_path(&path)?;
        let source = self.shared.disk.load_cached(&path)?;
        ops::read_source(&cx, &path, &*source, line_window(offset, limit), None).ok().map(ReadParts::from)
    }

    #[napi(ts_return_type = "Promise<RawParts | Failure>")]
    pub fn read_raw(&self, path: String, cancel: Option<&CancelHandle>) -> AsyncTask<Work<RawParts>> {
        self.task(Operation::ReadRaw, path, CancelHandle::flag(cancel), None, ops::read_raw)
    }

    #[napi(ts_return_type = "Promise<null | Failure>")]
    pub fn write(&self, path: String, content: Either<String, Uint8Array>) -> AsyncTask<Work<Done>> {
        // The bytes are copied here: JS may change its array while the call runs.
        let content = match content {
            Either::A(text) => Either::A(text),
            Either::B(bytes) => Either::B(bytes.to_vec()),
        };
        self.task(Operation::Write, path, Arc::default(), None, move |cx, path| {
            let content = match &content {
                Either::A(text) => Content::Text(text),
                Either::B(bytes) => Content::Bytes(bytes),
            };
            ops::write(cx, path, content)
        })
    }

    #[napi(ts_return_type = "Promise<EditParts | Failure>")]
    pub fn edit(
        &self,
        path: String,
        old_string: String,
        new_string: String,
        replace_all: bool,
    ) -> AsyncTask<Work<EditParts>> {
        self.task(Operation::Edit, path, Arc::default(), None, move |cx, path| {
            ops::edit(cx, path, &old_string, &new_string, replace_all)
        })
    }

    #[napi(ts_return_type = "Promise<PackedFiles | Failure>")]
    pub fn glob(
        &self,
        pattern: String,
        path: String,
        cancel: Option<&CancelHandle>,
    ) -> AsyncTask<Work<PackedFiles>> {
        self.task(
            Operation::Glob,
            path,
            CancelHandle::flag(cancel),
            self.shared.search_limit,
            move |cx, path| ops::glob(cx, &pattern, path).map(FileColumns::from),
        )
    }

    #[napi(ts_return_type = "Promise<PackedMatches | Failure>")]
    pub fn grep(
        &self,
        pattern: String,
        path: String,
        glob: Option<String>,
        max_count: Option<f64>,
        cancel: Option<&CancelHandle>,
    ) -> AsyncTask<Work<PackedMatches>> {
        self.task(
            Operation::Grep,
            path,
            CancelHandle::flag(cancel),
            self.shared.search_limit,
            move |cx, path| {
                let max = max_count.map(rows);
                ops::grep(cx, &pattern, path, glob.as_deref(), max).map(MatchColumns::from)
            },
        )
    }

    #[napi(ts_return_type = "Promise<null | Failure>")]
    pub fn delete(&self, path: String, cancel: Option<&CancelHandle>) -> AsyncTask<Work<Done>> {
        self.task(Operation::Delete, path, CancelHandle::flag(cancel), None, ops::delete)
    }

    #[napi(ts_return_type = "Promise<Array<TransferParts>>")]
    pub fn upload(
        &self,
        paths: Vec<String>,
        contents: Vec<Uint8Array>,
        cancel: Option<&CancelHandle>,
    ) -> AsyncTask<Work<Vec<TransferParts>>> {
        let files: Vec<_> = paths.into_iter().zip(contents.iter().map(|bytes| bytes.to_vec())).collect();
        self.task(Operation::Upload, String::new(), CancelHandle::flag(cancel), None, move |cx, _| {
            let stored = files.iter().map(|(path, bytes)| {
                guarded(Operation::Upload, path, || ops::upload(cx, path, bytes)).map(|()| None)
            });
            Ok(stored.map(TransferParts::from).collect::<Vec<_>>())
        })
    }

    #[napi(ts_return_type = "Promise<Contents>")]
    pub fn download(&self, paths: Vec<String>, cancel: Option<&CancelHandle>) -> AsyncTask<Work<Contents>> {
        self.task(Operation::Download, String::new(), CancelHandle::flag(cancel), None, move |cx, _| {
            let read =
                paths.iter().map(|path| guarded(Operation::Download, path, || ops::download(cx, path)));
            Ok(read.collect::<Contents>())
        })
    }

    #[napi(ts_return_type = "Promise<ResolvedPath | Failure>")]
    pub fn resolve(&self, path: String) -> AsyncTask<Work<ResolvedPath>> {
        let shared = Arc::clone(&self.shared);
        let raw = path.clone();
        Work::new(Operation::Read, path, move || {
            let control = Shared::unhurried();
            let path = shared.cx(&control).path(Operation::Read, &raw)?;
            shared.disk.resolve(&path).map_err(|fault| fault.at(Operation::Read, &raw))
        })
    }
}

/// Where a path leads.
#[napi(object, object_from_js = false)]
pub struct ResolvedPath {
    /// The virtual path behind all links.
    pub path: String,
}

impl From<VirtualPath> for ResolvedPath {
    fn from(path: VirtualPath) -> Self {
        Self { path: path.to_string() }
    }
}

/// A constructor's misuse throws; it is the programmer's, not the model's.
fn misuse(fault: Fault) -> napi::Error {
    let reason =
        if fault.kind == ErrorKind::InvalidPath { fault.detail } else { fault.kind.code().to_owned() };
    napi::Error::new(Status::InvalidArg, format!("rootDir: {reason}"))
}
