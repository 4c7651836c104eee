//! `crownhead sprt`: tests whether one bot is better than another, and stops as soon as the games decide it.

mod outcome;

use super::output::{ResultOptions, write_json};
use super::playing::PlayingOptions;
use super::progress::Progress;
use super::report::{count_pairs, pairs_or_rounds, percent};
use super::resume::Earlier;
use super::run::Run;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_arena::headings::CONTESTS;
use crownhead_arena::runner::{
    MatchPlan, PlayedPair, RunProgress, SprtProgress, VoidCause, run_sprt,
};
use crownhead_record::totals::summarise;
use crownhead_record::{GameRecord, StderrKept};
use crownhead_stats::sprt::{HEADING, OrderedSprt, Sprt, SprtVerdict};
use crownhead_stats::{Cluster, score_interval};
use outcome::Outcome;
use serde::Serialize;
use std::collections::BTreeSet;
use std::iter::repeat_n;
use std::process::ExitCode;
use std::time::Instant;

/// Test whether bot A is better than bot B, until it is clear
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead sprt ./new ./old
  crownhead sprt ./new ./old --elo0 0 --elo1 20 --record games.jsonl",
    after_long_help = "\
More examples:
  if crownhead sprt ./new ./old; then cp new old; fi
  crownhead sprt './bot --tuned' ./bot --max-pairs 2000 --json

After each pair (the same opening, colours swapped), the test compares two hypotheses: A is better by at most elo0, or by \
at least elo1. It ends as soon as the games decide between them. It accepts a bot of elo0 in at most alpha of all tests, \
and rejects a bot of elo1 in at most beta. If faults decided most of the decided pairs, the games show only which bot \
fails less, so there is no verdict.

With three or more players, each game is still a result between A and B: the better rank wins, and equal ranks are a \
draw. The verdict holds for games with the bots of --also.

A test that ended early continues with --resume. Use the same command, bots, settings and seed.

Exit status: 0 better; 1 not better; 2 unusable arguments; 3 undecided after the last game; 4 it failed; 5 no verdict \
because faults decided it; 130 interrupted (129 by SIGHUP, 143 by SIGTERM)."
)]
pub(super) struct RunSprt {
    /// The bot that may be better: a built-in bot with its options, or a command
    #[arg(value_name = "A")]
    a: String,
    /// The bot to compare it with
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    test: Sprt,
    /// Pairs (2 games each) to play at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20_000,
        help_heading = HEADING,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    max_pairs: u64,
    /// Give a verdict even if most pairs were decided by faults
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    count_faults: bool,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Bot for another seat, in games of three or more players (repeatable)
    #[arg(long, alias = "field", value_name = "BOT", help_heading = CONTESTS, hide_short_help = true)]
    also: Vec<String>,
    #[command(flatten)]
    result: ResultOptions,
}

/// The exit status of a test that failed. No verdict has this status.
pub(super) const FAILED: u8 = 4;

impl RunSprt {
    fn plan(&self, earlier: Option<&Earlier>) -> Result<MatchPlan, Failure> {
        let players = self.playing.options.referee.players.map_or(2, usize::from);
        let (others, wanted) = (self.also.len(), players - 2);
        if others != wanted {
            return Err(usage(match players {
                2 => "--also is for games of more than two players: say how many with --players and a --referee"
                    .into(),
                _ => format!(
                    "--also is given {others} times for games of {players} players: expected {wanted}, a bot for each \
                     seat except those of A and B"
                ),
            }));
        }
        let bots = [&[self.a.clone(), self.b.clone()], &self.also[..]].concat();
        let games = players as u64 * self.max_pairs;
        self.playing.plan(&bots, games, earlier)
    }

    pub(super) fn run(&self) -> Result<ExitCode, Failure> {
        let Sprt { elo0, elo1, .. } = self.test;
        if elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
            return Err(usage(format_args!(
                "`--elo0 {elo0}` is not less than `--elo1 {elo1}`. Give two numbers, the lower one to `--elo0`"
            )));
        }
        let (least, most) = (self.test.min_pairs, self.max_pairs);
        // The usual least serves longer tests: a short one ends undecided.
        if least > most && least != Sprt::default().min_pairs {
            return Err(usage(format_args!(
                "`--max-pairs {most}` is less than `--min-pairs {least}`. Lower `--min-pairs` too"
            )));
        }
        let earlier = self.result.earlier()?;
        let mut plan = self.plan(earlier.as_ref())?;
        let test = Some(&self.test);
        let mut run = Run::start(&self.result, &mut plan, test, earlier.as_ref())?;
        let earlier = earlier.map_or(Vec::new(), |earlier| earlier.games);
        let earlier = PlayedPair::of_games(earlier, plan.settings.contest.players());
        // An interrupted pair is played to its end, and then given with its earlier games.
        let halves = earlier.values().filter(|pair| pair.interrupted);
        let halves = halves.flat_map(|pair| &pair.games);
        let mut recorded: BTreeSet<u64> = halves.map(|game| game.number).collect();
        let mut seen = Seen::default();
        earlier.values().cloned().for_each(|pair| seen.add(pair));
        let unit = pairs_or_rounds(plan.settings.contest.players());
        let mut progress = Progress::new(unit, None);
        let (watch, stop) = (run.watch(), run.stop.clone());
        let started = Instant::now();
        let whole = earlier
            .values()
            .filter(|pair| !pair.interrupted && pair.void().is_none());
        run.show(whole.flat_map(|pair| &pair.games), None);
        let test = run_sprt(
            &plan,
            self.test,
            earlier,
            &stop,
            watch.as_deref(),
            |pair, test| {
                let new = pair
                    .games
                    .iter()
                    .filter(|game| !recorded.remove(&game.number));
                run.keep(pair.replaced.iter().chain(new));
                let shown = pair.games.iter().filter(|_| pair.void().is_none());
                run.show(shown, Some(self.live_progress(&plan, test)));
                seen.add(pair);
                progress.show(test.counts().pairs(), || line(test));
            },
        )?;
        progress.finish();
        let conclusion = match test.verdict() {
            SprtVerdict::Undecided => Conclusion::Undecided,
            _ if test.is_about_faults() && !self.count_faults => Conclusion::Faults,
            SprtVerdict::Better => Conclusion::Better,
            SprtVerdict::NotBetter => Conclusion::NotBetter,
        };
        seen.games.sort_by_key(|game| game.number);
        let names: Vec<&str> = plan.bots.iter().map(|bot| &*bot.spec.name).collect();
        let outcome = Outcome {
            pairs: clusters(&test),
            summary: summarise(&seen.games, &names),
            plan: &plan,
            run: &test,
            conclusion,
            seen: &seen,
            elapsed: started.elapsed(),
        };
        let mut result = Vec::new();
        if self.result.json {
            write_json(&mut result, &outcome.json())?;
        } else {
            outcome.write(&mut result)?;
        }
        let counts = test.counts();
        let pairs = count_pairs(counts.pairs(), counts.players());
        let played = format_args!("the test ended early, after {pairs}");
        run.end(&result, test.verdict() != SprtVerdict::Undecided, played)?;
        run.wait()?;
        Ok(ExitCode::from(conclusion as u8))
    }

    /// The state of the test, for its page.
    fn live_progress(&self, plan: &MatchPlan, run: &OrderedSprt) -> RunProgress {
        let (test, counts) = (run.test(), run.counts());
        RunProgress {
            unit: pairs_or_rounds(counts.players()).into(),
            done: counts.pairs(),
            all: self.max_pairs,
            sprt: Some(SprtProgress {
                bots: [0, 1].map(|bot: usize| plan.bots[bot].spec.name.clone()),
                elo: [test.elo0, test.elo1],
                ratio: test.log_likelihood_ratio(counts),
                bounds: test.bounds().into(),
            }),
        }
    }
}

/// The result of a test, with its exit status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Conclusion {
    Better = 0,
    NotBetter = 1,
    Undecided = 3,
    /// Faults decided the verdict, so there is none.
    Faults = 5,
}

/// What is shown about the games, in addition to the test.
#[derive(Default)]
struct Seen {
    /// Those of pairs that are not void.
    games: Vec<GameRecord>,
    /// Pairs in which the referee failed, or a bot did not start.
    spoiled: usize,
    /// Pairs in which a bot was late for a cause that cannot be known.
    void: usize,
}

impl Seen {
    fn add(&mut self, pair: PlayedPair) {
        if pair.interrupted {
            return;
        }
        match pair.void().map(|(cause, _)| cause) {
            Some(VoidCause::Starved) => self.void += 1,
            Some(_) => self.spoiled += 1,
            None => {
                for mut game in pair.games {
                    // All of a long test may not fit into memory.
                    game.keep_stderr(StderrKept::Faults, usize::MAX);
                    self.games.push(game);
                }
            }
        }
    }
}

/// The first bot's points in the pairs that were counted.
fn clusters(run: &OrderedSprt) -> Vec<Cluster> {
    let games = run.counts().players() as f64;
    let cluster = |half_points: u32| Cluster {
        points: f64::from(half_points) / 2.0,
        games,
    };
    let counts = (0..).zip(run.counts().by_half_points());
    let clusters = counts.flat_map(|(points, &count)| repeat_n(cluster(points), count as usize));
    clusters.collect()
}

/// The state of the test in a line.
fn line(run: &OrderedSprt) -> String {
    let (lower, upper) = run.test().bounds();
    let counts = run.counts();
    let score = score_interval(&clusters(run))
        .map_or_else(String::new, |score| format!("   score {}", percent(&score)));
    format!(
        "{}   LLR {:.2} of {lower:.2} to {upper:.2}{score}",
        count_pairs(counts.pairs(), counts.players()),
        run.test().log_likelihood_ratio(counts)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_stats::sprt::SprtPair;

    #[test]
    fn the_state_of_a_test_fits_into_a_line() {
        let mut run = OrderedSprt::new(Sprt::default(), 2);
        insta::assert_snapshot!(line(&run));
        for number in 1..=40 {
            let half_points = [2, 3, 2, 4, 1][number % 5];
            let pair = SprtPair {
                half_points,
                by_fault: false,
            };
            run.add(number as u64, pair);
        }
        insta::assert_snapshot!(line(&run));
    }
}
