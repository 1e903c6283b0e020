//! The clerk: changes of mode, owner and times for jailed commands.
//!
//! Landlock confines where files are opened, made and removed, but not `chmod`, `chown` and `utime`, and a filter of
//! system calls cannot see a path. So the filter puts these calls to the host: the clerk opens the file the call
//! means, looks where that file lies, and, if it is below a place the command may write to, makes the change itself on
//! the file it has open. The command's own call is never continued, so that nothing can be swapped in between.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, ResolveFlags, Timespec, Timestamps, Uid};
use rustix::io::Errno;

use super::filter::FCHMODAT2;
use crate::shell::linux::attendant::{Duty, Then};
use crate::shell::linux::kernel::{self, Question};

/// The longest path the kernel takes, its closing NUL included.
const PATH_BYTES: usize = 4096;

/// Answers the questions of one command's filter.
#[derive(Debug)]
pub(in crate::shell::linux) struct Clerk {
    listener: OwnedFd,
    writable: Vec<PathBuf>,
}

/// Which file a call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    /// A path at this address, from the folder that the descriptor stands for.
    Path { folder: i32, address: u64, follow: bool, empty: bool },
    /// An open file.
    Open(i32),
}

/// What to do to it.
#[derive(Debug)]
enum Change {
    Mode(u32),
    Owner(u32, u32),
    Times(Timestamps),
}

impl Clerk {
    pub(super) const fn new(listener: OwnedFd, writable: Vec<PathBuf>) -> Self {
        Self { listener, writable }
    }

    /// Carries a call out, or says why not.
    fn decide(&self, question: &Question) -> Result<(), Errno> {
        let memory = Memory { thread: question.thread };
        let (target, change) = read_call(question, &memory)?;
        let file = self.open(question, &memory, target)?;
        let place = format!("/proc/self/fd/{}", file.as_raw_fd());
        let real = rustix::fs::readlink(&*place, Vec::new())?;
        let real = Path::new(OsStr::from_bytes(real.as_bytes()));
        if !self.writable.iter().any(|writable| real.starts_with(writable)) {
            return Err(Errno::ACCESS);
        }
        // Through its descriptor the file stays the one that was looked at, whatever happens to its name.
        match change {
            Change::Mode(mode) => {
                rustix::fs::chmodat(CWD, &*place, Mode::from_raw_mode(mode), AtFlags::empty())
            }
            Change::Owner(user, group) => {
                let known = |id: u32| (id != u32::MAX).then_some(id);
                let (user, group) = (known(user).map(Uid::from_raw), known(group).map(Gid::from_raw));
                rustix::fs::chownat(CWD, &*place, user, group, AtFlags::empty())
            }
            Change::Times(times) => rustix::fs::utimensat(CWD, &*place, &times, AtFlags::empty()),
        }
    }

    /// Opens what a target means, for the thread that asks.
    fn open(&self, question: &Question, memory: &Memory, target: Target) -> Result<OwnedFd, Errno> {
        let thread = question.thread;
        let path_only = OFlags::PATH | OFlags::CLOEXEC;
        let opened = match target {
            Target::Open(fd) => {
                rustix::fs::open(format!("/proc/{thread}/fd/{fd}"), path_only, Mode::empty())?
            }
            Target::Path { folder, address, follow, empty } => {
                let path = memory.path(address)?;
                let folder = match folder {
                    libc::AT_FDCWD => format!("/proc/{thread}/cwd"),
                    fd => format!("/proc/{thread}/fd/{fd}"),
                };
                if path.is_empty() && empty {
                    rustix::fs::open(folder, path_only, Mode::empty())?
                } else if path.as_bytes().starts_with(b"/") {
                    Self::open_path(CWD, &path, follow)?
                } else {
                    let folder = rustix::fs::open(folder, path_only, Mode::empty())?;
                    Self::open_path(folder.as_fd(), &path, follow)?
                }
            }
        };
        // Only now is it certain that all of this was read from the thread that asks, and not from another one that
        // has got its number.
        if kernel::is_waiting(self.listener.as_fd(), question.id) { Ok(opened) } else { Err(Errno::SRCH) }
    }

    /// Links of `/proc` would be the host's own here; they are not followed.
    fn open_path(folder: BorrowedFd<'_>, path: &CString, follow: bool) -> Result<OwnedFd, Errno> {
        let link = if follow { OFlags::empty() } else { OFlags::NOFOLLOW };
        let flags = OFlags::PATH | OFlags::CLOEXEC | link;
        rustix::fs::openat2(folder, path, flags, Mode::empty(), ResolveFlags::NO_MAGICLINKS)
    }
}

impl Duty for Clerk {
    fn fd(&self) -> BorrowedFd<'_> {
        self.listener.as_fd()
    }

    fn attend(&mut self, input: bool) -> Then {
        if !input {
            // The last process under the filter has ended.
            return Then::Done;
        }
        // An error means that the thread has ended before its question was taken.
        if let Ok(question) = kernel::next_question(self.listener.as_fd()) {
            let errno = self.decide(&question).err().map_or(0, Errno::raw_os_error);
            kernel::answer(self.listener.as_fd(), question.id, errno);
        }
        Then::Continue
    }
}

/// Takes a call's arguments apart.
fn read_call(question: &Question, memory: &Memory) -> Result<(Target, Change), Errno> {
    let [a, b, c, d, e, _] = question.call.args;
    let path = |folder: u64, address: u64, flags: u64| Target::Path {
        folder: int(folder),
        address,
        follow: flags & libc::AT_SYMLINK_NOFOLLOW as u64 == 0,
        empty: flags & libc::AT_EMPTY_PATH as u64 != 0,
    };
    let here = u64::from(libc::AT_FDCWD.cast_unsigned());
    #[cfg(target_arch = "x86_64")]
    let no_follow = libc::AT_SYMLINK_NOFOLLOW as u64;
    Ok(match i64::from(question.call.nr) {
        libc::SYS_fchmod => (Target::Open(int(a)), mode(b)),
        libc::SYS_fchmodat => (path(a, b, 0), mode(c)),
        FCHMODAT2 => (path(a, b, d), mode(c)),
        libc::SYS_fchown => (Target::Open(int(a)), owner(b, c)),
        libc::SYS_fchownat => (path(a, b, e), owner(c, d)),
        libc::SYS_utimensat if b == 0 => (Target::Open(int(a)), memory.times(c, 1)?),
        libc::SYS_utimensat => (path(a, b, d), memory.times(c, 1)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod => (path(here, a, 0), mode(b)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown => (path(here, a, 0), owner(b, c)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_lchown => (path(here, a, no_follow), owner(b, c)),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utime => (path(here, a, 0), memory.whole_times(b)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_utimes => (path(here, a, 0), memory.times(b, 1000)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_futimesat if b == 0 => (Target::Open(int(a)), memory.times(c, 1000)?),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_futimesat => (path(a, b, 0), memory.times(c, 1000)?),
        _ => return Err(Errno::NOSYS),
    })
}

/// The low half of a register: all there is of a C `int` or smaller.
#[expect(clippy::cast_possible_truncation, reason = "what the kernel itself does with such an argument")]
const fn low(argument: u64) -> u32 {
    argument as u32
}

const fn int(argument: u64) -> i32 {
    low(argument).cast_signed()
}

const fn mode(argument: u64) -> Change {
    Change::Mode(low(argument) & 0o7777)
}

const fn owner(user: u64, group: u64) -> Change {
    Change::Owner(low(user), low(group))
}

/// The memory of a thread that waits for an answer.
struct Memory {
    thread: i32,
}

impl Memory {
    /// A path: bytes up to a NUL.
    fn path(&self, address: u64) -> Result<CString, Errno> {
        let mut bytes = vec![0; PATH_BYTES];
        let mut filled = 0;
        let file = self.file()?;
        // Page by page: the one behind the path's end may not exist.
        while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let at = address.checked_add(filled as u64).ok_or(Errno::FAULT)?;
            let in_page = usize::try_from(at % PATH_BYTES as u64).map_err(|_| Errno::FAULT)?;
            let length = rest.len().min(PATH_BYTES - in_page);
            let part = rest.get_mut(..length).ok_or(Errno::FAULT)?;
            file.read_exact_at(part, at).map_err(|_| Errno::FAULT)?;
            if let Some(end) = part.iter().position(|&byte| byte == 0) {
                bytes.truncate(filled + end);
                return CString::new(bytes).map_err(|_| Errno::INVAL);
            }
            filled += length;
        }
        Err(Errno::NAMETOOLONG)
    }

    /// Access and modification time as seconds and fractions; a null pointer means now.
    fn times(&self, address: u64, nanoseconds: i64) -> Result<Change, Errno> {
        if address == 0 {
            return Ok(Change::Times(now()));
        }
        let [access_s, access_f, change_s, change_f] = self.integers(address)?;
        let time = |seconds: i64, fraction: i64| {
            // The special values of `utimensat` are above any number of nanoseconds and stay what they are.
            let nanoseconds = fraction.checked_mul(nanoseconds).ok_or(Errno::INVAL)?;
            Ok(Timespec { tv_sec: seconds, tv_nsec: nanoseconds })
        };
        Ok(Change::Times(Timestamps {
            last_access: time(access_s, access_f)?,
            last_modification: time(change_s, change_f)?,
        }))
    }

    /// The two times of `utime`, in seconds.
    #[cfg(target_arch = "x86_64")]
    fn whole_times(&self, address: u64) -> Result<Change, Errno> {
        if address == 0 {
            return Ok(Change::Times(now()));
        }
        let [access, change] = self.integers(address)?;
        let time = |seconds| Timespec { tv_sec: seconds, tv_nsec: 0 };
        Ok(Change::Times(Timestamps { last_access: time(access), last_modification: time(change) }))
    }

    fn integers<const COUNT: usize>(&self, address: u64) -> Result<[i64; COUNT], Errno> {
        let mut integers = [0; COUNT];
        let file = self.file()?;
        for (integer, at) in integers.iter_mut().zip((address..).step_by(8)) {
            let mut bytes = [0; 8];
            file.read_exact_at(&mut bytes, at).map_err(|_| Errno::FAULT)?;
            *integer = i64::from_ne_bytes(bytes);
        }
        Ok(integers)
    }

    fn file(&self) -> Result<File, Errno> {
        File::open(format!("/proc/{}/mem", self.thread)).map_err(|_| Errno::PERM)
    }
}

const fn now() -> Timestamps {
    let now = Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_NOW };
    Timestamps { last_access: now, last_modification: now }
}
