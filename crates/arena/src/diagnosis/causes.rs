//! From a failed turn to its causes: which sentence goes with which failure.

use super::failed_turn::{Diagnosis, FailedTurn, Probe};
use super::headline::{headline, last_line};
use super::reading::SentLines;
use super::times::{how_time_went, still_at_work};
use super::{answer, memory};
use crownhead_record::Termination;
use crownhead_record::text::{excerpt, printable};

impl FailedTurn<'_> {
    /// What the failure comes from, as far as can be seen.
    pub(crate) fn diagnose(&self) -> Diagnosis {
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
        } else if causes.is_empty() && !self.facts.by_signal && self.stderr.trim_ascii().is_empty()
        {
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
            let told = still_at_work(self, self.probe.doing, self.probe.watched);
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
                [] => still_at_work(self, *doing, *watched),
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
