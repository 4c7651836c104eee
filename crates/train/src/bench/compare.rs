//! Compares two runs: ratios of nodes and speed, depths gained and lost, tactics gained and lost.

use super::positions::BenchPosition;
use super::report::{BenchReport, Limit, Trial};
use serde::Serialize;

/// How a run differs from an earlier one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The positions of the run that are in both, in their order.
    pub positions: Vec<Difference>,
    /// How many positions of either run are not in the other.
    pub unmatched: usize,
    /// The geometric mean of the ratios of nodes.
    pub nodes: f64,
    /// The geometric mean of the ratios of speed.
    pub speed: f64,
    /// The mean of the differences of depth, in plies.
    pub depth: f64,
    /// The signature of the earlier run.
    pub earlier_signature: Option<u64>,
}

/// How the search of one position differs from the earlier one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// The name of the position.
    pub name: String,
    /// Nodes now divided by nodes then.
    pub nodes: f64,
    /// Speed now divided by speed then.
    pub speed: f64,
    /// Depth now minus depth then.
    pub depth: i64,
    /// Whether the known best move was gained or lost.
    pub solved: Change,
}

/// Whether a position's best move was gained or lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Found now, and not before.
    Gained,
    /// Found before, and not now.
    Lost,
    /// As before, or no best move is known.
    None,
}

impl Comparison {
    /// How many positions went through this change.
    pub fn count(&self, change: Change) -> usize {
        let changes = self.positions.iter().map(|difference| difference.solved);
        changes.filter(|&solved| solved == change).count()
    }
}

/// Why two runs cannot be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomparable {
    /// They searched to different limits.
    #[error("it was run with {earlier}, this one with {now}; only runs within one limit compare")]
    Limits {
        /// The limit of the earlier run.
        earlier: Limit,
        /// The limit of this one.
        now: Limit,
    },
    /// They have no position in common.
    #[error("it has no position of this bench")]
    Positions,
}

/// Whether a run within `limit` can be compared with `earlier`, before it is made.
///
/// # Errors
/// When the earlier run had another limit.
pub fn check_limit(earlier: &BenchReport, limit: Limit) -> Result<(), Incomparable> {
    if earlier.limit == limit {
        Ok(())
    } else {
        Err(Incomparable::Limits {
            earlier: earlier.limit,
            now: limit,
        })
    }
}

/// Compares `now` with `earlier`. Positions are the same if their names and boards are.
///
/// # Errors
/// When the two have different limits or no position in common.
pub fn compare(earlier: &BenchReport, now: &BenchReport) -> Result<Comparison, Incomparable> {
    check_limit(earlier, now.limit)?;
    let positions: Vec<Difference> = now
        .positions
        .iter()
        .filter_map(|trial| {
            let BenchPosition { name, fen, .. } = &trial.position;
            let same = |other: &&Trial| (&other.position.name, &other.position.fen) == (name, fen);
            Some(difference(earlier.positions.iter().find(same)?, trial))
        })
        .collect();
    if positions.is_empty() {
        return Err(Incomparable::Positions);
    }
    Ok(Comparison {
        unmatched: now.positions.len() + earlier.positions.len() - 2 * positions.len(),
        nodes: geometric_mean(positions.iter().map(|one| one.nodes)),
        speed: geometric_mean(positions.iter().map(|one| one.speed)),
        depth: mean(positions.iter().map(|one| one.depth as f64)),
        earlier_signature: earlier.signature(),
        positions,
    })
}

fn difference(before: &Trial, after: &Trial) -> Difference {
    let (earlier, now) = (&before.measured, &after.measured);
    Difference {
        name: after.position.name.clone(),
        nodes: now.nodes.max(1) as f64 / earlier.nodes.max(1) as f64,
        speed: now.speed().max(1.0) / earlier.speed().max(1.0),
        depth: i64::from(now.depth) - i64::from(earlier.depth),
        solved: match (before.solved(), after.solved()) {
            (Some(false), Some(true)) => Change::Gained,
            (Some(true), Some(false)) => Change::Lost,
            _ => Change::None,
        },
    }
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len().max(1);
    numbers.sum::<f64>() / count as f64
}

/// For ratios: twice as many and half as many cancel out, and no large position dominates.
fn geometric_mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    mean(ratios.map(f64::ln)).exp()
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::trial;
    use super::*;
    use std::time::Duration;

    fn report(positions: Vec<Trial>) -> BenchReport {
        BenchReport::new(Limit::Depth(9), positions)
    }

    #[test]
    fn half_the_nodes_here_and_twice_the_nodes_there_are_no_change_on_the_whole() {
        let earlier = report(vec![
            trial("one", 9, 4000, "A3B4"),
            trial("two", 9, 100, "A3B4"),
        ]);
        let now = report(vec![
            trial("one", 9, 2000, "A3B4"),
            trial("two", 8, 200, "A3B4"),
        ]);
        let comparison = compare(&earlier, &now).unwrap();
        let nodes: Vec<f64> = comparison.positions.iter().map(|one| one.nodes).collect();
        assert_eq!(nodes, [0.5, 2.0]);
        assert!((comparison.nodes - 1.0).abs() < 1e-9);
        assert!((comparison.speed - 1.0).abs() < 1e-9);
        assert_eq!(comparison.depth, -0.5);
        assert_eq!(comparison.earlier_signature, Some(4100));
    }

    #[test]
    fn tactics_gained_and_lost_are_told_apart() {
        let earlier = ["A3B4", "C3D4", "A3B4", "C3D4"];
        let now = ["C3D4", "A3B4", "A3B4", "E3D4"];
        let [earlier, now] = [earlier, now].map(|moves| {
            let trials = ["a", "b", "c", "d"].iter().zip(moves);
            report(trials.map(|(name, best)| trial(name, 9, 1, best)).collect())
        });
        let comparison = compare(&earlier, &now).unwrap();
        let changes: Vec<Change> = comparison.positions.iter().map(|one| one.solved).collect();
        assert_eq!(
            changes,
            [Change::Lost, Change::Gained, Change::None, Change::None]
        );
        assert_eq!(comparison.count(Change::Gained), 1);
    }

    #[test]
    fn only_positions_that_both_runs_have_are_compared() {
        let earlier = report(vec![
            trial("gone", 9, 7, "A3B4"),
            trial("one", 9, 7, "A3B4"),
        ]);
        let mut moved = trial("moved", 9, 7, "A3B4");
        let now = report(vec![trial("one", 9, 7, "A3B4"), moved.clone()]);
        let comparison = compare(&earlier, &now).unwrap();
        assert_eq!((comparison.positions.len(), comparison.unmatched), (1, 2));
        moved.position.fen = "another board".into();
        let error = compare(&now, &report(vec![moved])).unwrap_err();
        assert_eq!(error, Incomparable::Positions);
    }

    #[test]
    fn runs_within_different_limits_are_refused_with_both_limits() {
        let earlier = BenchReport::new(Limit::Time(Duration::from_millis(100)), vec![]);
        let error = compare(&earlier, &report(vec![])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "it was run with --time 100ms, this one with --depth 9; only runs within one limit compare"
        );
    }
}
