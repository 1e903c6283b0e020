//! Pipes that background processes still print to after their command's shell has ended.
//!
//! Closing them would end a server at its next line of log (`SIGPIPE`), and leaving them alone would block it once the
//! pipe is full. So they are read, and what comes is dropped, until their last writer is gone.

use std::collections::HashMap;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};

use rustix::event::epoll;
use rustix::io::Errno;

const CHUNK_BYTES: usize = 64 * 1024;
const STACK_BYTES: usize = 128 * 1024;

/// The pipes of one shell, and whether a thread reads them.
#[derive(Debug, Default)]
pub(super) struct Leftovers {
    pool: Arc<Mutex<Pool>>,
}

#[derive(Debug, Default)]
struct Pool {
    /// Present while the reading thread lives.
    epoll: Option<Arc<OwnedFd>>,
    pipes: HashMap<u64, OwnedFd>,
    next: u64,
}

impl Leftovers {
    /// Takes pipes over. When that fails they are closed, and their writers are told so by `SIGPIPE`.
    pub(super) fn adopt(&self, pipes: impl Iterator<Item = OwnedFd>) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        for pipe in pipes {
            let Some(epoll) = pool.epoll.clone().or_else(|| self.start(&mut pool)) else { return };
            let id = pool.next;
            pool.next += 1;
            if epoll::add(&*epoll, &pipe, epoll::EventData::new_u64(id), epoll::EventFlags::IN).is_ok() {
                pool.pipes.insert(id, pipe);
            }
        }
    }

    fn start(&self, pool: &mut Pool) -> Option<Arc<OwnedFd>> {
        let epoll = Arc::new(epoll::create(epoll::CreateFlags::CLOEXEC).ok()?);
        let (shared, watched) = (Arc::clone(&self.pool), Arc::clone(&epoll));
        std::thread::Builder::new()
            .name("deepfs-leftovers".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || read_away(&shared, &watched))
            .ok()?;
        pool.epoll = Some(Arc::clone(&epoll));
        Some(epoll)
    }
}

/// Reads until no pipe is left. Takes one event at a time, so that the pool is never locked while it waits.
fn read_away(pool: &Mutex<Pool>, epoll: &OwnedFd) {
    let mut buffer = vec![0_u8; CHUNK_BYTES];
    let mut events = [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }];
    loop {
        match epoll::wait(epoll, &mut events, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        let [event] = events;
        let id = event.data.u64();
        let mut pool = pool.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = pool.pipes.get(&id).is_none_or(|pipe| {
            !matches!(
                rustix::io::read(pipe.as_fd(), buffer.as_mut_slice()),
                Ok(1..) | Err(Errno::AGAIN | Errno::INTR)
            )
        });
        if ended {
            pool.pipes.remove(&id);
        }
        if pool.pipes.is_empty() {
            // The next pipe starts a new thread.
            pool.epoll = None;
            return;
        }
    }
}
