//! What macOS shows of a program's process group: its processes, their processor time and their memory (libproc.h).
#![allow(unsafe_code)]

use std::mem::zeroed;
use std::time::Duration;

/// How many processes of a group are looked at.
const MOST: usize = 1000;

/// The processes of the group that this process leads, except the leader.
pub(super) fn descendants(leader: u32) -> Vec<u32> {
    let mut pids = [0_i32; MOST];
    // SAFETY: the buffer is given with its size.
    let count = unsafe {
        libc::proc_listpgrppids(
            leader.cast_signed(),
            pids.as_mut_ptr().cast(),
            size_of_val(&pids) as i32,
        )
    };
    let pids = pids.iter().take(count.try_into().unwrap_or(0));
    let pids = pids.map(|pid| pid.cast_unsigned());
    pids.filter(|&pid| pid != leader).collect()
}

/// What a process has used so far.
fn usage(process: u32) -> Option<libc::rusage_info_v4> {
    // SAFETY: the structure is numbers that may all be 0, and the one of this flavor.
    unsafe {
        let mut found: libc::rusage_info_v4 = zeroed();
        let buffer = (&raw mut found).cast();
        let done = libc::proc_pid_rusage(process.cast_signed(), libc::RUSAGE_INFO_V4, buffer) == 0;
        done.then_some(found)
    }
}

/// The processor time of these processes and of the children that they have waited for.
pub(super) fn processor_time(processes: &[u32]) -> Duration {
    let all = processes.iter().filter_map(|&process| usage(process));
    let units = all.map(|of| {
        of.ri_user_time + of.ri_system_time + of.ri_child_user_time + of.ri_child_system_time
    });
    let units: u64 = units.sum();
    // Of Mach's clock: on Apple's own processors, a unit is 125/3 ns.
    #[allow(deprecated)] // libc would have a crate of its own for this one call.
    let (numerator, denominator) = {
        let mut unit = libc::mach_timebase_info { numer: 0, denom: 0 };
        // SAFETY: the pointer is to a structure of our own.
        unsafe { libc::mach_timebase_info(&raw mut unit) };
        (unit.numer.max(1), unit.denom.max(1))
    };
    let nanoseconds = u128::from(units) * u128::from(numerator) / u128::from(denominator);
    Duration::from_nanos(nanoseconds as u64)
}

/// In the time of all.
pub(super) fn reaped_time(_: &[u32]) -> Duration {
    Duration::ZERO
}

/// How much memory a process holds, in bytes: what Activity Monitor shows.
pub fn resident_memory(process: u32) -> Option<u64> {
    usage(process).map(|of| of.ri_phys_footprint)
}
