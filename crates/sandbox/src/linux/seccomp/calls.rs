//! The system calls that a program may not make, or may make only in some ways.
//!
//! The request numbers of `ioctl` and `fcntl` are the same on all architectures here.

/// Actions for a call: it is allowed, or fails with one of these errors.
pub(super) const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
pub(super) const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
pub(super) const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
/// The call succeeds and does nothing.
pub(super) const NO_EFFECT: u32 = libc::SECCOMP_RET_ERRNO;
pub(super) const NOT_SUPPORTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EOPNOTSUPP as u32;
pub(super) const NOT_VALID: u32 = libc::SECCOMP_RET_ERRNO | libc::EINVAL as u32;
pub(super) const NOT_A_TERMINAL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOTTY as u32;

/// Refused as not permitted: sockets of every kind, and giving an address to one of a pair; owners, modes, times and
/// attributes of files, which Landlock leaves to their owner; io_uring, because filters do not see its operations;
/// tracing and inspecting other processes; other cores and schedulers, because a process that may set its own may set
/// its init's; timers that send any signal, including the one that continues a stopped process; resources that the
/// kernel counts per user or for all (watches of files, timers, asynchronous input and output), because others would
/// lack them; memory, messages and semaphores that outlive a process, by name or by another's number; finding out or
/// deciding which parts of files are in memory, which would outlast a game; mounts, namespaces, keys, clocks and the
/// kernel itself; writing out others' data to a disk.
pub(super) const REFUSED: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    libc::SYS_bpf,
    libc::SYS_userfaultfd,
    libc::SYS_sched_setaffinity,
    libc::SYS_timer_create,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_ioprio_set,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_process_mrelease,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_io_setup,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_fadvise64,
    libc::SYS_readahead,
    libc::SYS_mincore,
    CACHESTAT,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_fsconfig,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    libc::SYS_acct,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sync,
    libc::SYS_syncfs,
];

/// Also refused if open files are counted by looking at processes, because files in flight are in no process's table.
pub(super) const SENDING_FILES: &[i64] = &[libc::SYS_sendmsg, libc::SYS_sendmmsg];

/// Refused as unknown if no control group counts their memory: files without names. Runtimes fall back to a temporary
/// folder.
pub(super) const NAMELESS: &[i64] = &[libc::SYS_memfd_create, MEMFD_SECRET];

/// Also refused if no control group counts memory: calls that leave pages in a pipe or a socket instead of copying
/// them. One byte there can keep a whole huge page that no process has any more. Runtimes copy instead.
pub(super) const SPLICING: &[i64] = &[
    libc::SYS_vmsplice,
    libc::SYS_splice,
    libc::SYS_tee,
    libc::SYS_sendfile,
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

/// The number of an argument, the bits of its low half that count, and their allowed values.
pub(super) type Condition = (u32, u32, &'static [u32]);

pub(super) const ALL_BITS: u32 = u32::MAX;

/// A condition that no argument meets.
const NEVER: &[Condition] = &[(0, ALL_BITS, &[])];

/// Reading and writing that waits for missing data.
const WAITING: &[Condition] = &[(5, libc::RWF_NOWAIT.cast_unsigned(), &[0])];

/// The signal that continues a stopped process.
const CONTINUE: &[u32] = &[libc::SIGCONT.cast_unsigned()];

/// Calls that get an action when all their conditions hold, for the program and not for its init.
///
/// Most are ways to send the signal that continues a stopped process. Other ways are refused for all: `fcntl` and
/// `ioctl` cannot set a signal for an open file, and timers and message queues cannot send one.
pub(super) const FORBIDDEN: &[(i64, &[Condition], u32)] = &[
    (libc::SYS_kill, &[(1, ALL_BITS, CONTINUE)], NOT_PERMITTED),
    (libc::SYS_tkill, &[(1, ALL_BITS, CONTINUE)], NOT_PERMITTED),
    (libc::SYS_tgkill, &[(2, ALL_BITS, CONTINUE)], NOT_PERMITTED),
    (
        libc::SYS_rt_sigqueueinfo,
        &[(1, ALL_BITS, CONTINUE)],
        NOT_PERMITTED,
    ),
    (
        libc::SYS_rt_tgsigqueueinfo,
        &[(2, ALL_BITS, CONTINUE)],
        NOT_PERMITTED,
    ),
    (
        libc::SYS_pidfd_send_signal,
        &[(1, ALL_BITS, CONTINUE)],
        NOT_PERMITTED,
    ),
    // The signal at the parent's end, and the signal to the parent at a child's end.
    (
        libc::SYS_prctl,
        &[
            (0, ALL_BITS, &[libc::PR_SET_PDEATHSIG.cast_unsigned()]),
            (1, ALL_BITS, CONTINUE),
        ],
        NOT_PERMITTED,
    ),
    (
        libc::SYS_clone,
        &[(0, EXIT_SIGNAL, CONTINUE)],
        NOT_PERMITTED,
    ),
    // A process's open files are looked up in one of its threads, so no thread may have files of its own.
    (
        libc::SYS_clone,
        &[(0, THREAD_WITH_FILES, &[libc::CLONE_THREAD.cast_unsigned()])],
        NOT_PERMITTED,
    ),
    (
        libc::SYS_close_range,
        &[(2, CLOSE_RANGE_UNSHARE, &[CLOSE_RANGE_UNSHARE])],
        NOT_PERMITTED,
    ),
    // Would keep others from the second thread of a core, as long as its cookie exists.
    (
        libc::SYS_prctl,
        &[(0, ALL_BITS, &[PR_SCHED_CORE])],
        NOT_PERMITTED,
    ),
    // Socket buffers keep their size, so the number of sockets bounds their memory.
    (
        libc::SYS_setsockopt,
        &[
            (1, ALL_BITS, &[libc::SOL_SOCKET.cast_unsigned()]),
            (
                2,
                ALL_BITS,
                &[
                    libc::SO_SNDBUF.cast_unsigned(),
                    libc::SO_SNDBUFFORCE.cast_unsigned(),
                ],
            ),
        ],
        NO_EFFECT,
    ),
];

/// The flags of `clone`; a thread has both.
const THREAD_WITH_FILES: u32 = (libc::CLONE_THREAD | libc::CLONE_FILES).cast_unsigned();

/// From linux/close_range.h and linux/prctl.h.
const CLOSE_RANGE_UNSHARE: u32 = 2;
const PR_SCHED_CORE: u32 = 62;

/// The bits of the flags of `clone` that are the signal of the child's end (`CSIGNAL` in linux/sched.h).
const EXIT_SIGNAL: u32 = 0xff;

/// Calls that are allowed only when they ask for something known to be harmless: the call, its conditions, and the action
/// when one of them fails.
pub(super) const CONDITIONAL: &[(i64, &[Condition], u32)] = &[
    // Queries about terminals, pipes and files, and how they are read. No attributes of files, no subvolumes.
    (
        libc::SYS_ioctl,
        &[(
            1,
            ALL_BITS,
            &[
                libc::TCGETS as u32,
                libc::TCGETS2 as u32,
                libc::TIOCGWINSZ as u32,
                libc::TIOCGPGRP as u32,
                libc::FIONREAD as u32,
                libc::FIONBIO as u32,
                libc::FIOCLEX as u32,
                libc::FIONCLEX as u32,
            ],
        )],
        NOT_A_TERMINAL,
    ),
    // No locks and leases, no signals to an owner, no larger pipes.
    (
        libc::SYS_fcntl,
        &[(
            1,
            ALL_BITS,
            &[
                libc::F_DUPFD.cast_unsigned(),
                libc::F_GETFD.cast_unsigned(),
                libc::F_SETFD.cast_unsigned(),
                libc::F_GETFL.cast_unsigned(),
                libc::F_SETFL.cast_unsigned(),
                libc::F_GETLK.cast_unsigned(),
                libc::F_GETOWN.cast_unsigned(),
                libc::F_DUPFD_CLOEXEC.cast_unsigned(),
                libc::F_GETPIPE_SZ.cast_unsigned(),
                libc::F_ADD_SEALS.cast_unsigned(),
                libc::F_GET_SEALS.cast_unsigned(),
            ],
        )],
        NOT_PERMITTED,
    ),
    // Any readable file could be locked. If Java cannot lock one of its files, it warns on standard output, where moves
    // belong.
    (libc::SYS_flock, NEVER, NO_EFFECT),
    // The call waits for pages that are not in memory, so that nobody learns which are.
    (libc::SYS_preadv2, WAITING, NOT_SUPPORTED),
    (libc::SYS_pwritev2, WAITING, NOT_SUPPORTED),
    // No program decides which parts of a file leave memory (MADV_COLD, MADV_PAGEOUT). The usual ones come first.
    (
        libc::SYS_madvise,
        &[(
            2,
            ALL_BITS,
            &[
                libc::MADV_DONTNEED.cast_unsigned(),
                libc::MADV_FREE.cast_unsigned(),
                libc::MADV_HUGEPAGE.cast_unsigned(),
                libc::MADV_NOHUGEPAGE.cast_unsigned(),
                libc::MADV_NORMAL.cast_unsigned(),
                libc::MADV_RANDOM.cast_unsigned(),
                libc::MADV_SEQUENTIAL.cast_unsigned(),
                libc::MADV_WILLNEED.cast_unsigned(),
                libc::MADV_DONTFORK.cast_unsigned(),
                libc::MADV_DOFORK.cast_unsigned(),
                libc::MADV_WIPEONFORK.cast_unsigned(),
                libc::MADV_KEEPONFORK.cast_unsigned(),
                libc::MADV_DONTDUMP.cast_unsigned(),
                libc::MADV_DODUMP.cast_unsigned(),
                libc::MADV_POPULATE_READ.cast_unsigned(),
                libc::MADV_POPULATE_WRITE.cast_unsigned(),
            ],
        )],
        NOT_VALID,
    ),
    // Only of this process.
    (libc::SYS_prlimit64, &[(0, ALL_BITS, &[0])], NOT_PERMITTED),
    (
        libc::SYS_setpriority,
        &[(0, ALL_BITS, &[libc::PRIO_PROCESS]), (1, ALL_BITS, &[0])],
        NOT_PERMITTED,
    ),
    (
        libc::SYS_clone,
        &[(0, NAMESPACES.cast_unsigned(), &[0])],
        NOT_PERMITTED,
    ),
    // Its flags are in memory, which filters cannot read. Runtimes fall back to `clone`.
    (libc::SYS_clone3, NEVER, NO_SUCH_CALL),
    // Runtimes talk to their children over pairs of sockets. A datagram socket can send to any address, so only pairs
    // with connected ends are allowed.
    (
        libc::SYS_socketpair,
        &[
            (0, ALL_BITS, &[libc::AF_UNIX.cast_unsigned()]),
            (
                1,
                SOCKET_TYPE,
                &[
                    libc::SOCK_STREAM.cast_unsigned(),
                    libc::SOCK_SEQPACKET.cast_unsigned(),
                ],
            ),
        ],
        NOT_PERMITTED,
    ),
];

/// The flags of `clone` that create namespaces.
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// The bits of a socket's type without its flags (`SOCK_TYPE_MASK` in linux/net.h).
const SOCKET_TYPE: u32 = 0xf;
