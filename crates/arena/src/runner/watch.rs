//! A game under way, as it is shown to people who watch.

use crate::table::{Observer, TimedReply};
use crownhead_bots::Board;
use crownhead_record::TurnRecord;
use std::time::Duration;

/// Shows games under way.
pub trait Watch: Sync {
    /// Something has changed.
    fn show(&self, live: &LiveGame<'_>);

    /// The game of this number is over.
    fn over(&self, _number: u64) {}
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame<'a> {
    /// The number of the game.
    pub number: u64,
    /// The game so far.
    pub board: &'a dyn Board,
    /// What is known of the players, by their numbers.
    pub players: &'a [LivePlayer],
}

/// A player of a game under way.
#[derive(Clone, Default, Debug)]
pub struct LivePlayer {
    /// What it is called.
    pub name: String,
    /// How long its last answer took; nothing before its first.
    pub last: Option<Duration>,
    /// How long it has thought in all.
    pub used: Duration,
}

/// Writes the turns down, and shows the game to a watcher, if there is one.
pub(super) struct GameObserver<'a> {
    pub(super) turns: Vec<TurnRecord>,
    pub(super) watch: Option<&'a dyn Watch>,
    pub(super) number: u64,
    pub(super) players: Vec<LivePlayer>,
}

impl Observer for GameObserver<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let Some(watch) = self.watch else { return };
        watch.show(&LiveGame {
            number: self.number,
            board,
            players: &self.players,
        });
    }

    fn replied(&mut self, player: usize, reply: &TimedReply) {
        self.turns.push(reply.record(player));
        let live = &mut self.players[player];
        live.last = Some(reply.time);
        live.used += reply.time;
    }
}
