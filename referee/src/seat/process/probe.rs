//! What a bot does that did not answer in time: looked at when its game is lost, to find out why.

use super::pipes::Waited;
use super::running::RunningBot;
use crate::diagnosis::Probe;
use std::time::{Duration, Instant};

/// How much later than its limit an answer may come that is still told of.
const LATE: Duration = Duration::from_millis(50);

/// How long a bot that has more to read may take to answer.
const MORE: Duration = Duration::from_millis(20);

/// How long it may take once its input has ended, to write what it has kept back.
const LAST: Duration = Duration::from_millis(100);

/// Gives the bot a little time, then one more line, then the rest of one more turn, and then the end of its input,
/// until it writes a line. A bot that has not read what is there is given no more of it.
pub(super) fn probe(running: &mut RunningBot, turn: &str) -> Probe {
    let mut probe = Probe::default();
    let started = Instant::now();
    if let Some(line) = next_line(running, LATE) {
        probe.late = Some((line, started.elapsed()));
        return probe;
    }
    if running.pipes.borrow().unread() == Some(0) {
        let first_line = turn.find('\n').map_or(turn.len(), |end| end + 1);
        let (line, rest) = turn.split_at(first_line);
        let mut answer_to = |more: &str| {
            running.pipes.borrow_mut().send(more.as_bytes());
            next_line(running, MORE)
        };
        probe.one_line_more = answer_to(line);
        if probe.one_line_more.is_none() {
            probe.next_turn = answer_to(rest);
        }
        if probe.one_line_more.is_some() || probe.next_turn.is_some() {
            return probe;
        }
    }
    running.pipes.borrow_mut().close_input();
    let deadline = Instant::now() + LAST;
    // Two lines tell all: one for each turn that it was given.
    while probe.at_end.len() < 2 {
        let left = deadline.saturating_duration_since(Instant::now());
        let Some(line) = next_line(running, left) else {
            break;
        };
        probe.at_end.push(line);
    }
    probe
}

/// The next line within so much time, the last one without its end if the bot has ended.
fn next_line(running: &mut RunningBot, time: Duration) -> Option<Vec<u8>> {
    let deadline = Instant::now() + time;
    loop {
        let line = running.pipes.borrow_mut().take_line();
        if line.is_some() || running.pipes.borrow().output_ended() {
            return line;
        }
        match running.wait(deadline) {
            Ok(Waited::Something) if Instant::now() < deadline => {}
            Ok(_) => return running.pipes.borrow_mut().take_line(),
            Err(_) => return None,
        }
    }
}
