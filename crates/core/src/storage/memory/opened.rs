//! Records as sources of bytes, and what is told of them.

use crate::{
    error::Fault,
    record::Record,
    storage::{Kind, Metadata, Source, Time},
};
use std::{cell::OnceCell, sync::Arc};

/// A record that is being read. It stays as it was opened, whatever is written meanwhile.
pub(super) struct Opened {
    record: Arc<Record>,
    /// Made when asked for: a search opens every file, and asks of none.
    metadata: OnceCell<Metadata>,
}

impl Opened {
    pub(super) const fn new(record: Arc<Record>) -> Self {
        Self { record, metadata: OnceCell::new() }
    }
}

impl Source for Opened {
    fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| describe(&self.record))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Fault> {
        let bytes = self.record.bytes();
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = bytes.get(start..).unwrap_or(&[]);
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self.record.bytes())
    }
}

pub(super) fn describe(record: &Record) -> Metadata {
    Metadata {
        kind: Kind::File,
        size: record.bytes().len() as u64,
        created: Time::Text(record.created.clone()),
        modified: Time::Text(record.modified.clone()),
        mime: Some(record.mime.clone()),
    }
}

/// Metadata that holds only the kind.
pub(super) const fn plain(kind: Kind) -> Metadata {
    Metadata { kind, size: 0, created: Time::Unknown, modified: Time::Unknown, mime: None }
}
