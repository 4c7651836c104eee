//! Many games of self-play, on several threads, in the order of their numbers.

use super::data::{Appender, TrainingGame};
use super::self_play::{Player, SelfPlay};
use crownhead::rules::RuleBook;
use crownhead_board::GameRules;
use crownhead_record::seed::Purpose;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// What is generated: the games of these numbers, each following from the seed and its number alone.
pub struct Generation<'a> {
    /// The game.
    pub game: &'static dyn GameRules,
    /// The rule book.
    pub rules: &'a RuleBook,
    /// How games are played.
    pub settings: SelfPlay,
    /// Chooses openings and random moves.
    pub seed: u64,
    /// The games' numbers.
    pub numbers: Range<u64>,
    /// Games at once.
    pub threads: u32,
}

impl Generation<'_> {
    /// Plays the games and appends them to `file` in order, so that the file is the same whatever the number of
    /// threads, and at every moment holds all games up to some number.
    ///
    /// # Errors
    /// When the file fails.
    pub fn run(&self, file: &mut Appender, mut watch: impl FnMut(&TrainingGame)) -> io::Result<()> {
        let next = AtomicU64::new(self.numbers.start);
        let (sender, games) = mpsc::sync_channel(64);
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut player = Player::new(self.game, self.rules, self.settings);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.numbers.end {
                            break;
                        }
                        let game = player.play(Purpose::TrainingGame { number }.seed(self.seed));
                        if sender.send((number, game)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            // Ends also when the file fails: a thread finds nobody to send its game to.
            let games = games;
            let (mut waiting, mut written) = (BTreeMap::new(), self.numbers.start);
            for (number, game) in games {
                waiting.insert(number, game);
                while let Some(game) = waiting.remove(&written) {
                    file.append(&game)?;
                    watch(&game);
                    written += 1;
                }
            }
            file.flush()
        })
    }
}
