//! Plays many games of random legal answers: which of them break, and their statistics.

use super::game::{Broken, Game, Subject, any_answer};
use super::{CheckOptions, Finding, unless_interrupted};
use crate::RefereeError;
use crownhead_record::numbers::show_time;
use crownhead_record::points_by_place;
use crownhead_record::text::excerpt;
use crownhead_stats::{Cluster, Interval, score_interval};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The mean time after an answer up to which a referee is not called slow.
const SLOW: Duration = Duration::from_millis(10);

/// Statistics of games of random legal answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sample {
    /// How many games ended normally.
    pub games: u64,
    /// The answers per game: the minimum, the mean and the maximum.
    pub turns: [f64; 3],
    /// Each player's mean points per game. With two players: the share of wins, draws counting half.
    pub seats: Vec<Interval>,
    /// The share of games in which all players tie.
    pub draws: Option<Interval>,
    /// The mean time from the start of the referee until its first line.
    #[serde(rename = "start_us", with = "crownhead_record::judge::microseconds")]
    pub start: Duration,
    /// The mean time that the referee took after an answer.
    #[serde(rename = "turn_us", with = "crownhead_record::judge::microseconds")]
    pub turn: Duration,
    /// Games per second, with the requested number at once.
    pub games_a_second: f64,
}

/// One game of many.
struct Played {
    seed: u64,
    game: Result<Game, Broken>,
}

/// Plays the games of the seeds from 1, several at once. Returns their statistics and their problems.
///
/// # Errors
/// When it is interrupted.
pub(super) fn play_many(
    subject: &Subject<'_>,
    options: CheckOptions,
    played: &mut dyn FnMut(u64),
) -> Result<(Sample, Vec<Finding>), RefereeError> {
    let began = Instant::now();
    let next = AtomicU64::new(1);
    let enough = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let games = thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            scope.spawn(move || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > options.games || enough.load(Ordering::Relaxed) {
                        return;
                    }
                    let game = subject.play(seed, |request, turns| {
                        any_answer(request, seed, turns.len())
                    });
                    let is_broken = game.is_err();
                    if sender.send(Played { seed, game }).is_err() || is_broken {
                        // The first broken game ends the sample, because each of the others could be silent for long.
                        enough.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
        drop(sender);
        let mut games = Games::default();
        for (index, game) in receiver.iter().enumerate() {
            games.add(game)?;
            played(index as u64 + 1);
        }
        Ok(games)
    })?;
    let sample = games.sample(subject.players(), began.elapsed());
    Ok((sample.clone(), games.findings(&sample)))
}

/// The collected results of the games.
#[derive(Default)]
struct Games {
    turns: Vec<usize>,
    points: Vec<Vec<f64>>,
    start: Duration,
    own_time: Duration,
    broken: Option<(u64, Broken)>,
    /// Games in which a legal answer was refused, and the first sentence.
    refused: u64,
    refusal: Option<String>,
}

impl Games {
    fn add(&mut self, played: Played) -> Result<(), RefereeError> {
        let game = match unless_interrupted(played.game)? {
            Ok(game) => game,
            Err(broken) => {
                let earlier = self
                    .broken
                    .as_ref()
                    .is_some_and(|(seed, _)| *seed < played.seed);
                if !earlier {
                    self.broken = Some((played.seed, broken));
                }
                return Ok(());
            }
        };
        if let Some((player, sentence)) = game.errors().next() {
            self.refused += 1;
            let seed = played.seed;
            let sentence = excerpt(sentence);
            self.refusal
                .get_or_insert_with(|| format!("seed {seed}: `###Error {player} {sentence}`"));
        }
        self.turns.push(game.turns.len());
        self.points.extend(
            game.ended
                .as_ref()
                .map(|ended| points_by_place(&ended.scores)),
        );
        self.start += game.start;
        self.own_time += game.own_time;
        Ok(())
    }

    fn sample(&self, players: usize, took: Duration) -> Sample {
        let games = self.turns.len() as u64;
        let answers: usize = self.turns.iter().sum();
        let fewest = self.turns.iter().min().copied().unwrap_or_default();
        let most = self.turns.iter().max().copied().unwrap_or_default();
        let interval = |points: &dyn Fn(&[f64]) -> f64| {
            let clusters: Vec<Cluster> = self
                .points
                .iter()
                .map(|game| Cluster {
                    points: points(game),
                    games: 1.0,
                })
                .collect();
            score_interval(&clusters)
        };
        let is_draw = |game: &[f64]| game.iter().all(|points| *points == game[0]);
        Sample {
            games,
            turns: [
                fewest as f64,
                answers as f64 / games.max(1) as f64,
                most as f64,
            ],
            seats: (0..players)
                .filter_map(|seat| interval(&|game| game[seat]))
                .collect(),
            draws: interval(&|game| f64::from(u8::from(is_draw(game)))),
            start: self.start.checked_div(games as u32).unwrap_or_default(),
            turn: self
                .own_time
                .checked_div(answers as u32)
                .unwrap_or_default(),
            games_a_second: games as f64 / took.as_secs_f64(),
        }
    }

    fn findings(&self, sample: &Sample) -> Vec<Finding> {
        let mut findings = Vec::new();
        if let Some((seed, broken)) = &self.broken {
            findings.push(broken_game(broken, *seed));
        }
        if let Some(refusal) = &self.refusal {
            findings.push(Finding::fault(
                format!(
                    "it refuses answers that it lists, in {} of {} games",
                    self.refused,
                    self.turns.len()
                ),
                refusal,
                "no `###Error` for an answer of `###Legal`",
                "list what the rules allow in this very turn, and judge answers by that list",
            ));
        }
        if sample.turn > SLOW {
            findings.push(Finding::note(
                "it is slow",
                format!("{} after each answer", show_time(sample.turn)),
                "10 ms at most",
                "no bot's clock runs meanwhile, but matches last: 1,000 games need thousands of answers",
            ));
        }
        if let Some(first) = sample.seats.first()
            && sample.seats.len() == 2
            && !(first.low..=first.high).contains(&0.5)
        {
            let favoured = if first.score > 0.5 { "first" } else { "second" };
            findings.push(Finding::note(
                format!("the {favoured} seat is worth more"),
                format!(
                    "the first seat scores {:.1} % by random answers, {:.1} to {:.1} % with 95 % confidence",
                    100.0 * first.score,
                    100.0 * first.low,
                    100.0 * first.high
                ),
                "50 %, or bots that have each seat equally often",
                "`match` and `ladder` swap the seats over each seed, which is fair; nothing is to be done",
            ));
        }
        findings
    }
}

/// A game that does not end.
pub(super) fn broken_game(broken: &Broken, seed: u64) -> Finding {
    Finding::fault(
        "a game of its own answers does not come to its end",
        format!(
            "seed {seed}, after {} answers: {}",
            broken.turns, broken.error
        ),
        "`###End` with each player once, after any answers",
        "the same game can be played again: send the referee `###Seed` with this number; docs/guide/reference/referee-protocol.md \
         explains it",
    )
}
