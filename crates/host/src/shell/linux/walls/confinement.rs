//! Putting the walls up: prepared in the host, raised in the child.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libc::sock_filter;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType,
};
use rustix::thread::CapabilitySet;

use super::clerk::Clerk;
use super::fence;
use super::filter;
use super::folder::PrivateFolder;
use crate::shell::jail::{Jail, JailRefused};
use crate::shell::linux::kernel;

/// What a root user keeps: rights over files, which the fence bounds.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID);

/// The jail of one shell.
#[derive(Debug)]
pub(in crate::shell::linux) struct Confinement {
    jail: Jail,
    cwd: PathBuf,
    folder: PrivateFolder,
    filter: Arc<[sock_filter]>,
}

/// The walls around one command, ready to be raised by its child.
pub(in crate::shell::linux) struct Walls {
    ruleset: OwnedFd,
    filter: Arc<[sock_filter]>,
    /// The child's end of the socket on which it hands its listener over.
    desk: OwnedFd,
}

/// The host's side of one command's walls.
pub(in crate::shell::linux) struct Desk {
    socket: OwnedFd,
    writable: Vec<PathBuf>,
}

impl Confinement {
    /// Checks that the jail can be had, and makes `env` fit it.
    pub(in crate::shell::linux) fn new(
        jail: &Jail,
        cwd: &Path,
        env: &mut Vec<(String, String)>,
    ) -> Result<Self, JailRefused> {
        for (name, paths) in [("write", &jail.write), ("read", &jail.read)] {
            if paths.iter().any(|path| !path.exists()) {
                return Err(JailRefused::because(format_args!(
                    "a path of its option `{name}` does not exist"
                )));
            }
        }
        if [cwd].into_iter().chain(jail.write.iter().map(PathBuf::as_path)).any(is_everything) {
            return Err(JailRefused::because("it would allow writing to the whole file system"));
        }
        let filter = filter::program(jail.network)
            .ok_or_else(|| JailRefused::because("it is not made for this kind of processor"))?;
        let folder = PrivateFolder::new().map_err(JailRefused::because)?;
        set_folders(jail, cwd, &folder, env);
        Ok(Self { jail: jail.clone(), cwd: cwd.to_owned(), folder, filter: filter.into() })
    }

    /// Prepares the walls around one command.
    ///
    /// # Errors
    /// When the working directory or the private folder cannot be had, or the kernel refuses the ruleset.
    pub(in crate::shell::linux) fn walls(&self) -> io::Result<(Walls, Desk)> {
        self.folder.ensure()?;
        // An error of its own, for `fence` leaves out what is not there.
        self.cwd.metadata()?;
        let write = [self.cwd.as_path(), self.folder.path()];
        let write = write.into_iter().chain(self.jail.write.iter().map(PathBuf::as_path));
        self.walls_with(write)
    }

    /// Prepares walls that let write nowhere, to try whether they can be raised at all.
    ///
    /// # Errors
    /// When the kernel refuses the ruleset.
    pub(in crate::shell::linux) fn bare_walls(&self) -> io::Result<(Walls, Desk)> {
        self.walls_with([])
    }

    /// Removes what commands have left in the private folder.
    pub(in crate::shell::linux) fn clear(&self) {
        self.folder.remove();
    }

    fn walls_with<'a>(&'a self, write: impl IntoIterator<Item = &'a Path>) -> io::Result<(Walls, Desk)> {
        let read = self.jail.read.iter().map(PathBuf::as_path);
        let fence = fence::build(write, read, self.jail.network)?;
        let (socket, desk) =
            rustix::net::socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let walls = Walls { ruleset: fence.ruleset, filter: Arc::clone(&self.filter), desk };
        Ok((walls, Desk { socket, writable: fence.writable }))
    }
}

impl Walls {
    /// Confines the calling process for good. For the child between `fork` and `exec`: makes system calls only.
    pub(in crate::shell::linux) fn raise(&self) -> io::Result<()> {
        rustix::thread::set_no_new_privs(true)?;
        let mut capabilities = rustix::thread::capabilities(None)?;
        capabilities.permitted &= KEPT;
        capabilities.effective &= KEPT;
        capabilities.inheritable = CapabilitySet::empty();
        rustix::thread::set_capabilities(None, capabilities)?;
        kernel::restrict_self(self.ruleset.as_fd())?;
        // Last, for it refuses much of the above.
        let listener = kernel::install_filter(&self.filter)?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut message = SendAncillaryBuffer::new(&mut space);
        let listeners = [listener.as_fd()];
        message.push(SendAncillaryMessage::ScmRights(&listeners));
        rustix::net::sendmsg(&self.desk, &[IoSlice::new(b"x")], &mut message, SendFlags::empty())?;
        Ok(())
    }
}

impl Desk {
    /// Takes the listener that the child has sent before it became the shell.
    ///
    /// # Errors
    /// When there is none; the filter's questions then fail, which keeps the walls up.
    pub(in crate::shell::linux) fn open(self) -> io::Result<Clerk> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut messages = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
        rustix::net::recvmsg(&self.socket, &mut [IoSliceMut::new(&mut byte)], &mut messages, flags)?;
        let listener = messages.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut listeners) => listeners.next(),
            _ => None,
        });
        Ok(Clerk::new(listener.ok_or(io::ErrorKind::NotFound)?, self.writable))
    }
}

/// Whether a place is the root of the file system, however it is spelt.
fn is_everything(path: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path.parent().is_none())
}

/// Points `TMPDIR` to the private folder, and `HOME` too where it lies outside the fence: programs fail on a home that
/// they know of and cannot read.
fn set_folders(jail: &Jail, cwd: &Path, folder: &PrivateFolder, env: &mut Vec<(String, String)>) {
    let folder = folder.path().to_string_lossy().into_owned();
    env.retain(|(name, _)| name != "TMPDIR");
    env.push(("TMPDIR".to_owned(), folder.clone()));
    for (_, home) in env.iter_mut().filter(|(name, _)| name == "HOME") {
        let inside = [cwd].into_iter().chain(jail.write.iter().chain(&jail.read).map(PathBuf::as_path));
        if !inside.into_iter().any(|place| Path::new(home).starts_with(place)) {
            home.clone_from(&folder);
        }
    }
}
