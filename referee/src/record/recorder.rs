//! An observer that writes down the turns.

use super::TurnRecord;
use crate::judge::escaped;
use crate::seat::{Answer, Said};
use crate::table::Observer;
use crownhead::board::Side;
use crownhead::notation::Notation;

/// Collects the turns of one game.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// The turns so far.
    pub turns: Vec<TurnRecord>,
}

impl<G: Notation> Observer<G> for Recorder {
    fn answered(&mut self, side: Side, answer: &Answer) {
        let reply = match &answer.reply {
            Ok(Said::Move(reply)) => Some(escaped(reply)),
            // Only people take turns back, and their games are not recorded.
            Ok(Said::Undo { .. } | Said::Redo { .. } | Said::Quit) | Err(_) => None,
        };
        self.turns.push(TurnRecord {
            side: side.into(),
            reply,
            time: answer.time,
            work: None,
            waited: None,
        });
    }
}
