//! What a program that was started has on every system: how it starts, ends, stands still and works. Leaves out its
//! pipes.

use crate::config::Suspension;
use crate::host::Exit;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use std::{fmt, io};

/// The processes of a program. When this is dropped, they are gone.
pub trait ProcessGroup: std::fmt::Debug + Send + Sync {
    /// Waits until the program runs, and returns its pid, if the system shows it.
    ///
    /// # Errors
    /// When it does not run: the reason, and whose fault it is.
    fn await_running(&mut self) -> Result<Option<u32>, StartError>;

    /// How the program's process ended, if it has. It is not reaped, so that its pid is not reused.
    ///
    /// # Errors
    /// When the system does not tell.
    fn ended(&mut self) -> io::Result<Option<Ended>>;

    /// What becomes readable when the program ends, if there is such a file.
    fn exit(&self) -> Option<Exit<'_>> {
        None
    }

    /// Requests the end of all processes, without waiting. Dropping this waits.
    fn begin_end(&mut self);

    /// How well the processes stand still when they are paused.
    fn suspension(&self) -> Suspension {
        Suspension::Undone
    }

    /// The processor time of all processes, if that is quickly known.
    fn processor_time(&self) -> Option<Duration> {
        None
    }

    /// The bytes of memory that its processes have in use, if that is quickly known.
    fn memory(&self) -> Option<u64> {
        None
    }

    /// The processor time of the processes that have ended, if their parents waited for them, in ticks of some
    /// milliseconds.
    fn reaped_time(&self) -> Duration;

    /// The pids of the processes, as far as the system shows them.
    fn processes(&self) -> Vec<u32>;

    /// Stops all processes.
    fn pause(&mut self);

    /// Lets them continue; they run when this returns.
    fn resume(&mut self);
}

/// Why a program does not run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StartError {
    /// The program itself could not be started.
    Program(String),
    /// The sandbox could not be set up, or the machine is out of something. The program is not to blame.
    Sandbox(String),
}

/// How a program's process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ended {
    /// By itself or by a signal.
    pub kind: ExitKind,
    /// What is known of the reason.
    pub cause: Cause,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExitKind {
    /// By itself, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl ExitKind {
    /// How a process ended that had this exit status, or was killed by this signal.
    pub(crate) fn of(status: Option<i32>, signal: Option<i32>) -> ExitKind {
        let by_signal = || ExitKind::Signal(signal.unwrap_or(0));
        status.map_or_else(by_signal, ExitKind::Code)
    }
}

impl ExitKind {
    /// Whether the system ended it: by a signal, or on Windows by an exception, whose status is an error of severity 3
    /// (Open Specifications, MS-ERREF 2.3).
    pub fn is_crash(self) -> bool {
        match self {
            ExitKind::Code(code) => code.cast_unsigned() >> 28 == 0xC,
            ExitKind::Signal(_) => true,
        }
    }
}

impl fmt::Display for ExitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitKind::Code(code) if self.is_crash() => {
                write!(f, "exit status {code:#X}")?;
                match exception_name(code.cast_unsigned()) {
                    Some(name) => write!(f, " ({name})"),
                    None => Ok(()),
                }
            }
            ExitKind::Code(code) => write!(f, "exit status {code}"),
            ExitKind::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// The names of signals that a bot is likely to die of.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        4 => "SIGILL, an illegal instruction",
        5 => "SIGTRAP",
        6 => "SIGABRT, an abort",
        7 => "SIGBUS",
        8 => "SIGFPE, an arithmetic fault",
        9 => "SIGKILL",
        11 => "SIGSEGV, a segmentation fault",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ, a file larger than allowed",
        31 => "SIGSYS, a forbidden system call",
        _ => return None,
    })
}

/// The names of the exceptions of Windows that a bot is likely to die of.
fn exception_name(status: u32) -> Option<&'static str> {
    Some(match status {
        0xC000_0005 => "an access violation",
        0xC000_001D => "an illegal instruction",
        0xC000_0094 => "an integer division by zero",
        0xC000_00FD => "a stack overflow",
        0xC000_0135 => "a DLL was not found",
        0xC000_013A => "Ctrl-C",
        0xC000_0374 => "a damaged heap",
        0xC000_0409 => "an abort",
        _ => return None,
    })
}

/// What is known about why a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Cause {
    /// Its own.
    Own,
    /// Its own, but it had used most of its memory limit.
    NearMemoryLimit,
    /// It was killed for using too much memory.
    MemoryLimit,
    /// It was killed for writing too much into its temporary folder.
    FolderLimit,
    /// The supervisor or the init failed, and the program was killed with it.
    SandboxFailed,
}

/// What the threads of a program do that have not ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Activities {
    /// One runs or is ready to.
    pub computes: bool,
    /// One waits for the program's input.
    pub reads_input: bool,
    /// One waits for something else; those that wait for a child do nothing else until it has ended.
    pub is_blocked: bool,
}

/// What else is known of the processor time since a turn began.
#[derive(Clone, Copy, Debug)]
pub enum OtherWork {
    /// Of all the program's processes together: a control group or job counts it.
    Grouped(Duration),
    /// Of its processes that have ended.
    Reaped(Duration),
}

/// Where the time of all a program's threads and processes went since a turn began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Processor time of all.
    pub all: Duration,
    /// Of the processes that have not ended.
    pub alive: Duration,
    /// Of the thread that has worked most.
    pub serial: Duration,
    /// How long it was ready and none of its threads ran.
    pub queued: Duration,
}

/// Why a wait ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waited {
    /// Something was read, written, or has ended.
    Something,
    /// The deadline has passed. What was there then has been read.
    TimeUp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_of_windows_is_named_and_other_statuses_are_numbers() {
        for (status, told) in [
            (0xC000_0005, "exit status 0xC0000005 (an access violation)"),
            (0xC000_00FD, "exit status 0xC00000FD (a stack overflow)"),
            (0xC000_0409, "exit status 0xC0000409 (an abort)"),
            (0xC000_0142, "exit status 0xC0000142"),
            (3, "exit status 3"),
            (u32::MAX, "exit status -1"),
        ] {
            let kind = ExitKind::Code(status.cast_signed());
            assert_eq!(kind.to_string(), told);
        }
    }
}
