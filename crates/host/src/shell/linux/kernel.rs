//! System calls that rustix does not offer: the one place of the shell with `unsafe` code.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use libc::{seccomp_data, seccomp_notif, seccomp_notif_resp, sock_filter, sock_fprog};
use rustix::process::Pid;

/// Makes the child of `command` run `steps` between `fork` and `exec`.
///
/// The host is a process with many threads, so the child of its `fork` may do nothing but async-signal-safe calls: the
/// steps must not allocate, take a lock or format, only make system calls on what was prepared before.
#[expect(unsafe_code, reason = "`pre_exec` is the only way to act between fork and exec")]
pub(super) fn before_exec(command: &mut Command, steps: impl Fn() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: the only caller is `super::before_exec`, whose steps keep to the rule above; what they borrow is owned
    // by the closure, which lives in `command` until after the fork.
    unsafe {
        command.pre_exec(steps);
    }
}

/// Marks every descriptor from `first` on to be closed by `exec`.
///
/// # Errors
/// `ENOSYS` or `EINVAL` on kernels before 5.11.
#[expect(unsafe_code, reason = "rustix has no close_range")]
pub(super) fn close_on_exec_from(first: u32) -> io::Result<()> {
    // SAFETY: the call takes three integers and only sets flags on descriptors.
    check(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) })
        .map(drop)
}

/// The hard limit on real-time CPU of a process, or `None` when it cannot be read.
#[expect(unsafe_code, reason = "rustix cannot read another process's limits without setting them")]
pub(super) fn realtime_limit(pid: Pid) -> Option<u64> {
    let mut limit = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the new limit is null, so nothing is set; the old one is written to a live, exclusively borrowed value
    // of the type that the call fills.
    let answer = unsafe {
        libc::prlimit64(pid.as_raw_nonzero().get(), libc::RLIMIT_RTTIME, std::ptr::null(), &raw mut limit)
    };
    (answer == 0).then_some(limit.rlim_max)
}

/// Confines this thread and its descendants by a Landlock ruleset, for good.
///
/// # Errors
/// When the kernel refuses.
#[expect(unsafe_code, reason = "the landlock crate's own call allocates, which a child before exec must not")]
pub(super) fn restrict_self(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: the call takes a descriptor that is open for the call, and flags.
    check(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) }).map(drop)
}

/// Puts this thread and its descendants under a filter of system calls, for good, and returns the descriptor on which
/// the filter's `SECCOMP_RET_USER_NOTIF` calls are reported.
///
/// # Errors
/// When the kernel refuses.
#[expect(unsafe_code, reason = "rustix has no seccomp")]
pub(super) fn install_filter(program: &[sock_filter]) -> io::Result<OwnedFd> {
    let len = u16::try_from(program.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let program = sock_fprog { len, filter: program.as_ptr().cast_mut() };
    // SAFETY: `program` and the instructions it points to live across the call, which copies them and writes to
    // neither; `len` is their number.
    let fd = check(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    })?;
    let fd = i32::try_from(fd).map_err(|_| io::ErrorKind::InvalidData)?;
    // SAFETY: the call has just returned this descriptor, close-on-exec; nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// A system call that waits for an answer.
pub(super) struct Question {
    /// Names the question until it is answered or its thread ends.
    pub(super) id: u64,
    /// The thread that asks.
    pub(super) thread: i32,
    /// The call and its arguments.
    pub(super) call: seccomp_data,
}

/// Takes the next question from a filter's listener.
///
/// # Errors
/// `ENOENT` when its thread has ended meanwhile.
#[expect(unsafe_code, reason = "rustix has no seccomp")]
pub(super) fn next_question(listener: BorrowedFd<'_>) -> io::Result<Question> {
    let mut question = MaybeUninit::<seccomp_notif>::zeroed();
    // SAFETY: the kernel fills a zeroed value of exactly this type, whose size is part of the request's number.
    check(unsafe {
        libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, question.as_mut_ptr())
    })?;
    // SAFETY: all bits zero are a valid value of this struct of integers, and the kernel has filled it.
    let question = unsafe { question.assume_init() };
    let thread = i32::try_from(question.pid).map_err(|_| io::ErrorKind::InvalidData)?;
    Ok(Question { id: question.id, thread, call: question.data })
}

/// Whether the thread of a question still waits, so that its number still means this thread.
#[expect(unsafe_code, reason = "rustix has no seccomp")]
pub(super) fn is_waiting(listener: BorrowedFd<'_>, id: u64) -> bool {
    // SAFETY: the kernel reads one live u64.
    let answer =
        unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) };
    answer == 0
}

/// Answers a question: the call returns 0, or fails with `errno`.
#[expect(unsafe_code, reason = "rustix has no seccomp")]
pub(super) fn answer(listener: BorrowedFd<'_>, id: u64, errno: i32) {
    let mut response = seccomp_notif_resp { id, val: 0, error: -errno, flags: 0 };
    // SAFETY: the kernel reads one live value of exactly this type. A thread that has ended needs no answer.
    let _ = unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut response) };
}

/// The error of a call that answered -1.
fn check<T: Copy + Into<i64>>(answer: T) -> io::Result<T> {
    if answer.into() == -1 { Err(io::Error::last_os_error()) } else { Ok(answer) }
}
