//! Records: files as graph state, stores and the memory storage keep them.

use crate::mime;

/// The content of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// UTF-8 text.
    Text(String),
    /// Anything else, byte for byte.
    Bytes(Vec<u8>),
}

/// A stored file with its MIME type and times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The content.
    pub body: Body,
    /// Its type; one of text exactly if the body is text.
    pub mime: String,
    /// When it was first written, as ISO text.
    pub created: String,
    /// When it was last written, as ISO text.
    pub modified: String,
}

impl Record {
    /// The content as bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.body {
            Body::Text(text) => text.as_bytes(),
            Body::Bytes(bytes) => bytes,
        }
    }

    /// The content's length in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes().len() as u64
    }

    /// The record of these bytes at `path`. `mime` is what [`mime::classify`] says of them. Bytes that a text type
    /// does not fit (a legacy encoding) are kept as bytes, under the type that [`mime::of_bytes`] gives; reading decodes
    /// them.
    ///
    /// A file that existed keeps its creation time.
    #[must_use]
    pub fn from_bytes(path: &str, bytes: Vec<u8>, mime: &str, now: &str, existing: Option<&Self>) -> Self {
        let (body, mime) = if mime::is_text(mime) {
            match String::from_utf8(bytes) {
                Ok(text) => (Body::Text(text), mime),
                Err(error) => (Body::Bytes(error.into_bytes()), mime::of_bytes(path)),
            }
        } else {
            (Body::Bytes(bytes), mime)
        };
        let created = existing.map_or(now, |record| record.created.as_str());
        Self { body, mime: mime.to_owned(), created: created.to_owned(), modified: now.to_owned() }
    }
}

/// The lines of a text as records of the first format keep them: one string a line, and an empty one behind a final
/// line feed.
#[must_use]
pub fn lines_of(text: &str) -> Vec<&str> {
    text.split('\n').collect()
}

/// The text of such lines; the inverse of [`lines_of`].
#[must_use]
pub fn text_of<L: AsRef<str>>(lines: &[L]) -> String {
    let length = lines.iter().map(|line| line.as_ref().len() + 1).sum();
    let mut text = String::with_capacity(length);
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.push_str(line.as_ref());
    }
    text
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
