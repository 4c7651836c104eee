//! Verdicts in words. A description has no full stop, so that it can stand in a line of its own or in brackets.

use super::{ExitKind, Fault};
use crownhead::game::{Ending, Game};
use crownhead::notation::Notation;
use crownhead::position::Outcome;

pub(super) fn ending<G: Notation>(ending: Ending, outcome: Outcome, game: &Game<G>) -> String {
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
            "{name} answered after {:.1} ms; its limit was {}",
            after.as_secs_f64() * 1e3,
            humantime::format_duration(*limit)
        ),
        Fault::StrikeLimit {
            limit,
            after,
            strikes,
        } => format!(
            "{name} answered after {:.1} ms; its limit was {}, and that was strike {strikes}",
            after.as_secs_f64() * 1e3,
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
        Fault::CannotStart(why) => format!("{name}'s bot could not be started: {why}"),
        Fault::RefereeFault(why) => format!("the referee failed while asking {name}: {why}"),
        Fault::Interrupted => "the referee was interrupted".into(),
        Fault::OutOfScript => format!("{name} ran out of moves to play"),
    }
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

/// The beginning of a reply, which may be of any length.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
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
