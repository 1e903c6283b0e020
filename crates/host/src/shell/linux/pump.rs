//! Waiting for a command's output and end, all in one place.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::process::Child;
use std::time::Duration;

use rustix::event::{Timespec, epoll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags};

use crate::shell::transcript::{Stream, Transcript};

const STDOUT: u64 = 0;
const STDERR: u64 = 1;
const EXIT: u64 = 2;
const CHUNK_BYTES: usize = 64 * 1024;
/// Where the kernel can not report a process's end by a descriptor, it is looked at this often.
const EXIT_CHECK: Duration = Duration::from_millis(10);

/// Both output pipes of a command, and a descriptor that becomes readable when its shell ends.
///
/// The kernel lists what is ready in the order in which it became so, which is what keeps the order of the two streams.
#[derive(Debug)]
pub(super) struct Pump {
    epoll: OwnedFd,
    out: Option<OwnedFd>,
    err: Option<OwnedFd>,
    exit: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl Pump {
    pub(super) fn new(child: &mut Child, pid: Pid) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let out = child.stdout.take().map(OwnedFd::from);
        let err = child.stderr.take().map(OwnedFd::from);
        let exit = rustix::process::pidfd_open(pid, PidfdFlags::empty()).ok();
        for (fd, id) in [(&out, STDOUT), (&err, STDERR), (&exit, EXIT)] {
            let Some(fd) = fd else { continue };
            if id != EXIT {
                rustix::fs::fcntl_setfl(fd, OFlags::NONBLOCK)?;
            }
            epoll::add(&epoll, fd, epoll::EventData::new_u64(id), epoll::EventFlags::IN)?;
        }
        Ok(Self { epoll, out, err, exit, buffer: vec![0; CHUNK_BYTES] })
    }

    /// Waits for at most `longest` and takes in what has been printed. A flood is taken in piece by piece, so that the
    /// caller can look at the clock in between.
    pub(super) fn turn(&mut self, longest: Duration, transcript: &mut Transcript) {
        let longest = if self.exit.is_some() { longest } else { longest.min(EXIT_CHECK) };
        let timeout = Timespec::try_from(longest).ok();
        let mut events =
            [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }; 3];
        let ready = match epoll::wait(&self.epoll, &mut events, timeout.as_ref()) {
            Ok(ready) => ready,
            Err(Errno::INTR) => 0,
            // Never expected; sleeping keeps the caller's loop from spinning until its time-out.
            Err(_) => {
                std::thread::sleep(longest.min(EXIT_CHECK));
                0
            }
        };
        for event in events.iter().take(ready) {
            match event.data.u64() {
                STDOUT => self.take_in(Stream::Out, transcript),
                STDERR => self.take_in(Stream::Err, transcript),
                // Reported once; asking again would report it without end.
                _ => self.exit.iter().for_each(|exit| _ = epoll::delete(&self.epoll, exit)),
            }
        }
    }

    /// Whether some process still holds a pipe open for writing.
    pub(super) const fn is_open(&self) -> bool {
        self.out.is_some() || self.err.is_some()
    }

    /// The pipes that are still open.
    pub(super) fn into_open(self) -> impl Iterator<Item = OwnedFd> {
        self.out.into_iter().chain(self.err)
    }

    fn take_in(&mut self, stream: Stream, transcript: &mut Transcript) {
        let pipe = if stream == Stream::Out { &mut self.out } else { &mut self.err };
        let Some(fd) = pipe else { return };
        match rustix::io::read(fd.as_fd(), self.buffer.as_mut_slice()) {
            Ok(0) => *pipe = None,
            Ok(count) => transcript.add(stream, self.buffer.get(..count).unwrap_or_default()),
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => *pipe = None,
        }
    }
}
