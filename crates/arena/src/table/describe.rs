//! Verdicts in words. A description has no full stop, so that it can stand in a line of its own or in brackets.

use super::{ExitKind, Fault};
use crownhead_record::text::{escaped, excerpt, printable};
use humantime::format_duration as show;
use std::time::Duration;

pub(super) fn fault(fault: &Fault, name: &str) -> String {
    match fault {
        Fault::Timeout {
            limit,
            input_closed,
        } => {
            let closed = if *input_closed {
                "; it had closed its input"
            } else {
                ""
            };
            format!("{name} did not answer within {}{closed}", show(*limit))
        }
        Fault::Late {
            limit,
            after,
            strike,
        } => {
            let (after, limit) = (over(*after, *limit), show(*limit));
            let strike = strike.map(|strike| format!(", and that was strike {strike}"));
            let strike = strike.unwrap_or_default();
            format!("{name} answered after {after}; its limit was {limit}{strike}")
        }
        Fault::EndlessLine { limit } => {
            format!("{name} wrote more than {limit} bytes without ending the line")
        }
        Fault::Ended(kind @ ExitKind::Code(_)) => {
            format!("{name}'s bot ended with {kind} instead of answering")
        }
        Fault::Ended(kind @ ExitKind::Signal(_)) => format!("{name}'s bot was killed by {kind}"),
        Fault::OutOfMemory { limit } => {
            format!("{name}'s bot used more than {} MB of memory", limit >> 20)
        }
        Fault::FilledFolder { limit } => {
            let limit = limit >> 20;
            format!("{name}'s bot wrote more than {limit} MB into its temporary folder")
        }
        Fault::EndedShortOfMemory(kind) => {
            format!("{name}'s bot crashed with {kind}, probably out of memory")
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
