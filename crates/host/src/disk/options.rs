//! What a disk is made from.

use std::path::PathBuf;

/// Which files a [`Disk`](super::Disk) is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiskOptions {
    /// The root, an absolute host path. It may not exist yet.
    pub root: PathBuf,
    /// True: every path is below the root, and the kernel sees to it. False: a virtual path is a host path,
    /// links lead anywhere, and `root` is only kept from being removed.
    pub contained: bool,
    /// Whether a write returns only when content and name are on the disk (`fsync`).
    pub durable: bool,
}
