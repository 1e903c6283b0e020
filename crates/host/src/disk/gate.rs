//! The gate: the only module that opens files.
//!
//! In contained mode every path is opened by `openat2` with `RESOLVE_BENEATH`, relative to a handle of the
//! root that is held open: whether a path leaves the root is decided by the kernel while it walks the path,
//! so there is no moment between a check and an open. Below a directory that was opened that way, one name at
//! a time is opened without following links, which cannot lead out either.

use super::{fault, links, names};
use deepfs_core::{ErrorKind, Fault, VirtualPath};
use rustix::{
    fd::{AsFd, OwnedFd},
    fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, Stat},
    io::Errno,
};
use std::{
    borrow::Cow,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock},
};

/// On every open: no process that is started inherits the handle, no FIFO or device blocks, no terminal is
/// taken over.
const ALWAYS: OFlags = OFlags::CLOEXEC.union(OFlags::NONBLOCK).union(OFlags::NOCTTY);
/// A handle to look things up from, without the right to read.
const HANDLE: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
/// How often an open is tried while somebody renames folders on the way.
const RACES: usize = 64;

/// See the module.
#[derive(Debug)]
pub(crate) struct Gate {
    root: PathBuf,
    contained: bool,
    held: RwLock<Option<OwnedFd>>,
}

/// What a path names, links not followed.
pub(crate) struct Node {
    /// Its `stat`.
    pub stat: Stat,
    /// Where it leads, for a link.
    pub target: Option<Vec<u8>>,
}

impl Gate {
    /// A gate on `root`, an absolute host path. Nothing is opened yet, and the root may not exist yet.
    /// Without `contained`, paths are host paths and the root is `/`.
    pub(crate) fn new(root: PathBuf, contained: bool) -> Self {
        Self { root, contained, held: RwLock::new(None) }
    }

    /// Whether paths stay below the root.
    pub(crate) fn contained(&self) -> bool {
        self.contained
    }

    /// The root as it was given.
    pub(crate) fn given_root(&self) -> &Path {
        &self.root
    }

    /// The path as the host spells it, relative to the root; `.` for the root.
    pub(crate) fn place<'p>(&self, path: &'p VirtualPath) -> Cow<'p, [u8]> {
        if path.is_root() {
            return Cow::Borrowed(b".");
        }
        if !names::may_be_spelt(path.as_str()) {
            return Cow::Borrowed(path.relative().as_bytes());
        }
        let mut place = Vec::with_capacity(path.as_str().len());
        for segment in path.segments() {
            if !place.is_empty() {
                place.push(b'/');
            }
            let parent = place.len();
            place.extend_from_slice(segment.as_bytes());
            let Some(raw) = names::unspell(segment) else { continue };
            if self.exists(&place) {
                continue;
            }
            place.truncate(parent);
            place.extend_from_slice(&raw);
            if !self.exists(&place) {
                place.truncate(parent);
                place.extend_from_slice(segment.as_bytes());
            }
        }
        Cow::Owned(place)
    }

    fn exists(&self, place: &[u8]) -> bool {
        self.open_as(place, HANDLE | OFlags::NOFOLLOW).is_ok()
    }

    /// Opens a file or directory; links are followed as far as they stay below the root.
    pub(crate) fn open(&self, place: &[u8], flags: OFlags) -> Result<OwnedFd, Fault> {
        self.open_as(place, flags | ALWAYS)
    }

    /// Opens a directory by its path below one that was opened before, to look things up from; there may be no links on the way.
    pub(crate) fn below(&self, folder: &OwnedFd, place: &[u8]) -> Result<OwnedFd, Errno> {
        let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW;
        if !self.contained {
            return rustix::fs::openat(folder, place, flags, Mode::empty());
        }
        let confined = confinement() | ResolveFlags::NO_SYMLINKS;
        rustix::fs::openat2(folder, place, flags, Mode::empty(), confined)
    }

    /// Opens a directory to look things up from.
    pub(crate) fn folder(&self, place: &[u8]) -> Result<OwnedFd, Fault> {
        self.open_as(place, HANDLE | OFlags::DIRECTORY)
    }

    /// Opens whatever it is, without the right to read it, to ask for its `stat`.
    pub(crate) fn handle(&self, place: &[u8]) -> Result<OwnedFd, Fault> {
        self.open_as(place, HANDLE)
    }

    /// What a path names; a link at its end is not followed.
    pub(crate) fn node(&self, place: &[u8]) -> Result<Node, Fault> {
        let handle = self.open_as(place, HANDLE | OFlags::NOFOLLOW)?;
        node_of(&handle).map_err(fault::of)
    }

    /// As [`Gate::node`], for [`links::follow`], which brings its own answer to a link that leads out.
    pub(crate) fn plain_node(&self, place: &[u8]) -> Result<Node, Fault> {
        let handle = self.with_root(|root| self.ask(root, place, HANDLE | OFlags::NOFOLLOW))?;
        node_of(&handle).map_err(fault::of)
    }

    /// Opens a file only if that needs no disk and no waiting; `None` when it would.
    pub(crate) fn open_cached(&self, place: &[u8]) -> Option<OwnedFd> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        let root = held.as_ref()?;
        let confined = if self.contained { confinement() } else { ResolveFlags::empty() };
        let flags = OFlags::RDONLY | ALWAYS;
        // Whatever is not a plain answer (a kernel without the flag, an absolute link, a root that is gone)
        // is for the full way to decide.
        rustix::fs::openat2(root, place, flags, Mode::empty(), confined | ResolveFlags::CACHED).ok()
    }

    fn open_as(&self, place: &[u8], flags: OFlags) -> Result<OwnedFd, Fault> {
        match self.with_root(|root| self.ask(root, place, flags)) {
            Err(refused) if refused.kind == ErrorKind::OutsideRoot && self.contained => {
                // An absolute link is outside for the kernel, wherever it leads. Rewritten relative to the
                // root, the path is asked for once more, and the kernel decides again.
                let last =
                    if flags.contains(OFlags::NOFOLLOW) { links::Last::Keep } else { links::Last::Follow };
                let direct = links::follow(self, place, last)?;
                self.with_root(|root| self.ask(root, &direct, flags))
            }
            answer => answer,
        }
    }

    /// One open, relative to the root.
    fn ask(&self, root: &OwnedFd, place: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        // A deleted root still opens as itself, and is empty.
        if place == b"." && is_deleted(root) {
            return Err(Errno::NOENT);
        }
        if !self.contained {
            return rustix::fs::openat(root, place, flags, Mode::empty());
        }
        for _ in 1..RACES {
            match rustix::fs::openat2(root, place, flags, Mode::empty(), confinement()) {
                // A `..` met a rename, somewhere on the machine: the kernel does not know and wants to be
                // asked again.
                Err(Errno::AGAIN) => std::thread::yield_now(),
                answer => return answer,
            }
        }
        rustix::fs::openat2(root, place, flags, Mode::empty(), confinement())
    }

    /// Does something with the root's handle; once more when the root was deleted and made anew meanwhile.
    fn with_root<T>(&self, act: impl Fn(&OwnedFd) -> Result<T, Errno>) -> Result<T, Fault> {
        // Shared for the time of the call: nobody ever waits to have it alone, see `keep`.
        if let Some(root) = &*self.held.read().unwrap_or_else(PoisonError::into_inner) {
            match act(root) {
                Err(Errno::NOENT) if is_deleted(root) => {}
                answer => return answer.map_err(fault::of),
            }
        }
        let root = self.open_root()?;
        let answer = act(&root);
        self.keep(root);
        answer.map_err(fault::of)
    }

    fn open_root(&self) -> Result<OwnedFd, Fault> {
        let host: &Path = if self.contained { &self.root } else { Path::new("/") };
        let flags = HANDLE | OFlags::DIRECTORY;
        let root = rustix::fs::openat(rustix::fs::CWD, host, flags, Mode::empty()).map_err(fault::of)?;
        if self.contained {
            // Old kernels do not know the call; some sandboxes forbid it.
            match rustix::fs::openat2(&root, c".", HANDLE, Mode::empty(), confinement()) {
                Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => return Err(no_containment()),
                Err(other) => return Err(fault::of(other)),
                Ok(_) => {}
            }
        }
        Ok(root)
    }

    /// Keeps the root's handle for later calls, unless a call is using the one that is kept: an open can take as long as
    /// a slow file system likes, and the calls behind it would wait as well. A later call will keep its own.
    fn keep(&self, root: OwnedFd) {
        if let Ok(mut held) = self.held.try_write() {
            *held = Some(root);
        }
    }

    /// Makes the root itself where it does not exist, as the first write into a new workspace needs.
    pub(crate) fn make_root(&self) -> Result<(), Fault> {
        match self.folder(b".") {
            Err(fault) if fault.kind == ErrorKind::NotFound => {}
            found => return found.map(drop),
        }
        std::fs::create_dir_all(&self.root)
            .map_err(|error| error.raw_os_error().map_or(Errno::IO, Errno::from_raw_os_error))
            .map_err(fault::of)?;
        self.keep(self.open_root()?);
        Ok(())
    }

    /// Where the root is now, on the host; for rewriting links and never for opening.
    pub(crate) fn real_root(&self) -> Result<PathBuf, Fault> {
        use rustix::fd::AsRawFd;
        if !self.contained {
            return Ok(PathBuf::from("/"));
        }
        let told = self.with_root(|root| {
            let link = format!("/proc/self/fd/{}", root.as_raw_fd());
            Ok(rustix::fs::readlinkat(rustix::fs::CWD, link, Vec::new()).ok())
        })?;
        match told {
            Some(path) => Ok(PathBuf::from(std::ffi::OsStr::from_bytes(path.as_bytes()))),
            None => std::fs::canonicalize(&self.root).map_err(|_| ErrorKind::NotFound.into()),
        }
    }
}

/// Opens a child of a directory by its name; a link is an error ([`Errno::LOOP`]) unless only a handle is
/// wanted.
pub(crate) fn child(folder: impl AsFd, name: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(folder, name, flags | ALWAYS | OFlags::NOFOLLOW, Mode::empty())
}

/// Opens a child directory for reading its entries.
pub(crate) fn child_folder(folder: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    child(folder, name, OFlags::RDONLY | OFlags::DIRECTORY)
}

/// Opens a child directory to look things up from.
pub(crate) fn child_handle(folder: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = HANDLE | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    rustix::fs::openat(folder, name, flags, Mode::empty())
}

/// Opens a new file that has no name yet.
pub(crate) fn nameless(folder: impl AsFd) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(folder, c".", OFlags::WRONLY | OFlags::TMPFILE | ALWAYS, Mode::from_raw_mode(0o666))
}

/// Opens a new file under a name that must not exist.
pub(crate) fn create(folder: impl AsFd, name: &[u8], mode: Mode) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | ALWAYS;
    rustix::fs::openat(folder, name, flags, mode)
}

/// Opens the directory that holds `folder`. The caller compares what it gets with what it knows: a directory
/// that was moved has another parent.
pub(crate) fn parent(folder: impl AsFd) -> Result<OwnedFd, Errno> {
    child(folder, b"..", OFlags::RDONLY | OFlags::DIRECTORY)
}

/// Opens, for reading its entries, a directory of which only a handle is held.
pub(crate) fn reopen(folder: impl AsFd) -> Result<OwnedFd, Errno> {
    rustix::fs::openat(folder, c".", OFlags::RDONLY | OFlags::DIRECTORY | ALWAYS, Mode::empty())
}

/// The `stat` of a child; a link's own.
pub(crate) fn child_stat(folder: impl AsFd, name: &[u8]) -> Result<Stat, Errno> {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
}

fn node_of(handle: &OwnedFd) -> Result<Node, Errno> {
    let stat = rustix::fs::fstat(handle)?;
    let target = match FileType::from_raw_mode(stat.st_mode) {
        FileType::Symlink => Some(rustix::fs::readlinkat(handle, c"", Vec::new())?.into_bytes()),
        _ => None,
    };
    Ok(Node { stat, target })
}

fn confinement() -> ResolveFlags {
    ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS
}

/// Whether a directory has no name any more.
pub(crate) fn is_deleted(folder: &OwnedFd) -> bool {
    rustix::fs::fstat(folder).is_ok_and(|stat| stat.st_nlink == 0)
}

fn no_containment() -> Fault {
    Fault::with(
        ErrorKind::Unsupported,
        "this system cannot keep paths below the root: deepfs needs the kernel's openat2 call (Linux 5.6 or later, \
         not blocked by a sandbox)",
    )
}
