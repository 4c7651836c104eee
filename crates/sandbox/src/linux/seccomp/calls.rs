//! The system calls that a program may not make, or may make only in some ways.
//!
//! The request numbers of `ioctl` and `fcntl` are the same on all architectures here.

/// Actions for a call: it is allowed, or fails with one of these errors.
pub(super) const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
pub(super) const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
/// The call succeeds and does nothing.
pub(super) const NO_EFFECT: u32 = libc::SECCOMP_RET_ERRNO;
const NOT_SUPPORTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EOPNOTSUPP as u32;
const NOT_VALID: u32 = libc::SECCOMP_RET_ERRNO | libc::EINVAL as u32;
const NOT_A_TERMINAL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOTTY as u32;

/// Calls that are refused as not permitted.
#[rustfmt::skip]
pub(super) const REFUSED: &[i64] = &[
    // Sockets of every kind, and giving an address to one of a pair.
    libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4,
    // Owners, modes, times and attributes of files, which Landlock leaves to their owner.
    libc::SYS_fchmod, libc::SYS_fchmodat, FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, SETXATTRAT,
    libc::SYS_removexattr, libc::SYS_lremovexattr, libc::SYS_fremovexattr, REMOVEXATTRAT, FILE_SETATTR,
    // io_uring, because filters do not see its operations.
    libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register,
    // Tracing and inspecting other processes.
    libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev, libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd, libc::SYS_kcmp, libc::SYS_perf_event_open, libc::SYS_bpf, libc::SYS_userfaultfd,
    libc::SYS_migrate_pages, libc::SYS_move_pages, libc::SYS_process_mrelease,
    // Other cores and schedulers, because a process that may set its own may set its init's.
    libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    // Timers that send any signal, including the one that continues a stopped process.
    libc::SYS_timer_create,
    // What the kernel counts for each user or for all, because others would lack it: watches of files, asynchronous input
    // and output.
    libc::SYS_inotify_init1, libc::SYS_io_setup,
    // Memory, messages and semaphores that outlive a process, by name or by another's number.
    libc::SYS_shmget, libc::SYS_shmat, libc::SYS_shmctl, libc::SYS_msgget, libc::SYS_msgsnd, libc::SYS_msgrcv,
    libc::SYS_msgctl, libc::SYS_semget, libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_semctl,
    libc::SYS_mq_open, libc::SYS_mq_unlink,
    // Finding out or deciding which parts of files are in memory, which would outlast a game.
    libc::SYS_fadvise64, libc::SYS_readahead, libc::SYS_mincore, CACHESTAT,
    // Keys, mounts, namespaces.
    libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl,
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_fsopen, libc::SYS_fsmount,
    libc::SYS_fspick, libc::SYS_fsconfig, libc::SYS_open_tree, OPEN_TREE_ATTR, libc::SYS_move_mount,
    libc::SYS_mount_setattr, libc::SYS_unshare, libc::SYS_setns,
    // The kernel itself, and clocks.
    libc::SYS_open_by_handle_at, libc::SYS_fanotify_init, libc::SYS_quotactl, QUOTACTL_FD, libc::SYS_acct,
    libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_reboot, libc::SYS_kexec_load, KEXEC_FILE_LOAD,
    libc::SYS_init_module, libc::SYS_finit_module, libc::SYS_delete_module, libc::SYS_settimeofday,
    libc::SYS_clock_settime, libc::SYS_adjtimex, libc::SYS_clock_adjtime, libc::SYS_sethostname,
    libc::SYS_setdomainname, libc::SYS_syslog, libc::SYS_vhangup,
    // Writing out others' data to a disk.
    libc::SYS_sync, libc::SYS_syncfs,
];

/// The same, of calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const REFUSED_OLD: &[i64] = &[
    libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat,
    libc::SYS_inotify_init,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const REFUSED_OLD: &[i64] = &[];

/// Also refused if open files are counted by looking at processes, because files in flight are in no process's table.
pub(super) const SENDING_FILES: &[i64] = &[libc::SYS_sendmsg, libc::SYS_sendmmsg];

/// Calls that always get another answer.
pub(super) const ANSWERED: &[(i64, u32)] = &[
    // Any readable file could be locked. If Java cannot lock one of its files, it warns on standard output, where moves
    // belong.
    (libc::SYS_flock, NO_EFFECT),
    // Its flags are in memory, which filters cannot read. Runtimes fall back to `clone`.
    (libc::SYS_clone3, NO_SUCH_CALL),
];

/// Answered in the same way if no control group counts memory.
pub(super) const UNCOUNTED: &[(i64, u32)] = &[
    // Files without names. Runtimes fall back to a temporary folder.
    (libc::SYS_memfd_create, NO_SUCH_CALL),
    (MEMFD_SECRET, NO_SUCH_CALL),
    // They leave pages in a pipe or a socket instead of copying them. One byte there can keep a whole huge page that no
    // process has any more. Runtimes copy instead.
    (libc::SYS_vmsplice, NOT_VALID),
    (libc::SYS_splice, NOT_VALID),
    (libc::SYS_tee, NOT_VALID),
    (libc::SYS_sendfile, NOT_VALID),
];

/// Newer calls that `libc` does not name on every architecture. Their numbers are the same on all.
const QUOTACTL_FD: i64 = 443;
const MEMFD_SECRET: i64 = 447;
const CACHESTAT: i64 = 451;
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const OPEN_TREE_ATTR: i64 = 467;
const FILE_SETATTR: i64 = 469;

/// An older call, which `libc` does not name for ARM with musl. Its number differs.
const KEXEC_FILE_LOAD: i64 = if cfg!(target_arch = "x86_64") {
    320
} else {
    294
};

/// The number of an argument, the bits of its low half that count, and the values that meet the condition.
pub(super) type Condition = (u32, u32, &'static [i32]);

pub(super) const ALL_BITS: u32 = u32::MAX;

/// Reading and writing that waits for missing data.
const WAITING: &[Condition] = &[(5, libc::RWF_NOWAIT.cast_unsigned(), &[0])];

/// The signal that continues a stopped process, as the second or the third argument.
const CONTINUE: &[i32] = &[libc::SIGCONT];
const CONTINUE_2: &[Condition] = &[(1, ALL_BITS, CONTINUE)];
const CONTINUE_3: &[Condition] = &[(2, ALL_BITS, CONTINUE)];

/// Calls that get an action when all their conditions hold, for the program and not for its init.
///
/// Most are ways to send the signal that continues a stopped process. Other ways are refused for all: `fcntl` and
/// `ioctl` cannot set a signal for an open file, and timers and message queues cannot send one.
#[rustfmt::skip]
pub(super) const FORBIDDEN: &[(i64, &[Condition], u32)] = &[
    (libc::SYS_kill, CONTINUE_2, NOT_PERMITTED),
    (libc::SYS_tkill, CONTINUE_2, NOT_PERMITTED),
    (libc::SYS_tgkill, CONTINUE_3, NOT_PERMITTED),
    (libc::SYS_rt_sigqueueinfo, CONTINUE_2, NOT_PERMITTED),
    (libc::SYS_rt_tgsigqueueinfo, CONTINUE_3, NOT_PERMITTED),
    (libc::SYS_pidfd_send_signal, CONTINUE_2, NOT_PERMITTED),
    // The signal at the parent's end, and the signal to the parent at a child's end.
    (libc::SYS_prctl, &[(0, ALL_BITS, &[libc::PR_SET_PDEATHSIG]), (1, ALL_BITS, CONTINUE)], NOT_PERMITTED),
    (libc::SYS_clone, &[(0, EXIT_SIGNAL, CONTINUE)], NOT_PERMITTED),
    // A process's open files are looked up in one of its threads, so no thread may have files of its own.
    (libc::SYS_clone, &[(0, THREAD_WITH_FILES, &[libc::CLONE_THREAD])], NOT_PERMITTED),
    (libc::SYS_close_range, &[(2, CLOSE_RANGE_UNSHARE, &[CLOSE_RANGE_UNSHARE.cast_signed()])], NOT_PERMITTED),
    // Would keep others from the second thread of a core, as long as its cookie exists.
    (libc::SYS_prctl, &[(0, ALL_BITS, &[PR_SCHED_CORE])], NOT_PERMITTED),
    // Socket buffers keep their size, so the number of sockets bounds their memory.
    (
        libc::SYS_setsockopt,
        &[(1, ALL_BITS, &[libc::SOL_SOCKET]), (2, ALL_BITS, &[libc::SO_SNDBUF, libc::SO_SNDBUFFORCE])],
        NO_EFFECT,
    ),
];

/// The flags of `clone`; a thread has both.
const THREAD_WITH_FILES: u32 = (libc::CLONE_THREAD | libc::CLONE_FILES).cast_unsigned();

/// From linux/close_range.h and linux/prctl.h.
const CLOSE_RANGE_UNSHARE: u32 = 2;
const PR_SCHED_CORE: i32 = 62;

/// The bits of the flags of `clone` that are the signal of the child's end (`CSIGNAL` in linux/sched.h).
const EXIT_SIGNAL: u32 = 0xff;

/// Calls that are allowed only when they ask for something known to be harmless: the call, its conditions, and the action
/// when one of them fails.
#[rustfmt::skip]
pub(super) const CONDITIONAL: &[(i64, &[Condition], u32)] = &[
    // Queries about terminals, pipes and files, and how they are read. No attributes of files, no subvolumes.
    (libc::SYS_ioctl, &[(1, ALL_BITS, QUERIES)], NOT_A_TERMINAL),
    // No locks and leases, no signals to an owner, no larger pipes.
    (
        libc::SYS_fcntl,
        &[(1, ALL_BITS, &[
            libc::F_DUPFD, libc::F_GETFD, libc::F_SETFD, libc::F_GETFL, libc::F_SETFL, libc::F_GETLK, libc::F_GETOWN,
            libc::F_DUPFD_CLOEXEC, libc::F_GETPIPE_SZ, libc::F_ADD_SEALS, libc::F_GET_SEALS,
        ])],
        NOT_PERMITTED,
    ),
    // The call waits for pages that are not in memory, so that nobody learns which are.
    (libc::SYS_preadv2, WAITING, NOT_SUPPORTED),
    (libc::SYS_pwritev2, WAITING, NOT_SUPPORTED),
    // No program decides which parts of a file leave memory (MADV_COLD, MADV_PAGEOUT). The usual ones come first.
    (
        libc::SYS_madvise,
        &[(2, ALL_BITS, &[
            libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_HUGEPAGE, libc::MADV_NOHUGEPAGE, libc::MADV_NORMAL,
            libc::MADV_RANDOM, libc::MADV_SEQUENTIAL, libc::MADV_WILLNEED, libc::MADV_DONTFORK, libc::MADV_DOFORK,
            libc::MADV_WIPEONFORK, libc::MADV_KEEPONFORK, libc::MADV_DONTDUMP, libc::MADV_DODUMP,
            libc::MADV_POPULATE_READ, libc::MADV_POPULATE_WRITE,
        ])],
        NOT_VALID,
    ),
    // Only of this process.
    (libc::SYS_prlimit64, &[(0, ALL_BITS, &[0])], NOT_PERMITTED),
    (
        libc::SYS_setpriority,
        &[(0, ALL_BITS, &[libc::PRIO_PROCESS as i32]), (1, ALL_BITS, &[0])],
        NOT_PERMITTED,
    ),
    (libc::SYS_clone, &[(0, NAMESPACES, &[0])], NOT_PERMITTED),
    // Runtimes talk to their children over pairs of sockets. A datagram socket can send to any address, so only pairs
    // with connected ends are allowed.
    (
        libc::SYS_socketpair,
        &[(0, ALL_BITS, &[libc::AF_UNIX]), (1, SOCKET_TYPE, &[libc::SOCK_STREAM, libc::SOCK_SEQPACKET])],
        NOT_PERMITTED,
    ),
];

/// Requests of `ioctl`.
#[rustfmt::skip]
const QUERIES: &[i32] = &[
    libc::TCGETS as i32, libc::TCGETS2 as i32, libc::TIOCGWINSZ as i32, libc::TIOCGPGRP as i32, libc::FIONREAD as i32,
    libc::FIONBIO as i32, libc::FIOCLEX as i32, libc::FIONCLEX as i32,
];

/// The flags of `clone` that create namespaces.
const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET)
    .cast_unsigned();

/// The bits of a socket's type without its flags (`SOCK_TYPE_MASK` in linux/net.h).
const SOCKET_TYPE: u32 = 0xf;
