//! From the system's error numbers to faults. None of them names a host path.

use deepfs_core::{ErrorKind, Fault};
use rustix::io::Errno;

/// The fault that an error number stands for.
pub(crate) fn of(errno: Errno) -> Fault {
    let kind = match errno {
        Errno::NOENT => ErrorKind::NotFound,
        Errno::NOTDIR => ErrorKind::NotADirectory,
        Errno::ISDIR => ErrorKind::IsDirectory,
        Errno::EXIST => ErrorKind::AlreadyExists,
        Errno::XDEV => ErrorKind::OutsideRoot,
        Errno::ACCESS | Errno::PERM => ErrorKind::PermissionDenied,
        Errno::ROFS => ErrorKind::ReadOnly,
        Errno::LOOP => ErrorKind::SymlinkLoop,
        Errno::NAMETOOLONG => ErrorKind::NameTooLong,
        // What opening a socket, or a FIFO that nobody reads, answers.
        Errno::NXIO | Errno::NODEV => ErrorKind::NotRegularFile,
        Errno::NOSPC | Errno::DQUOT => ErrorKind::StorageFull,
        Errno::FBIG => return too_big(),
        Errno::TXTBSY => {
            return Fault::with(ErrorKind::PermissionDenied, "the file is a program that is running");
        }
        Errno::AGAIN | Errno::BUSY => {
            return Fault::with(ErrorKind::Conflict, "the file is in use; try again");
        }
        Errno::MFILE | Errno::NFILE => {
            return Fault::with(ErrorKind::Io, "too many files are open in this process or on this machine");
        }
        Errno::NOSYS | Errno::OPNOTSUPP => {
            return Fault::with(ErrorKind::Unsupported, "the file system cannot do this");
        }
        other => {
            return Fault::with(ErrorKind::Io, std::io::Error::from(other).to_string());
        }
    };
    kind.into()
}

/// The content is larger than a file may be here.
pub(crate) fn too_big() -> Fault {
    Fault::with(ErrorKind::StorageFull, "the content is larger than files may be here")
}

/// Whether a fault tells of a shortage in this process or of a broken disk: the answer to a search would be
/// wrong if the file were passed over.
pub(crate) fn ends_a_walk(errno: Errno) -> bool {
    matches!(errno, Errno::MFILE | Errno::NFILE | Errno::NOMEM)
}
