//! The seccomp filter of system calls, which closes what Landlock leaves open.
//!
//! This file compiles and applies it; [`calls`] lists the calls and the actions for them.

mod calls;

use calls::{
    ALL_BITS, ALLOW, ANSWERED, CONDITIONAL, Condition, FORBIDDEN, NOT_PERMITTED, REFUSED,
    REFUSED_OLD, SENDING_FILES, UNCOUNTED,
};
use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W};
use seccompiler::{apply_filter, sock_filter};
use std::io;

/// The first number of the x32 ABI, which repeats all calls and is hardly used. It is refused as a whole. Other
/// architectures have no such numbers.
const X32: u32 = 0x4000_0000;

/// Offsets in `seccomp_data` of the call's number, the architecture, and the low half of the first argument. The other
/// arguments follow at intervals of 8.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST: u32 = 16;

/// What limits calls otherwise, so that they are allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    /// Sending open files over sockets: they are counted.
    pub(super) sending_files: bool,
    /// Files without names, and pages in pipes: a control group counts their memory.
    pub(super) uncounted_memory: bool,
}

/// A filter only for the program, to be applied before it is executed. Its init needs the refused calls.
pub(super) type ProgramFilter = Vec<sock_filter>;

/// Applies the filter to this process and its children, for good. Returns the filter for the program.
pub(super) fn apply(allowed: Allowed) -> io::Result<ProgramFilter> {
    // The architecture's number in `seccomp_data` (linux/audit.h).
    let architecture = match std::env::consts::ARCH {
        "x86_64" => 0xc000_003e,
        "aarch64" => 0xc000_00b7,
        "riscv64" => 0xc000_00f3,
        _ => return Err(io::ErrorKind::Unsupported.into()),
    };
    apply_to_thread(&program(architecture, allowed))?;
    Ok(filter_of_program())
}

/// Whether this error of [`apply`] means that the system has no filters of system calls.
pub(super) fn are_missing(error: &io::Error) -> bool {
    // A kernel without the call, or without filters (seccomp(2)).
    let unknown = [libc::ENOSYS, libc::EINVAL];
    error.kind() == io::ErrorKind::Unsupported
        || error
            .raw_os_error()
            .is_some_and(|errno| unknown.contains(&errno))
}

/// Applies a filter, such as the program's, to this thread and its children, for good.
pub(super) fn apply_to_thread(filter: &ProgramFilter) -> io::Result<()> {
    apply_filter(filter).map_err(|error| match error {
        seccompiler::Error::Prctl(error) | seccompiler::Error::Seccomp(error) => error,
        other => io::Error::other(other),
    })
}

/// The filter for the program. The other filter checks the architecture.
fn filter_of_program() -> ProgramFilter {
    let mut program = vec![load(NUMBER)];
    for &(call, conditions, action) in FORBIDDEN {
        program.extend(rule(call, conditions, verdict(action), load(NUMBER)));
    }
    program.push(verdict(ALLOW));
    program
}

/// The filter, with few instructions a call. When it is applied, the kernel runs it once for every existing call, which
/// is most of the cost. So it bisects the refused numbers, where `seccompiler` would compile a linear chain.
fn program(architecture: u32, allowed: Allowed) -> Vec<sock_filter> {
    let mut program = vec![
        load(ARCHITECTURE),
        jump(BPF_JEQ, architecture, 1, 0),
        verdict(libc::SECCOMP_RET_KILL_PROCESS),
        load(NUMBER),
        jump(BPF_JGE, X32, 0, 1),
        verdict(NOT_PERMITTED),
    ];
    for &(call, conditions, otherwise) in CONDITIONAL {
        program.extend(rule(call, conditions, verdict(ALLOW), verdict(otherwise)));
    }
    let uncounted = UNCOUNTED.iter().filter(|_| !allowed.uncounted_memory);
    for &(call, answer) in ANSWERED.iter().chain(uncounted) {
        program.push(jump(BPF_JEQ, number(call), 0, 1));
        program.push(verdict(answer));
    }
    let sending = SENDING_FILES.iter().filter(|_| !allowed.sending_files);
    let refused = REFUSED.iter().chain(REFUSED_OLD).chain(sending);
    let mut refused: Vec<u32> = refused.copied().map(number).collect();
    refused.sort_unstable();
    bisect(&refused, &mut program);
    program
}

/// Executes `met` for this call if all conditions hold, and `unmet` if one does not. After a verdict, the filter ends.
/// Otherwise it continues, with the call's number loaded.
fn rule(
    call: i64,
    conditions: &[Condition],
    met: sock_filter,
    unmet: sock_filter,
) -> Vec<sock_filter> {
    let distance = |count: usize| u8::try_from(count).expect("a few dozen instructions");
    let mut checks = vec![met, unmet];
    for &(argument, bits, values) in conditions.iter().rev() {
        let to_unmet = distance(checks.len() - 1);
        let mut check = vec![load(FIRST + 8 * argument)];
        if bits != ALL_BITS {
            check.push(instruction(BPF_ALU | BPF_AND | BPF_K, bits, 0, 0));
        }
        for (index, value) in values.iter().enumerate() {
            let others = values.len() - 1 - index;
            let failed = if others == 0 { to_unmet } else { 0 };
            let value = value.cast_unsigned();
            check.push(jump(BPF_JEQ, value, distance(others), failed));
        }
        check.append(&mut checks);
        checks = check;
    }
    checks.insert(0, jump(BPF_JEQ, number(call), 0, distance(checks.len())));
    checks
}

/// Refuses these numbers, which are sorted, and allows all others.
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

/// Skips this many instructions if the comparison holds, and that many otherwise.
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
    const ALL: Allowed = Allowed {
        sending_files: true,
        uncounted_memory: true,
    };

    /// Arguments of a pair of sockets that is allowed.
    const PAIR: [u32; 2] = [
        libc::AF_UNIX.cast_unsigned(),
        libc::SOCK_STREAM.cast_unsigned(),
    ];

    /// Interprets the filter as the kernel does. Returns the verdict and the number of instructions.
    fn run<const N: usize>(architecture: u32, call: u32, arguments: [u32; N]) -> (u32, usize) {
        run_with(ALL, architecture, call, arguments)
    }

    fn run_with<const N: usize>(
        allowed: Allowed,
        architecture: u32,
        call: u32,
        arguments: [u32; N],
    ) -> (u32, usize) {
        let (first, steps) = interpret(&program(HERE, allowed), architecture, call, arguments);
        // The program has both filters. A call that neither refuses is allowed.
        match interpret(&filter_of_program(), architecture, call, arguments).0 {
            ALLOW => (first, steps),
            refused => (refused, steps),
        }
    }

    fn interpret<const N: usize>(
        program: &[sock_filter],
        architecture: u32,
        call: u32,
        arguments: [u32; N],
    ) -> (u32, usize) {
        let (mut at, mut loaded) = (0, 0);
        for steps in 1.. {
            let sock_filter { code, jt, jf, k } = program[at];
            let code = u32::from(code);
            let holds = if code == BPF_LD | BPF_W | BPF_ABS {
                loaded = match k {
                    NUMBER => call,
                    ARCHITECTURE => architecture,
                    _ => arguments[(k - FIRST) as usize / 8],
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
            let is = |other: &i64| number(*other) == call;
            let is_listed = REFUSED.iter().chain(REFUSED_OLD).any(is);
            let answered = ANSWERED.iter().find(|(other, _)| is(other));
            let expected = match (is_listed, answered) {
                (true, _) => NOT_PERMITTED,
                (false, Some(&(_, answer))) => answer,
                (false, None) => ALLOW,
            };
            if CONDITIONAL.iter().any(|(other, ..)| is(other)) {
                assert_eq!(expected, ALLOW, "call {call} is in two lists");
                continue;
            }
            let (verdict, steps) = run(HERE, call, [0; 3]);
            assert_eq!(verdict, expected, "call {call}");
            assert!(steps <= 25, "call {call} in {steps} steps");
        }
    }

    fn allows<const N: usize>(call: i64, arguments: [i32; N]) -> bool {
        let verdict = run(HERE, number(call), arguments.map(i32::cast_unsigned)).0;
        assert_ne!(verdict, libc::SECCOMP_RET_KILL_PROCESS);
        verdict == ALLOW
    }

    #[test]
    fn files_are_read_and_described_but_neither_changed_nor_locked() {
        let (file, get_flags, set_flags) = (3, 0x8008_6601_u32, 0x4008_6602_u32);
        for harmless in [libc::TCGETS, libc::FIONREAD, libc::FIOCLEX, libc::FIONBIO] {
            assert!(allows(libc::SYS_ioctl, [file, harmless as i32]));
        }
        for other in [get_flags, set_flags, 0x4008_7602, 0x5000_940e] {
            assert!(!allows(libc::SYS_ioctl, [file, other.cast_signed()]));
        }
        const F_SETSIG: i32 = 10;
        let changes = [
            libc::F_SETLK,
            libc::F_SETLKW,
            libc::F_OFD_SETLK,
            libc::F_SETLEASE,
            libc::F_NOTIFY,
            libc::F_SETOWN,
            F_SETSIG,
            libc::F_SETPIPE_SZ,
        ];
        for change in changes {
            assert!(!allows(libc::SYS_fcntl, [file, change]), "{change}");
        }
        for harmless in [libc::F_DUPFD_CLOEXEC, libc::F_SETFL, libc::F_GETLK] {
            assert!(allows(libc::SYS_fcntl, [file, harmless]));
        }
    }

    #[test]
    fn limits_and_priorities_are_set_for_the_process_itself_alone() {
        assert!(allows(libc::SYS_prlimit64, [0, libc::RLIMIT_CPU as i32]));
        assert!(!allows(libc::SYS_prlimit64, [1, libc::RLIMIT_CPU as i32]));
        let (process, user) = (libc::PRIO_PROCESS as i32, libc::PRIO_USER as i32);
        assert!(allows(libc::SYS_setpriority, [process, 0]));
        assert!(!allows(libc::SYS_setpriority, [process, 1]));
        assert!(!allows(libc::SYS_setpriority, [user, 0]));
    }

    #[test]
    fn no_call_has_a_stopped_process_continued() {
        let (stop, go_on, kill) = (libc::SIGSTOP, libc::SIGCONT, libc::SIGKILL);
        for call in [
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_pidfd_send_signal,
        ] {
            assert!(!allows(call, [7, go_on]));
            assert!(allows(call, [7, stop]) && allows(call, [7, kill]) && allows(call, [7, 0]));
        }
        for call in [libc::SYS_tgkill, libc::SYS_rt_tgsigqueueinfo] {
            assert!(!allows(call, [7, 7, go_on]) && allows(call, [go_on, go_on, kill]));
        }
        let on_death = libc::PR_SET_PDEATHSIG;
        assert!(!allows(libc::SYS_prctl, [on_death, go_on]));
        assert!(allows(libc::SYS_prctl, [on_death, kill]));
        assert!(allows(libc::SYS_prctl, [libc::PR_CAPBSET_READ, go_on]));
        assert!(!allows(libc::SYS_clone, [go_on]));
        assert!(!allows(libc::SYS_clone, [libc::CLONE_VM | go_on]));
        assert!(allows(libc::SYS_clone, [libc::CLONE_VM | libc::SIGUSR1]));
        for set in [libc::SYS_timer_create, libc::SYS_mq_open] {
            assert!(!allows(set, [0]));
        }
    }

    #[test]
    fn the_buffer_of_a_socket_stays_as_large_as_it_was_made() {
        let set = |level: i32, option: i32| {
            let arguments = [3, level, option].map(i32::cast_unsigned);
            run(HERE, number(libc::SYS_setsockopt), arguments).0
        };
        for option in [libc::SO_SNDBUF, libc::SO_SNDBUFFORCE] {
            assert_eq!(set(libc::SOL_SOCKET, option), calls::NO_EFFECT);
        }
        assert_eq!(set(libc::SOL_SOCKET, libc::SO_PASSCRED), ALLOW);
        assert_eq!(set(libc::IPPROTO_TCP, libc::SO_SNDBUF), ALLOW);
    }

    #[test]
    fn memory_is_asked_for_and_given_back_but_not_asked_about() {
        for read in [libc::SYS_preadv2, libc::SYS_pwritev2] {
            assert!(allows(read, [3, 0, 1, 0, 0, libc::RWF_DSYNC]));
            assert!(!allows(
                read,
                [3, 0, 1, 0, 0, libc::RWF_NOWAIT | libc::RWF_HIPRI]
            ));
        }
        for harmless in [libc::MADV_DONTNEED, libc::MADV_FREE, libc::MADV_HUGEPAGE] {
            assert!(allows(libc::SYS_madvise, [0, 4096, harmless]));
        }
        for other in [libc::MADV_COLD, libc::MADV_PAGEOUT] {
            assert!(!allows(libc::SYS_madvise, [0, 4096, other]));
        }
    }

    #[test]
    fn nothing_holds_memory_that_is_not_counted() {
        let uncounted = Allowed {
            uncounted_memory: false,
            ..ALL
        };
        for &(call, answer) in UNCOUNTED {
            assert_eq!(run(HERE, number(call), PAIR).0, ALLOW);
            assert_eq!(run_with(uncounted, HERE, number(call), PAIR).0, answer);
        }
        let nameless = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert!(UNCOUNTED.contains(&(libc::SYS_memfd_create, nameless)));
        let in_flight = Allowed {
            sending_files: false,
            ..ALL
        };
        for &call in SENDING_FILES {
            assert_eq!(run(HERE, number(call), PAIR).0, ALLOW);
            let refused = run_with(in_flight, HERE, number(call), PAIR).0;
            assert_eq!(refused, NOT_PERMITTED);
        }
    }

    #[test]
    fn threads_share_their_open_files() {
        let thread = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;
        assert!(allows(libc::SYS_clone, [thread | libc::CLONE_FILES]));
        assert!(!allows(libc::SYS_clone, [thread]));
        assert!(allows(libc::SYS_close_range, [3, 9, 4]));
        assert!(!allows(libc::SYS_close_range, [3, 9, 2]));
        assert!(!allows(libc::SYS_unshare, [libc::CLONE_FILES]));
    }

    #[test]
    fn clone_makes_processes_and_threads_but_no_namespaces() {
        let clone = number(libc::SYS_clone);
        let unknown = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        assert_eq!(run(HERE, number(libc::SYS_clone3), [0, 0]).0, unknown);
        let thread = libc::CLONE_VM | libc::CLONE_THREAD | libc::CLONE_SIGHAND;
        for flags in [0, thread | libc::CLONE_FILES, libc::SIGCHLD] {
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
