//! A game under way, as it is shown to people who watch.

use crate::seat::StderrListener;
use crate::table::Recorder;
use crate::table::{Fault, Observer, TimedReply};
use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::notation::Notation;
use std::time::Duration;

/// Shows games under way.
pub trait Watch<G: Notation>: Sync {
    /// Something has changed.
    fn show(&self, live: &LiveGame<'_, G>);
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame<'a, G: Notation> {
    /// The number of the game.
    pub number: u64,
    /// The game so far.
    pub game: &'a Game<G>,
    /// What is known of black and of white ([`Side::index`]).
    pub players: &'a [LivePlayer; 2],
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
pub(super) struct Watching<'a, G: Notation> {
    pub(super) recorder: Recorder,
    pub(super) watch: Option<&'a dyn Watch<G>>,
    pub(super) number: u64,
    pub(super) players: [LivePlayer; 2],
    pub(super) stderr: [Option<StderrListener>; 2],
    /// Why the bot that was asked last did not answer.
    pub(super) fault: Option<Fault>,
}

impl<G: Notation> Watching<'_, G> {
    fn show(&mut self, game: &Game<G>) {
        let Some(watch) = self.watch else { return };
        for (player, stderr) in self.players.iter_mut().zip(&self.stderr) {
            player.words = stderr
                .as_ref()
                .map(StderrListener::hear)
                .unwrap_or_default();
        }
        watch.show(&LiveGame {
            number: self.number,
            game,
            players: &self.players,
        });
    }
}

impl<G: Notation> Observer<G> for Watching<'_, G> {
    fn turn_begins(&mut self, game: &Game<G>) {
        self.show(game);
    }

    fn replied(&mut self, side: Side, reply: &TimedReply) {
        Observer::<G>::replied(&mut self.recorder, side, reply);
        let player = &mut self.players[side.index()];
        player.last = Some(reply.time);
        player.used += reply.time;
        self.fault = reply.reply.as_ref().err().cloned();
    }
}
