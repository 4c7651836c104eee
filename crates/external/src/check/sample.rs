//! Plays many games of random legal answers, and finds those that break or in which a legal answer is refused.

use super::game::{Broken, Game, Subject};
use super::{CheckOptions, Finding};
use crate::RefereeError;
use crownhead_record::text::excerpt;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

/// What games of random legal answers were like.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// How many games ended normally.
    pub games: u64,
    /// The answers per game: the minimum, the mean and the maximum.
    pub turns: [f64; 3],
    /// Games per second, with the requested number at once.
    pub games_a_second: f64,
}

/// Plays the games of the seeds from 1, several at once. Returns what they were like, and their problems.
///
/// # Errors
/// When it is interrupted.
pub(super) fn play_many(
    subject: &Subject<'_>,
    options: CheckOptions,
    played: &mut (dyn FnMut(u64) + Send),
) -> Result<(Sample, Vec<Finding>), RefereeError> {
    let began = Instant::now();
    let games = Mutex::new((Games::default(), played));
    let next = || {
        let games = &mut games.lock().expect("no thread panics").0;
        // The first broken game ends the sample, because each of the others could be silent for long.
        let is_enough = games.begun == options.games || games.broken.is_some();
        games.begun += u64::from(!is_enough);
        (!is_enough).then_some(games.begun)
    };
    let play = || -> Result<(), RefereeError> {
        while let Some(seed) = next() {
            let game = subject.play_at_random(seed)?;
            let (games, played) = &mut *games.lock().expect("no thread panics");
            games.add(seed, game);
            played(games.turns.len() as u64);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads = (0..options.threads.max(1)).map(|_| scope.spawn(play));
        let threads: Vec<_> = threads.collect();
        let mut threads = threads.into_iter();
        threads.try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    let (games, _) = games.into_inner().expect("no thread panics");
    let (count, turns) = (games.turns.len(), games.turns.iter());
    let sum: usize = turns.clone().sum();
    let fewest = turns.clone().min().copied().unwrap_or_default();
    let most = turns.max().copied().unwrap_or_default();
    let sample = Sample {
        games: count as u64,
        turns: [fewest as f64, sum as f64 / count.max(1) as f64, most as f64],
        games_a_second: count as f64 / began.elapsed().as_secs_f64(),
    };
    Ok((sample, games.findings()))
}

/// The games until now.
#[derive(Default)]
struct Games {
    /// How many were begun.
    begun: u64,
    /// The answers in each of those that ended.
    turns: Vec<usize>,
    /// The first that broke.
    broken: Option<(u64, Broken)>,
    /// Games in which a legal answer was refused, and the first sentence.
    refused: u64,
    refusal: Option<String>,
}

impl Games {
    fn add(&mut self, seed: u64, game: Result<Game, Broken>) {
        match game {
            Ok(game) => {
                if let Some((player, sentence)) = game.errors().next() {
                    self.refused += 1;
                    let sentence = excerpt(sentence);
                    self.refusal.get_or_insert_with(|| {
                        format!("seed {seed}: `###Error {player} {sentence}`")
                    });
                }
                self.turns.push(game.turns.len());
            }
            Err(broken) => {
                self.broken.get_or_insert((seed, broken));
            }
        }
    }

    fn findings(&self) -> Vec<Finding> {
        let broken = self.broken.as_ref();
        let mut findings =
            Vec::from_iter(broken.map(|(seed, broken)| Finding::broken(broken, *seed)));
        findings.extend(self.refusal.as_ref().map(|refusal| {
            Finding::fault(
                format!(
                    "it refuses answers that it lists, in {} of {} games",
                    self.refused,
                    self.turns.len()
                ),
                refusal,
                "no `###Error` for an answer of `###Legal`",
                "list what the rules allow in this very turn, and judge answers by that list",
            )
        }));
        findings
    }
}
