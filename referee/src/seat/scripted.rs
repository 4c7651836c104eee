//! A seat that plays a list of replies.

use super::{Answer, Fault, Said, Seat, Turn};
use crownhead::notation::Notation;
use std::collections::VecDeque;
use std::time::Duration;

/// Says prepared things, one a time it is asked: a stand-in for a bot or a person where none is needed.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    answers: VecDeque<Answer>,
}

impl Scripted {
    /// A seat that gives these replies, each at once.
    pub fn new<'a>(replies: impl IntoIterator<Item = &'a str>) -> Scripted {
        let answer = |reply: &str| Answer {
            reply: Ok(Said::Move(reply.into())),
            time: Duration::ZERO,
        };
        Scripted {
            answers: replies.into_iter().map(answer).collect(),
        }
    }

    /// The same seat, which then says this.
    #[must_use]
    pub fn then_says(mut self, said: Said) -> Scripted {
        self.answers.push_back(Answer {
            reply: Ok(said),
            time: Duration::ZERO,
        });
        self
    }

    /// The same seat, which then fails so.
    #[must_use]
    pub fn then_fails(mut self, fault: Fault) -> Scripted {
        self.answers.push_back(Answer {
            reply: Err(fault),
            time: Duration::ZERO,
        });
        self
    }
}

impl<G: Notation> Seat<G> for Scripted {
    fn ask(&mut self, _turn: &Turn<'_, G>) -> Answer {
        self.answers.pop_front().unwrap_or(Answer {
            reply: Err(Fault::OutOfScript),
            time: Duration::ZERO,
        })
    }
}
