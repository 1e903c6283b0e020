//! Errors: what went wrong ([`ErrorKind`]), during which verb ([`Operation`]), at which virtual path.
//!
//! Code branches on the kind; the sentence a model reads is made in one place, [`crate::message`].

use crate::message;

/// What went wrong, independent of the verb and of the storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Nothing exists at the path.
    NotFound,
    /// The path names a directory where a file is needed.
    IsDirectory,
    /// A component of the path, or the path itself, is a file where a directory is needed.
    NotADirectory,
    /// A create-only write met an existing file.
    AlreadyExists,
    /// The path cannot be one of ours: a `..` segment, a NUL, a name that is too long.
    InvalidPath,
    /// The path leads outside the root.
    OutsideRoot,
    /// The operation would remove or replace the root itself.
    RootRefused,
    /// The system refused access.
    PermissionDenied,
    /// A FIFO, socket or device: not something to read or write.
    NotRegularFile,
    /// The file, the content or the result is larger than its limit.
    TooLarge,
    /// An argument has the wrong type or value.
    InvalidArgument,
    /// Content that cannot be stored as asked: bad base64, a lone surrogate.
    InvalidContent,
    /// The file is binary and the operation needs text.
    Binary,
    /// The text of the file cannot be re-encoded without loss.
    Encoding,
    /// `edit` got an empty `oldString` for a file with content.
    EmptyOldString,
    /// `edit` did not find `oldString`.
    NoMatch,
    /// `edit` found `oldString` more than once.
    Ambiguous,
    /// `edit` would change nothing.
    NoChange,
    /// `read` starts behind the last line.
    PastEnd,
    /// The file changed while it was being edited, or a lock could not be had in time.
    Conflict,
    /// The disk or quota is full.
    StorageFull,
    /// The storage is read-only.
    ReadOnly,
    /// A permission rule or policy refused the call.
    Denied,
    /// The caller cancelled the call.
    Cancelled,
    /// The call ran into its time limit.
    TimedOut,
    /// The backend cannot do this at all.
    Unsupported,
    /// The backing service (a store, a hub) failed.
    Unavailable,
    /// A chain of links that never ends.
    SymlinkLoop,
    /// A name, or the whole path, is longer than the storage allows.
    NameTooLong,
    /// Any other failure of the system.
    Io,
    /// A fault of deepfs itself, caught at the boundary.
    Internal,
}

impl ErrorKind {
    /// Every kind, for tables and tests.
    pub const ALL: [Self; 31] = [
        Self::NotFound,
        Self::IsDirectory,
        Self::NotADirectory,
        Self::AlreadyExists,
        Self::InvalidPath,
        Self::OutsideRoot,
        Self::RootRefused,
        Self::PermissionDenied,
        Self::NotRegularFile,
        Self::TooLarge,
        Self::InvalidArgument,
        Self::InvalidContent,
        Self::Binary,
        Self::Encoding,
        Self::EmptyOldString,
        Self::NoMatch,
        Self::Ambiguous,
        Self::NoChange,
        Self::PastEnd,
        Self::Conflict,
        Self::StorageFull,
        Self::ReadOnly,
        Self::Denied,
        Self::Cancelled,
        Self::TimedOut,
        Self::Unsupported,
        Self::Unavailable,
        Self::Io,
        Self::Internal,
        Self::SymlinkLoop,
        Self::NameTooLong,
    ];

    /// The stable code of this kind, as results carry it in their additive `code` field.
    ///
    /// ```
    /// assert_eq!(deepfs_core::ErrorKind::NotFound.code(), "file_not_found");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            // The first four are the protocol's own `FileOperationError` codes.
            Self::NotFound => "file_not_found",
            Self::PermissionDenied => "permission_denied",
            Self::IsDirectory => "is_directory",
            Self::InvalidPath => "invalid_path",
            Self::NotADirectory => "not_a_directory",
            Self::AlreadyExists => "already_exists",
            Self::OutsideRoot => "outside_root",
            Self::RootRefused => "root_refused",
            Self::NotRegularFile => "not_a_regular_file",
            Self::TooLarge => "too_large",
            Self::InvalidArgument => "invalid_argument",
            Self::InvalidContent => "invalid_content",
            Self::Binary => "binary_file",
            Self::Encoding => "encoding",
            Self::EmptyOldString => "empty_old_string",
            Self::NoMatch => "no_match",
            Self::Ambiguous => "ambiguous",
            Self::NoChange => "no_change",
            Self::PastEnd => "past_end",
            Self::Conflict => "conflict",
            Self::StorageFull => "storage_full",
            Self::ReadOnly => "read_only",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Unsupported => "unsupported",
            Self::Unavailable => "unavailable",
            Self::SymlinkLoop => "symlink_loop",
            Self::NameTooLong => "name_too_long",
            Self::Io => "io",
            Self::Internal => "internal",
        }
    }

    /// The kind that a code names; the inverse of [`ErrorKind::code`].
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The protocol's own `FileOperationError` for upload and download results, which knows four codes.
    #[must_use]
    pub const fn transfer_code(self) -> &'static str {
        match self {
            Self::NotFound => "file_not_found",
            Self::IsDirectory => "is_directory",
            // The protocol has no word for "full" or "denied by rule": what the caller may not do, or can
            // not do now, is nearest to a refused permission, and never the caller's path.
            Self::PermissionDenied
            | Self::ReadOnly
            | Self::Denied
            | Self::StorageFull
            | Self::TooLarge
            | Self::Conflict
            | Self::Cancelled
            | Self::TimedOut
            | Self::Unavailable
            | Self::Io
            | Self::Internal => "permission_denied",
            _ => "invalid_path",
        }
    }
}

/// The verb during which an error happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `ls`
    Ls,
    /// `read`
    Read,
    /// `readRaw`
    ReadRaw,
    /// `write`
    Write,
    /// `edit`
    Edit,
    /// `glob`
    Glob,
    /// `grep`
    Grep,
    /// `delete`
    Delete,
    /// `uploadFiles`
    Upload,
    /// `downloadFiles`
    Download,
    /// `execute`
    Execute,
}

impl Operation {
    /// Every operation with the name of its method in the protocol.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Ls, "ls"),
        (Self::Read, "read"),
        (Self::ReadRaw, "readRaw"),
        (Self::Write, "write"),
        (Self::Edit, "edit"),
        (Self::Glob, "glob"),
        (Self::Grep, "grep"),
        (Self::Delete, "delete"),
        (Self::Upload, "uploadFiles"),
        (Self::Download, "downloadFiles"),
        (Self::Execute, "execute"),
    ];

    /// The operation that a method of the protocol stands for.
    #[must_use]
    pub fn from_method(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, method)| *method == name).map(|(operation, _)| operation)
    }
}

/// A failure as a [`crate::Storage`] or a rule of the core reports it: without verb and path, which the
/// operation adds with [`Fault::at`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: ErrorKind,
    /// What the caller should know beyond the kind: a line count, a near match. Never a host path.
    pub detail: String,
}

impl Fault {
    /// A fault with nothing to add to its kind.
    #[must_use]
    pub const fn new(kind: ErrorKind) -> Self {
        Self { kind, detail: String::new() }
    }

    /// A fault with a detail for the caller.
    #[must_use]
    pub fn with(kind: ErrorKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }

    /// The error of an operation on a path, as the caller spelt the path.
    #[must_use]
    pub fn at(self, operation: Operation, path: &str) -> Error {
        Error { kind: self.kind, operation, path: path.to_owned(), detail: self.detail }
    }
}

impl From<ErrorKind> for Fault {
    fn from(kind: ErrorKind) -> Self {
        Self::new(kind)
    }
}

/// The failure of one operation. Its [`Display`](std::fmt::Display) is the sentence shown to a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", message::sentence(*.kind, *.operation, .path, .detail))]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The verb.
    pub operation: Operation,
    /// The virtual path, as the caller spelt it.
    pub path: String,
    /// See [`Fault::detail`].
    pub detail: String,
}
