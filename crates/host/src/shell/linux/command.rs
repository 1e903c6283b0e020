//! Building and starting the process of one command.

use std::io::{self, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::{MemfdFlags, OFlags};
use rustix::pipe::PipeFlags;

use super::before_exec::BeforeExec;
use super::walls::Walls;

const SHELL: &str = "/bin/sh";
/// Linux takes no single argument longer than 32 pages, its closing NUL included.
const MAX_ARGUMENT_BYTES: usize = 128 * 1024 - 1;

/// Where and how a command starts.
pub(super) struct Start<'a> {
    pub(super) command: &'a str,
    pub(super) cwd: &'a Path,
    pub(super) env: &'a [(String, String)],
    pub(super) tag: Option<u64>,
    pub(super) walls: Option<Walls>,
    /// Whether the order of what is written to the two streams must be kept.
    pub(super) ordered: bool,
}

/// A shell that has been started, and the reading ends of its output.
pub(super) struct Started {
    pub(super) shell: Child,
    pub(super) out: OwnedFd,
    pub(super) err: OwnedFd,
}

/// Starts the shell of a command.
///
/// # Errors
/// What kept it from starting.
pub(super) fn start(start: Start<'_>) -> io::Result<Started> {
    let script = (start.command.len() >= MAX_ARGUMENT_BYTES).then(|| script(start.command)).transpose()?;
    let mut command = Command::new(SHELL);
    // `--`: a command that begins with a dash is still a command.
    command.args(["-c", "--"]);
    match &script {
        // Read as a file, where the length does not matter; `$0` and standard input stay what they are.
        Some(script) => command.arg(format!(". /dev/fd/{}", script.as_raw_fd())),
        None => command.arg(start.command),
    };
    let (out, child_out) = pipe(start.ordered)?;
    let (err, child_err) = pipe(start.ordered)?;
    command
        .current_dir(start.cwd)
        .env_clear()
        .envs(start.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(child_out)
        .stderr(child_err);
    let parent = rustix::process::getpid();
    BeforeExec { tag: start.tag, script, walls: start.walls, parent }.attach(&mut command);
    // The writing ends go with `command`, so that the end of the last writer is seen.
    Ok(Started { shell: command.spawn()?, out, err })
}

/// A pipe that does not block its reader. To keep an order it holds one write at a time (see [`super::pump`]): every
/// write has a page of its own, and there is one page.
fn pipe(ordered: bool) -> io::Result<(OwnedFd, OwnedFd)> {
    let packets = if ordered { PipeFlags::DIRECT } else { PipeFlags::empty() };
    let (reading, writing) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC | packets)?;
    rustix::fs::fcntl_setfl(&reading, OFlags::NONBLOCK)?;
    if ordered {
        rustix::pipe::fcntl_setpipe_size(&reading, 1)?;
    }
    Ok((reading, writing))
}

/// A file without a name that holds the command.
fn script(command: &str) -> io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("command", MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(file);
    file.write_all(command.as_bytes())?;
    Ok(file.into())
}
