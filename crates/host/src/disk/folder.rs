//! The entries of one directory, in the order of full paths.

use super::{gate, names, stat};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, RawDir},
    io::Errno,
};
use std::{borrow::Cow, cmp::Ordering};

const BUFFER_BYTES: usize = 64 << 10;

/// Room for the system to put directory entries into, kept from one directory to the next.
pub(crate) struct Buffer(Vec<u8>);

impl Buffer {
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(BUFFER_BYTES))
    }
}

/// See the module. Names are in one piece of text, since most directories are small and there are many of
/// them.
#[derive(Default)]
pub(crate) struct Folder {
    text: String,
    /// The bytes of names that are not UTF-8.
    raw: Vec<Vec<u8>>,
    children: Vec<Child>,
    /// Whether there is a file with rules about what to ignore.
    pub has_rules: bool,
}

/// One entry.
#[derive(Clone, Copy)]
pub(crate) struct Child {
    /// The first bytes of what it is ordered by, as a number; known once [`Folder::sort`] is at work.
    first: u64,
    start: usize,
    end: usize,
    /// Index into [`Folder::raw`], for a name that is not UTF-8.
    raw: Option<usize>,
    /// What it is; never unknown.
    pub file_type: FileType,
    /// Whether it is ordered as a directory, by its name and a slash.
    pub is_folder: bool,
}

impl Folder {
    /// Reads the entries of `handle`, at most `max`. The second value tells whether these are all.
    pub(crate) fn read(handle: &OwnedFd, buffer: &mut Buffer, max: u64) -> Result<(Self, bool), Errno> {
        Self::default().read_again(handle, buffer, max)
    }

    /// [`Folder::read`] into the room of one that is not needed any more.
    pub(crate) fn read_again(
        self,
        handle: &OwnedFd,
        buffer: &mut Buffer,
        max: u64,
    ) -> Result<(Self, bool), Errno> {
        let mut folder = self;
        folder.text.clear();
        folder.raw.clear();
        folder.children.clear();
        folder.has_rules = false;
        let mut entries = RawDir::new(handle, buffer.0.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                // The directory was removed while it was open: it is empty.
                Err(Errno::NOENT) => break,
                Err(errno) => return Err(errno),
            };
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." || names::is_own(name) {
                continue;
            }
            if folder.children.len() as u64 == max {
                return Ok((folder, false));
            }
            let file_type = match entry.file_type() {
                // Some file systems do not tell.
                FileType::Unknown => match gate::child_stat(handle, name) {
                    Ok(stat) => stat::file_type(&stat),
                    Err(_) => continue,
                },
                known => known,
            };
            folder.push(name, file_type);
        }
        Ok((folder, true))
    }

    fn push(&mut self, name: &[u8], file_type: FileType) {
        self.has_rules |= name == b".gitignore" || name == b".ignore";
        let start = self.text.len();
        let mut raw = None;
        match names::spell(name) {
            Cow::Borrowed(text) => self.text.push_str(text),
            Cow::Owned(text) => {
                self.text.push_str(&text);
                raw = Some(self.raw.len());
                self.raw.push(name.to_vec());
            }
        }
        let is_folder = file_type == FileType::Directory;
        self.children.push(Child { first: 0, start, end: self.text.len(), raw, file_type, is_folder });
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.children.len()
    }

    /// The entries.
    pub(crate) fn children(&self) -> &[Child] {
        &self.children
    }

    /// The entries, to correct what is known of them before sorting.
    pub(crate) fn children_mut(&mut self) -> &mut [Child] {
        &mut self.children
    }

    /// The entry at an index.
    pub(crate) fn child(&self, at: usize) -> Option<Child> {
        self.children.get(at).copied()
    }

    /// An entry's name as a virtual path shows it.
    pub(crate) fn name(&self, child: Child) -> &str {
        self.text.get(child.start..child.end).unwrap_or("")
    }

    /// An entry's name on the host.
    pub(crate) fn host_name(&self, child: Child) -> &[u8] {
        match child.raw {
            None => self.name(child).as_bytes(),
            Some(at) => self.raw.get(at).map_or(&[], Vec::as_slice),
        }
    }

    /// Whether the host name is not the shown one.
    pub(crate) fn is_spelt(child: Child) -> bool {
        child.raw.is_some()
    }

    /// Orders the entries as the full paths of everything below them are ordered.
    pub(crate) fn sort(&mut self) {
        let text = self.text.as_bytes();
        let name = |child: &Child| text.get(child.start..child.end).unwrap_or_default();
        for child in &mut self.children {
            child.first = first_bytes(name(child), child.is_folder);
        }
        // Most names differ early, and numbers are compared without a call.
        self.children.sort_unstable_by(|one, other| {
            let first = one.first.cmp(&other.first);
            first.then_with(|| by_path(name(one), one.is_folder, name(other), other.is_folder))
        });
    }
}

/// The first eight bytes of a name, a directory's with a slash at its end. Where two numbers differ, they are
/// ordered as [`by_path`] orders the names: no name has a zero byte, which is what is put after a short one.
fn first_bytes(name: &[u8], is_folder: bool) -> u64 {
    let mut bytes = [0; 8];
    let slash = is_folder.then_some(&b'/');
    for (byte, from) in bytes.iter_mut().zip(name.iter().chain(slash)) {
        *byte = *from;
    }
    u64::from_be_bytes(bytes)
}

/// Compares names by bytes, a directory's with a slash at its end.
pub(crate) fn by_path(one: &[u8], one_is_folder: bool, other: &[u8], other_is_folder: bool) -> Ordering {
    let common = one.len().min(other.len());
    let (Some(start), Some(other_start)) = (one.get(..common), other.get(..common)) else {
        return one.cmp(other);
    };
    start.cmp(other_start).then_with(|| {
        let next = |name: &[u8], is_folder: bool| match name.get(common) {
            Some(byte) => Some(*byte),
            None => is_folder.then_some(b'/'),
        };
        next(one, one_is_folder).cmp(&next(other, other_is_folder)).then(one.len().cmp(&other.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_ordered_by_their_paths() {
        let mut entries =
            [("a", true), ("a.txt", false), ("a-b", false), ("a", false), ("ab", true), ("a0", false)];
        entries.sort_by(|one, other| by_path(one.0.as_bytes(), one.1, other.0.as_bytes(), other.1));
        assert_eq!(
            entries,
            [("a", false), ("a-b", false), ("a.txt", false), ("a", true), ("a0", false), ("ab", true)]
        );
    }

    #[test]
    fn first_bytes_never_order_two_names_otherwise_than_the_names() {
        let texts = [
            "a",
            "a-",
            "a-b",
            "a.txt",
            "a0",
            "abcdefg",
            "abcdefgh",
            "abcdefg.",
            "abcdefg0",
            "abcdefghi",
            "é",
            "\u{1}",
        ];
        let names: Vec<(&str, bool)> =
            texts.iter().flat_map(|name| [(*name, false), (*name, true)]).collect();
        for one in &names {
            for other in &names {
                let first =
                    first_bytes(one.0.as_bytes(), one.1).cmp(&first_bytes(other.0.as_bytes(), other.1));
                let whole = by_path(one.0.as_bytes(), one.1, other.0.as_bytes(), other.1);
                assert!(first == Ordering::Equal || first == whole, "{one:?} {other:?}");
            }
        }
    }
}
