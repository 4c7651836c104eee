//! Finds the mistake behind a failure by trying: the bot is started again, and its turns are put to it in other ways. An
//! answer that comes one way and not another shows what the bot reads, or where it writes.
//!
//! The ways are data (`ways`); here is how much evidence one of them takes. Leaves out what is seen of the failure
//! itself ([`diagnosis`](crate::diagnosis)).

mod script;
mod ways;

use crate::seat::Process;
use crownhead_record::text::{excerpt, printable};
use script::{Expected, Other, Script, Seen, lists};
pub(super) use script::{Failure, Finding};
use std::time::Duration;
use ways::{Way, ways};

/// A search for the mistake. `ask` starts the bot and puts a script to it. On request it also collects unasked output.
pub(super) struct Trial<'a, A> {
    failure: Failure<'a>,
    ask: A,
    /// How many more starts of the bot this may cost.
    starts: usize,
}

/// The most starts of a bot for one failure. Where no way works at all, about ten are needed.
const MOST_STARTS: usize = 24;

/// How often a way that has worked is tried on, after it has worked twice: a bot that fails by chance half of the time is
/// then accused in one of two hundred failures, any other less often.
const ROUNDS: usize = 3;

impl<'a, A: FnMut(&Script, bool) -> Seen> Trial<'a, A> {
    pub(super) fn new(failure: Failure<'a>, ask: A) -> Trial<'a, A> {
        Trial {
            failure,
            ask,
            starts: MOST_STARTS,
        }
    }

    /// Tries the ways in order.
    pub(super) fn find(mut self) -> Finding {
        let usual = self.failure.script(self.failure.turn, str::to_string);
        if !self.fails(&usual) {
            return Finding::Nothing;
        }
        if self.failure.reply.is_some() {
            let script = self.failure.two_turns(str::to_string);
            let own_turn = self.failure.own_turn;
            // Twice, because a busy machine may be late with what was written early.
            let [told, again] =
                [(); 2].map(|()| other_lines(&script, &self.see(&script, true), own_turn));
            if let (Some(told), Some(_)) = (told, again) {
                return Finding::Mistake(told);
            }
        }
        let alone = self.failure.alone();
        let answers_alone = alone.is_some_and(|script| self.works(&(script, Expected::Listed)));
        for way in ways(&self.failure, answers_alone) {
            if !self.works(&way.works[0]) {
                continue;
            }
            if !self.fails(&usual) || !self.works(&way.works[0]) {
                // It answers and fails by chance.
                return Finding::Nothing;
            }
            if self.holds(&way) {
                return way.tells;
            }
        }
        Finding::Nothing
    }

    /// Whether the bot gives a way's answers wherever it should, and fails wherever it should, each time.
    fn holds(&mut self, way: &Way) -> bool {
        (0..ROUNDS).all(|round| {
            self.fails(&way.fails[round % way.fails.len()])
                && self.works(&way.works[(round + 1) % way.works.len()])
        })
    }

    fn works(&mut self, (script, answer): &(Script, Expected)) -> bool {
        answer.is_given(script, &self.see(script, false))
    }

    fn fails(&mut self, script: &Script) -> bool {
        let seen = self.see(script, false);
        self.failure.is_repeated_by(script, &seen)
    }

    /// What the bot does with a script; nothing once it has been started often enough.
    fn see(&mut self, script: &Script, listen: bool) -> Seen {
        let Some(left) = self.starts.checked_sub(1) else {
            return Seen::default();
        };
        self.starts = left;
        (self.ask)(script, listen)
    }
}

/// What a bot that was put two turns as usual wrote besides its moves, if that is why it failed: in the first of them if
/// that was its first turn, else in the second.
fn other_lines(script: &Script, seen: &Seen, own_turn: usize) -> Option<String> {
    let quoted = |line: &[u8]| match line.trim_ascii_end() {
        b"" => "an empty one".into(),
        line => format!("`{}`", excerpt(&printable(line))),
    };
    let before_move = |line| {
        let line = quoted(line);
        format!(
            "it writes other lines to its output before its move, here {line}; standard error is for those"
        )
    };
    let answers = |place: usize| {
        let reply = seen.replies.get(place)?.as_ref().ok()?;
        let listed = lists(script.get(place)?, reply);
        Some((reply, listed, seen.other.get(place)?))
    };
    let (reply, listed, other) = answers(0)?;
    let moved_later =
        |place: usize, other: &Other| other.after.iter().any(|line| lists(&script[place], line));
    let spoke = other.to_colour.as_ref().or(other.early.as_ref());
    if own_turn == 1 {
        return match spoke {
            // One that has lost its place does not answer two turns in a row when it has all of them.
            Some(line) => {
                let goes_on = listed && answers(1).is_some_and(|(_, listed, _)| listed);
                goes_on.then(|| before_move(line))
            }
            None => (!listed && moved_later(0, other)).then(|| before_move(reply)),
        };
    }
    if spoke.is_some() || !listed {
        return None;
    }
    if let Some(more) = other.after.first() {
        return Some(format!(
            "it writes more lines after its move, {} first, and the next line is the answer to its next turn: a turn \
             is answered with one line; standard error is for all others",
            quoted(more)
        ));
    }
    let (reply, listed, other) = answers(1)?;
    (!listed && other.early.is_none() && moved_later(1, other)).then(|| before_move(reply))
}

/// How long a bot is listened to that has answered.
const LISTENING: Duration = Duration::from_millis(50);

/// Puts a script to a bot that was just started: `first` is for the turns before the last, `last` for that.
pub(super) fn put(
    mut seat: Process,
    script: &Script,
    listen: bool,
    [first, last]: [Duration; 2],
) -> Seen {
    let mut seen = Seen::default();
    for (place, request) in script.iter().enumerate() {
        let limit = if place + 1 == script.len() {
            last
        } else {
            first
        };
        let mut other = Other::default();
        let mut rest = request.as_str();
        if listen {
            let first_line = rest.find('\n').map_or(0, |end| end + 1);
            let last_line = rest.trim_end().rfind('\n').map_or(0, |end| end + 1);
            let colour = if place == 0 { first_line } else { 0 };
            let mut feed = |part: &str| match part {
                "" => Some(None),
                _ => Some(seat.feed(part, first)?.into_iter().next()),
            };
            let fed = [feed(&rest[..colour]), feed(&rest[colour..last_line])];
            let [Some(to_colour), Some(early)] = fed else {
                break;
            };
            (other.to_colour, other.early) = (to_colour, early);
            rest = &rest[last_line..];
        }
        let reply = seat.put(rest, 1, limit).reply;
        let answered = reply.is_ok();
        seen.replies.push(reply);
        if !answered {
            break;
        }
        if listen {
            other.after = seat.unasked(LISTENING);
            seen.other.push(other);
        }
    }
    seen
}

#[cfg(test)]
mod tests;
