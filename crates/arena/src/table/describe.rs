//! Verdicts in words. A description has no full stop, so that it can stand in a line of its own or in brackets.

use super::{ExitKind, Fault};
use crownhead_record::text::{escaped, excerpt, printable};
use std::time::Duration;

pub(super) fn fault(fault: &Fault, name: &str) -> String {
    match fault {
        Fault::Timeout { limit } => {
            format!(
                "{name} did not answer within {}",
                humantime::format_duration(*limit)
            )
        }
        Fault::Late { limit, after } => format!(
            "{name} answered after {}; its limit was {}",
            over(*after, *limit),
            humantime::format_duration(*limit)
        ),
        Fault::StrikeLimit {
            limit,
            after,
            strikes,
        } => format!(
            "{name} answered after {}; its limit was {}, and that was strike {strikes}",
            over(*after, *limit),
            humantime::format_duration(*limit)
        ),
        Fault::ClosedInput { limit } => format!(
            "{name} did not answer within {}; it had closed its input",
            humantime::format_duration(*limit)
        ),
        Fault::EndlessLine { limit } => {
            format!("{name} wrote more than {limit} bytes without ending the line")
        }
        Fault::Ended(ExitKind::Code(code)) => {
            format!("{name}'s bot ended with exit status {code} instead of answering")
        }
        Fault::Ended(ExitKind::Signal(signal)) => {
            format!("{name}'s bot was killed by {}", signal_name(*signal))
        }
        Fault::OutOfMemory { limit } => {
            format!("{name}'s bot used more than {} MB of memory", limit >> 20)
        }
        Fault::FilledFolder { limit } => format!(
            "{name}'s bot wrote more than {} MB into its temporary folder",
            limit >> 20
        ),
        Fault::EndedShortOfMemory(kind) => {
            let how = match kind {
                ExitKind::Code(code) => format!("exit status {code}"),
                ExitKind::Signal(signal) => signal_name(*signal),
            };
            format!("{name}'s bot crashed with {how}, probably out of memory")
        }
        Fault::ClosedOutput => format!("{name}'s bot closed its output and runs on"),
        Fault::CannotStart(why) => {
            format!("{name}'s bot could not be started: {}", printable(why))
        }
        Fault::RefereeFault(why) => {
            format!("the referee failed while asking {name}: {}", printable(why))
        }
        Fault::Interrupted => "the referee was interrupted".into(),
    }
}

/// A time over its limit in milliseconds, with as many decimals as it takes to see that it is over.
fn over(time: Duration, limit: Duration) -> String {
    const PER_MILLISECOND: u128 = 1_000_000;
    let (time, limit) = (time.as_nanos(), limit.as_nanos());
    let rounded = |decimals: u32| {
        let unit = PER_MILLISECOND / 10_u128.pow(decimals);
        (time + unit / 2) / unit * unit
    };
    let decimals = (1..6)
        .find(|&decimals| rounded(decimals) > limit)
        .unwrap_or(6);
    let shown = rounded(decimals);
    let fraction = shown % PER_MILLISECOND * 10_u128.pow(decimals) / PER_MILLISECOND;
    let width = decimals as usize;
    format!("{}.{fraction:0width$} ms", shown / PER_MILLISECOND)
}

pub(super) fn unreadable(reply: &[u8], name: &str) -> String {
    if reply.trim_ascii().is_empty() {
        format!("{name} answered an empty line; expected one of the listed moves")
    } else {
        format!(
            "{name} answered `{}`, which is not readable text",
            excerpt(&escaped(reply))
        )
    }
}

pub(super) fn illegal(text: &str, why: &str, name: &str) -> String {
    format!("{name} answered `{}` but {why}", excerpt(text))
}

/// A signal's name and number, for those a bot is likely to die of.
fn signal_name(signal: i32) -> String {
    let name = match signal {
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
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests {
    use super::over;
    use std::time::Duration;

    #[test]
    fn a_time_over_its_limit_is_seen_to_be_over() {
        let limit = Duration::from_millis(100);
        let told = |nanoseconds| over(Duration::from_nanos(nanoseconds), limit);
        assert_eq!(told(104_300_000), "104.3 ms");
        assert_eq!(told(100_051_000), "100.1 ms");
        assert_eq!(told(100_049_000), "100.05 ms");
        assert_eq!(told(100_030_400), "100.03 ms");
        assert_eq!(told(100_000_400), "100.0004 ms");
        assert_eq!(told(100_000_001), "100.000001 ms");
        assert_eq!(told(99_999_999_999), "100000.0 ms");
    }
}
