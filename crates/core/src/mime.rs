//! MIME types: by path, as the upstream documents them, and by content, where the path does not tell.

use crate::text::{Detected, detect};

/// The type of a file whose extension says nothing.
const PLAIN: &str = "text/plain";
/// The type of bytes of which nothing more is known.
const BYTES: &str = "application/octet-stream";

/// The documented table: a type and the extensions that stand for it.
const TYPES: &[(&str, &[&str])] = &[
    ("image/png", &["png"]),
    ("image/jpeg", &["jpg", "jpeg"]),
    ("image/gif", &["gif"]),
    ("image/webp", &["webp"]),
    ("image/svg+xml", &["svg"]),
    ("image/heic", &["heic"]),
    ("image/heif", &["heif"]),
    ("audio/mpeg", &["mp3"]),
    ("audio/wav", &["wav"]),
    ("audio/aiff", &["aiff"]),
    ("audio/aac", &["aac"]),
    ("audio/ogg", &["ogg"]),
    ("audio/flac", &["flac"]),
    ("video/mp4", &["mp4"]),
    ("video/webm", &["webm"]),
    ("video/mpeg", &["mpeg", "mpg"]),
    ("video/quicktime", &["mov"]),
    ("video/x-msvideo", &["avi"]),
    ("video/x-flv", &["flv"]),
    ("video/x-ms-wmv", &["wmv"]),
    ("video/3gpp", &["3gpp"]),
    ("application/pdf", &["pdf"]),
    ("application/vnd.ms-powerpoint", &["ppt"]),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", &["pptx"]),
    ("text/markdown", &["md", "markdown"]),
    ("text/html", &["html", "htm"]),
    ("text/css", &["css"]),
    ("text/csv", &["csv"]),
    ("text/xml", &["xml"]),
    ("application/json", &["json"]),
    ("application/javascript", &["js", "mjs", "cjs"]),
    (
        PLAIN,
        &[
            "txt",
            "ts",
            "tsx",
            "jsx",
            "py",
            "rb",
            "java",
            "c",
            "cpp",
            "h",
            "hpp",
            "go",
            "rs",
            "sh",
            "bash",
            "zsh",
            "yaml",
            "yml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "env",
            "log",
            "sql",
            "graphql",
            "proto",
            "r",
            "swift",
            "kt",
            "kts",
            "scala",
            "dart",
            "lua",
            "pl",
            "pm",
            "php",
            "ex",
            "exs",
            "erl",
            "hs",
            "ml",
            "mli",
            "vue",
            "svelte",
            "astro",
            "tf",
            "cmake",
            "makefile",
            "dockerfile",
            "gitignore",
            "dockerignore",
            "editorconfig",
        ],
    ),
];

/// The type that the path alone tells: `text/plain` for an extension that is not in the table.
///
/// ```
/// use deepfs_core::mime;
/// assert_eq!(mime::by_path("/img/A.PNG"), "image/png");
/// assert_eq!(mime::by_path("/.env"), "text/plain");
/// ```
#[must_use]
pub fn by_path(path: &str) -> &'static str {
    lookup(path).unwrap_or(PLAIN)
}

/// Whether content of this type is handled as text.
#[must_use]
pub fn is_text(mime: &str) -> bool {
    mime.starts_with("text/")
        || matches!(mime, "application/json" | "application/javascript" | "image/svg+xml")
}

/// Whether the path alone says that the file is not text.
#[must_use]
pub fn is_binary_path(path: &str) -> bool {
    !is_text(by_path(path))
}

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified {
    /// Its MIME type; a text type (see [`is_text`]) exactly if `encoding` is one of text.
    pub mime: String,
    /// How its bytes are to be read as text, or [`Detected::Binary`].
    pub encoding: Detected,
}

/// What a file is, by its path and its first bytes (see [`detect`] for `head` and `whole`). Without `sniff` by its
/// path alone.
///
/// ```
/// use deepfs_core::{mime::classify, text::Detected};
/// let zip = classify("/a.zip", b"PK\x03\x04\0\0", true, true);
/// assert_eq!((zip.mime.as_str(), zip.encoding), ("application/zip", Detected::Binary));
/// ```
#[must_use]
pub fn classify(path: &str, head: &[u8], whole: bool, sniff: bool) -> Classified {
    let mime = by_path(path);
    let encoding = match (is_text(mime), sniff) {
        (false, _) => return Classified { mime: mime.to_owned(), encoding: Detected::Binary },
        (true, false) => Detected::Utf8,
        (true, true) => detect(head, whole),
    };
    let mime = if encoding == Detected::Binary { of_bytes(path) } else { mime };
    Classified { mime: mime.to_owned(), encoding }
}

/// The type of bytes that are not text. An extension known as one of text says nothing about them: a binary `.ts` is
/// no TypeScript, and that it is a video is a guess too many.
#[must_use]
pub fn of_bytes(path: &str) -> &'static str {
    match lookup(path) {
        Some(mime) if !is_text(mime) => mime,
        Some(_) => BYTES,
        None => mime_guess::from_ext(extension(path).unwrap_or_default())
            .first_raw()
            .filter(|mime| !reads_as_text(mime))
            .unwrap_or(BYTES),
    }
}

/// Types that are text for others, even where [`is_text`] is narrower.
fn reads_as_text(mime: &str) -> bool {
    is_text(mime) || mime.ends_with("+xml") || mime.ends_with("+json") || mime == "application/xml"
}

fn lookup(path: &str) -> Option<&'static str> {
    let extension = extension(path)?;
    let has = |known: &&str| known.eq_ignore_ascii_case(extension);
    TYPES.iter().find(|(_, extensions)| extensions.iter().any(has)).map(|&(mime, _)| mime)
}

/// What stands behind the last dot of the name, unless the name starts there. A backslash ends a folder's name here,
/// as upstream has it, so that a path copied from Windows has the type of its file.
fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit(['/', '\\']).next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

#[cfg(test)]
#[path = "mime_tests.rs"]
mod tests;
