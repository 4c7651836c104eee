//! The result of a sequential test: its verdict, its numbers and its games, for people and as JSON.

use super::{Conclusion, Seen};
use crate::faults::fault_json;
use crate::report::{
    count_pairs, limits_in_force, pairs_or_rounds, percent, settings_in_words, show_elo,
    write_games,
};
use crate::table::bold;
use crownhead_arena::runner::MatchPlan;
use crownhead_record::numbers::{show_count, show_time};
use crownhead_record::totals::MatchSummary;
use crownhead_stats::sprt::{OrderedSprt, Scale, Sprt, SprtVerdict};
use crownhead_stats::{Cluster, normalised_elo, score_interval};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// Everything that is known at the end of a test.
pub(super) struct Outcome<'a> {
    pub(super) plan: &'a MatchPlan,
    pub(super) run: &'a OrderedSprt,
    pub(super) conclusion: Conclusion,
    pub(super) seen: &'a Seen,
    /// The first bot's points in the pairs that were counted.
    pub(super) pairs: Vec<Cluster>,
    /// How long this run took.
    pub(super) elapsed: Duration,
    pub(super) summary: MatchSummary,
}

impl Outcome<'_> {
    /// The other bots of each game.
    fn field(&self) -> Vec<&str> {
        let others = self.plan.bots.iter().skip(2);
        others.map(|bot| bot.spec.name.as_str()).collect()
    }

    fn names(&self) -> [&str; 2] {
        [0, 1].map(|bot: usize| self.plan.bots[bot].spec.name.as_str())
    }

    pub(super) fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{} {}\n", bold(&self.verdict()), self.why())?;
        for (label, text) in self.lines() {
            writeln!(out, "{label:<12} {text}")?;
        }
        write_games(&self.summary, &self.seen.games, self.uncounted(), out)?;
        if self.conclusion == Conclusion::Faults {
            let (decided, by_faults) = self.run.decided();
            let pairs = pairs_or_rounds(self.run.counts().players());
            writeln!(
                out,
                "\nFaults decided {by_faults} of {decided} decided {pairs}, so the test cannot say who plays better. \
                 Fix the bot, or add --count-faults to get the verdict anyway."
            )?;
        }
        Ok(())
    }

    fn verdict(&self) -> String {
        let [a, b] = self.names();
        match self.conclusion {
            Conclusion::Better => format!("{a} is better than {b}"),
            Conclusion::NotBetter => format!("{a} is not better than {b}"),
            Conclusion::Undecided => format!("Undecided whether {a} is better than {b}"),
            Conclusion::Faults => format!("No verdict on whether {a} is better than {b}"),
        }
    }

    /// What the verdict rests on: `(LLR 2.98 ≥ 2.94, 85 pairs, 12.30 s)`.
    fn why(&self) -> String {
        let (test, counts) = (self.run.test(), self.run.counts());
        let (lower, upper) = test.bounds();
        let ratio = test.log_likelihood_ratio(counts);
        let ratio = match self.run.verdict() {
            SprtVerdict::Better => format!("LLR {ratio:.2} ≥ {upper:.2}"),
            SprtVerdict::NotBetter => format!("LLR {ratio:.2} ≤ {lower:.2}"),
            SprtVerdict::Undecided => format!("LLR {ratio:.2} between {lower:.2} and {upper:.2}"),
        };
        let pairs = count_pairs(counts.pairs(), counts.players());
        format!("({ratio}, {pairs}, {})", show_time(self.elapsed))
    }

    /// What is known of the test, with a label each.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let (run, test) = (self.run, self.run.test());
        let [a, b] = self.names();
        let counts = run.counts();
        let pairs = pairs_or_rounds(counts.players());
        let Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = test;
        let scale = match test.scale {
            Scale::Normalised => "normalised Elo",
            Scale::Logistic => "logistic Elo",
        };
        let hypotheses = format!("H0: ≤ {elo0}, H1: ≥ {elo1} {scale}, α {alpha}, β {beta}");
        let mut lines = vec![("hypotheses", hypotheses)];
        if let Some(score) = score_interval(&self.pairs) {
            let elo = show_elo(&score.elo(), normalised_elo(&self.pairs).as_ref(), a);
            lines.push(("score", format!("{} for {a}", percent(&score))));
            lines.push(("Elo", elo));
        }
        let results = counts.by_half_points().iter().enumerate();
        let results = results.map(|(points, &count)| {
            let count = show_count(count);
            format!("{}: {count}", halves(points))
        });
        let results = results.collect::<Vec<_>>().join("   ");
        // Two games of 0, 1 or 2 half points each have five results.
        let label = match counts.players() {
            2 => "pentanomial",
            _ => pairs,
        };
        lines.push((label, format!("{results}   ({pairs} by points of {a})")));
        let field = self.field();
        if !field.is_empty() {
            lines.push((
                "field",
                format!(
                    "{}; each game is a result between {a} and {b}: the better rank wins",
                    field.join(", ")
                ),
            ));
        }
        lines.push(("settings", settings_in_words(self.plan)));
        lines
    }

    /// The pairs that the test did not count, and why.
    fn uncounted(&self) -> impl Iterator<Item = String> {
        let players = self.run.counts().players();
        let uncounted = [
            (
                "not counted",
                self.run.uncounted(),
                "that finished out of order, or after the verdict",
            ),
            (
                "void",
                self.seen.spoiled,
                "in which the referee failed or a bot did not start",
            ),
            (
                "void",
                self.seen.void,
                "in which a bot timed out each time, and the machine was too busy to say why",
            ),
        ];
        let uncounted = uncounted.into_iter().filter(|(_, count, _)| *count > 0);
        uncounted.map(move |(label, count, what)| {
            let pairs = count_pairs(count as u64, players);
            format!("{label:<12} {pairs} {what}")
        })
    }

    pub(super) fn json(&self) -> Value {
        let (plan, run, seen, test) = (self.plan, self.run, self.seen, self.run.test());
        let score = score_interval(&self.pairs);
        let (decided, by_faults) = run.decided();
        let terminations = self.summary.terminations.iter();
        let terminations = terminations.map(|(ending, &count)| (ending.to_string(), count));
        let faulty = seen.games.iter();
        let faulty = faulty.filter(|game| !game.termination.is_regular());
        let faults_by_bot = self.summary.bots.iter();
        let faults_by_bot = faults_by_bot.filter(|bot| !bot.faults.is_empty());
        json!({
            "version": 1,
            "verdict": self.conclusion,
            "bots": self.names(),
            "players": plan.settings.contest.players(),
            "field": self.field(),
            "compared_by": "rank",
            "test": test,
            "log_likelihood_ratio": test.log_likelihood_ratio(run.counts()),
            "bounds": test.bounds(),
            "pairs": run.counts().pairs(),
            "pairs_by_half_points": run.counts(),
            "score": score,
            "elo": score.map(|score| score.elo()),
            "normalised_elo": normalised_elo(&self.pairs),
            "decided_pairs": decided,
            "decided_by_faults": by_faults,
            "not_counted": run.uncounted(),
            "spoiled": seen.spoiled,
            "void": seen.void,
            "terminations": terminations.collect::<BTreeMap<String, u64>>(),
            "faults_by_bot": faults_by_bot
                .map(|bot| (&bot.name, &bot.faults))
                .collect::<BTreeMap<_, _>>(),
            "faults": faulty.map(fault_json).collect::<Vec<_>>(),
            "game": plan.settings.contest.name(),
            "rules": plan.settings.contest.rules_name(),
            "limits": limits_in_force(&plan.settings),
            "seed": plan.settings.seed,
            "openings": plan.openings.source().to_string(),
        })
    }
}

/// Half points, written as points: `0`, `½`, `1`, `1½`.
fn halves(half_points: usize) -> String {
    match (half_points / 2, half_points % 2) {
        (points, 0) => points.to_string(),
        (0, _) => "½".into(),
        (points, _) => format!("{points}½"),
    }
}
