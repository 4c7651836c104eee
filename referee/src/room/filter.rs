//! The filter of system calls, for what Landlock leaves open.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Refused as not permitted: sockets of every kind; io_uring, which goes past the filter; looking into and
/// steering other processes; memory and messages that outlive a process; mounts, namespaces, keys, clocks and
/// the kernel itself.
const REFUSED: &[i64] = &[
    libc::SYS_socket,
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

/// The flags of `clone` that make namespaces.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Where the x32 calling convention has the same calls once more, and those it has to itself.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;
#[cfg(target_arch = "x86_64")]
const X32_PTRACE_AND_ITS_LIKE: &[i64] = &[521, 528, 539, 540];

/// Puts the filter on this process and all it starts; there is no way back.
///
/// `clone3` hides its flags from filters, so it is refused as unknown, and every runtime then takes `clone`.
pub(super) fn apply() -> io::Result<()> {
    let not_permitted = SeccompAction::Errno(libc::EPERM as u32);
    install(refused()?, not_permitted)?;
    let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
    let mut rules = BTreeMap::new();
    refuse(&mut rules, libc::SYS_clone3, Vec::new());
    install(rules, unknown)
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn refused() -> io::Result<Rules> {
    let mut rules = Rules::new();
    for &call in REFUSED {
        refuse(&mut rules, call, Vec::new());
    }
    let makes_namespace = |&flag: &i32| {
        let flag = flag as u64;
        let masked = SeccompCmpOp::MaskedEq(flag);
        let condition = SeccompCondition::new(0, SeccompCmpArgLen::Dword, masked, flag)?;
        SeccompRule::new(vec![condition])
    };
    let clones: Result<Vec<_>, _> = NAMESPACES.iter().map(makes_namespace).collect();
    refuse(
        &mut rules,
        libc::SYS_clone,
        clones.map_err(io::Error::other)?,
    );
    #[cfg(target_arch = "x86_64")]
    for &call in X32_PTRACE_AND_ITS_LIKE {
        rules.insert(X32 | call, Vec::new());
    }
    Ok(rules)
}

fn refuse(rules: &mut Rules, call: i64, when: Vec<SeccompRule>) {
    #[cfg(target_arch = "x86_64")]
    rules.insert(X32 | call, when.clone());
    rules.insert(call, when);
}

fn install(rules: Rules, refusal: SeccompAction) -> io::Result<()> {
    let machine = std::env::consts::ARCH
        .try_into()
        .map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, machine)
        .map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}
