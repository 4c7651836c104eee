//! The threads of a program as `/proc` shows them (proc(5)): what each is doing now, and how long it has run and waited
//! in the run queue.
//!
//! It looks only from outside: no look takes a lock that the program can hold. The caller draws the conclusions.

use super::files::{entries, read_text};
use super::processes::{Stat, number_of};
use crate::host::Pipes;
use crate::program::{Activities, ProcessGroup};
use rustix::fs::fstat;
use std::fmt::Display;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// One thread of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Thread {
    /// The pid of its process.
    pub(super) process: u32,
    /// Its own number; for a process's first thread, this is the pid.
    pub(super) id: u32,
}

/// What a thread is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Activity {
    /// It runs or is ready to: the kernel does not distinguish them.
    Runnable,
    /// It waits for its standard input, for as long as it takes.
    ReadsInput,
    /// It waits for a child of its process to end.
    AwaitsChild,
    /// It waits for something else: a timer, a lock, a disk.
    Blocked,
    /// It has ended, and only remains to be waited for.
    Ended,
    /// It waits, and this user may not see what for.
    Unknown,
}

/// A pipe, by the name that `/proc` gives it in every process that has an end of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PipeName(String);

impl PipeName {
    /// The name of this end's pipe; `None` when it is gone.
    pub(super) fn of(end: impl AsFd) -> Option<PipeName> {
        let number = fstat(end).ok()?.st_ino;
        Some(PipeName(format!("pipe:[{number}]")))
    }

    fn is_file_of(&self, thread: Thread, file: u64) -> bool {
        let target = fs::read_link(thread.path(format_args!("fd/{file}")));
        target.is_ok_and(|target| target.as_os_str() == self.0.as_str())
    }
}

impl Thread {
    /// The thread that calls this.
    pub(crate) fn current() -> Thread {
        Thread {
            process: std::process::id(),
            id: number_of(rustix::thread::gettid()),
        }
    }

    /// The threads of these processes.
    pub(super) fn all_of(processes: &[u32]) -> Vec<Thread> {
        let threads = |&process: &u32| {
            let tasks = entries(format!("/proc/{process}/task"));
            let ids = tasks.filter_map(|task| task.file_name().to_str()?.parse().ok());
            ids.map(move |id| Thread { process, id })
        };
        processes.iter().flat_map(threads).collect()
    }

    /// What it is doing now; `input` is the program's standard input.
    pub(super) fn activity(&self, input: &PipeName) -> Activity {
        match self.stat() {
            None => return Activity::Ended,
            Some(stat) if stat.has_ended() => return Activity::Ended,
            Some(stat) if stat.state == b'R' => return Activity::Runnable,
            Some(_) => {}
        }
        let Ok(text) = fs::read_to_string(self.path("syscall")) else {
            return Activity::Unknown;
        };
        match SystemCall::parse(&text) {
            Some(call) => call.activity(*self, input),
            // Woken since its state was read, or blocked outside a system call, for example by a page fault.
            None if text.starts_with("running") => Activity::Runnable,
            None => Activity::Blocked,
        }
    }

    /// The files of `/proc` for the thread, not for its process, because a process whose first thread has ended shows
    /// no files.
    fn path(&self, name: impl Display) -> String {
        format!("/proc/{}/task/{}/{name}", self.process, self.id)
    }

    /// Whether it runs, or would if it had a processor.
    pub(crate) fn is_runnable(&self) -> bool {
        self.stat().is_some_and(|stat| stat.state == b'R')
    }

    /// Whether it has ended, or the kernel is about to end it.
    fn is_ending(&self) -> bool {
        let is_ending = |stat: Stat| stat.has_ended() || stat.is_ending();
        self.stat().is_none_or(is_ending)
    }

    fn stat(&self) -> Option<Stat> {
        Stat::parse(&read_text(self.path("stat")).ok()?)
    }
}

/// What the threads of a program do that have not ended; `None` if this user may not see it.
pub(crate) fn activities(group: &dyn ProcessGroup, pipes: &Pipes) -> Option<Activities> {
    let input = PipeName::of(pipes.input()?)?;
    let threads = Thread::all_of(&group.processes());
    let mut all: Vec<Activity> = threads.iter().map(|one| one.activity(&input)).collect();
    all.retain(|activity| *activity != Activity::Ended);
    let is_hidden = all.is_empty() || all.contains(&Activity::Unknown);
    (!is_hidden).then(|| Activities {
        computes: all.contains(&Activity::Runnable),
        reads_input: all.contains(&Activity::ReadsInput),
        is_blocked: all.contains(&Activity::Blocked),
    })
}

/// Whether no thread of these processes will run any further.
pub(crate) fn is_ending(processes: &[u32]) -> bool {
    Thread::all_of(processes).iter().all(Thread::is_ending)
}

/// The system call that a thread waits in, from proc_pid_syscall(5): its number and its arguments.
struct SystemCall {
    number: i64,
    arguments: [u64; 6],
}

impl SystemCall {
    /// `0 0x0 0x7ffd 0x1000 …`; none if the thread runs or is in no system call.
    fn parse(text: &str) -> Option<SystemCall> {
        let mut words = text.split_ascii_whitespace();
        let number: i64 = words.next()?.parse().ok().filter(|&number| number >= 0)?;
        let mut arguments = [0; 6];
        for argument in &mut arguments {
            *argument = u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok()?;
        }
        Some(SystemCall { number, arguments })
    }

    pub(super) fn activity(&self, thread: Thread, input: &PipeName) -> Activity {
        let [first, _, third, fourth, fifth, _] = self.arguments;
        // The upper half of an `int` is whatever the register contained.
        let is_forever = |timeout: u64| timeout as u32 == u32::MAX;
        let reads = match self.number {
            libc::SYS_read | libc::SYS_readv => input.is_file_of(thread, first),
            libc::SYS_epoll_pwait if is_forever(fourth) => watches(thread, first, input),
            libc::SYS_epoll_pwait2 if fourth == 0 => watches(thread, first, input),
            // The files that they wait for are in the program's memory. Without a time limit, only input ends the wait.
            libc::SYS_ppoll if third == 0 => true,
            libc::SYS_pselect6 if fifth == 0 => true,
            #[cfg(target_arch = "x86_64")]
            libc::SYS_epoll_wait if is_forever(fourth) => watches(thread, first, input),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_poll if is_forever(third) => true,
            #[cfg(target_arch = "x86_64")]
            libc::SYS_select if fifth == 0 => true,
            _ => false,
        };
        match self.number {
            _ if reads => Activity::ReadsInput,
            libc::SYS_wait4 | libc::SYS_waitid => Activity::AwaitsChild,
            _ => Activity::Blocked,
        }
    }
}

/// Whether this pipe is among the files that an epoll instance watches, as proc_pid_fdinfo(5) lists them.
fn watches(thread: Thread, epoll: u64, input: &PipeName) -> bool {
    let list = fs::read_to_string(thread.path(format_args!("fdinfo/{epoll}"))).unwrap_or_default();
    let numbers = list.lines().filter_map(|line| line.strip_prefix("tfd:"));
    let mut files = numbers.filter_map(|number| number.split_whitespace().next()?.parse().ok());
    files.any(|file| input.is_file_of(thread, file))
}

/// How long a thread has run and waited in the run queue: the first numbers of its `schedstat`. The kernel counts a
/// wait when it ends.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct ThreadTimes {
    /// On a core.
    pub(super) ran: Duration,
    /// Ready, but not on a core.
    pub(super) waited: Duration,
}

/// Reads the times of one thread, any number of times.
#[derive(Debug)]
pub(super) struct ThreadClock(File);

impl ThreadClock {
    /// The clock of this thread; `None` if the kernel does not count, or the thread is gone.
    pub(super) fn of(thread: Thread) -> Option<ThreadClock> {
        let file = File::open(thread.path("schedstat"));
        file.ok().map(ThreadClock)
    }

    /// The times so far; `None` once the thread is gone.
    pub(super) fn read(&self) -> Option<ThreadTimes> {
        let mut text = [0; 96];
        let count = self.0.read_at(&mut text, 0).ok()?;
        let mut words = str::from_utf8(&text[..count]).ok()?.split_whitespace();
        let mut next = || words.next()?.parse().ok().map(Duration::from_nanos);
        Some(ThreadTimes {
            ran: next()?,
            waited: next()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command, Stdio};
    use std::time::Instant;

    /// A shell that runs this script, with a pipe that stays open as standard input.
    fn shell(script: &str) -> (Child, PipeName) {
        let child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let name = PipeName::of(child.stdin.as_ref().unwrap()).unwrap();
        (child, name)
    }

    /// Whether the script's first thread comes to do this.
    fn comes_to(script: &str, wanted: Activity) {
        let (mut child, input) = shell(script);
        let id = child.id();
        let thread = Thread { process: id, id };
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut seen = thread.activity(&input);
        while seen != wanted && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
            seen = thread.activity(&input);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(seen, wanted, "{script}");
    }

    #[test]
    fn the_reason_why_a_thread_waits_is_seen() {
        comes_to("read line", Activity::ReadsInput);
        // `cat` ends when the pipe closes.
        comes_to("cat; true", Activity::AwaitsChild);
        comes_to("exec sleep 60", Activity::Blocked);
        comes_to("while :; do :; done", Activity::Runnable);
        comes_to("exit", Activity::Ended);
    }

    #[test]
    fn a_thread_that_is_gone_has_ended_or_that_the_kernel_ends_runs_no_further() {
        let (mut child, _) = shell("exec sleep 60");
        let id = child.id();
        let thread = Thread { process: id, id };
        assert!(!thread.is_ending());
        child.kill().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !thread.is_ending() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(thread.is_ending(), "it is there to be waited for");
        child.wait().unwrap();
        assert!(thread.is_ending(), "it is gone");
        for (flags, is_ending) in [(0x40_0000, false), (0x40_0004, true)] {
            let line = format!("7 (a) b) R 1 7 7 0 -1 {flags} 0 0 0 0 1 1 0 0");
            assert_eq!(Stat::parse(&line).unwrap().is_ending(), is_ending, "{line}");
        }
    }

    #[test]
    fn a_call_that_ends_by_itself_is_not_waiting_for_input() {
        let activity = |text: &str| {
            let call = SystemCall::parse(text).unwrap();
            let id = std::process::id();
            let thread = Thread { process: id, id };
            call.activity(thread, &PipeName("pipe:[0]".into()))
        };
        let poll = |timeout: &str| {
            let number = libc::SYS_ppoll;
            activity(&format!(
                "{number} 0x7ff0 0x1 {timeout} 0x0 0x8 0x0 0x7ffd 0x7f00"
            ))
        };
        assert_eq!(poll("0x0"), Activity::ReadsInput);
        assert_eq!(poll("0x7ffd1234"), Activity::Blocked);
        assert!(SystemCall::parse("running").is_none());
        assert!(SystemCall::parse("-1 0x7ffd 0x7f00").is_none());
    }

    #[test]
    fn the_clock_of_a_thread_counts_its_work() {
        let id = std::process::id();
        let [own] = Thread::all_of(&[id])
            .into_iter()
            .filter(|thread| {
                thread.id
                    == rustix::thread::gettid()
                        .as_raw_nonzero()
                        .get()
                        .unsigned_abs()
            })
            .collect::<Vec<_>>()[..]
        else {
            panic!("this thread is among them");
        };
        let clock = ThreadClock::of(own).unwrap();
        let before = clock.read().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let mut worked = Duration::ZERO;
        while worked < Duration::from_millis(20) && Instant::now() < deadline {
            worked = clock.read().unwrap().ran - before.ran;
        }
        assert!(worked >= Duration::from_millis(20), "{worked:?}");
    }
}
