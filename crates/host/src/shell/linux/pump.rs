//! Waiting for a command's output and end, all in one place.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::Duration;

use rustix::event::{Timespec, epoll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags};

use crate::shell::transcript::{Stream, Transcript};

const STDOUT: u64 = 0;
const STDERR: u64 = 1;
const EXIT: u64 = 2;
const CHUNK_BYTES: usize = 64 * 1024;
/// Where the kernel cannot report a process's end by a descriptor, it is looked at this often.
const EXIT_CHECK: Duration = Duration::from_millis(10);

/// Both output pipes of a command, and a descriptor that becomes readable when its shell ends.
///
/// Two pipes have no common clock. Where the order of writes matters, each pipe holds only one write, so that a writer
/// can be ahead by one on each stream and no more; the kernel lists the pipes in the order in which they were written
/// to; and only the first of the list is taken, once, before the list is looked at again.
#[derive(Debug)]
pub(super) struct Pump {
    epoll: OwnedFd,
    out: Option<OwnedFd>,
    err: Option<OwnedFd>,
    exit: Option<OwnedFd>,
    ordered: bool,
    buffer: Vec<u8>,
}

impl Pump {
    /// Watches the shell `pid` and its output.
    ///
    /// # Errors
    /// When the host has no descriptors left.
    pub(super) fn new(pid: Pid, out: OwnedFd, err: OwnedFd, ordered: bool) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        // Reported when written to, rather than as long as there is something: the list keeps the order of writes.
        let writes = if ordered { epoll::EventFlags::ET } else { epoll::EventFlags::empty() };
        epoll::add(&epoll, &out, epoll::EventData::new_u64(STDOUT), epoll::EventFlags::IN | writes)?;
        epoll::add(&epoll, &err, epoll::EventData::new_u64(STDERR), epoll::EventFlags::IN | writes)?;
        let exit = rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok();
        if let Some(exit) = &exit {
            epoll::add(&epoll, exit, epoll::EventData::new_u64(EXIT), epoll::EventFlags::IN)?;
        }
        Ok(Self { epoll, out: Some(out), err: Some(err), exit, ordered, buffer: vec![0; CHUNK_BYTES] })
    }

    /// Waits for at most `longest` and takes in what has been printed. A flood is taken in piece by piece, so that the
    /// caller can look at the clock in between.
    pub(super) fn turn(&mut self, longest: Duration, transcript: &mut Transcript) {
        let longest = if self.exit.is_some() { longest } else { longest.min(EXIT_CHECK) };
        let timeout = Timespec::try_from(longest).ok();
        let mut events =
            [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }; 3];
        let most = if self.ordered { 1 } else { events.len() };
        let events = events.get_mut(..most).unwrap_or_default();
        let ready = match epoll::wait(&self.epoll, &mut *events, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(Errno::INTR) => return,
            // Never expected; sleeping keeps the caller's loop from spinning until its time-out.
            Err(_) => return std::thread::sleep(longest.min(EXIT_CHECK)),
        };
        for event in events.iter().take(ready) {
            let stream = match event.data.u64() {
                STDOUT => Stream::Out,
                STDERR => Stream::Err,
                // Reported once; asking again would report it without end.
                _ => {
                    self.exit.iter().for_each(|exit| _ = epoll::delete(&self.epoll, exit));
                    continue;
                }
            };
            let went_on = self.take_in(stream, transcript);
            // The end of the last writer may have been reported together with its last write.
            let ended = { event.flags }.contains(epoll::EventFlags::HUP);
            while self.ordered && ended && went_on && self.take_in(stream, transcript) {}
        }
        if ready == 0 && self.ordered {
            // Nothing is left here, unless the command has enlarged its pipe.
            self.take_in(Stream::Out, transcript);
            self.take_in(Stream::Err, transcript);
        }
    }

    /// Whether some process still holds a pipe open for writing.
    pub(super) const fn is_open(&self) -> bool {
        self.out.is_some() || self.err.is_some()
    }

    /// The pipes that are still open. What is still written to them is not waited for one by one.
    pub(super) fn into_open(self) -> impl Iterator<Item = OwnedFd> {
        // A user with very many pipes may be refused: then the pipe stays small, and its writers slow.
        let widen = |pipe: &OwnedFd| _ = rustix::pipe::fcntl_setpipe_size(pipe, CHUNK_BYTES);
        self.out.into_iter().chain(self.err).inspect(widen)
    }

    /// Reads one piece, and tells whether there was one.
    fn take_in(&mut self, stream: Stream, transcript: &mut Transcript) -> bool {
        let pipe = if stream == Stream::Out { &mut self.out } else { &mut self.err };
        let Some(fd) = pipe else { return false };
        match rustix::io::read(fd.as_fd(), self.buffer.as_mut_slice()) {
            Ok(count @ 1..) => {
                transcript.add(stream, self.buffer.get(..count).unwrap_or_default());
                return true;
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Ok(0) | Err(_) => *pipe = None,
        }
        false
    }
}
