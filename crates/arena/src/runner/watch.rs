//! A game under way, as it is shown to people who watch.

use crate::seat::StderrListener;
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

    /// Whether it shows what the bots write.
    fn wants_words(&self) -> bool {
        false
    }
}

impl Watch for Vec<&dyn Watch> {
    fn show(&self, live: &LiveGame<'_>) {
        self.iter().for_each(|watch| watch.show(live));
    }

    fn over(&self, number: u64) {
        self.iter().for_each(|watch| watch.over(number));
    }

    fn wants_words(&self) -> bool {
        self.iter().any(|watch| watch.wants_words())
    }
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
    /// What it has written on its standard error since its last turn began.
    pub words: Vec<u8>,
}

/// Writes the turns down, and shows the game to a watcher, if there is one.
pub(super) struct GameObserver<'a> {
    pub(super) turns: Vec<TurnRecord>,
    pub(super) watch: Option<&'a dyn Watch>,
    pub(super) number: u64,
    pub(super) players: Vec<LivePlayer>,
    pub(super) stderr: Vec<Option<StderrListener>>,
}

impl Observer for GameObserver<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let Some(watch) = self.watch else { return };
        let wants_words = watch.wants_words();
        let listened = self.players.iter_mut().zip(&self.stderr);
        for (player, stderr) in listened.filter(|_| wants_words) {
            let words = stderr.as_ref().map(StderrListener::hear);
            player.words = words.unwrap_or_default();
        }
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
