//! From what was seen of a bot that failed to the sentences that find its mistake.
//!
//! Pure functions: the process seat gathers [`TurnFacts`] and, after a timeout, a [`Probe`]; here they become words.
//! Leaves out what the failure costs ([`table`](crate::table)).

mod answer;
mod headline;
mod memory;
mod reading;
mod times;

use crownhead_record::Termination;
use crownhead_record::judge::Spent;
use crownhead_record::text::excerpt;
use crownhead_record::text::printable;
use reading::SentLines;
use std::time::Duration;

pub use headline::{headline, last_line};
pub use times::how_time_went;

/// What the process seat saw of a turn, besides the reply and its time.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TurnFacts {
    /// How many bytes of its turn before the bot had not read when it answered that.
    pub left_over: usize,
    /// How many bytes of all that it was sent it had not read when the turn ended; `None` if it had closed its
    /// input.
    pub unread: Option<usize>,
    /// What it had written of a line without an end.
    pub unfinished: Vec<u8>,
    /// What it was doing when its time was up, if it had not answered then.
    pub doing: Option<Doing>,
}

/// What a bot is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// A thread of it runs or is ready to.
    Computes,
    /// It waits for its standard input.
    AwaitsInput {
        /// Nothing else can wake it: no thread of it waits for a timer or a lock.
        for_good: bool,
    },
    /// It waits for something else, such as a timer.
    Sleeps,
    /// The system does not show it.
    Unknown,
}

impl Doing {
    /// Whether a thread runs or is ready to.
    pub fn is_computing(self) -> bool {
        self == Doing::Computes
    }
}

/// What a bot did that had not answered in time, when it could run on and was given more: only the first of the answers
/// that came is there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Probe {
    /// For how long it was waited for in all, from the moment it was asked, before it was given anything.
    pub watched: Duration,
    /// Its answer, and how long after it was asked it came.
    pub late: Option<(Vec<u8>, Duration)>,
    /// What it was doing in the end, if it had not answered.
    pub doing: Option<Doing>,
    /// Its answer to one line more.
    pub one_line_more: Option<Vec<u8>>,
    /// Its answer to one turn more.
    pub next_turn: Option<Vec<u8>>,
    /// What it wrote when its input ended: two lines at most.
    pub at_end: Vec<Vec<u8>>,
}

impl Probe {
    /// Whether the bot was seen to wait for its input, and for nothing else.
    pub fn awaited_input(&self) -> bool {
        matches!(self.doing, Some(Doing::AwaitsInput { .. }))
    }
}

/// A turn in which a bot failed, as the referee saw it.
#[derive(Clone, Copy, Debug)]
pub struct FailedTurn<'a> {
    /// How it failed.
    pub termination: Termination,
    /// Whether a signal ended it.
    pub by_signal: bool,
    /// Its time limit.
    pub limit: Duration,
    /// Where its time went; `None` if it was not waited for.
    pub spent: Option<Spent>,
    /// How often the bot has been asked, this turn included.
    pub own_turn: usize,
    /// The lines that it was sent for this turn, in its first turn with the colour line.
    pub sent: &'a str,
    /// The same of its turn before.
    pub sent_before: Option<&'a str>,
    /// The line that it answered, printable.
    pub reply: Option<&'a str>,
    /// What else was seen.
    pub facts: &'a TurnFacts,
    /// What it did after a timeout.
    pub probe: &'a Probe,
    /// What it wrote on its standard error since the turn was sent.
    pub stderr: &'a [u8],
    /// How many bytes of memory it held in some of its turns, each told by its number, from 1.
    pub memory: &'a [(usize, u64)],
    /// How many it may hold.
    pub memory_limit: u64,
}

/// What a failure comes from, as parts of a sentence.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Diagnosis {
    /// What goes with the verdict itself: the message of an exception, or how the time went.
    pub headline: Option<String>,
    /// Sentences, without their full stops, that each tell of a cause.
    pub causes: Vec<String>,
    /// One that tells less, for a failure of which nothing else is found.
    pub hint: Option<String>,
    /// The last that a bot wrote on its standard error in the turn, where that is no exception's message: whether it has
    /// to do with the failure is not known.
    pub last_line: Option<String>,
}

impl FailedTurn<'_> {
    /// What the failure comes from, as far as can be seen.
    pub fn diagnose(&self) -> Diagnosis {
        match self.termination {
            Termination::Timeout => Diagnosis {
                headline: (self.spent.as_ref()).map(how_time_went),
                causes: self.causes_of_timeout(),
                ..Diagnosis::default()
            },
            Termination::Crash | Termination::OutOfMemory => self.diagnose_crash(),
            Termination::Exit => Diagnosis {
                causes: self
                    .left_unread()
                    .or_else(|| self.ended_early())
                    .into_iter()
                    .collect(),
                hint: self.stopped_at(),
                ..Diagnosis::default()
            },
            Termination::IllegalReply | Termination::UnreadableReply => Diagnosis {
                causes: Vec::from_iter(self.left_unread()),
                hint: self.hint_of_reply(),
                ..Diagnosis::default()
            },
            _ => Diagnosis::default(),
        }
    }

    fn diagnose_crash(&self) -> Diagnosis {
        let headline = headline(self.stderr);
        let last_line = last_line(self.stderr);
        let message = headline.as_ref().or(last_line.as_ref());
        let misread = message.and_then(|text| self.misread(text));
        let mut causes: Vec<String> = misread.into_iter().chain(self.left_unread()).collect();
        if self.termination == Termination::OutOfMemory {
            causes.extend(memory::growth(
                self.memory,
                self.own_turn,
                self.memory_limit,
            ));
        } else if causes.is_empty() && !self.by_signal && self.stderr.trim_ascii().is_empty() {
            causes.extend(self.ended_early());
        }
        let last_line = last_line.filter(|_| headline.is_none());
        let last_line = last_line.map(|line| format!("its last line on standard error: `{line}`"));
        Diagnosis {
            headline,
            causes,
            hint: self.stopped_at(),
            last_line,
        }
    }

    /// What is to be said of a bot that ended by itself after its first answer, if it asked for no more.
    fn ended_early(&self) -> Option<String> {
        let unread = self.facts.unread.unwrap_or(self.sent.len());
        (self.own_turn == 2 && unread >= self.sent.len()).then(|| {
            "it ended after its first answer: a bot is asked turn after turn until its input ends".into()
        })
    }

    fn causes_of_timeout(&self) -> Vec<String> {
        // One that was kept from its time is no example of anything but of what it has worked.
        if let Some(spent) = self.spent
            && spent.was_kept(self.limit)
        {
            let own = spent
                .overrun
                .is_some_and(|overrun| overrun.serial_work >= self.limit);
            let told = times::still_at_work(self, self.probe.doing, self.probe.watched);
            return told.filter(|_| own).into_iter().collect();
        }
        let Probe {
            watched,
            late,
            doing,
            one_line_more,
            next_turn,
            at_end,
        } = self.probe;
        let quoted = |line: &[u8]| excerpt(&printable(line.trim_ascii_end()));
        let cause = if let Some((line, after)) = late {
            let after = after.as_secs_f64() * 1e3;
            let line = quoted(line);
            Some(format!(
                "it would have answered `{line}` after {after:.0} ms"
            ))
        } else if let Some(line) = one_line_more {
            Some(format!(
                "it answered `{}` once one line more had come: it waits for a line that is not sent",
                quoted(line)
            ))
        } else if let Some(line) = next_turn {
            Some(format!(
                "it answered `{}` only when the next turn had come: it waits for lines that are not sent",
                quoted(line)
            ))
        } else if !self.facts.unfinished.is_empty() {
            Some(format!(
                "it had written `{}` without the end of the line",
                quoted(&self.facts.unfinished)
            ))
        } else {
            match &at_end[..] {
                [] => times::still_at_work(self, *doing, *watched),
                [only] => Some(format!(
                    "it answered `{}` only when its input had ended: it reads to the end of input, which comes \
                     after the game; read one turn and answer it",
                    quoted(only)
                )),
                [first, ..] => Some(format!(
                    "it had written `{}` without flushing; flush after every line",
                    quoted(first)
                )),
            }
        };
        Vec::from_iter(cause)
    }

    fn lines(&self) -> SentLines<'_> {
        SentLines::new(self.sent, self.own_turn == 1)
    }

    /// Which lines of the turn before it had not read when it answered that.
    fn left_unread(&self) -> Option<String> {
        let before = SentLines::new(self.sent_before?, self.own_turn == 2);
        before.left_unread(self.facts.left_over)
    }

    /// Where in this turn it stopped reading. Of a bot that reads line by line this tells little, for it may have read
    /// on since it answered.
    fn stopped_at(&self) -> Option<String> {
        self.lines().stopped_at(self.facts.unread?)
    }

    /// Which line of its input the bot took for another one, where the message of its exception quotes it.
    fn misread(&self, message: &str) -> Option<String> {
        self.lines().misread(message, self.own_turn)
    }

    /// What an illegal reply itself tells, with the lines that the bot was sent.
    fn hint_of_reply(&self) -> Option<String> {
        let reply = self.reply.unwrap_or_default().trim();
        answer::explain(reply, self.lines().moves())
            .or_else(|| self.stopped_at())
            .or_else(|| self.echoed(reply))
    }

    /// Where an illegal reply comes from, if it stands among the lines that the bot was sent.
    fn echoed(&self, reply: &str) -> Option<String> {
        if let Some(line) = self.lines().name_of(reply) {
            return Some(format!(
                "`{}` is {line}: it answers a line of its input",
                excerpt(reply)
            ));
        }
        let before = SentLines::new(self.sent_before?, self.own_turn == 2);
        // What stood there may have had the same move in mind in both turns, against the rules of this one.
        let moved_away = self.lines().piece_at_start(reply) != before.piece_at_start(reply);
        (before.has_move(reply) && moved_away).then(|| {
            format!(
                "`{}` was a move of the turn before: it answers as if nothing had been played since",
                excerpt(reply)
            )
        })
    }
}

#[cfg(test)]
mod tests;
