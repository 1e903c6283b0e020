//! Attends to what commands leave open: one thread per shell, there only while something is open.

use std::collections::HashMap;
use std::fmt::Debug;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::epoll;
use rustix::io::Errno;

const CHUNK_BYTES: usize = 32 * 1024;
const STACK_BYTES: usize = 256 * 1024;

/// Something to be attended to whenever its descriptor is ready.
pub(super) trait Duty: Debug + Send {
    /// The descriptor to wait for.
    fn fd(&self) -> BorrowedFd<'_>;

    /// Does what is due, without blocking. `input` tells whether the descriptor has something to read, rather than
    /// only its other side gone.
    fn attend(&mut self, input: bool) -> Then;
}

/// Whether a duty goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    Continue,
    Done,
}

/// The duties of one shell.
#[derive(Debug, Default)]
pub(super) struct Attendant {
    pool: Arc<Mutex<Pool>>,
}

#[derive(Debug, Default)]
struct Pool {
    /// Present while the thread lives.
    epoll: Option<Arc<OwnedFd>>,
    duties: HashMap<u64, Box<dyn Duty>>,
    next: u64,
}

impl Attendant {
    /// Takes a duty over. When that fails its descriptor is closed, of which its other side is told by the kernel.
    pub(super) fn adopt(&self, duty: impl Duty + 'static) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(epoll) = pool.epoll.clone().or_else(|| self.start(&mut pool)) else { return };
        let id = pool.next;
        pool.next += 1;
        if epoll::add(&*epoll, duty.fd(), epoll::EventData::new_u64(id), epoll::EventFlags::IN).is_ok() {
            pool.duties.insert(id, Box::new(duty));
        }
    }

    fn start(&self, pool: &mut Pool) -> Option<Arc<OwnedFd>> {
        let epoll = Arc::new(epoll::create(epoll::CreateFlags::CLOEXEC).ok()?);
        let (shared, watched) = (Arc::clone(&self.pool), Arc::clone(&epoll));
        std::thread::Builder::new()
            .name("deepfs-attendant".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || attend_all(&shared, &watched))
            .ok()?;
        pool.epoll = Some(Arc::clone(&epoll));
        Some(epoll)
    }
}

/// Attends until no duty is left. The pool is locked neither while it waits nor while a duty is done.
fn attend_all(pool: &Mutex<Pool>, epoll: &OwnedFd) {
    let lock = || pool.lock().unwrap_or_else(PoisonError::into_inner);
    let mut events = [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }];
    loop {
        match epoll::wait(epoll, &mut events, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        let [event] = events;
        let id = event.data.u64();
        let duty = lock().duties.remove(&id);
        let going_on = duty.and_then(|mut duty| {
            let input = { event.flags }.contains(epoll::EventFlags::IN);
            (duty.attend(input) == Then::Continue).then_some(duty)
        });
        let mut pool = lock();
        if let Some(duty) = going_on {
            pool.duties.insert(id, duty);
        }
        if pool.duties.is_empty() {
            // The next duty starts a new thread.
            pool.epoll = None;
            return;
        }
    }
}

/// A pipe that background processes still print to after their command's shell has ended.
///
/// Closing it would end a server at its next line of log (`SIGPIPE`), and leaving it alone would block the server once
/// the pipe is full. So it is read, and what comes is dropped, until its last writer is gone.
#[derive(Debug)]
pub(super) struct Leftover(pub(super) OwnedFd);

impl Duty for Leftover {
    fn fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }

    fn attend(&mut self, _input: bool) -> Then {
        let mut buffer = [0_u8; CHUNK_BYTES];
        match rustix::io::read(&self.0, buffer.as_mut_slice()) {
            Ok(1..) | Err(Errno::AGAIN | Errno::INTR) => Then::Continue,
            Ok(0) | Err(_) => Then::Done,
        }
    }
}
