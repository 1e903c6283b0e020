//! Building and starting the process of one command.

use std::io::{self, Write as _};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::fs::MemfdFlags;

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
}

/// Starts the shell of a command with piped output.
///
/// # Errors
/// What kept it from starting.
pub(super) fn start(start: Start<'_>) -> io::Result<Child> {
    let script = (start.command.len() >= MAX_ARGUMENT_BYTES).then(|| script(start.command)).transpose()?;
    let mut command = Command::new(SHELL);
    // `--`: a command that begins with a dash is still a command.
    command.args(["-c", "--"]);
    match &script {
        // Read as a file, where the length does not matter; `$0` and standard input stay what they are.
        Some(script) => command.arg(format!(". /dev/fd/{}", script.as_raw_fd())),
        None => command.arg(start.command),
    };
    command
        .current_dir(start.cwd)
        .env_clear()
        .envs(start.env.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let parent = rustix::process::getpid();
    BeforeExec { tag: start.tag, script, walls: start.walls, parent }.attach(&mut command);
    command.spawn()
}

/// A file without a name that holds the command.
fn script(command: &str) -> io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("command", MemfdFlags::CLOEXEC)?;
    let mut file = std::fs::File::from(file);
    file.write_all(command.as_bytes())?;
    Ok(file.into())
}
