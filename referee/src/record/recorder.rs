//! An observer that writes down the turns.

use super::TurnRecord;
use crate::table::{Observer, TimedReply, escaped};
use crownhead::board::Side;
use crownhead::notation::Notation;

/// Collects the turns of one game.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The turns so far.
    pub turns: Vec<TurnRecord>,
}

impl<G: Notation> Observer<G> for Recorder {
    fn replied(&mut self, side: Side, reply: &TimedReply) {
        let text = reply.reply.as_deref().ok().map(escaped);
        self.turns.push(TurnRecord::new(side, text, reply.time));
    }
}
