//! New content on its way to a name: written in full before anybody can see it.
//!
//! It lives in a file without a name where the file system can do that, so that a process that is killed
//! leaves nothing behind; else under a hidden name, see [`super::leftovers`].

use super::{gate, lock, names};
use rustix::{
    fd::{AsRawFd, OwnedFd},
    fs::{AtFlags, Mode, OFlags, RenameFlags},
    io::Errno,
};
use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::atomic::{AtomicU64, Ordering},
};

/// Hidden names tried before giving up; they are random, so one is nearly always enough.
const TRIES: usize = 16;

/// See the module. Dropped before it got its name, it is gone.
pub(crate) struct Staged<'f> {
    folder: &'f OwnedFd,
    file: OwnedFd,
    /// What a hidden name ends with.
    suffix: &'static str,
    /// The hidden name, while there is one.
    hidden: Option<String>,
}

impl<'f> Staged<'f> {
    /// An empty file in `folder`. `mode` is subject to the process's umask; `suffix` ends its hidden name,
    /// should it need one.
    pub(crate) fn new(folder: &'f OwnedFd, mode: Mode, suffix: &'static str) -> Result<Self, Errno> {
        match gate::nameless(folder) {
            Ok(file) => Ok(Self { folder, file, suffix, hidden: None }),
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => {
                Self::named(folder, mode, suffix)
            }
            Err(errno) => Err(errno),
        }
    }

    fn named(folder: &'f OwnedFd, mode: Mode, suffix: &'static str) -> Result<Self, Errno> {
        for _ in 0..TRIES {
            let name = hidden_name(suffix);
            match gate::create(folder, name.as_bytes(), mode) {
                Ok(file) => {
                    let staged = Self { folder, file, suffix, hidden: Some(name) };
                    staged.claim();
                    return Ok(staged);
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            }
        }
        Err(Errno::EXIST)
    }

    /// Takes the lock of a file that has, or gets, a hidden name. It is held while this process lives; whoever can take it
    /// knows that the file is abandoned.
    fn claim(&self) {
        lock::try_take(&self.file);
    }

    /// The file, to set its mode, owner and attributes.
    pub(crate) fn file(&self) -> &OwnedFd {
        &self.file
    }

    /// Appends bytes.
    pub(crate) fn fill(&self, bytes: &[u8]) -> Result<(), Errno> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match rustix::io::write(&self.file, rest) {
                Ok(0) => return Err(Errno::IO),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        Ok(())
    }

    /// Gives the file a name that must be free, [`Errno::EXIST`] otherwise.
    pub(crate) fn place_new(mut self, name: &[u8]) -> Result<(), Errno> {
        let Some(hidden) = &self.hidden else { return self.link(name) };
        match rustix::fs::renameat_with(self.folder, hidden, self.folder, name, RenameFlags::NOREPLACE) {
            Ok(()) => {
                self.hidden = None;
                Ok(())
            }
            // A file system without that kind of rename; the drop takes the hidden name away.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                rustix::fs::linkat(self.folder, hidden, self.folder, name, AtFlags::empty())
            }
            Err(errno) => Err(errno),
        }
    }

    /// Puts the file in the place of the one that has the name.
    pub(crate) fn place_over(mut self, name: &[u8]) -> Result<(), Errno> {
        self.show()?;
        let Some(hidden) = &self.hidden else { return Err(Errno::IO) };
        rustix::fs::renameat(self.folder, hidden, self.folder, name)?;
        self.hidden = None;
        Ok(())
    }

    /// Gives the file a hidden name, if it has none.
    pub(crate) fn show(&mut self) -> Result<(), Errno> {
        if self.hidden.is_some() {
            return Ok(());
        }
        self.claim();
        for _ in 0..TRIES {
            let name = hidden_name(self.suffix);
            match self.link(name.as_bytes()) {
                Ok(()) => {
                    self.hidden = Some(name);
                    return Ok(());
                }
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            }
        }
        Err(Errno::EXIST)
    }

    /// The file, open for reading; it must have a name.
    pub(crate) fn read_again(&self) -> Result<OwnedFd, Errno> {
        let hidden = self.hidden.as_ref().ok_or(Errno::NOENT)?;
        gate::child(self.folder, hidden.as_bytes(), OFlags::RDONLY)
    }

    /// Leaves the file under its hidden name for good and tells that name.
    pub(crate) fn keep(mut self) -> Option<String> {
        self.hidden.take()
    }

    fn link(&self, name: &[u8]) -> Result<(), Errno> {
        match rustix::fs::linkat(&self.file, c"", self.folder, name, AtFlags::EMPTY_PATH) {
            // Kernels before 6.10 want a capability for this way and have another for everybody.
            Err(Errno::NOENT | Errno::PERM) => {
                let own = format!("/proc/self/fd/{}", self.file.as_raw_fd());
                rustix::fs::linkat(rustix::fs::CWD, own, self.folder, name, AtFlags::SYMLINK_FOLLOW)
            }
            answer => answer,
        }
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        if let Some(hidden) = &self.hidden {
            // Nothing better can be done about a failure here; the sweep takes what is left.
            let _ = rustix::fs::unlinkat(self.folder, hidden, AtFlags::empty());
        }
    }
}

fn hidden_name(suffix: &str) -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    // The hasher's keys are random in each process, which is all the randomness a name needs.
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u64(COUNTER.fetch_add(1, Ordering::Relaxed));
    hasher.write_u32(std::process::id());
    format!("{}{:0width$x}{suffix}", names::OWN_PREFIX, hasher.finish(), width = names::OWN_DIGITS)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use std::{fs, path::PathBuf};

    fn folder(name: &str) -> (PathBuf, OwnedFd) {
        let path = std::env::temp_dir().join(format!("deepfs-staged-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let handle = fs::File::open(&path).unwrap().into();
        (path, handle)
    }

    fn names_in(path: &PathBuf) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn both_ways_of_staging_end_in_the_same_place() {
        let (path, handle) = folder("ways");
        let mode = Mode::from_raw_mode(0o600);
        for stage in [Staged::new, Staged::named] {
            let staged = stage(&handle, mode, names::NEW_SUFFIX).unwrap();
            staged.fill(b"new").unwrap();
            staged.place_new(b"f").unwrap();
            let late = stage(&handle, mode, names::NEW_SUFFIX).unwrap();
            assert_eq!(late.place_new(b"f"), Err(Errno::EXIST));
            let over = stage(&handle, mode, names::NEW_SUFFIX).unwrap();
            over.fill(b"over").unwrap();
            over.place_over(b"f").unwrap();
            drop(stage(&handle, mode, names::NEW_SUFFIX).unwrap());
            assert_eq!(names_in(&path), ["f"]);
            assert_eq!(fs::read(path.join("f")).unwrap(), b"over");
            let mut kept = stage(&handle, mode, names::OLD_SUFFIX).unwrap();
            kept.show().unwrap();
            let name = kept.keep().unwrap();
            assert!(names::is_own(name.as_bytes()) && name.ends_with(names::OLD_SUFFIX), "{name}");
            fs::remove_file(path.join(name)).unwrap();
            fs::remove_file(path.join("f")).unwrap();
        }
        fs::remove_dir(path).unwrap();
    }
}
