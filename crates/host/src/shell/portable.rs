//! Processes where nothing is known of the system but what the standard library offers: a command is ended as a process
//! group (Unix) or process tree (Windows), and what it leaves running cannot be found again.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::jail::JailRefused;
use super::options::ShellOptions;
use super::transcript::{Stream, Transcript};

/// Pieces of output on their way; with their size, this bounds the memory of a flood.
const PIECES: usize = 4;
const PIECE_BYTES: usize = 32 * 1024;
const STACK_BYTES: usize = 128 * 1024;
/// How often the end of the shell is looked for.
const STEP: Duration = Duration::from_millis(10);
/// How long processes may tidy up before they are killed.
const GRACE: Duration = Duration::from_millis(80);
/// How long the end of the killed shell is awaited.
const KILLING: Duration = Duration::from_millis(100);

/// What the commands of one shell share: nothing.
#[derive(Debug)]
pub(super) struct System;

/// A command that has been started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    status: Option<ExitStatus>,
    pieces: Receiver<(Stream, Vec<u8>)>,
    open: bool,
}

impl System {
    /// Refuses a jail.
    ///
    /// # Errors
    /// When a jail is asked for.
    pub(super) fn new(options: &mut ShellOptions) -> Result<Self, JailRefused> {
        match options.jail {
            Some(_) => Err(JailRefused::because("it is made for Linux only")),
            None => Ok(Self),
        }
    }

    /// Starts a command.
    ///
    /// # Errors
    /// What kept it from starting.
    #[expect(clippy::unused_self, reason = "on Linux the commands of a shell do share something")]
    pub(super) fn start(&self, command: &str, options: &ShellOptions) -> io::Result<Process> {
        let mut shell = shell(command);
        shell
            .current_dir(&options.cwd)
            .env_clear()
            .envs(options.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = shell.spawn()?;
        let (sender, pieces) = sync_channel(PIECES);
        let out = child.stdout.take().map(|pipe| forward(pipe, Stream::Out, sender.clone()));
        let err = child.stderr.take().map(|pipe| forward(pipe, Stream::Err, sender));
        let mut process = Process { child, status: None, pieces, open: true };
        match out.into_iter().chain(err).collect::<io::Result<()>>() {
            Ok(()) => Ok(process),
            Err(error) => {
                process.end(&mut Transcript::new(0, false));
                Err(error)
            }
        }
    }

    /// Lets go of a process and gives its status. Its pipes are read to their end by their own threads.
    #[expect(clippy::unused_self, reason = "on Linux the commands of a shell do share something")]
    pub(super) fn finish(&self, process: Process) -> Option<ExitStatus> {
        process.status
    }

    /// Nothing is known of what still runs.
    #[expect(clippy::unused_self, reason = "on Linux the commands of a shell do share something")]
    pub(super) const fn close(&self) {}
}

impl Process {
    /// Whether the shell has ended; processes it left behind do not count.
    pub(super) fn has_ended(&mut self) -> bool {
        if self.status.is_none() {
            self.status = self.child.try_wait().ok().flatten();
        }
        self.status.is_some()
    }

    /// Whether something may still be printed.
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Waits for at most `longest` and takes in what has been printed.
    pub(super) fn turn(&mut self, longest: Duration, transcript: &mut Transcript) {
        let longest = if self.status.is_some() { longest } else { longest.min(STEP) };
        if !self.open {
            thread::sleep(longest);
            return;
        }
        match self.pieces.recv_timeout(longest) {
            Ok((stream, piece)) => transcript.add(stream, &piece),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.open = false,
        }
    }

    /// Ends the command and its group, and takes in what it printed to the last.
    pub(super) fn end(&mut self, transcript: &mut Transcript) {
        self.signal(false);
        self.wait(GRACE, transcript);
        self.signal(true);
        self.wait(KILLING, transcript);
    }

    fn wait(&mut self, longest: Duration, transcript: &mut Transcript) {
        let until = Instant::now() + longest;
        while Instant::now() < until && (!self.has_ended() || self.open) {
            self.turn(STEP, transcript);
        }
    }

    #[cfg(unix)]
    fn signal(&mut self, kill: bool) {
        use rustix::process::{Pid, Signal};
        // While a member lives the group's number stays its own, also when the shell has ended.
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let signal = if kill { Signal::KILL } else { Signal::TERM };
        if let Some(group) = group {
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, kill: bool) {
        // There is no asking; `taskkill` follows the tree as far as parents live.
        if !kill {
            let _ = Command::new("taskkill")
                .args(["/T", "/F", "/PID", &self.child.id().to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
        } else {
            let _ = self.child.kill();
        }
    }
}

#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "--", command]).process_group(0);
    shell
}

#[cfg(windows)]
fn shell(command: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    /// `CREATE_NO_WINDOW`.
    const NO_WINDOW: u32 = 0x0800_0000;
    let program = std::env::var_os("ComSpec").unwrap_or_else(|| "cmd.exe".into());
    let mut shell = Command::new(program);
    // `/s` takes the outer quotes off and the rest as it is.
    shell.raw_arg(format!("/d /s /c \"{command}\"")).creation_flags(NO_WINDOW);
    shell
}

/// Reads a pipe to its end on a thread of its own. Once nobody listens any more what comes is dropped, so that a
/// background process can go on printing.
fn forward(
    mut pipe: impl Read + Send + 'static,
    stream: Stream,
    pieces: SyncSender<(Stream, Vec<u8>)>,
) -> io::Result<()> {
    thread::Builder::new()
        .name("deepfs-output".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let mut buffer = vec![0; PIECE_BYTES];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let _ = pieces.send((stream, buffer.get(..count).unwrap_or_default().to_vec()));
            }
        })
        .map(drop)
}

#[cfg(test)]
mod tests;
