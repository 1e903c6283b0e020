//! The entries of one directory, in the order of full paths.

use super::names;
use rustix::fs::FileType;
use std::{borrow::Cow, cmp::Ordering, num::NonZeroU32, ops::Range};

/// See the module. Names are in one piece of text, since most directories are small and there are many of
/// them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folder {
    text: String,
    /// The bytes of names that are not UTF-8.
    raw: Vec<Vec<u8>>,
    children: Vec<Child>,
    /// Whether there is a file with rules about what to ignore.
    pub has_rules: bool,
    /// Whether there is a link.
    pub has_links: bool,
}

/// One entry; small, since many are remembered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child {
    /// The first bytes of what it is ordered by, as a number; known once [`Folder::sort`] is at work.
    first: u64,
    start: u32,
    /// One more than the index into [`Folder::raw`], for a name that is not UTF-8.
    raw: Option<NonZeroU32>,
    len: u16,
    /// What it is; never unknown.
    pub file_type: FileType,
    /// Whether it is ordered as a directory, by its name and a slash.
    pub is_folder: bool,
}

impl Folder {
    /// Forgets everything but its room.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.raw.clear();
        self.children.clear();
        self.has_rules = false;
        self.has_links = false;
    }

    /// Takes an entry in; `None` when there is no room for more in one directory, which is at 4 GiB of names.
    pub(crate) fn push(&mut self, name: &[u8], file_type: FileType) -> Option<()> {
        let start = u32::try_from(self.text.len()).ok()?;
        let mut raw = None;
        match names::spell(name) {
            Cow::Borrowed(text) => self.text.push_str(text),
            Cow::Owned(text) => {
                self.text.push_str(&text);
                self.raw.push(name.to_vec());
                raw = Some(NonZeroU32::new(u32::try_from(self.raw.len()).ok()?)?);
            }
        }
        // A name has at most 255 bytes, each spelt by four letters at most.
        let len = u16::try_from(self.text.len() - start as usize).ok()?;
        self.has_rules |= name == b".gitignore" || name == b".ignore";
        self.has_links |= file_type == FileType::Symlink;
        let is_folder = file_type == FileType::Directory;
        self.children.push(Child { first: 0, start, raw, len, file_type, is_folder });
        Some(())
    }

    /// What it takes on the heap, in bytes, without room to spare.
    pub(crate) fn heap_bytes(&self) -> usize {
        let raw: usize = self.raw.iter().map(|name| name.len() + size_of::<Vec<u8>>()).sum();
        self.text.len() + self.children.len() * size_of::<Child>() + raw
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
        self.text.get(child.range()).unwrap_or("")
    }

    /// An entry's name on the host.
    pub(crate) fn host_name(&self, child: Child) -> &[u8] {
        match child.raw {
            None => self.name(child).as_bytes(),
            Some(number) => self.raw.get(number.get() as usize - 1).map_or(&[], Vec::as_slice),
        }
    }

    /// Whether the host name is not the shown one.
    pub(crate) fn is_spelt(child: Child) -> bool {
        child.raw.is_some()
    }

    /// Orders the entries as the full paths of everything below them are ordered.
    pub(crate) fn sort(&mut self) {
        let text = self.text.as_bytes();
        let name = |child: &Child| text.get(child.range()).unwrap_or_default();
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

impl Child {
    fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + usize::from(self.len)
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
