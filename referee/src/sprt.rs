//! `crownhead sprt`: whether one bot is better than another, decided as soon as the games allow.

use super::output::RecordOptions;
use super::playing::PlayingOptions;
use super::progress::Progress;
use super::report::{ended_by, fault_json, percent, show_elo, write_faults};
use crate::failure::Failure;
use crate::interrupts::interrupts;
use clap::Args;
use crownhead_arena::runner::{MatchPlan, PlayedPair, VoidCause, VoidPair, run_sprt};
use crownhead_record::GameRecord;
use crownhead_record::Termination;
use crownhead_record::stats::sprt::{OrderedSprt, Scale, Sprt, SprtVerdict};
use crownhead_record::stats::{Cluster, normalised_elo, score_interval};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Play games until it is clear whether bot A is better than bot B
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead sprt ./new ./old --elo0 0 --elo1 10
  crownhead sprt './bot --tuned' ./bot --elo0 0 --elo1 20 --record games.jsonl
  if crownhead sprt ./new ./old; then cp new old; fi

The test weighs how likely the games are if A is better by at least elo1 against how likely they are if it is \
better by at most elo0, pair by pair (the same opening, colours swapped), and ends as soon as one of them is \
clear: a bot of elo0 is accepted in at most alpha of all tests, one of elo1 refused in at most beta. Where most \
decided pairs were decided by faults, the games tell which bot fails less and not which is better, and there is no \
verdict.

Exit status: 0 better, 1 not better, 2 unusable arguments, 3 undecided after the last game, 4 failed, 5 no verdict \
for faults decided it, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).")]
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
    /// Give the verdict also where faults decided most pairs
    #[arg(long)]
    count_faults: bool,
    #[command(flatten)]
    playing: PlayingOptions,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    record: RecordOptions,
}

/// The status of a test that failed: none that is a verdict.
pub(super) const FAILED: u8 = 4;

impl RunSprt {
    pub(super) fn run(&self) -> Result<ExitCode, Failure> {
        let Sprt { elo0, elo1, .. } = self.test;
        if elo0 >= elo1 || !elo0.is_finite() || !elo1.is_finite() {
            return Err(Failure::Usage(format!(
                "--elo0 {elo0} and --elo1 {elo1}: expected the first to be less than the second"
            )));
        }
        self.decide()
    }

    fn decide(&self) -> Result<ExitCode, Failure> {
        let bots = [self.a.clone(), self.b.clone()];
        let plan = self.playing.plan(&bots, 2 * self.max_pairs)?;
        let mut record = self.record.open(self.playing.options.game)?;
        let stop = interrupts()?;
        let mut seen = Seen::default();
        let mut progress = Progress::new("pairs", None);
        let run = run_sprt::<anyhow::Error>(&plan, self.test, &stop, |pair, run| {
            if let Some(file) = &mut record {
                file.add_all(pair.replaced.iter().chain(&pair.games))?;
            }
            seen.add(pair);
            progress.show(run.counts().pairs(), || line(run));
            Ok(())
        })?;
        progress.finish();
        let interrupted = run.verdict() == SprtVerdict::Undecided && stop.load(Ordering::Relaxed);
        let conclusion = match run.verdict() {
            SprtVerdict::Undecided => Conclusion::Undecided,
            _ if run.is_about_faults() && !self.count_faults => Conclusion::Faults,
            SprtVerdict::Better => Conclusion::Better,
            SprtVerdict::NotBetter => Conclusion::NotBetter,
        };
        let mut out = self.record.result();
        if self.json {
            let result = json(
                self.playing.options.game.name(),
                &plan,
                &run,
                conclusion,
                &seen,
            );
            serde_json::to_writer_pretty(&mut out, &result)?;
            writeln!(out)?;
        } else {
            write_table(&plan, &run, conclusion, &seen, &mut out)?;
        }
        if interrupted {
            return Err(crate::interrupts::interrupted());
        }
        Ok(ExitCode::from(conclusion as u8))
    }
}

/// What a test comes to, and its status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Conclusion {
    Better = 0,
    NotBetter = 1,
    Undecided = 3,
    /// A verdict that faults decided.
    Faults = 5,
}

/// What is shown of the games besides the test.
#[derive(Default)]
struct Seen {
    terminations: BTreeMap<String, u64>,
    /// How each bot lost by faults of its own.
    faults: BTreeMap<String, BTreeMap<Termination, u64>>,
    /// Games that were lost so.
    faulty: Vec<GameRecord>,
    /// Pairs that were played again.
    spoiled: u64,
    /// Pairs in which a bot was late and nobody can know by whose doing.
    void: u64,
}

impl Seen {
    fn add(&mut self, pair: PlayedPair) {
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
        for game in pair.games {
            let ended = game.termination.to_string();
            *self.terminations.entry(ended).or_default() += 1;
            if game.termination.is_regular() {
                continue;
            }
            for (player, score) in game.players.iter().zip(game.scores.iter().flatten()) {
                if *score == 0.0 {
                    let faults = self.faults.entry(player.name.clone()).or_default();
                    *faults.entry(game.termination).or_default() += 1;
                }
            }
            self.faulty.push(game);
        }
    }
}

/// The first bot's points in the pairs that were counted.
fn clusters(run: &OrderedSprt) -> Vec<Cluster> {
    let cluster = |half_points: u32| Cluster {
        points: f64::from(half_points) / 2.0,
        games: 2.0,
    };
    let counts = (0..).zip(run.counts().0);
    counts
        .flat_map(|(points, count)| std::iter::repeat_n(cluster(points), count as usize))
        .collect()
}

fn describe(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Better => "better",
        Conclusion::NotBetter => "not better",
        Conclusion::Undecided => "undecided",
        Conclusion::Faults => "no verdict",
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
    conclusion: Conclusion,
    seen: &Seen,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let bold = anstyle::Style::new().bold();
    let test = run.test();
    let (lower, upper) = test.bounds();
    let [a, b] = [0, 1].map(|bot: usize| plan.bots[bot].name.as_str());
    let counts = run.counts();
    let verdict = describe(conclusion);
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
    let pairs = clusters(run);
    if let Some(score) = score_interval(&pairs) {
        writeln!(out, "score       {} for {a}", percent(&score))?;
        let elo = show_elo(&score.elo(), normalised_elo(&pairs).as_ref());
        writeln!(out, "Elo         {elo} for {a}")?;
    }
    let results = ["0", "½", "1", "1½", "2"].iter().zip(counts.0);
    let results: Vec<String> = results
        .map(|(points, count)| format!("{points}: {count}"))
        .collect();
    let results = results.join("   ");
    writeln!(out, "pairs       by points of {a}: {results}")?;
    let ended = ended_by(&seen.terminations);
    writeln!(out, "ended by    {ended}")?;
    for bot in [a, b] {
        if let Some(faults) = seen.faults.get(bot) {
            writeln!(out, "faults      {bot}: {}", ended_by(faults))?;
        }
    }
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
            "void        {} pairs in which a bot lost on time each time, and the machine was too busy to tell why",
            seen.void
        )?;
    }
    writeln!(out, "seed        {}", plan.settings.seed)?;
    write_faults(&seen.faulty, out)?;
    if conclusion == Conclusion::Faults {
        let (decided, by_faults) = run.decided();
        writeln!(
            out,
            "\n{by_faults} of {decided} decided pairs were decided by faults: this is no test of who plays better. Mend \
             the bot, or give the verdict all the same with --count-faults."
        )?;
    }
    Ok(())
}

fn json(
    game: &str,
    plan: &MatchPlan,
    run: &OrderedSprt,
    conclusion: Conclusion,
    seen: &Seen,
) -> Value {
    let (lower, upper) = run.test().bounds();
    let pairs = clusters(run);
    let score = score_interval(&pairs);
    let (decided, by_faults) = run.decided();
    json!({
        "version": 1,
        "verdict": conclusion,
        "bots": plan.bots.iter().map(|bot| &bot.name).collect::<Vec<_>>(),
        "test": run.test(),
        "log_likelihood_ratio": run.test().log_likelihood_ratio(run.counts()),
        "bounds": [lower, upper],
        "pairs": run.counts().pairs(),
        "pairs_by_half_points": run.counts(),
        "score": score,
        "elo": score.map(|score| score.elo()),
        "normalised_elo": normalised_elo(&pairs),
        "decided_pairs": decided,
        "decided_by_faults": by_faults,
        "not_counted": run.uncounted(),
        "spoiled": seen.spoiled,
        "void": seen.void,
        "terminations": seen.terminations,
        "faults_by_bot": seen.faults,
        "faults": seen.faulty.iter().map(fault_json).collect::<Vec<_>>(),
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
    let score = score_interval(&clusters(run))
        .map_or_else(String::new, |score| format!("   score {}", percent(&score)));
    format!(
        "{} pairs   ratio {:.2} of {lower:.2} to {upper:.2}{score}",
        counts.pairs(),
        run.test().log_likelihood_ratio(counts)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_record::stats::sprt::SprtPair;

    #[test]
    fn the_state_of_a_test_fits_into_a_line() {
        let mut run = OrderedSprt::new(Sprt::default());
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
