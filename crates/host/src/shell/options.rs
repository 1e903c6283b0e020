use std::path::PathBuf;
use std::time::Duration;

use super::jail::Jail;

/// How the commands of one [`Shell`](super::Shell) run.
///
/// ```
/// # use std::time::Duration;
/// # use deepfs_host::shell::ShellOptions;
/// let options = ShellOptions { timeout: Duration::from_secs(5), ..ShellOptions::new("/") };
/// assert_eq!(options.max_output_bytes, 100_000);
/// ```
#[derive(Debug, Clone)]
pub struct ShellOptions {
    /// Working directory of every command.
    pub cwd: PathBuf,
    /// The whole environment; nothing of the host's own is added.
    pub env: Vec<(String, String)>,
    /// Longest run of a command that brings no time-out of its own. The time it waits for a place does not count.
    pub timeout: Duration,
    /// Most bytes of output that a command's answer holds, before the sentence that says where it was cut.
    pub max_output_bytes: usize,
    /// `false`: all of stdout, then all of stderr. `true`: whole lines of both in the order in which they were finished.
    /// On Linux that is the order in which they were written; elsewhere that in which they were read.
    pub interleave: bool,
    /// Commands at once; further ones wait for a place. At least 1.
    pub max_concurrent: usize,
    /// What the kernel lets a command touch; `None` for everything the host process may touch.
    pub jail: Option<Jail>,
}

impl ShellOptions {
    /// The defaults of the protocol: an empty environment, 120 seconds, 100,000 bytes, no jail; 8 commands at once.
    #[must_use]
    pub fn new(cwd: impl Into<PathBuf>) -> Self {
        Self {
            cwd: cwd.into(),
            env: Vec::new(),
            timeout: Duration::from_secs(120),
            max_output_bytes: 100_000,
            interleave: false,
            max_concurrent: 8,
            jail: None,
        }
    }
}
