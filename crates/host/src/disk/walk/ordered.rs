//! Work on several threads whose results come out in the order in which the work went in.
//!
//! The calling thread makes the work and takes the results; helpers do the work, and the calling thread does
//! some as well whenever enough is waiting. What is in flight is bounded, so memory is, whatever the size of
//! the tree.

use deepfs_core::{ErrorKind, Fault};
use std::{
    collections::VecDeque,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Pieces of work in flight.
const WINDOW: usize = 12;
/// Helpers at most; the disk and the memory bus are shared, so more bring little.
const MAX_HELPERS: usize = 3;
/// Finished results that wait for an earlier one may weigh this many bytes; then helpers pause.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// How a piece of work is done, on any thread.
pub(crate) trait Work: Sync {
    /// What goes in.
    type Piece: Send;
    /// What comes out.
    type Outcome: Send;
    /// What one thread keeps from piece to piece.
    type Scratch;

    /// For a thread that starts.
    fn scratch(&self) -> Self::Scratch;
    /// Does one piece. `stop` turns true once nobody wants the outcome any more.
    fn perform(&self, scratch: &mut Self::Scratch, piece: Self::Piece, stop: &AtomicBool) -> Self::Outcome;
    /// About how many bytes an outcome holds.
    fn weigh(outcome: &Self::Outcome) -> usize;
}

/// Makes pieces until there are none, and hands the outcomes over in the same order, until one of the two
/// fails or the receiver breaks.
pub(crate) fn run<W: Work>(
    work: &W,
    scratch: &mut W::Scratch,
    make: &mut dyn FnMut() -> Result<Option<W::Piece>, Fault>,
    take: &mut dyn FnMut(W::Outcome) -> Result<ControlFlow<()>, Fault>,
) -> Result<(), Fault> {
    let desk = Desk::<W>::new();
    thread::scope(|scope| {
        for _ in 0..helpers() {
            // Without a thread to be had, this one does everything.
            let _ =
                thread::Builder::new().name("deepfs-walk".to_owned()).spawn_scoped(scope, || desk.help(work));
        }
        // However this thread leaves, the helpers have to be told.
        let _closing = Closing(&desk);
        desk.lead(work, scratch, make, take)
    })
}

/// Processors for helpers, besides the one that asks.
fn helpers() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT
        .get_or_init(|| thread::available_parallelism().map_or(0, |count| (count.get() - 1).min(MAX_HELPERS)))
}

struct Desk<W: Work> {
    state: Mutex<State<W>>,
    /// There is work, or no more will come.
    work_waits: Condvar,
    /// An outcome is there.
    outcome_waits: Condvar,
    stop: AtomicBool,
}

struct State<W: Work> {
    /// Not started yet, the oldest first.
    pieces: VecDeque<(usize, W::Piece)>,
    /// In the order of the pieces; `None` while one is being done.
    outcomes: VecDeque<Option<W::Outcome>>,
    /// The number of the piece whose outcome is the first of `outcomes`.
    first: usize,
    waiting_bytes: usize,
    closed: bool,
    failed: bool,
}

struct Closing<'d, W: Work>(&'d Desk<W>);

impl<W: Work> Drop for Closing<'_, W> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.state().closed = true;
        self.0.work_waits.notify_all();
    }
}

impl<W: Work> Desk<W> {
    fn new() -> Self {
        Self {
            state: Mutex::new(State {
                pieces: VecDeque::new(),
                outcomes: VecDeque::new(),
                first: 0,
                waiting_bytes: 0,
                closed: false,
                failed: false,
            }),
            work_waits: Condvar::new(),
            outcome_waits: Condvar::new(),
            stop: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lead(
        &self,
        work: &W,
        scratch: &mut W::Scratch,
        make: &mut dyn FnMut() -> Result<Option<W::Piece>, Fault>,
        take: &mut dyn FnMut(W::Outcome) -> Result<ControlFlow<()>, Fault>,
    ) -> Result<(), Fault> {
        let mut exhausted = false;
        let mut state = self.state();
        loop {
            if state.failed {
                return Err(ErrorKind::Internal.into());
            }
            if let Some(outcome) = state.pop_finished() {
                drop(state);
                self.work_waits.notify_one();
                if take(outcome)?.is_break() {
                    return Ok(());
                }
            } else if !exhausted && state.outcomes.len() < WINDOW {
                drop(state);
                let piece = make()?;
                exhausted = piece.is_none();
                if let Some(piece) = piece {
                    self.state().push(piece);
                    self.work_waits.notify_one();
                }
            } else if let Some((number, piece)) = state.pieces.pop_front() {
                drop(state);
                let outcome = work.perform(scratch, piece, &self.stop);
                self.state().finish(number, outcome);
            } else if state.outcomes.is_empty() {
                return Ok(());
            } else {
                state = self.outcome_waits.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state = self.state();
        }
    }

    fn help(&self, work: &W) {
        let mut scratch = None;
        let mut state = self.state();
        loop {
            if state.closed {
                return;
            }
            let next = if state.waiting_bytes > MAX_WAITING_BYTES { None } else { state.pieces.pop_front() };
            let Some((number, piece)) = next else {
                state = self.work_waits.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(state);
            // A panic here would leave the other thread waiting for ever.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                work.perform(scratch.get_or_insert_with(|| work.scratch()), piece, &self.stop)
            }));
            state = self.state();
            match outcome {
                Ok(outcome) => state.finish(number, outcome),
                Err(_) => state.failed = true,
            }
            self.outcome_waits.notify_one();
        }
    }
}

impl<W: Work> State<W> {
    fn push(&mut self, piece: W::Piece) {
        self.pieces.push_back((self.first + self.outcomes.len(), piece));
        self.outcomes.push_back(None);
    }

    fn finish(&mut self, number: usize, outcome: W::Outcome) {
        self.waiting_bytes += W::weigh(&outcome);
        if let Some(slot) = number.checked_sub(self.first).and_then(|at| self.outcomes.get_mut(at)) {
            *slot = Some(outcome);
        }
    }

    fn pop_finished(&mut self) -> Option<W::Outcome> {
        self.outcomes.front()?.as_ref()?;
        let outcome = self.outcomes.pop_front().flatten()?;
        self.first += 1;
        self.waiting_bytes = self.waiting_bytes.saturating_sub(W::weigh(&outcome));
        Some(outcome)
    }
}
