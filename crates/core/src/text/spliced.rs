//! New content that shares most of itself with the old.

/// Content in three parts: what stays of the old content at its start and at its end, and what is new between them. An edit of
/// one place in a large file is a few bytes and two borrowed ends, and no copy of the file.
///
/// ```
/// use deepfs_core::text::replace_bytes;
/// let edited = replace_bytes(b"one two three", "two", "2", false).unwrap().content;
/// assert_eq!(edited.parts(), [&b"one "[..], b"2", b" three"]);
/// assert_eq!(edited.concat(), b"one 2 three");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spliced<'o> {
    pub(super) head: &'o [u8],
    pub(super) middle: Vec<u8>,
    pub(super) tail: &'o [u8],
}

impl Spliced<'_> {
    /// The parts in order; each may be empty.
    #[must_use]
    pub fn parts(&self) -> [&[u8]; 3] {
        [self.head, &self.middle, self.tail]
    }

    /// Bytes in all.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.parts().iter().map(|part| part.len() as u64).sum()
    }

    /// The content in one piece.
    #[must_use]
    pub fn concat(self) -> Vec<u8> {
        if self.head.is_empty() && self.tail.is_empty() { self.middle } else { self.parts().concat() }
    }
}

/// Content that shares nothing.
impl From<Vec<u8>> for Spliced<'_> {
    fn from(middle: Vec<u8>) -> Self {
        Self { middle, ..Self::default() }
    }
}
