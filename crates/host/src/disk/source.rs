//! Open files.

use super::{fault, gate::Gate, stat};
use deepfs_core::{
    ErrorKind, Fault,
    storage::{Kind, Metadata, Source},
};
use rustix::{
    buffer::spare_capacity,
    fd::OwnedFd,
    fs::{OFlags, Stat},
    io::{Errno, ReadWriteFlags},
};

/// A regular file, open for reading.
pub(crate) struct FileSource {
    file: OwnedFd,
    stat: Stat,
    metadata: Metadata,
}

impl FileSource {
    /// Opens the file at `place`.
    pub(crate) fn open(gate: &Gate, place: &[u8]) -> Result<Self, Fault> {
        Self::of(gate.open(place, OFlags::RDONLY)?)
    }

    /// An open file, if it is a regular one.
    pub(crate) fn of(file: OwnedFd) -> Result<Self, Fault> {
        let stat = rustix::fs::fstat(&file).map_err(fault::of)?;
        let metadata = of_regular(&stat)?;
        Ok(Self { file, stat, metadata })
    }

    /// The `stat` of the file when it was opened.
    pub(crate) fn stat(&self) -> &Stat {
        &self.stat
    }

    /// A small file is read at once and as a whole, which takes one call where reading it in parts takes several.
    pub(crate) fn loaded(self) -> Result<Box<dyn Source>, Fault> {
        if self.metadata.size > SMALL_BYTES {
            return Ok(Box::new(self));
        }
        let bytes = self.read_all(u64::MAX)?;
        Ok(Box::new(LoadedSource { bytes, metadata: self.metadata }))
    }
}

/// What is known of an open file; an error unless it is a regular one.
pub(crate) fn regular(file: &OwnedFd) -> Result<Metadata, Fault> {
    of_regular(&rustix::fs::fstat(file).map_err(fault::of)?)
}

fn of_regular(stat: &Stat) -> Result<Metadata, Fault> {
    let metadata = stat::metadata(stat);
    match metadata.kind {
        Kind::File => Ok(metadata),
        Kind::Directory => Err(ErrorKind::IsDirectory.into()),
        _ => Err(ErrorKind::NotRegularFile.into()),
    }
}

impl Source for FileSource {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        read_at(&self.file, offset, buffer)
    }

    fn read_all(&self, cap: u64) -> Result<Vec<u8>, Fault> {
        read_all(&self.file, self.metadata.size, cap)
    }
}

/// See [`Source::read_at`].
pub(crate) fn read_at(file: &OwnedFd, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match rustix::io::pread(file, rest, offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(fault::of(errno)),
        }
    }
    Ok(filled)
}

/// Everything in a file that is expected to hold `size` bytes, at most `cap`. Unlike the provided method of
/// the trait, it does not fill the buffer with zeros first.
pub(crate) fn read_all(file: &OwnedFd, size: u64, cap: u64) -> Result<Vec<u8>, Fault> {
    check_cap(size, cap)?;
    let mut bytes = Vec::new();
    let expected = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
    bytes.try_reserve_exact(expected).map_err(|_| Fault::with(ErrorKind::TooLarge, "not enough memory"))?;
    loop {
        if bytes.len() == bytes.capacity() {
            bytes.reserve(bytes.len().max(4096));
        }
        let offset = bytes.len() as u64;
        match rustix::io::pread(file, spare_capacity(&mut bytes), offset) {
            Ok(0) => return Ok(bytes),
            Ok(_) if is_end(&bytes, size) => {
                check_cap(bytes.len() as u64, cap)?;
                return Ok(bytes);
            }
            Ok(_) => check_cap(bytes.len() as u64, cap)?,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(fault::of(errno)),
        }
    }
}

/// Whether a read that left room in the buffer met the end: it brought what was expected, and there was no more.
fn is_end(bytes: &Vec<u8>, size: u64) -> bool {
    bytes.len() as u64 == size && bytes.len() < bytes.capacity()
}

fn check_cap(size: u64, cap: u64) -> Result<(), Fault> {
    if size > cap {
        return Err(Fault::with(ErrorKind::TooLarge, format!("{size} bytes, the limit is {cap}")));
    }
    Ok(())
}

/// Files up to this size are read whole.
pub(crate) const SMALL_BYTES: u64 = 60 << 10;

/// A file that was read as a whole.
pub(crate) struct LoadedSource {
    bytes: Vec<u8>,
    metadata: Metadata,
}

impl LoadedSource {
    /// A small file, if memory holds it; `None` when reading it would wait, and for what is not small or no file.
    pub(crate) fn cached(file: OwnedFd) -> Option<Self> {
        let metadata = regular(&file).ok().filter(|metadata| metadata.size <= SMALL_BYTES)?;
        // One byte more than expected, so that the read also meets the end.
        let mut bytes = vec![0; usize::try_from(metadata.size).ok()? + 1];
        let mut parts = [std::io::IoSliceMut::new(&mut bytes)];
        let count = rustix::io::preadv2(&file, &mut parts, 0, ReadWriteFlags::NOWAIT).ok()?;
        // Part of it, or more than there was: the other way finds out.
        if count as u64 != metadata.size {
            return None;
        }
        bytes.truncate(count);
        Some(Self { bytes, metadata })
    }
}

impl Source for LoadedSource {
    fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(&self.bytes)
    }
}
