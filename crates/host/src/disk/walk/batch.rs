//! Steps of a walk, collected for another thread.

use super::steps::{Step, Steps};
use deepfs_core::Fault;
use rustix::fd::OwnedFd;
use std::sync::Arc;

/// Steps in one batch: enough that handing it over costs little beside the work.
const STEPS: usize = 128;
/// Directories that one batch holds open. With the number of batches in flight, this bounds the handles of a
/// walk.
const FOLDERS: usize = 24;

/// See the module.
pub(crate) struct Batch {
    paths: String,
    steps: Vec<(usize, Step)>,
}

impl Batch {
    /// The next steps of a walk; `None` at its end.
    pub(crate) fn collect(steps: &mut Steps<'_>) -> Result<Option<Self>, Fault> {
        let mut batch = Self { paths: String::new(), steps: Vec::with_capacity(STEPS) };
        let mut folders = 0;
        while batch.steps.len() < STEPS && folders < FOLDERS {
            let Some(step) = steps.next()? else { break };
            let same = batch.steps.last().is_some_and(|(_, last)| Arc::ptr_eq(&last.folder, &step.folder));
            folders += usize::from(!same);
            batch.paths.push_str(steps.path());
            batch.steps.push((batch.paths.len(), step));
        }
        Ok((!batch.steps.is_empty()).then_some(batch))
    }

    /// The steps with their paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Step)> {
        let mut start = 0;
        self.steps.iter().map(move |(end, step)| {
            let path = self.paths.get(start..*end).unwrap_or("");
            start = *end;
            (path, step)
        })
    }
}

impl Step {
    /// The entry as the host knows it: the directory that holds it and its name there. `path` is the step's.
    pub(crate) fn host<'s>(&'s self, path: &'s str) -> (&'s Arc<OwnedFd>, &'s [u8]) {
        let name = match &self.host_name {
            Some(name) => name,
            None => path.rsplit('/').next().unwrap_or(path).as_bytes(),
        };
        (&self.folder, name)
    }
}
