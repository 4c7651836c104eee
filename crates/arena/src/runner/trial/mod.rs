//! Finds the mistake behind a failure by trying: the bot is started again, and its turns are put to it in other ways. An
//! answer that comes one way and not another shows what the bot reads, or where it writes.
//!
//! `ways` lists the ways. This file says how much evidence a way needs. It leaves out what the failure itself shows
//! ([`diagnosis`](crate::diagnosis)).

mod ways;

use crate::seat::Process;
use crate::table::Fault;
use crownhead_bots::BoardSize;
use crownhead_record::Termination;
use crownhead_record::text::{excerpt, printable};
use std::time::Duration;
use ways::ways;

/// A failure that is looked into. No turn has its colour line.
#[derive(Clone, Debug)]
pub(super) struct Failure<'a> {
    pub(super) termination: Termination,
    /// Of the board that its turns begin with.
    pub(super) size: BoardSize,
    /// The letter of the bot's colour line.
    pub(super) colour: char,
    /// The one that its opponent's colour has.
    pub(super) opponents_colour: char,
    /// The one that the live site would have sent, if that is another.
    pub(super) live_colour: Option<char>,
    /// How often the bot had been asked, the turn in which it failed included.
    pub(super) own_turn: usize,
    /// The turn before, if there was one.
    pub(super) before: Option<String>,
    /// The turn in which it failed.
    pub(super) turn: String,
    /// A turn of the same side in another position, which an honest bot has no trouble with.
    pub(super) elsewhere: Option<String>,
    /// What it answered, if it did.
    pub(super) reply: Option<&'a str>,
    /// What its opponent could have played in its place.
    pub(super) opponents_moves: Vec<String>,
    /// Whether the failure itself shows a cause. It comes before the finding that the bot answers the turn alone.
    pub(super) has_hint: bool,
}

/// What a bot is sent from its start, turn by turn, the first with the colour line.
pub(super) type Script = Vec<String>;

/// What a bot did in a turn of a script. A bot that has lost its place in the input answers before it has all of a turn,
/// or twice to one: where other lines are listened for, the last line of a turn is held back until it has read the rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seen {
    pub(super) reply: Result<Vec<u8>, Fault>,
    /// The first line that it wrote when it lacked the last line of the turn.
    pub(super) early: Option<Vec<u8>>,
    /// What it wrote after its answer.
    pub(super) after: Vec<Vec<u8>>,
}

impl Failure<'_> {
    /// The turn before and this one.
    fn script(&self, turn: &str) -> Script {
        let turns = self.before.as_deref().into_iter().chain([turn]);
        let mut script: Script = turns.map(str::to_string).collect();
        script[0].insert_str(0, &format!("{}\n", self.colour));
        script
    }

    /// The turns as they were.
    fn usual(&self) -> Script {
        self.script(&self.turn)
    }

    /// The turn before and this one, or if there was none before, this one and another.
    fn two_turns(&self) -> Script {
        let mut script = self.usual();
        if script.len() == 1 {
            script.extend(self.elsewhere.clone());
        }
        script
    }

    /// The turn as if it were the first.
    fn alone(&self) -> Script {
        vec![format!("{}\n{}", self.colour, self.turn)]
    }

    /// Whether the bot failed in the last turn of a script, and in no other. Silence is a failure only where it was one
    /// in the game: a bot that is started anew may be slow for other reasons.
    fn is_repeated_by(&self, script: &Script, seen: &[Seen]) -> bool {
        let last = script.len() - 1;
        match seen.get(last).map(|seen| &seen.reply) {
            Some(Ok(reply)) => !lists(&script[last], reply),
            Some(Err(fault)) => match fault.termination() {
                Termination::Timeout => self.termination == Termination::Timeout,
                Termination::RefereeFault | Termination::CannotStart => false,
                _ => true,
            },
            None => false,
        }
    }
}

/// The moves that a turn lists.
fn moves(turn: &str) -> Vec<String> {
    let is_count = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let moves = turn.lines().rev().take_while(|line| !is_count(line));
    moves.map(str::to_string).collect()
}

/// Whether a reply is a move of this turn's list.
fn lists(turn: &str, reply: &[u8]) -> bool {
    is_one_of(&moves(turn), reply)
}

fn is_one_of(texts: &[String], reply: &[u8]) -> bool {
    let reply = reply.trim_ascii_end();
    texts.iter().any(|text| text.as_bytes() == reply)
}

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

impl<'a, A: FnMut(&Script, bool) -> Vec<Seen>> Trial<'a, A> {
    pub(super) fn new(failure: Failure<'a>, ask: A) -> Trial<'a, A> {
        Trial {
            failure,
            ask,
            starts: MOST_STARTS,
        }
    }

    /// Tries the ways in order, and gives the mistake that one of them proves.
    pub(super) fn find(mut self) -> Option<String> {
        let usual = self.failure.usual();
        if !self.fails(&usual) {
            return None;
        }
        if self.failure.reply.is_some() {
            let script = self.failure.two_turns();
            let own_turn = self.failure.own_turn;
            // Twice, because a busy machine may be late with what was written early.
            let [told, again] =
                [(); 2].map(|()| other_lines(&script, &self.see(&script, true), own_turn));
            if told.is_some() && again.is_some() {
                return told;
            }
        }
        let alone = self.failure.alone();
        let answers_alone =
            self.failure.before.is_some() && self.works(&(alone, moves(&self.failure.turn)));
        for way in ways(&self.failure, answers_alone) {
            if !self.works(&way.works[0]) {
                continue;
            }
            if !self.fails(&usual) || !self.works(&way.works[0]) {
                // It answers and fails by chance.
                return None;
            }
            // It gives the way's answers wherever it should, and fails wherever it should, each time.
            let holds = (0..ROUNDS).all(|round| {
                self.fails(&way.fails[round % way.fails.len()])
                    && self.works(&way.works[(round + 1) % way.works.len()])
            });
            if holds {
                return Some(way.mistake);
            }
        }
        None
    }

    fn works(&mut self, (script, answers): &(Script, Vec<String>)) -> bool {
        let seen = self.see(script, false);
        let last = seen.get(script.len() - 1);
        last.is_some_and(|seen| matches!(&seen.reply, Ok(reply) if is_one_of(answers, reply)))
    }

    fn fails(&mut self, script: &Script) -> bool {
        let seen = self.see(script, false);
        self.failure.is_repeated_by(script, &seen)
    }

    /// What the bot does with a script; nothing once it has been started often enough.
    fn see(&mut self, script: &Script, listen: bool) -> Vec<Seen> {
        let Some(left) = self.starts.checked_sub(1) else {
            return Vec::new();
        };
        self.starts = left;
        (self.ask)(script, listen)
    }
}

/// What a bot that was put two turns as usual wrote besides its moves, if that is why it failed: in the first of them if
/// that was its first turn, else in the second.
fn other_lines(script: &Script, seen: &[Seen], own_turn: usize) -> Option<String> {
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
        let (turn, seen) = (script.get(place)?, seen.get(place)?);
        let reply = seen.reply.as_ref().ok()?;
        let moved_later = seen.after.iter().any(|line| lists(turn, line));
        Some((reply, lists(turn, reply), moved_later, seen))
    };
    let (reply, listed, moved_later, first) = answers(0)?;
    if own_turn == 1 {
        return match &first.early {
            // One that has lost its place does not answer two turns in a row when it has all of them.
            Some(line) => {
                let goes_on = listed && answers(1).is_some_and(|(_, listed, ..)| listed);
                goes_on.then(|| before_move(line))
            }
            None => (!listed && moved_later).then(|| before_move(reply)),
        };
    }
    if first.early.is_some() || !listed {
        return None;
    }
    if let Some(more) = first.after.first() {
        return Some(format!(
            "it writes more lines after its move, {} first, and the next line is the answer to its next turn: a turn \
             is answered with one line; standard error is for all others",
            quoted(more)
        ));
    }
    let (reply, listed, moved_later, second) = answers(1)?;
    (!listed && second.early.is_none() && moved_later).then(|| before_move(reply))
}

/// Puts a script to a bot that was just started: `first` is for the turns before the last, `last` for that.
pub(super) fn put(
    mut seat: Process,
    script: &Script,
    listen: bool,
    [first, last]: [Duration; 2],
) -> Vec<Seen> {
    let mut all = Vec::new();
    for (place, request) in script.iter().enumerate() {
        let is_last = place + 1 == script.len();
        let limit = if is_last { last } else { first };
        let held_back = match request.trim_end().rfind('\n') {
            Some(end) if listen => end + 1,
            _ => 0,
        };
        let (start, rest) = request.split_at(held_back);
        let early = match start {
            "" => None,
            _ => match seat.feed(start, first) {
                Some(lines) => lines.into_iter().next(),
                None => break,
            },
        };
        let reply = seat.put(rest, 1, limit).reply;
        let answered = reply.is_ok();
        let after = if listen && answered {
            seat.unasked()
        } else {
            Vec::new()
        };
        all.push(Seen {
            reply,
            early,
            after,
        });
        if !answered {
            break;
        }
    }
    all
}

#[cfg(test)]
mod tests;
