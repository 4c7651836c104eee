//! A watcher that writes down the turns.

use super::TurnRecord;
use crate::judge::escaped;
use crate::seat::Answer;
use crate::table::Watcher;
use crownhead::board::Side;
use crownhead::notation::Notation;

/// Collects the turns of one game.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The turns so far.
    pub turns: Vec<TurnRecord>,
}

impl<G: Notation> Watcher<G> for Recorder {
    fn answered(&mut self, side: Side, answer: &Answer) {
        let reply = answer.reply.as_ref().ok().map(|reply| escaped(reply));
        self.turns.push(TurnRecord {
            side: side.into(),
            reply,
            time: answer.time,
        });
    }
}
