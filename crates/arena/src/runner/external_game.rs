//! A game of an external referee as it is played: its bots, and what is known of it until now. Leaves out who says what is
//! asked.

use super::external_verdict::Failure;
use super::game::GameSetup;
use super::own_answers::OwnAnswers;
use crate::seat::Process;
use crownhead_record::{Frame, TurnRecord};

/// A game under way.
pub(super) struct ExternalGame<'a> {
    pub(super) setup: &'a GameSetup<'a>,
    pub(super) seats: Vec<Process>,
    pub(super) turns: Vec<TurnRecord>,
    pub(super) frames: Vec<Frame>,
    /// What each player was sent since it was asked last, without being asked.
    pub(super) told: Vec<String>,
    /// What Crownhead itself answers.
    pub(super) own: OwnAnswers,
    /// The legal answers of each player's last turn, where the referee lists them.
    pub(super) legal: Vec<Vec<String>>,
    pub(super) failures: Vec<Failure>,
    /// The players that the referee says have failed, and why.
    pub(super) errors: Vec<(usize, String)>,
    /// How many more steps it may have.
    pub(super) steps_left: u32,
    /// How many more bytes of what is said in them are kept.
    pub(super) bytes_left: usize,
}

/// The most bytes of frames and turns that the record of a game holds, less than a record may have.
pub(super) const MOST_BYTES: usize = 24 << 20;

impl ExternalGame<'_> {
    /// Keeps what the referee says, if the record has room for it.
    pub(super) fn add(&mut self, frame: Frame) {
        let lines = frame.summary.iter().chain(&frame.tooltips);
        let size = frame.view.len() + frame.show.len() + lines.map(String::len).sum::<usize>();
        if frame != Frame::default() && self.has_room(size) {
            let turn = self.turns.len();
            self.frames.push(Frame { turn, ..frame });
        }
    }

    /// Looks at what a bot does that has failed, and ends it: it takes no core of those that play on.
    pub(super) fn end(&mut self, player: usize, input: &str) {
        let seat = &mut self.seats[player];
        seat.probe(input);
        seat.close_stdin();
        seat.begin_end();
    }

    /// Whether the record has room for so many bytes more, which it then has.
    pub(super) fn has_room(&mut self, size: usize) -> bool {
        let left = self.bytes_left.checked_sub(size);
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }
}
