//! The sentences shown to a model, all of them, and the only place that makes them.
//!
//! A sentence names the path as the caller spelt it, says what is wrong, and says the way out where there is one.
//! It never holds a host path.

use crate::error::{ErrorKind, Operation};

/// What `read` of the disk backends answers for a file of zero bytes; the upstream's own sentence, which agents
/// know.
pub const EMPTY_REMINDER: &str = "System reminder: File exists but has empty contents";

/// The most characters of a path or of `oldString` that a sentence repeats.
const QUOTED_CHARS: usize = 500;

/// The sentence for one failure; what [`crate::Error`] displays.
///
/// ```
/// use deepfs_core::{ErrorKind, Operation, message};
/// assert_eq!(
///     message::sentence(ErrorKind::NotFound, Operation::Edit, "/x", ""),
///     "Error: File '/x' not found"
/// );
/// ```
#[must_use]
pub fn sentence(kind: ErrorKind, operation: Operation, path: &str, detail: &str) -> String {
    let path = quoted(path);
    let of_edit_or_delete = matches!(operation, Operation::Edit | Operation::Delete);
    match kind {
        ErrorKind::NotFound if of_edit_or_delete => {
            format!("Error: File '{path}' not found{}", after(detail))
        }
        ErrorKind::NotFound => format!("File '{path}' not found{}", after(detail)),
        // The edit rules speak of the file's text; their sentences are complete in themselves.
        ErrorKind::NoMatch | ErrorKind::Ambiguous | ErrorKind::EmptyOldString | ErrorKind::NoChange => {
            format!("Error: {}", reason(kind, detail))
        }
        ErrorKind::PastEnd => detail.to_owned(),
        _ => format!("Error {} '{path}': {}", doing(operation), reason(kind, detail)),
    }
}

/// The start of a sentence about an operation that failed, as in `Error reading file '/x': …`.
const fn doing(operation: Operation) -> &'static str {
    match operation {
        Operation::Ls => "listing",
        Operation::Read | Operation::ReadRaw => "reading file",
        Operation::Write => "writing file",
        Operation::Edit => "editing file",
        Operation::Glob | Operation::Grep => "searching",
        Operation::Delete => "deleting",
        Operation::Upload => "uploading",
        Operation::Download => "downloading",
        Operation::Execute => "executing in",
    }
}

fn reason(kind: ErrorKind, detail: &str) -> String {
    let plain = match kind {
        ErrorKind::NotFound => "not found",
        ErrorKind::IsDirectory => "it is a directory, not a file; use ls to see what it holds",
        ErrorKind::NotADirectory => "a part of the path is a file, not a directory",
        ErrorKind::AlreadyExists => {
            "the file already exists and this backend only creates; read it and use edit, or choose another path"
        }
        ErrorKind::InvalidPath => "the path is not valid",
        ErrorKind::OutsideRoot => "the path leads outside the root directory",
        ErrorKind::RootRefused => {
            "refusing to act on the root directory itself; name a file or folder below it"
        }
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotRegularFile => "not a regular file (a pipe, socket or device)",
        ErrorKind::TooLarge => "too large",
        ErrorKind::InvalidArgument => "invalid argument",
        ErrorKind::InvalidContent => "the content can not be stored",
        ErrorKind::Binary => "it is a binary file and can not be handled as text",
        ErrorKind::Encoding => "the change can not be written in the file's own encoding without loss",
        ErrorKind::EmptyOldString => "oldString cannot be empty when file has content",
        ErrorKind::NoMatch => "String not found in file",
        ErrorKind::Ambiguous => "the string has multiple occurrences",
        ErrorKind::NoChange => "oldString and newString are the same; nothing was changed",
        ErrorKind::PastEnd => "the offset exceeds the file length",
        ErrorKind::Conflict => "the file was changed by someone else meanwhile; read it again and retry",
        ErrorKind::StorageFull => "no space left (disk or quota full); the old content is untouched",
        ErrorKind::ReadOnly => "the storage is read-only",
        ErrorKind::Denied => "permission denied by rule",
        ErrorKind::Cancelled => "cancelled",
        ErrorKind::TimedOut => "the time limit was reached; narrow the path or the pattern",
        ErrorKind::Unsupported => "this backend does not support it",
        ErrorKind::Unavailable => "the backing service failed",
        ErrorKind::SymlinkLoop => "too many levels of symbolic links",
        ErrorKind::NameTooLong => "the name is too long",
        ErrorKind::Io => "the system reported an error",
        ErrorKind::Internal => "internal error in deepfs; nothing was changed. Please report it",
    };
    match kind {
        // For these the detail is the whole reason, made by the rule that refused.
        ErrorKind::NoMatch | ErrorKind::Ambiguous | ErrorKind::InvalidArgument | ErrorKind::Denied
            if !detail.is_empty() =>
        {
            detail.to_owned()
        }
        _ if detail.is_empty() => plain.to_owned(),
        _ => format!("{plain}: {detail}"),
    }
}

fn after(detail: &str) -> String {
    if detail.is_empty() { String::new() } else { format!(". {detail}") }
}

/// `edit` did not find `old`. `hint` tells of a near match, or is empty.
#[must_use]
pub fn no_match(old: &str, hint: &str) -> String {
    let old = quoted(old);
    if hint.is_empty() {
        format!("String not found in file: '{old}'")
    } else {
        format!("String not found in file: '{old}'. {hint}")
    }
}

/// `edit` found `old` `count` times and may replace only one.
#[must_use]
pub fn ambiguous(old: &str, count: usize) -> String {
    let old = quoted(old);
    format!(
        "String '{old}' has multiple occurrences (appears {count} times) in file. Use replace_all=True to replace \
         all instances, or provide a more specific string with surrounding context."
    )
}

/// `read` starts at line `offset` (0-based) of a file with `total` lines.
#[must_use]
pub fn past_end(offset: u64, total: u64) -> String {
    format!("Line offset {offset} exceeds file length ({total} lines)")
}

fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS) {
        Some((end, _)) => format!("{}… ({} bytes in all)", text.get(..end).unwrap_or(""), text.len()),
        None => text.to_owned(),
    }
}
