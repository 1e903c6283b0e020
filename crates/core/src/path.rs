//! Virtual paths: `/`-rooted, normalised once, so that nothing behind them has to check again.

use crate::error::{ErrorKind, Fault};
use std::fmt;

/// The longest path accepted, in bytes. Linux takes 4,096 (`PATH_MAX`) in one call; no file system names
/// anything longer in practice, and a megabyte of path is a mistake or an attack.
pub const MAX_PATH_BYTES: usize = 4096;
/// The longest single name accepted, in bytes: `NAME_MAX` of every Linux file system.
pub const MAX_NAME_BYTES: usize = 255;

/// A checked path: starts with `/`, has no empty, `.` or `..` segment, no NUL, and no trailing slash (the
/// root, `/`, aside).
///
/// ```
/// use deepfs_core::VirtualPath;
/// assert_eq!(VirtualPath::parse("a//b/./c/").unwrap().as_str(), "/a/b/c");
/// assert_eq!(VirtualPath::parse("/v1..v2.diff").unwrap().as_str(), "/v1..v2.diff");
/// assert!(VirtualPath::parse("/a/../b").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VirtualPath(String);

impl VirtualPath {
    /// The root, `/`.
    #[must_use]
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// Reads a path as a caller sent it. Repeated slashes and `.` segments mean nothing, a missing leading
    /// slash is added, a trailing one dropped.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidPath`] for a `..` segment or a NUL, [`ErrorKind::NameTooLong`] for a name or path
    /// longer than [`MAX_NAME_BYTES`] or [`MAX_PATH_BYTES`].
    pub fn parse(raw: &str) -> Result<Self, Fault> {
        Self::build("", raw, DotDot::Refuse)
    }

    /// Whether `raw` is a path in its normal form already, the root aside; told without making anything.
    pub(crate) fn is_normal(raw: &str) -> bool {
        let Some(rest) = raw.strip_prefix('/').filter(|_| raw.len() <= MAX_PATH_BYTES) else { return false };
        if is_plain(rest.as_bytes()) {
            return true;
        }
        let is_name = |start: usize, end: usize| {
            let name = rest.as_bytes().get(start..end).unwrap_or_default();
            !name.is_empty() && name != b"." && name != b".." && name.len() <= MAX_NAME_BYTES
        };
        let mut start = 0;
        for slash in memchr::memchr2_iter(b'/', 0, rest.as_bytes()) {
            if rest.as_bytes().get(slash) == Some(&0) || !is_name(start, slash) {
                return false;
            }
            start = slash + 1;
        }
        is_name(start, rest.len())
    }

    /// Reads a path of unconfined mode, where `base` is the working directory: an absolute path stands for
    /// itself, a relative one is below `base`, and `..` goes up one folder, as in a shell.
    ///
    /// # Errors
    /// As [`VirtualPath::parse`], `..` aside.
    pub fn resolve(base: &Self, raw: &str) -> Result<Self, Fault> {
        let base = if raw.starts_with('/') { "" } else { base.as_str() };
        Self::build(base, raw, DotDot::GoUp)
    }

    fn build(base: &str, raw: &str, dot_dot: DotDot) -> Result<Self, Fault> {
        if raw.contains('\0') {
            return Err(Fault::with(ErrorKind::InvalidPath, "a path cannot contain a NUL character"));
        }
        if raw.len() > MAX_PATH_BYTES {
            return Err(Fault::with(
                ErrorKind::NameTooLong,
                format!("the path has {} bytes, the limit is {MAX_PATH_BYTES}", raw.len()),
            ));
        }
        let mut path = String::with_capacity(base.len() + raw.len() + 1);
        path.push_str(if base == "/" { "" } else { base });
        for segment in raw.split('/') {
            match segment {
                "" | "." => {}
                ".." if dot_dot == DotDot::Refuse => {
                    return Err(Fault::with(
                        ErrorKind::InvalidPath,
                        "'..' is not allowed as a path segment; name the file from the root, '/'",
                    ));
                }
                ".." => path.truncate(path.rfind('/').unwrap_or(0)),
                name if name.len() > MAX_NAME_BYTES => {
                    return Err(Fault::with(
                        ErrorKind::NameTooLong,
                        format!("a name has {} bytes, the limit is {MAX_NAME_BYTES}", name.len()),
                    ));
                }
                name => {
                    path.push('/');
                    path.push_str(name);
                }
            }
        }
        if path.is_empty() {
            path.push('/');
        }
        Ok(Self(path))
    }

    /// The path as text, always `/`-rooted.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path without its leading slash; empty for the root.
    #[must_use]
    pub fn relative(&self) -> &str {
        self.0.strip_prefix('/').unwrap_or(&self.0)
    }

    /// Whether this is `/`.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0 == "/"
    }

    /// The last segment; empty for the root.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The containing folder; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        match self.0.rfind('/') {
            None | Some(0) => Some(Self::root()),
            Some(at) => self.0.get(..at).map(|text| Self(text.to_owned())),
        }
    }

    /// The segments from the root down.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// The prefix that every path below this one starts with: `/` for the root, else the path and a slash.
    #[must_use]
    pub fn prefix(&self) -> String {
        if self.is_root() { "/".to_owned() } else { format!("{}/", self.0) }
    }

    /// The path of a child. `name` is one segment that a listing gave, so it is not parsed again.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        Self(format!("{}{name}", self.prefix()))
    }

    /// Whether `other` is this path or lies below it.
    ///
    /// ```
    /// use deepfs_core::VirtualPath;
    /// let mem = VirtualPath::parse("/mem").unwrap();
    /// assert!(mem.contains(&VirtualPath::parse("/mem/a").unwrap()));
    /// assert!(!mem.contains(&VirtualPath::parse("/memory").unwrap()));
    /// ```
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self == other || other.0.starts_with(&self.prefix())
    }
}

impl fmt::Display for VirtualPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DotDot {
    Refuse,
    GoUp,
}

/// Whether a path without its leading slash surely is normal: short, without NUL, and no name is empty or begins with a dot.
/// Without an early end, so that many bytes are looked at together: there are tens of thousands of such keys in a large state.
fn is_plain(rest: &[u8]) -> bool {
    let odd = |before: u8, byte: u8| (byte == 0) | ((before == b'/') & ((byte == b'/') | (byte == b'.')));
    let (Some(&first), Some(&last)) = (rest.first(), rest.last()) else { return false };
    let pairs = rest.iter().zip(rest.iter().skip(1));
    rest.len() <= MAX_NAME_BYTES
        && last != b'/'
        && !odd(b'/', first)
        && !pairs.fold(false, |found, (&before, &byte)| found | odd(before, byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(raw: &str) -> String {
        match VirtualPath::parse(raw) {
            Ok(path) => path.0,
            Err(fault) => format!("{:?}", fault.kind),
        }
    }

    #[test]
    fn parse_normalises_spelling_and_keeps_legal_names() {
        let table = [
            ("", "/"),
            ("/", "/"),
            (".", "/"),
            ("/a//b", "/a/b"),
            ("/./a", "/a"),
            ("a/", "/a"),
            ("/report..final.md", "/report..final.md"),
            ("/app/[...slug]/page.tsx", "/app/[...slug]/page.tsx"),
            ("/...", "/..."),
            ("~/x", "/~/x"),
            ("/a b /c", "/a b /c"),
            ("C:\\x", "/C:\\x"),
        ];
        for (raw, want) in table {
            assert_eq!(parsed(raw), want, "{raw:?}");
        }
    }

    #[test]
    fn parse_refuses_traversal_nul_and_length() {
        for raw in ["..", "/..", "/a/../b", "a/..", "/a/b\0c"] {
            assert_eq!(parsed(raw), "InvalidPath", "{raw:?}");
        }
        assert_eq!(parsed(&"x".repeat(256)), "NameTooLong");
        assert_eq!(parsed(&"x/".repeat(500_000)), "NameTooLong");
        assert_eq!(parsed(&"x".repeat(255)).len(), 256);
    }

    #[test]
    fn resolve_follows_the_shell() {
        let base = VirtualPath::parse("/w/d").unwrap_or_else(|_| VirtualPath::root());
        let table =
            [("/a/../b", "/b"), ("x", "/w/d/x"), ("../x", "/w/x"), ("../../../x", "/x"), ("", "/w/d")];
        for (raw, want) in table {
            assert_eq!(VirtualPath::resolve(&base, raw).map(|path| path.0), Ok(want.to_owned()), "{raw:?}");
        }
    }

    #[test]
    fn parents_and_prefixes() {
        let path = VirtualPath::root().child("a").child("b");
        assert_eq!(path.as_str(), "/a/b");
        assert_eq!(path.name(), "b");
        assert_eq!(path.parent().map(|path| path.0), Some("/a".to_owned()));
        assert_eq!(VirtualPath::root().parent(), None);
        assert_eq!(VirtualPath::root().prefix(), "/");
        assert_eq!(path.prefix(), "/a/b/");
    }
}
