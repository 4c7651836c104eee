//! Many games of self-play, on several threads, in the order of their numbers.

use super::data::{DataError, FORMAT, Header, TrainingGame, open_to_append};
use super::self_play::GameGenerator;
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;
use crownhead_record::bench::nodes_from_start;
use crownhead_record::seed::Purpose;
use std::collections::BTreeMap;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// The depth of the search that is a header's signature.
const SIGNATURE_DEPTH: u32 = 8;

/// The games to generate. Each follows only from the seed and its number.
pub struct Generation {
    /// The game.
    pub game: &'static dyn BoardGame,
    /// The rule book.
    pub rules: RuleBook,
    /// Positions to search in a turn; up to a thousand more.
    pub nodes: u64,
    /// Chooses openings and random moves.
    pub seed: u64,
    /// How many games the file will have.
    pub games: u64,
    /// Games at once.
    pub threads: u32,
}

impl Generation {
    /// Plays the games that the file at `path` lacks and appends them in order, so that the file is the same whatever
    /// the number of threads, and at every moment holds all games up to some number. `watch` is called with each game
    /// and its number, from 1; returns how many games there were before.
    ///
    /// # Errors
    /// With a sentence, when the file fails, or has games that were played differently.
    pub fn run(
        &self,
        path: &Path,
        mut watch: impl FnMut(u64, &TrainingGame),
    ) -> Result<u64, String> {
        let in_file = |problem: DataError| problem.of_file(path);
        let (file, there) = open_to_append(path, &self.header()).map_err(in_file)?;
        let mut file = BufWriter::new(file);
        let next = AtomicU64::new(there);
        let (sender, games) = mpsc::sync_channel(64);
        std::thread::scope(|scope| -> std::io::Result<()> {
            for _ in 0..self.threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut player = GameGenerator::new(self.game, &self.rules, self.nodes);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
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
            // Also dropped if the file fails, which ends the threads.
            let games = games;
            let (mut waiting, mut written) = (BTreeMap::new(), there);
            for (number, game) in games {
                waiting.insert(number, game);
                while let Some(game) = waiting.remove(&written) {
                    file.write_all(&game.to_bytes())?;
                    written += 1;
                    watch(written, &game);
                }
            }
            file.flush()
        })
        .map_err(|error| in_file(error.into()))?;
        Ok(there)
    }

    fn header(&self) -> Header {
        Header {
            format: FORMAT,
            game: self.game.name().into(),
            rules: self.rules.name.into(),
            signature: nodes_from_start(self.game, self.rules, SIGNATURE_DEPTH),
            seed: self.seed,
            nodes: self.nodes,
        }
    }
}
