//! The private temporary folder of a jail.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::rand::GetRandomFlags;

/// A folder that only its owner can enter. It is made when it is first needed, and removed with all it holds.
#[derive(Debug)]
pub(super) struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Chooses a name that nobody can guess.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn new() -> io::Result<Self> {
        let mut random = [0_u8; 16];
        rustix::rand::getrandom(&mut random, GetRandomFlags::empty())?;
        // The folder of the host may be reached through a link, but the jail's rules speak of the place itself.
        let parent = std::env::temp_dir().canonicalize()?;
        Ok(Self { path: parent.join(format!("deepfs-{:032x}", u128::from_ne_bytes(random))) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or someone else has made it.
    pub(super) fn ensure(&self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let found = fs::symlink_metadata(&self.path)?;
                let own = found.is_dir() && found.uid() == rustix::process::geteuid().as_raw();
                if own { Ok(()) } else { Err(error) }
            }
            made => made,
        }
    }

    /// Removes the folder, as far as its contents let themselves be removed.
    pub(super) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        self.remove();
    }
}
