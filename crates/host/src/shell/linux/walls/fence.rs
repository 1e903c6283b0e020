//! The fence: which parts of the file system a jailed command may touch, as a Landlock ruleset.

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd,
    PathFdError, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope,
};

/// The system's own programs and libraries, with what they read on every start.
const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    // Of `/etc` only what programs in general need. Keys and passwords lie there, too, which a root user could read.
    "/etc/alternatives",
    "/etc/bash.bashrc",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/environment",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/gitconfig",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/networks",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/tls/certs",
    "/etc/profile",
    "/etc/protocols",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/python3.12",
    "/etc/python3.13",
    "/etc/resolv.conf",
    "/etc/rpc",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
    // Facts about the machine. Not the folders of processes: they show what others run.
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/random",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
];

/// Devices that hold nothing and change nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What the kernel must know: files with devices (version 5), TCP (4), and the scopes of signals and abstract sockets
/// (6, of Linux 6.12).
const VERSION: ABI = ABI::V6;

/// A ruleset, and the places it lets write to.
pub(super) struct Fence {
    pub(super) ruleset: OwnedFd,
    /// Their real paths.
    pub(super) writable: Vec<PathBuf>,
}

/// Builds the fence. Of `write` and `read`, what does not exist is left out: nothing there needs permission.
///
/// # Errors
/// When the kernel does not know all that the fence needs, or a place cannot be opened.
pub(super) fn build<'a>(
    write: impl IntoIterator<Item = &'a Path>,
    read: impl IntoIterator<Item = &'a Path>,
    network: bool,
) -> io::Result<Fence> {
    let mut ruleset = create(network).map_err(io::Error::other)?;
    let mut writable = Vec::new();
    for path in write {
        if let Some(place) = open(path)? {
            writable.push(fs::read_link(format!("/proc/self/fd/{}", place.as_fd().as_raw_fd()))?);
            ruleset = allow(ruleset, place, writing())?;
        }
    }
    for path in PROGRAMS.iter().map(Path::new).chain(read) {
        if let Some(place) = open(path)? {
            ruleset = allow(ruleset, place, reading())?;
        }
    }
    for path in DEVICES {
        if let Some(place) = open(Path::new(path))? {
            ruleset = allow(ruleset, place, AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate)?;
        }
    }
    let ruleset: Option<OwnedFd> = ruleset.into();
    Ok(Fence { ruleset: ruleset.ok_or(io::ErrorKind::Unsupported)?, writable })
}

fn create(network: bool) -> Result<RulesetCreated, RulesetError> {
    // Everything or an error: a kernel that knows less must not give less silently.
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?;
    let ruleset = if network { ruleset } else { ruleset.handle_access(AccessNet::from_all(VERSION))? };
    ruleset.create()
}

fn reading() -> BitFlags<AccessFs> {
    AccessFs::from_read(VERSION)
}

/// Everything but devices, whose nodes reach past the file system.
fn writing() -> BitFlags<AccessFs> {
    AccessFs::from_all(VERSION) & !(AccessFs::MakeBlock | AccessFs::MakeChar | AccessFs::IoctlDev)
}

fn open(path: &Path) -> io::Result<Option<PathFd>> {
    match PathFd::new(path) {
        Ok(place) => Ok(Some(place)),
        Err(PathFdError::OpenCall { source, .. })
            if matches!(
                source.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(io::Error::other(error)),
    }
}

fn allow(ruleset: RulesetCreated, place: PathFd, access: BitFlags<AccessFs>) -> io::Result<RulesetCreated> {
    let is_folder = rustix::fs::fstat(&place).is_ok_and(|stat| stat.st_mode & libc::S_IFMT == libc::S_IFDIR);
    let access = if is_folder { access } else { access & AccessFs::from_file(VERSION) };
    ruleset.add_rule(PathBeneath::new(place, access)).map_err(io::Error::other)
}
