//! The seccomp filter of system calls, for what Landlock leaves open.

use libc::{
    BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_RET, BPF_W,
};
use seccompiler::{apply_filter, sock_filter};
use std::io;

/// Refused as not permitted: sockets of every kind, and giving an address to one of a pair; owners, modes, times
/// and attributes of files, which Landlock leaves to their owner; io_uring, whose operations no filter sees;
/// tracing and inspecting other processes; other cores, and timers that send any signal, with which a stopped process
/// continues; memory and messages that outlive a process; mounts, namespaces,
/// keys, clocks and the kernel itself.
const REFUSED: &[i64] = &[
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
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
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
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
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
];

/// Newer calls that `libc` does not name on every architecture; their numbers are the same on all.
const MEMFD_SECRET: i64 = 447;
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// The flags of `clone` that create namespaces.
const NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// This architecture's number in `seccomp_data` (linux/audit.h).
#[cfg(target_arch = "x86_64")]
const AUDIT_ARCH: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
const AUDIT_ARCH: Option<u32> = Some(0xc000_00b7);
#[cfg(target_arch = "riscv64")]
const AUDIT_ARCH: Option<u32> = Some(0xc000_00f3);
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_arch = "riscv64"
)))]
const AUDIT_ARCH: Option<u32> = None;

/// Where the numbers of the x32 ABI begin, which has all calls once more and is hardly used: it is refused as a
/// whole. Other architectures have no such numbers.
const X32: u32 = 0x4000_0000;

/// Offsets in `seccomp_data` of the call's number, the architecture, and the low halves of the first two arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST: u32 = 16;
const SECOND: u32 = 24;

/// The bits of a socket's type without its flags (`SOCK_TYPE_MASK` in linux/net.h).
const SOCKET_TYPE: u32 = 0xf;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const NOT_PERMITTED: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const NO_SUCH_CALL: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;

/// Files without names and folders, whose memory only a control group counts.
const NAMELESS: [i64; 2] = [libc::SYS_memfd_create, MEMFD_SECRET];

/// Applies the filter to this process and all it starts, for good.
///
/// Where memory is not counted, files without names are refused as unknown: runtimes fall back to a temporary folder.
///
/// `clone3` has its flags in memory, which filters cannot read; it is refused as unknown, and runtimes fall back to
/// `clone`. Runtimes talk to their children over pairs of sockets; but a datagram socket sends to any address, so
/// only pairs whose ends are connected to each other are allowed.
pub(super) fn apply(memory_is_counted: bool) -> io::Result<()> {
    let architecture = AUDIT_ARCH.ok_or(io::ErrorKind::Unsupported)?;
    apply_filter(&program(architecture, memory_is_counted)).map_err(io::Error::other)
}

/// The filter, with few instructions a call: when it is applied, the kernel runs it once for every call there is,
/// which is most of the cost. So it bisects the refused numbers, where `seccompiler` would compile a linear chain.
fn program(architecture: u32, memory_is_counted: bool) -> Vec<sock_filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(BPF_JEQ, architecture, 1, 0),
        verdict(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JGE, X32, 0, 1),
        verdict(NOT_PERMITTED),
        jump(BPF_JEQ, number(libc::SYS_clone), 0, 4),
        load(FIRST),
        jump(BPF_JSET, NAMESPACES.cast_unsigned(), 0, 1),
        verdict(NOT_PERMITTED),
        verdict(ALLOW),
        jump(BPF_JEQ, number(libc::SYS_clone3), 0, 1),
        verdict(NO_SUCH_CALL),
        jump(BPF_JEQ, number(libc::SYS_socketpair), 0, 8),
        load(FIRST),
        jump(BPF_JEQ, libc::AF_UNIX.cast_unsigned(), 0, 4),
        load(SECOND),
        instruction(BPF_ALU | BPF_AND | BPF_K, SOCKET_TYPE, 0, 0),
        jump(BPF_JEQ, libc::SOCK_STREAM.cast_unsigned(), 2, 0),
        jump(BPF_JEQ, libc::SOCK_SEQPACKET.cast_unsigned(), 1, 0),
        verdict(NOT_PERMITTED),
        verdict(ALLOW),
    ];
    if !memory_is_counted {
        for call in NAMELESS {
            program.push(jump(BPF_JEQ, number(call), 0, 1));
            program.push(verdict(NO_SUCH_CALL));
        }
    }
    let mut refused: Vec<u32> = REFUSED.iter().copied().map(number).collect();
    refused.sort_unstable();
    bisect(&refused, &mut program);
    program
}

/// Refuses these numbers, which are in order, and allows all others.
fn bisect(numbers: &[u32], program: &mut Vec<sock_filter>) {
    // Few enough for a jump over all of them.
    if numbers.len() <= 4 {
        for (index, &refused) in numbers.iter().enumerate() {
            let beyond_the_others = u8::try_from(numbers.len() - index).expect("at most 4");
            program.push(jump(BPF_JEQ, refused, beyond_the_others, 0));
        }
        program.push(verdict(ALLOW));
        program.push(verdict(NOT_PERMITTED));
        return;
    }
    let (lower, upper) = numbers.split_at(numbers.len() / 2);
    let mut below = Vec::new();
    bisect(lower, &mut below);
    let distance = u8::try_from(below.len()).expect("a few dozen numbers");
    program.push(jump(BPF_JGE, upper[0], distance, 0));
    program.append(&mut below);
    bisect(upper, program);
}

fn number(call: i64) -> u32 {
    u32::try_from(call).expect("numbers of calls are small")
}

fn load(offset: u32) -> sock_filter {
    instruction(BPF_LD | BPF_W | BPF_ABS, offset, 0, 0)
}

/// Skips so many instructions if the comparison holds, and so many otherwise.
fn jump(comparison: u32, with: u32, holds: u8, otherwise: u8) -> sock_filter {
    instruction(BPF_JMP | comparison | BPF_K, with, holds, otherwise)
}

fn verdict(action: u32) -> sock_filter {
    instruction(BPF_RET | BPF_K, action, 0, 0)
}

fn instruction(code: u32, k: u32, jt: u8, jf: u8) -> sock_filter {
    let code = u16::try_from(code).expect("codes are small");
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: u32 = 7;

    /// Arguments with which every allowed call is allowed.
    const PAIR: [u32; 2] = [
        libc::AF_UNIX.cast_unsigned(),
        libc::SOCK_STREAM.cast_unsigned(),
    ];

    /// Interprets the program as the kernel does; gives the verdict and the number of instructions.
    fn run(architecture: u32, call: u32, arguments: [u32; 2]) -> (u32, usize) {
        run_where(true, architecture, call, arguments)
    }

    fn run_where(
        memory_is_counted: bool,
        architecture: u32,
        call: u32,
        arguments: [u32; 2],
    ) -> (u32, usize) {
        let program = program(HERE, memory_is_counted);
        let (mut at, mut loaded) = (0, 0);
        for steps in 1.. {
            let sock_filter { code, jt, jf, k } = program[at];
            let code = u32::from(code);
            let holds = if code == BPF_LD | BPF_W | BPF_ABS {
                loaded = match k {
                    NUMBER => call,
                    ARCHITECTURE => architecture,
                    FIRST => arguments[0],
                    SECOND => arguments[1],
                    _ => panic!("nothing is there"),
                };
                at += 1;
                continue;
            } else if code == BPF_ALU | BPF_AND | BPF_K {
                loaded &= k;
                at += 1;
                continue;
            } else if code == BPF_RET | BPF_K {
                return (k, steps);
            } else if code == BPF_JMP | BPF_JEQ | BPF_K {
                loaded == k
            } else if code == BPF_JMP | BPF_JGE | BPF_K {
                loaded >= k
            } else if code == BPF_JMP | BPF_JSET | BPF_K {
                loaded & k != 0
            } else {
                panic!("an unknown instruction {code:#x}");
            };
            at += 1 + usize::from(if holds { jt } else { jf });
        }
        unreachable!("every path ends in a verdict")
    }

    #[test]
    fn exactly_the_refused_calls_are_refused_in_few_instructions() {
        for call in 0..1000 {
            let listed = REFUSED.contains(&i64::from(call));
            let expected = match i64::from(call) {
                libc::SYS_clone3 => NO_SUCH_CALL,
                _ if listed => NOT_PERMITTED,
                _ => ALLOW,
            };
            let (verdict, steps) = run(HERE, call, PAIR);
            assert_eq!(verdict, expected, "call {call}");
            assert!(steps <= 20, "call {call} in {steps} steps");
        }
    }

    #[test]
    fn files_without_names_are_unknown_where_memory_is_not_counted() {
        for call in NAMELESS.map(number) {
            assert_eq!(run_where(true, HERE, call, PAIR).0, ALLOW);
            assert_eq!(run_where(false, HERE, call, PAIR).0, NO_SUCH_CALL);
        }
        assert_eq!(
            run_where(false, HERE, number(libc::SYS_socket), PAIR).0,
            NOT_PERMITTED
        );
    }

    #[test]
    fn clone_makes_processes_and_threads_but_no_namespaces() {
        let clone = number(libc::SYS_clone);
        let thread = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;
        for flags in [0, thread, libc::SIGCHLD] {
            assert_eq!(run(HERE, clone, [flags.cast_unsigned(), 0]).0, ALLOW);
        }
        for flag in [libc::CLONE_NEWNS, libc::CLONE_NEWUSER, libc::CLONE_NEWNET] {
            let flags = (flag | libc::SIGCHLD).cast_unsigned();
            assert_eq!(run(HERE, clone, [flags, 0]).0, NOT_PERMITTED);
        }
    }

    #[test]
    fn pairs_of_sockets_are_connected_to_each_other() {
        let pair = |family: i32, kind: i32| {
            let arguments = [family.cast_unsigned(), kind.cast_unsigned()];
            run(HERE, number(libc::SYS_socketpair), arguments).0
        };
        for kind in [libc::SOCK_STREAM, libc::SOCK_SEQPACKET] {
            let flags = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
            assert_eq!(pair(libc::AF_UNIX, kind), ALLOW);
            assert_eq!(pair(libc::AF_UNIX, kind | flags), ALLOW);
            assert_eq!(pair(libc::AF_TIPC, kind), NOT_PERMITTED);
        }
        // A raw Unix socket is a datagram socket.
        for kind in [libc::SOCK_DGRAM, libc::SOCK_RAW] {
            assert_eq!(pair(libc::AF_UNIX, kind), NOT_PERMITTED);
            assert_eq!(
                pair(libc::AF_UNIX, kind | libc::SOCK_CLOEXEC),
                NOT_PERMITTED
            );
        }
    }

    #[test]
    fn other_calling_conventions_are_refused() {
        for call in [0, 39, 521, number(libc::SYS_socket)] {
            assert_eq!(run(HERE, X32 | call, PAIR).0, NOT_PERMITTED);
            assert_eq!(run(HERE + 1, call, PAIR).0, libc::SECCOMP_RET_KILL_PROCESS);
        }
    }
}
