//! What every operation needs besides its arguments.

use crate::{
    dialect::Dialect,
    error::{Error, ErrorKind, Fault, Operation},
    limits::{Control, Limits},
    path::VirtualPath,
    storage::{Stamp, Storage},
};

/// What changes the meaning of operations: the options of a backend.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// The upstream backend whose habits apply.
    pub dialect: Dialect,
    /// Look into files to tell text from binary; off, the extension alone decides, as upstream does.
    pub sniff: bool,
    /// A bare `*.ts` in `glob` matches at every depth.
    pub bare_recursive: bool,
    /// `write` refuses existing files.
    pub create_only: bool,
    /// `ls` of a missing path or of a file is an error.
    pub strict_ls: bool,
    /// Searches leave out what ignore files exclude.
    pub gitignore: bool,
    /// `glob` lists the folders that match, too.
    pub glob_directories: bool,
    /// Caps.
    pub limits: Limits,
}

impl Meaning {
    /// The defaults of a dialect.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        Self {
            dialect,
            sniff: true,
            bare_recursive: false,
            create_only: false,
            strict_ls: false,
            gitignore: false,
            glob_directories: false,
            limits: Limits::default(),
        }
    }
}

/// How the paths that callers send are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathMode {
    /// Everything is below the root.
    Virtual {
        /// The root's own host path, where it has one: a caller who learnt it from a shell (`pwd`) means the root by
        /// it.
        host_root: Option<VirtualPath>,
    },
    /// Host paths: absolute ones stand for themselves, relative ones are below `cwd`.
    Host {
        /// The working directory.
        cwd: VirtualPath,
    },
}

/// Everything an operation works with. Borrowed, made anew for each call.
pub struct Context<'a> {
    /// Where the bytes are.
    pub storage: &'a dyn Storage,
    /// The backend's options.
    pub meaning: &'a Meaning,
    /// How paths are read.
    pub paths: &'a PathMode,
    /// Tells when to stop.
    pub control: &'a dyn Control,
    /// The time of the call, ISO 8601, for storages that keep records; the core has no clock.
    pub now: &'a str,
}

impl<'a> Context<'a> {
    /// Reads a path as the caller sent it.
    ///
    /// # Errors
    /// As [`VirtualPath::parse`].
    pub fn path(&self, operation: Operation, raw: &str) -> Result<VirtualPath, Error> {
        let parsed = match self.paths {
            PathMode::Virtual { .. } => VirtualPath::parse(raw),
            PathMode::Host { cwd } => VirtualPath::resolve(cwd, raw),
        };
        let path = parsed.map_err(|fault| fault.at(operation, raw))?;
        Ok(self.below_host_root(&path).unwrap_or(path))
    }

    /// The same, for the root of a search: nothing sent means the root, or the working directory in host mode.
    ///
    /// # Errors
    /// As [`Context::path`].
    pub fn search_root(&self, operation: Operation, raw: &str) -> Result<VirtualPath, Error> {
        match self.paths {
            // Upstream searches the machine's root for "/", which no caller of a workspace means.
            PathMode::Host { cwd } if raw.is_empty() || raw == "/" => Ok(cwd.clone()),
            _ => self.path(operation, raw).map(|path| self.spelled(path)),
        }
    }

    /// The path, where what it means can be told without a look at the storage; `None` for the rest, and for what is no
    /// path. For callers that must not wait.
    #[must_use]
    pub fn plain_path(&self, raw: &str) -> Option<VirtualPath> {
        match self.paths {
            PathMode::Virtual { host_root } => VirtualPath::parse(raw)
                .ok()
                .filter(|path| host_root.as_ref().is_none_or(|root| root.is_root() || !root.contains(path))),
            PathMode::Host { cwd } => VirtualPath::resolve(cwd, raw).ok(),
        }
    }

    /// `/home/me/ws/a.txt`, sent to a backend rooted at `/home/me/ws`, means `/a.txt`, unless such a folder exists
    /// inside the root.
    fn below_host_root(&self, path: &VirtualPath) -> Option<VirtualPath> {
        let PathMode::Virtual { host_root: Some(host_root) } = self.paths else { return None };
        if host_root.is_root() || !host_root.contains(path) {
            return None;
        }
        let nested = self.storage.metadata(host_root).is_ok();
        let rest = path.as_str().strip_prefix(host_root.as_str()).unwrap_or("");
        if nested { None } else { VirtualPath::parse(rest).ok() }
    }

    /// Whether the path may not be removed: the root, and in host mode the working directory and what holds it.
    #[must_use]
    pub fn is_protected(&self, path: &VirtualPath) -> bool {
        match self.paths {
            PathMode::Virtual { .. } => path.is_root(),
            PathMode::Host { cwd } => path.contains(cwd),
        }
    }

    /// Runs `action` on the path; where nothing is there, on the one path that spells the same letters in another
    /// Unicode normalisation (macOS stores `é` as two code points, models type it as one).
    ///
    /// # Errors
    /// Those of `action`, as errors of `operation` at the path the caller sent.
    pub fn locate<T>(
        &self,
        operation: Operation,
        raw: &str,
        mut action: impl FnMut(&VirtualPath) -> Result<T, Fault>,
    ) -> Result<T, Error> {
        let path = self.path(operation, raw)?;
        match action(&path) {
            Err(fault) if fault.kind == ErrorKind::NotFound && !raw.is_ascii() => {
                match self.storage.same_letters(&path) {
                    Some(twin) => action(&twin),
                    None => Err(fault),
                }
            }
            result => result,
        }
        .map_err(|fault| fault.at(operation, raw))
    }

    /// Where a path leads whose names, or some of them, are stored in another Unicode normalisation: each name that
    /// is not there as it is stands for the one name with the same letters. Names that are new stay as they are.
    #[must_use]
    pub fn spelled(&self, path: VirtualPath) -> VirtualPath {
        if path.as_str().is_ascii() || self.storage.metadata(&path).is_ok() {
            return path;
        }
        let mut found = VirtualPath::root();
        let mut exists = true;
        for segment in path.segments() {
            let exact = found.child(segment);
            found = if !exists || self.storage.metadata(&exact).is_ok() {
                exact
            } else {
                self.storage.same_letters(&exact).unwrap_or_else(|| {
                    exists = false;
                    exact
                })
            };
        }
        found
    }

    /// What goes with written bytes of a MIME type.
    #[must_use]
    pub fn stamp(&self, mime: &'a str) -> Stamp<'a> {
        Stamp { now: self.now, mime }
    }
}
