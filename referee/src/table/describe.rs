//! Verdicts in words. A description has no full stop, so that it can stand in a line of its own or in brackets.

use super::{ExitKind, Fault};
use crownhead::explain::Explain;
use crownhead::game::{Ending, Game};
use crownhead::position::Outcome;
use std::time::Duration;

pub(super) fn ending<G: Explain>(ending: Ending, outcome: Outcome, game: &Game<G>) -> String {
    let rules = game.rules();
    let no_moves = || game.position().describe_no_moves(rules);
    match (ending, outcome) {
        (Ending::Goal, Outcome::Win(side)) => {
            format!("{} has reached the goal", rules.side_name(side))
        }
        (Ending::Goal, Outcome::Draw) => "the board is a draw".into(),
        (Ending::NoMoves, Outcome::Win(_)) => format!("{} and loses", no_moves()),
        (Ending::NoMoves, Outcome::Draw) => format!("{}: a draw", no_moves()),
        (Ending::WithoutCapture, _) => {
            format!(
                "{} turns without a capture: a draw",
                game.turns_without_capture()
            )
        }
        (Ending::TurnLimit, _) => format!("{} turns were played: a draw", game.turn() - 1),
    }
}

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

/// Bytes as text that shows every one of them: what is not printable ASCII becomes an escape such as
/// `\xff`, and a backslash is doubled.
pub fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// What a program wrote, or a name of a file, for people: text as it is, but nothing in it steers a terminal. Control
/// characters, bytes that are no text, and characters that change the direction of writing or are not seen become
/// escapes such as `\x1b`.
pub fn printable(bytes: impl AsRef<[u8]>) -> String {
    let mut shown = String::new();
    for chunk in bytes.as_ref().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\t' => shown.push_str("    "),
                '\0'..='\x1f' | '\x7f' => shown += &format!("\\x{:02x}", character as u32),
                _ if is_hidden(character) => shown.extend(character.escape_unicode()),
                _ => shown.push(character),
            }
        }
        let invalid = chunk.invalid().iter();
        shown.extend(invalid.map(|byte| format!("\\x{byte:02x}")));
    }
    shown
}

/// Whether a character is a control character, a mark of writing direction (UAX #9, 2), or one without width.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(letter, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The beginning of a reply, which may be of any length.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text),
    }
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
    use super::{over, printable};
    use std::time::Duration;

    #[test]
    fn what_steers_a_terminal_or_is_not_seen_is_shown_as_an_escape() {
        let shown = printable("a\u{1b}[31mb\u{202e}c\u{2066}d\u{7f}\u{9b}\u{200b}e\n\u{e0041}");
        assert_eq!(
            shown,
            r"a\x1b[31mb\u{202e}c\u{2066}d\x7f\u{9b}\u{200b}e\x0a\u{e0041}"
        );
        let plain = "alphabeta --depth 4 (A) Jürgen 狐 ½ \\";
        assert_eq!(printable(plain), plain);
    }

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

    #[test]
    fn what_a_program_wrote_steers_no_terminal_and_stays_readable() {
        assert_eq!(printable("é \\ \t|".as_bytes()), "é \\     |");
        assert_eq!(printable(b"\x1b[31m\r\xff\0"), r"\x1b[31m\x0d\xff\x00");
        assert_eq!(printable("\u{202e}\u{9b}".as_bytes()), r"\u{202e}\u{9b}");
    }
}
