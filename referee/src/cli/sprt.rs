//! `crownhead sprt`: whether one bot is better than another, decided as soon as the games allow.

use super::Failure;
use super::match_::{create, write_games};
use super::playing::{PlayingOptions, interrupts};
use super::progress::{TICK, progress_bar};
use super::report::{ended_by, percent};
use crate::openings::Source;
use crate::runner::{MatchPlan, PlayedPair, VoidCause, VoidPair, run_sprt};
use crate::stats::sprt::{OrderedSprt, Scale, Sprt, SprtVerdict};
use crate::stats::{Cluster, Interval, score_interval};
use clap::Args;
use crownhead::explain::Explain;
use crownhead_bots::games::{GameVisitor, Played};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Play games until it is clear whether bot A is better than bot B
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead sprt ./new ./old --elo0 0 --elo1 10
  crownhead sprt './bot --tuned' ./bot --elo0 0 --elo1 20 --openings ballots --record games.jsonl
  if crownhead sprt ./new ./old; then cp new old; fi

The test weighs how likely the games are if A is better by at least elo1 against how likely they are if it is \
better by at most elo0, pair by pair (the same opening, of 6 random moves unless you name others, colours \
swapped), and ends as soon as one of them is \
clear: a bot of elo0 is accepted in at most alpha of all tests, one of elo1 refused in at most beta.

Exit status: 0 better, 1 not better, 2 unusable arguments, 3 undecided after the last game, 4 failed, 130 \
interrupted.")]
pub(super) struct RunSprt {
    /// The bot that may be better: a built-in's name with its options, or a command line
    #[arg(value_name = "A")]
    a: String,
    /// The bot to compare it with
    #[arg(value_name = "B")]
    b: String,
    #[command(flatten)]
    test: Sprt,
    /// Undecided after so many pairs
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_pairs: u64,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    /// Write every game to this new file as its pair ends, one JSON object a line
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// The status of a test that failed: none that is a verdict.
pub(super) const FAILED: u8 = 4;

/// How often a line is written where there is no terminal.
const PLAIN_LINES: Duration = Duration::from_secs(60);

/// Without openings two bots that leave nothing to chance would play one pair again and again.
const USUAL_OPENINGS: Source = Source::Random(6);

impl RunSprt {
    pub(super) fn run(&self) -> Result<ExitCode, Failure> {
        let Sprt { elo0, elo1, .. } = self.test;
        if elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
            return Err(Failure::Usage(format!(
                "--elo0 {elo0} and --elo1 {elo1}: expected the first to be less than the second"
            )));
        }
        struct Decide<'a>(&'a RunSprt);
        impl GameVisitor for Decide<'_> {
            type Output = Result<ExitCode, Failure>;
            fn run<G: Played>(self) -> Result<ExitCode, Failure> {
                self.0.decide::<G>()
            }
        }
        self.playing.options.game.choose(Decide(self))
    }

    fn decide<G: Explain>(&self) -> Result<ExitCode, Failure> {
        let plan =
            self.playing
                .plan::<G>([&self.a, &self.b], 2 * self.max_pairs, USUAL_OPENINGS)?;
        let mut record = self.record.as_ref().map(create).transpose()?;
        let stop = interrupts()?;
        let mut seen = Seen::default();
        let progress = progress_bar(self.json, None, "{spinner} {msg}   {elapsed}");
        progress.enable_steady_tick(TICK);
        let mut told = Instant::now();
        let run = run_sprt::<G>(&plan, self.test, &stop, |pair, run| {
            if let Some(file) = &mut record {
                write_games(file, pair.replaced.iter().chain(&pair.games))?;
            }
            seen.add(&pair);
            if !progress.is_hidden() {
                progress.set_message(line(run));
            } else if !self.json && told.elapsed() >= PLAIN_LINES {
                anstream::eprintln!("{}", line(run));
                told = Instant::now();
            }
            Ok(())
        })?;
        progress.finish_and_clear();
        let interrupted = run.verdict() == SprtVerdict::Undecided && stop.load(Ordering::Relaxed);
        let mut out = anstream::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &json(G::NAME, &plan, &run, &seen))?;
            writeln!(out)?;
        } else {
            write_table(&plan, &run, &seen, &mut out)?;
        }
        if interrupted {
            return Err(Failure::Interrupted);
        }
        Ok(match run.verdict() {
            SprtVerdict::Better => ExitCode::SUCCESS,
            SprtVerdict::NotBetter => ExitCode::from(1),
            SprtVerdict::Undecided => ExitCode::from(3),
        })
    }
}

/// What is shown of the games besides the test.
#[derive(Default)]
struct Seen {
    terminations: BTreeMap<String, u64>,
    /// Pairs that were played again.
    spoiled: u64,
    /// Pairs in which a bot may have wanted a core.
    void: u64,
}

impl Seen {
    fn add(&mut self, pair: &PlayedPair) {
        match pair.void() {
            None => {}
            Some(VoidPair {
                cause: VoidCause::Starved,
                ..
            }) => {
                self.void += 1;
                return;
            }
            Some(_) => {
                self.spoiled += 1;
                return;
            }
        }
        for game in &pair.games {
            let ended = game.termination.to_string();
            *self.terminations.entry(ended).or_default() += 1;
        }
    }
}

/// The score of the first bot over the pairs that were counted.
fn score(run: &OrderedSprt) -> Option<Interval> {
    let clusters: Vec<Cluster> = (0_u32..)
        .zip(run.counts().0)
        .flat_map(|(half_points, count)| {
            let cluster = Cluster {
                points: f64::from(half_points) / 2.0,
                games: 2.0,
            };
            std::iter::repeat_n(cluster, count as usize)
        })
        .collect();
    score_interval(&clusters)
}

fn describe(verdict: SprtVerdict) -> &'static str {
    match verdict {
        SprtVerdict::Better => "better",
        SprtVerdict::NotBetter => "not better",
        SprtVerdict::Undecided => "undecided",
    }
}

fn scale_word(scale: Scale) -> &'static str {
    match scale {
        Scale::Normalised => "normalised Elo",
        Scale::Logistic => "logistic Elo",
    }
}

fn write_table(
    plan: &MatchPlan,
    run: &OrderedSprt,
    seen: &Seen,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let bold = anstyle::Style::new().bold();
    let test = run.test();
    let (lower, upper) = test.bounds();
    let [a, b] = plan.bots.each_ref().map(|bot| bot.name.as_str());
    let counts = run.counts();
    let verdict = describe(run.verdict());
    writeln!(out, "{bold}{verdict}{bold:#}  is {a} better than {b}?\n")?;
    writeln!(
        out,
        "hypotheses  {} {} against {} at most, errors {} and {}",
        test.elo1,
        scale_word(test.scale),
        test.elo0,
        test.alpha,
        test.beta
    )?;
    writeln!(
        out,
        "ratio       {:.2} after {} pairs; verdicts at {lower:.2} and {upper:.2}",
        test.log_likelihood_ratio(counts),
        counts.pairs()
    )?;
    if let Some(score) = score(run) {
        writeln!(out, "score       {} for {a}", percent(&score))?;
    }
    let results = ["0", "½", "1", "1½", "2"].iter().zip(counts.0);
    let results: Vec<String> = results
        .map(|(points, count)| format!("{points}: {count}"))
        .collect();
    let results = results.join("   ");
    writeln!(out, "pairs       by points of {a}: {results}")?;
    let ended = ended_by(&seen.terminations);
    writeln!(out, "ended by    {ended}")?;
    if run.uncounted() > 0 {
        writeln!(
            out,
            "not counted {} pairs that finished out of their turn",
            run.uncounted()
        )?;
    }
    if seen.spoiled > 0 {
        writeln!(
            out,
            "played again {} pairs that the referee spoiled, or in which a bot did not start",
            seen.spoiled
        )?;
    }
    if seen.void > 0 {
        writeln!(
            out,
            "void        {} pairs in which a bot lost on time and may have wanted a core",
            seen.void
        )?;
    }
    writeln!(out, "seed        {}", plan.settings.seed)
}

fn json(game: &str, plan: &MatchPlan, run: &OrderedSprt, seen: &Seen) -> Value {
    let (lower, upper) = run.test().bounds();
    json!({
        "version": 1,
        "verdict": run.verdict(),
        "bots": plan.bots.each_ref().map(|bot| &bot.name),
        "test": run.test(),
        "log_likelihood_ratio": run.test().log_likelihood_ratio(run.counts()),
        "bounds": [lower, upper],
        "pairs": run.counts().pairs(),
        "pairs_by_half_points": run.counts(),
        "score": score(run),
        "not_counted": run.uncounted(),
        "spoiled": seen.spoiled,
        "void": seen.void,
        "terminations": seen.terminations,
        "game": game,
        "rules": plan.settings.rules.name,
        "limits": plan.settings.limits,
        "seed": plan.settings.seed,
        "openings": plan.openings.source().to_string(),
    })
}

/// The state of the test in a line.
fn line(run: &OrderedSprt) -> String {
    let (lower, upper) = run.test().bounds();
    let counts = run.counts();
    let score =
        score(run).map_or_else(String::new, |score| format!("   score {}", percent(&score)));
    format!(
        "{} pairs   ratio {:.2} of {lower:.2} to {upper:.2}{score}",
        counts.pairs(),
        run.test().log_likelihood_ratio(counts)
    )
}
