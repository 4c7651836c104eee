//! Finds the mistake behind a failure by trying: the bot is started again, and its turns are put to it in other ways. An
//! answer that comes one way and not another tells what the bot reads, or where it writes.
//!
//! The ways are data (`ways`); here is how much evidence one of them takes. Leaves out what is seen of the failure
//! itself ([`diagnosis`](crate::diagnosis)).

mod ways;

use crate::seat::Process;
use crate::table::Fault;
use crownhead_record::Termination;
use crownhead_record::text::excerpt;
use crownhead_record::text::printable;
use std::time::Duration;
use ways::{Way, ways};

/// A failure that is looked into. No turn has its colour line.
#[derive(Clone, Debug)]
pub(super) struct Failure<'a> {
    pub(super) termination: Termination,
    /// The letter that told the bot its colour.
    pub(super) colour: char,
    /// The one that its opponent's colour has.
    pub(super) opponents_colour: char,
    /// The one that the live site would have sent, if that is another.
    pub(super) live_colour: Option<char>,
    /// How often the bot had been asked, the turn in which it failed included.
    pub(super) own_turn: usize,
    /// The turn before, if there was one.
    pub(super) before: Option<&'a str>,
    /// The turn in which it failed.
    pub(super) turn: &'a str,
    /// A turn of the same side in another position, which an honest bot has no trouble with.
    pub(super) elsewhere: Option<&'a str>,
    /// What it answered, if it did.
    pub(super) reply: Option<&'a str>,
    /// What its opponent could have played in its place.
    pub(super) opponents_moves: &'a [String],
}

/// What a bot is sent from its start, turn by turn, the first with the colour line.
pub(super) type Script = Vec<String>;

/// What a bot did with a script: an answer for each turn, until it failed to give one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    pub(super) replies: Vec<Result<Vec<u8>, Fault>>,
    /// What else it wrote, if that was listened for.
    pub(super) other: Vec<Other>,
}

/// What a bot wrote around its answer to a turn. A bot that has lost its place in the input answers before it has all of
/// a turn, or twice to one: a turn is put to it in parts, to know what it wrote when.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Other {
    /// The first line that it wrote when it knew its colour alone.
    pub(super) to_colour: Option<Vec<u8>>,
    /// The first line that it wrote when it lacked the last line of the turn.
    pub(super) early: Option<Vec<u8>>,
    /// What it wrote after its answer.
    pub(super) after: Vec<Vec<u8>>,
}

/// What trying tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    /// What the bot does that it should not.
    Mistake(String),
    /// It answers the turn where nothing comes before it.
    AnswersAlone,
    /// Nothing.
    Nothing,
}

/// A search for the mistake. `ask` starts the bot and puts a script to it; it listens for what comes unasked if told so.
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
            // Twice, for a busy machine may be late with what was written early.
            let [told, again] =
                [(); 2].map(|()| other_lines(&script, &self.see(&script, true), own_turn));
            if let (Some(told), Some(_)) = (told, again) {
                return Finding::Mistake(told);
            }
        }
        let alone = self.failure.alone();
        let answers_alone = alone.is_some_and(|script| self.works(&(script, Answer::Listed)));
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

    fn works(&mut self, (script, answer): &(Script, Answer)) -> bool {
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

/// What a bot must answer to the last turn of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// A move of that turn's list.
    Listed,
    /// One of these, with or without white space around it.
    OneOf(Vec<String>),
}

impl Answer {
    fn is_given(&self, script: &Script, seen: &Seen) -> bool {
        let Some(Ok(reply)) = seen.replies.get(script.len() - 1) else {
            return false;
        };
        match self {
            Answer::Listed => script.last().is_some_and(|turn| lists(turn, reply)),
            Answer::OneOf(texts) => {
                let reply = reply.trim_ascii();
                texts.iter().any(|text| text.as_bytes() == reply)
            }
        }
    }
}

impl Failure<'_> {
    /// The turn before and this one, each changed so.
    fn script(&self, turn: &str, change: impl Fn(&str) -> String) -> Script {
        self.told(self.colour, turn, change)
    }

    /// The same, told of another colour.
    fn told(&self, colour: char, turn: &str, change: impl Fn(&str) -> String) -> Script {
        let turns = self.before.into_iter().chain([turn]);
        let mut script: Script = turns.map(change).collect();
        script[0].insert_str(0, &format!("{colour}\n"));
        script
    }

    /// The turn before and this one, or if there was none before, this one and another; each changed so.
    fn two_turns(&self, change: impl Fn(&str) -> String) -> Script {
        let mut script = self.script(self.turn, &change);
        if script.len() == 1 {
            script.extend(self.elsewhere.map(change));
        }
        script
    }

    /// The turn as if it were the first, where it was not.
    fn alone(&self) -> Option<Script> {
        self.before?;
        Some(vec![format!("{}\n{}", self.colour, self.turn)])
    }

    /// Whether the bot failed in the last turn of a script, and in no other. Silence is a failure only where it was one
    /// in the game: a bot that is started anew may be slow for other reasons.
    fn is_repeated_by(&self, script: &Script, seen: &Seen) -> bool {
        match seen.replies.get(script.len() - 1) {
            Some(Ok(_)) => !Answer::Listed.is_given(script, seen),
            Some(Err(fault)) => match fault.termination() {
                Termination::Timeout => self.termination == Termination::Timeout,
                Termination::RefereeFault | Termination::CannotStart => false,
                _ => true,
            },
            None => false,
        }
    }
}

/// Whether a reply is a move of this turn's list.
fn lists(turn: &str, reply: &[u8]) -> bool {
    let is_count = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let mut moves = turn.lines().rev().take_while(|line| !is_count(line));
    moves.any(|listed| listed.as_bytes() == reply.trim_ascii_end())
}

/// What a bot that was put two turns as usual wrote besides its moves, if that is why it failed: in the first of them if
/// that was its first turn, else in the second.
fn other_lines(script: &Script, seen: &Seen, own_turn: usize) -> Option<String> {
    let quoted = |line: &[u8]| match line.trim_ascii_end() {
        b"" => "an empty one".into(),
        line => format!("`{}`", excerpt(&printable(line))),
    };
    let before_move = |line| {
        format!(
            "it writes other lines to its output before its move, here {}; standard error is for those",
            quoted(line)
        )
    };
    let answers = |place: usize| {
        let reply = seen.replies.get(place)?.as_ref().ok()?;
        Some((
            reply,
            lists(script.get(place)?, reply),
            seen.other.get(place)?,
        ))
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
            let colour = rest
                .find('\n')
                .filter(|_| place == 0)
                .map_or(0, |end| end + 1);
            let last_line = rest.trim_end().rfind('\n').map_or(0, |end| end + 1);
            let parts = [&rest[..colour], &rest[colour..last_line]];
            let [to_colour, to_board] = parts.map(|part| match part {
                "" => Some(Vec::new()),
                _ => seat.feed(part, first),
            });
            let (Some(to_colour), Some(to_board)) = (to_colour, to_board) else {
                break;
            };
            other.to_colour = to_colour.into_iter().next();
            other.early = to_board.into_iter().next();
            rest = &rest[last_line..];
        }
        let reply = seat.put(rest, limit).reply;
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
