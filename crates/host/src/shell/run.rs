use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::jail::JailRefused;
#[cfg(target_os = "linux")]
use super::linux::{Process, System};
use super::options::ShellOptions;
use super::places::{CANCEL_CHECK, Places};
#[cfg(not(target_os = "linux"))]
use super::portable::{Process, System};
use super::transcript::{Printed, Transcript, is_blank};

/// How long output is awaited from processes that outlive the shell, such as the end of a pipeline. What a background
/// process prints later is not part of the answer.
const AFTERMATH: Duration = Duration::from_millis(50);
/// How long output is taken in even if the time is up: what the shell printed before it ended in time is in the pipes.
const LAST_WORDS: Duration = Duration::from_millis(10);
const TIMED_OUT: i32 = 124;
const FAILED: i32 = 1;
const THREAD_STACK_BYTES: usize = 256 * 1024;

/// The answer to a command, in the protocol's format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executed {
    /// What was printed, and how the command ended if it did not end well.
    pub output: String,
    /// The shell's exit code; 124 after a time-out, 1 after a signal or when it could not start; `None` when the
    /// caller cancelled it.
    pub exit_code: Option<i32>,
    /// Output is missing because it went over [`ShellOptions::max_output_bytes`].
    pub truncated: bool,
}

/// Runs commands, each in a shell of its own: see [the module](super).
///
/// It can be used from any number of threads. Dropping it leaves background processes alone (a jail's private folder
/// goes); [`Shell::close`] ends them.
///
/// ```
/// # use std::sync::atomic::AtomicBool;
/// # use deepfs_host::shell::{Shell, ShellOptions};
/// let shell = Shell::new(ShellOptions::new("/"))?;
/// let executed = shell.execute("echo hi", None, &AtomicBool::new(false));
/// assert_eq!((executed.output.as_str(), executed.exit_code), ("hi\n", Some(0)));
/// # Ok::<(), deepfs_host::shell::JailRefused>(())
/// ```
#[derive(Debug)]
pub struct Shell {
    options: ShellOptions,
    places: Places,
    system: System,
    /// Set once nobody waits for answers any more.
    abandoned: AtomicBool,
}

/// How a command came to its end.
enum Ending {
    /// With a status, if there is one.
    Exited(Option<ExitStatus>),
    TimedOut(Duration),
    Cancelled,
}

impl Shell {
    /// Prepares to run commands. The working directory need not exist yet.
    ///
    /// # Errors
    /// When a jail is asked for that this system cannot give.
    pub fn new(mut options: ShellOptions) -> Result<Self, JailRefused> {
        let system = System::new(&mut options)?;
        Ok(Self {
            places: Places::new(options.max_concurrent),
            system,
            options,
            abandoned: AtomicBool::new(false),
        })
    }

    /// Runs a command and blocks until it has ended. `timeout` replaces [`ShellOptions::timeout`] for this command;
    /// setting `cancel` ends the command, or its waiting for a place, within a few hundredths of a second.
    ///
    /// The calling thread must not end before the call does, which it cannot unless it is killed.
    pub fn execute(&self, command: &str, timeout: Option<Duration>, cancel: &AtomicBool) -> Executed {
        if command.is_empty() {
            return refused("Error: Command must be a non-empty string.");
        }
        if command.contains('\0') {
            return refused("Error: Command must not contain a NUL character.");
        }
        let stops = || cancel.load(Ordering::Relaxed) || self.abandoned.load(Ordering::Relaxed);
        let Some(_place) = self.places.take(&stops) else {
            let printed = Transcript::new(self.options.max_output_bytes, false).finish();
            return answer(printed, &Ending::Cancelled);
        };
        match self.system.start(command, &self.options) {
            Ok(process) => self.follow(process, timeout.unwrap_or(self.options.timeout), &stops),
            Err(error) => self.not_started(&error),
        }
    }

    /// [`Shell::execute`] on a thread of its own, for callers whose own threads are few; `done` gets the answer there.
    ///
    /// # Errors
    /// When the system gives no more threads. `done` is not called then.
    pub fn spawn(
        self: &Arc<Self>,
        command: String,
        timeout: Option<Duration>,
        cancel: Arc<AtomicBool>,
        done: impl FnOnce(Executed) + Send + 'static,
    ) -> io::Result<()> {
        let shell = Arc::clone(self);
        thread::Builder::new()
            .name("deepfs-execute".to_owned())
            .stack_size(THREAD_STACK_BYTES)
            .spawn(move || {
                // Without this a panic would leave the caller without an answer for ever.
                let executed = catch_unwind(AssertUnwindSafe(|| shell.execute(&command, timeout, &cancel)));
                done(executed.unwrap_or_else(|_| refused("Error executing command: a fault inside deepfs")));
            })
            .map(drop)
    }

    /// Cancels what runs and waits now, and all that comes later, without waiting for it: for an owner that goes away.
    /// What earlier commands left running in the background lives on.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Ends what earlier commands have left running in the background. Commands that are running now are ended, too;
    /// their answers tell of a signal. Blocks for up to a fifth of a second, and while a jail's folder is removed. The
    /// shell can be used again.
    ///
    /// On systems other than Linux the processes of earlier commands cannot be told from others, and live on.
    pub fn close(&self) {
        self.system.close();
    }

    fn follow(&self, mut process: Process, timeout: Duration, stops: &dyn Fn() -> bool) -> Executed {
        let started = Instant::now();
        let mut transcript = Transcript::new(self.options.max_output_bytes, self.options.interleave);
        let cut_short = loop {
            let left = timeout.saturating_sub(started.elapsed());
            if process.has_ended() {
                let until = Instant::now() + left.clamp(LAST_WORDS, AFTERMATH);
                while process.is_open() && Instant::now() < until {
                    process.turn(until.saturating_duration_since(Instant::now()), &mut transcript);
                }
                break None;
            }
            if stops() {
                break Some(Ending::Cancelled);
            }
            if left.is_zero() {
                break Some(Ending::TimedOut(timeout));
            }
            process.turn(left.min(CANCEL_CHECK), &mut transcript);
        };
        if cut_short.is_some() {
            process.end(&mut transcript);
        }
        let status = self.system.finish(process);
        answer(transcript.finish(), &cut_short.unwrap_or(Ending::Exited(status)))
    }

    /// The answer when there is no process: names the likeliest cause, and no path of the host.
    fn not_started(&self, error: &io::Error) -> Executed {
        let cause = match self.options.cwd.metadata() {
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                "the working directory (rootDir) does not exist".to_owned()
            }
            Ok(found) if !found.is_dir() => "the working directory (rootDir) is not a directory".to_owned(),
            _ => error.to_string(),
        };
        refused(&format!("Error executing command: {cause}"))
    }
}

fn refused(sentence: &str) -> Executed {
    Executed { output: sentence.to_owned(), exit_code: Some(FAILED), truncated: false }
}

/// The protocol's format for an ending.
fn answer(printed: Printed, ending: &Ending) -> Executed {
    let Printed { text, truncated, empty } = printed;
    let with = |sentence: String| match empty {
        true => sentence,
        false => format!("{}\n\n{sentence}", text.trim_end_matches(is_blank)),
    };
    let (output, exit_code) = match ending {
        Ending::Exited(status) => match status.and_then(|status| status.code()) {
            Some(0) => (text, Some(0)),
            code => {
                let code = code.unwrap_or(FAILED);
                (format!("{}\n\nExit code: {code}", text.trim_end_matches(is_blank)), Some(code))
            }
        },
        Ending::TimedOut(timeout) => {
            (with(format!("Error: Command timed out after {} seconds.", tenths(*timeout))), Some(TIMED_OUT))
        }
        Ending::Cancelled => (with("Error: Command was cancelled.".to_owned()), None),
    };
    Executed { output, exit_code, truncated }
}

/// Seconds with one decimal, rounded as JavaScript's `toFixed(1)` does: a tie goes up, not to the even neighbour.
fn tenths(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let tie = seconds.fract() == 0.25;
    format!("{:.1}", if tie { seconds + 0.01 } else { seconds })
}
