//! The filter of system calls: what Landlock does not cover.
//!
//! A list of what is refused, not of what is allowed: programs use whatever calls their libraries like, and what can
//! be reached by files is Landlock's affair. Refused is every way to other processes, to the network and to the
//! kernel's own interfaces; calls that change a file's mode, owner or times are put to the [clerk](super::clerk).

use libc::{c_long, sock_filter};

use super::bpf::Program;

/// Numbers that are the same on all processors, for calls younger than some of libc's tables.
mod young {
    pub(in crate::shell::linux::walls) const OPEN_TREE: i64 = 428;
    pub(in crate::shell::linux::walls) const MOUNT_SETATTR: i64 = 442;
    pub(in crate::shell::linux::walls) const FCHMODAT2: i64 = 452;
    pub(in crate::shell::linux::walls) const SETXATTRAT: i64 = 463;
    pub(in crate::shell::linux::walls) const REMOVEXATTRAT: i64 = 466;
    pub(in crate::shell::linux::walls) const OPEN_TREE_ATTR: i64 = 467;
    pub(in crate::shell::linux::walls) const FILE_SETATTR: i64 = 469;
}
pub(super) use young::FCHMODAT2;

/// Calls that are refused whatever their arguments.
const REFUSED: &[c_long] = &[
    // Other processes: looking into them, steering them, taking what they hold.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // Memory, semaphores and queues that processes outside the jail share by number or name.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Calls that would go around this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Views of the file system other than the host's.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_setns,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_move_mount,
    young::OPEN_TREE,
    young::OPEN_TREE_ATTR,
    young::MOUNT_SETATTR,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    young::FILE_SETATTR,
    // The kernel's own interfaces, where most of its faults are found.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_reboot,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_kexec_file_load,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Calls that fail as they do on file systems without extended attributes, which every program is prepared for:
/// Landlock does not confine them to places.
const NOT_SUPPORTED: &[c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    young::SETXATTRAT,
    young::REMOVEXATTRAT,
];

/// Calls that change a file's mode, owner or times, which Landlock does not confine to places either.
const ASKED: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Calls that act on the caller when their first argument is 0, and otherwise on any process.
const ONLY_ONESELF: &[c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
];

const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;
/// `CLONE_NEWTIME`, a bit that `clone` itself uses otherwise.
const NEW_TIME_NAMESPACE: u32 = 0x80;

#[cfg(target_arch = "x86_64")]
const THIS_PROCESSOR: Option<u32> = Some(0xC000_003E);
#[cfg(target_arch = "aarch64")]
const THIS_PROCESSOR: Option<u32> = Some(0xC000_00B7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const THIS_PROCESSOR: Option<u32> = None;

/// System calls of the x32 ABI have this bit: the same calls under other numbers.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

/// The filter's program, or `None` where there can be none: it is not written for this processor.
pub(super) fn program(network: bool) -> Option<Vec<sock_filter>> {
    let mut program = Program::default();
    program.load_processor();
    program.unless_equal(THIS_PROCESSOR?, |otherwise| otherwise.give(libc::SECCOMP_RET_KILL_PROCESS));
    program.load_number();
    #[cfg(target_arch = "x86_64")]
    program.when_any_bit(X32, |x32| x32.give(libc::SECCOMP_RET_KILL_PROCESS));
    for &call in REFUSED {
        program.on(call, |body| body.refuse(libc::EPERM));
    }
    for &call in NOT_SUPPORTED {
        program.on(call, |body| body.refuse(libc::EOPNOTSUPP));
    }
    for &call in ASKED {
        program.on(call, |body| body.give(libc::SECCOMP_RET_USER_NOTIF));
    }
    for &call in ONLY_ONESELF {
        program.on(call, |body| {
            body.load(0);
            body.unless_equal(0, |other| other.refuse(libc::EPERM));
            body.give(libc::SECCOMP_RET_ALLOW);
        });
    }
    // A process of the same user could otherwise be ended by a limit on its CPU time; and the tag by which a command's
    // processes are found must stay.
    program.on(libc::SYS_prlimit64, |body| {
        body.load(2);
        body.when_equal(0, |low| {
            low.load_high(2);
            low.when_equal(0, |only_asked| only_asked.give(libc::SECCOMP_RET_ALLOW));
        });
        body.load(0);
        body.unless_equal(0, |other| other.refuse(libc::EPERM));
        body.load(1);
        body.when_equal(libc::RLIMIT_RTTIME, |tag| tag.refuse(libc::EPERM));
        body.give(libc::SECCOMP_RET_ALLOW);
    });
    program.on(SETRLIMIT, |body| {
        body.load(0);
        body.when_equal(libc::RLIMIT_RTTIME, |tag| tag.refuse(libc::EPERM));
        body.give(libc::SECCOMP_RET_ALLOW);
    });
    // Priorities: only one's own, not those of all of the user's processes.
    for (call, own) in
        [(libc::SYS_setpriority, libc::PRIO_PROCESS), (libc::SYS_ioprio_set, IOPRIO_WHO_PROCESS)]
    {
        program.on(call, |body| {
            body.load(0);
            body.unless_equal(own, |others| others.refuse(libc::EPERM));
            body.load(1);
            body.unless_equal(0, |other| other.refuse(libc::EPERM));
            body.give(libc::SECCOMP_RET_ALLOW);
        });
    }
    program.on(libc::SYS_clone, |body| {
        body.load(0);
        body.when_any_bit(NEW_NAMESPACES, |namespace| namespace.refuse(libc::EPERM));
        body.give(libc::SECCOMP_RET_ALLOW);
    });
    // Its flags are behind a pointer, where a filter cannot look. C libraries fall back to `clone`.
    program.on(libc::SYS_clone3, |body| body.refuse(libc::ENOSYS));
    program.on(libc::SYS_unshare, |body| {
        body.load(0);
        body.when_any_bit(NEW_NAMESPACES | NEW_TIME_NAMESPACE, |namespace| namespace.refuse(libc::EPERM));
        body.give(libc::SECCOMP_RET_ALLOW);
    });
    program.on(libc::SYS_socket, |body| sockets(body, network));
    program.on(libc::SYS_ioctl, file_requests);
    program.give(libc::SECCOMP_RET_ALLOW);
    program.finish()
}

#[cfg(not(target_arch = "aarch64"))]
const SETRLIMIT: c_long = libc::SYS_setrlimit;
/// Missing in libc's table.
#[cfg(target_arch = "aarch64")]
const SETRLIMIT: c_long = 164;
const IOPRIO_WHO_PROCESS: u32 = 1;
const SOCK_TYPE_MASK: u32 = 0xF;

/// Sockets: none, or those of the internet. Never Unix sockets: by them the daemons of the host are asked to do what
/// the command may not. Pairs of them are another call, and stay.
fn sockets(body: &mut Program, network: bool) {
    if network {
        body.load(0);
        // Asking for addresses of interfaces; changing them needs a capability that is gone.
        body.when_equal(libc::AF_NETLINK as u32, |netlink| {
            netlink.load(2);
            netlink.when_equal(libc::NETLINK_ROUTE as u32, |route| route.give(libc::SECCOMP_RET_ALLOW));
            netlink.refuse(libc::EPERM);
        });
        for family in [libc::AF_INET, libc::AF_INET6] {
            body.when_equal(family as u32, |internet| {
                internet.load(1);
                internet.mask(SOCK_TYPE_MASK);
                for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM] {
                    internet.when_equal(kind as u32, |plain| plain.give(libc::SECCOMP_RET_ALLOW));
                }
                internet.refuse(libc::EPERM);
            });
        }
    }
    body.refuse(libc::EPERM);
}

/// Requests to devices and files: what is open for reading only can be changed by some of them, flags of files on most
/// file systems, subvolumes on btrfs. Of the kinds that do so, those are let through that read, or that copy within
/// what is open for writing.
fn file_requests(body: &mut Program) {
    body.load(1);
    body.when_equal(TIOCSTI, |typing| typing.refuse(libc::EPERM));
    body.mask(REQUEST_KIND);
    for (kind, harmless) in FILE_REQUESTS {
        body.when_equal(*kind, |some| {
            some.load(1);
            for request in *harmless {
                some.when_equal(*request, |reading| reading.give(libc::SECCOMP_RET_ALLOW));
            }
            some.refuse(libc::ENOTTY);
        });
    }
    body.give(libc::SECCOMP_RET_ALLOW);
}

/// `TIOCSTI`, whose type differs between C libraries.
const TIOCSTI: u32 = 0x5412;
const REQUEST_KIND: u32 = 0xFF00;
const FILE_REQUESTS: &[(u32, &[u32])] = &[
    // FS_IOC_GETFLAGS, FS_IOC_FIEMAP.
    (0x6600, &[0x8008_6601, 0xC020_660B]),
    // FS_IOC_FSGETXATTR.
    (0x5800, &[0x801C_581F]),
    // FS_IOC_GETVERSION.
    (0x7600, &[0x8008_7601]),
    // FICLONE, FICLONERANGE, FIDEDUPERANGE.
    (0x9400, &[0x4004_9409, 0x4020_940D, 0xC018_9436]),
];
