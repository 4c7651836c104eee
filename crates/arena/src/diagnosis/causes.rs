//! From a failed turn to its causes: which sentence goes with which failure.

use super::failed_turn::{Diagnosis, FailedTurn, Probe, Took};
use super::headline::{headline, last_line};
use super::reading::SentLines;
use super::times::{how_time_went, still_at_work};
use super::{answer, memory};
use crownhead_record::Termination;
use crownhead_record::text::{excerpt, printable};
use crownhead_sandbox::MEMORY_LIMIT;

impl FailedTurn<'_> {
    /// What the failure comes from, as far as can be seen.
    pub(crate) fn diagnose(&self) -> Diagnosis {
        match self.termination {
            Termination::Timeout => Diagnosis {
                headline: (self.spent.as_ref()).map(how_time_went),
                causes: Vec::from_iter(self.cause_of_timeout()),
                ..Diagnosis::default()
            },
            Termination::Crash | Termination::OutOfMemory => self.diagnose_crash(),
            Termination::Exit => Diagnosis {
                causes: Vec::from_iter(self.left_unread().or_else(|| self.ended_early())),
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
        let misread = message.and_then(|text| self.lines().misread(text, self.own_turn));
        let mut causes: Vec<String> = misread.into_iter().chain(self.left_unread()).collect();
        if self.termination == Termination::OutOfMemory {
            causes.extend(memory::growth(self.memory, self.own_turn, MEMORY_LIMIT));
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

    fn cause_of_timeout(&self) -> Option<String> {
        let Probe {
            watched,
            doing,
            answer,
        } = self.probe;
        // One that was kept from its time is no example of anything but of what it has worked.
        let spent = self.spent.unwrap_or_default();
        if spent.was_kept(self.limit) {
            let overrun = spent.overrun.unwrap_or_default();
            let own = overrun.serial_work >= self.limit;
            return still_at_work(self, *doing, *watched).filter(|_| own);
        }
        let [given, wanted] = self.facts.lines;
        if (1..wanted).contains(&given) {
            return Some(format!(
                "it had answered {given} of the {wanted} lines that are wanted"
            ));
        }
        let quoted = |line: &[u8]| excerpt(&printable(line.trim_ascii_end()));
        let unfinished = &self.facts.unfinished;
        if !unfinished.is_empty()
            && !matches!(
                answer,
                Some((Took::Time | Took::OneLineMore | Took::NextTurn, _))
            )
        {
            let line = quoted(unfinished);
            return Some(format!(
                "it had written `{line}` without the end of the line"
            ));
        }
        let Some((took, line)) = answer else {
            return still_at_work(self, *doing, *watched);
        };
        let line = quoted(line);
        Some(match took {
            Took::Time => {
                let after = watched.as_secs_f64() * 1e3;
                format!("it would have answered `{line}` after {after:.0} ms")
            }
            Took::OneLineMore => format!(
                "it answered `{line}` once one line more had come: it waits for a line that is not sent"
            ),
            Took::NextTurn => format!(
                "it answered `{line}` only when the next turn had come: it waits for lines that are not sent"
            ),
            Took::End => format!(
                "it answered `{line}` only when its input had ended: it reads to the end of input, which comes after \
                 the game; read one turn and answer it"
            ),
            Took::Flush => {
                format!("it had written `{line}` without flushing; flush after every line")
            }
        })
    }

    fn lines(&self) -> SentLines<'_> {
        self.lines_of(self.sent, 1)
    }

    /// The lines of a turn, which has the colour line if it is the bot's first one, as this one is or the one before.
    fn lines_of<'a>(&self, sent: &'a str, first: usize) -> SentLines<'a> {
        let head = usize::from(self.own_turn == first);
        SentLines::new(sent, self.has_board.then_some(head))
    }

    /// Which lines of the turn before it had not read when it answered that.
    fn left_unread(&self) -> Option<String> {
        let before = self.lines_of(self.sent_before?, 2);
        before.left_unread(self.facts.left_over)
    }

    /// Where in this turn it stopped reading. Of a bot that reads line by line this tells little, for it may have read
    /// on since it answered.
    fn stopped_at(&self) -> Option<String> {
        self.lines().stopped_at(self.facts.unread?)
    }

    /// What an illegal reply itself shows, with the lines that the bot was sent.
    fn hint_of_reply(&self) -> Option<String> {
        let reply = self.reply.unwrap_or_default().trim();
        answer::explain(reply, self.lines().moves())
            .or_else(|| self.stopped_at())
            .or_else(|| self.echoed(reply))
    }

    /// Where an illegal reply comes from, if it stands among the lines that the bot was sent.
    fn echoed(&self, reply: &str) -> Option<String> {
        let quoted = excerpt(reply);
        if let Some(line) = self.lines().name_of(reply) {
            return Some(format!(
                "`{quoted}` is {line}: it answers a line of its input"
            ));
        }
        let before = self.lines_of(self.sent_before?, 2);
        // What stood there may have had the same move in mind in both turns, against the rules of this one.
        let moved_away = self.lines().piece_at_start(reply) != before.piece_at_start(reply);
        (before.moves().contains(&reply) && moved_away).then(|| {
            format!("`{quoted}` was a move of the turn before: it answers as if nothing had been played since")
        })
    }
}
