//! An observer that writes down the turns.

use super::{Observer, TimedReply};
use crownhead_record::TurnRecord;
use crownhead_record::text::escaped;

/// Collects the turns of one game.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The turns so far.
    pub turns: Vec<TurnRecord>,
}

impl Observer for Recorder {
    fn replied(&mut self, player: usize, reply: &TimedReply) {
        let text = reply.reply.as_deref().ok().map(escaped);
        self.turns.push(TurnRecord::new(player, text, reply.time));
    }
}
