//! A seat that plays a list of replies.

use crate::table::{Answer, Command, Fault, Seat, TimedReply, Turn};
use crownhead::notation::Notation;
use std::collections::VecDeque;
use std::time::Duration;

/// Gives prepared answers, one a time it is asked: a stand-in for a bot or a person where none is needed.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    answers: VecDeque<Answer>,
}

fn at_once(reply: Result<Vec<u8>, Fault>) -> Answer {
    let time = Duration::ZERO;
    Answer::Reply(TimedReply { reply, time })
}

impl Scripted {
    /// A seat that gives these replies, each at once.
    pub fn new<'a>(replies: impl IntoIterator<Item = &'a str>) -> Scripted {
        let answer = |reply: &str| at_once(Ok(reply.into()));
        Scripted {
            answers: replies.into_iter().map(answer).collect(),
        }
    }

    /// The same seat, which then gives this command.
    #[must_use]
    pub fn then_commands(mut self, command: Command) -> Scripted {
        self.answers.push_back(command.into());
        self
    }

    /// The same seat, which then fails so.
    #[must_use]
    pub fn then_fails(mut self, fault: Fault) -> Scripted {
        self.answers.push_back(at_once(Err(fault)));
        self
    }
}

impl<G: Notation> Seat<G> for Scripted {
    type Answer = Answer;

    fn ask(&mut self, _turn: &Turn<'_, G>) -> Answer {
        let next = self.answers.pop_front();
        next.unwrap_or_else(|| at_once(Err(Fault::OutOfScript)))
    }
}
