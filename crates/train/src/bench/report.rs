//! The measurements of a run, sums derived from them, and their JSON.

use super::positions::BenchPosition;
use crownhead::search::PROVEN;
use crownhead_record::judge::microseconds;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// What ends each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Limit {
    /// This depth is completed, in plies.
    #[serde(rename = "depth")]
    Depth(u32),
    /// This time has passed.
    #[serde(rename = "time_us", with = "microseconds")]
    Time(Duration),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(depth) => write!(f, "--depth {depth}"),
            Limit::Time(time) => write!(f, "--time {}", humantime::format_duration(*time)),
        }
    }
}

/// The results of one run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BenchReport {
    /// What ended each search.
    pub limit: Limit,
    /// The positions in their order.
    pub positions: Vec<Trial>,
}

/// The search of one position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trial {
    /// What was searched.
    #[serde(flatten)]
    pub position: BenchPosition,
    /// Its result.
    #[serde(flatten)]
    pub measured: Measured,
}

/// What a search found and how long it took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Measured {
    /// The last depth completed.
    pub depth: u32,
    /// The deepest ply searched.
    pub selective_depth: u32,
    /// The nodes searched.
    pub nodes: u64,
    /// How long it took.
    #[serde(rename = "us", with = "microseconds")]
    pub time: Duration,
    /// The score found, in hundredths of a man.
    pub score: i32,
    /// The best move found.
    pub best: String,
}

impl Measured {
    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        speed(self.nodes, self.time)
    }
}

impl Trial {
    /// Whether the known best move was found, or another that is proven to win; `None` where none is known.
    pub fn solved(&self) -> Option<bool> {
        let expected = self.position.expected.as_ref()?;
        Some(*expected == self.measured.best || self.measured.score >= PROVEN)
    }
}

/// All positions of a run together.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Totals {
    /// The nodes searched.
    pub nodes: u64,
    /// The time taken.
    #[serde(rename = "us", with = "microseconds")]
    pub time: Duration,
    /// Nodes a second.
    pub nodes_per_second: f64,
    /// The depth that half of the searches completed at least.
    pub median_depth: u32,
    /// The mean of the depths.
    pub mean_depth: f64,
    /// How many known best moves were found.
    pub solved: usize,
    /// How many best moves are known.
    pub solvable: usize,
}

impl BenchReport {
    /// The node count that identifies the behaviour of the search; only a fixed depth has one.
    pub fn signature(&self) -> Option<u64> {
        match self.limit {
            Limit::Depth(_) => Some(self.measured().map(|one| one.nodes).sum()),
            Limit::Time(_) => None,
        }
    }

    fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.positions.iter().map(|trial| &trial.measured)
    }

    /// All positions together.
    pub fn totals(&self) -> Totals {
        let nodes = self.measured().map(|one| one.nodes).sum();
        let time = self.measured().map(|one| one.time).sum();
        let mut depths: Vec<u32> = self.measured().map(|one| one.depth).collect();
        depths.sort_unstable_by(|a, b| b.cmp(a));
        let solved: Vec<bool> = self.positions.iter().filter_map(Trial::solved).collect();
        Totals {
            nodes,
            time,
            nodes_per_second: speed(nodes, time),
            median_depth: depths
                .get(depths.len().saturating_sub(1) / 2)
                .map_or(0, |&depth| depth),
            mean_depth: f64::from(depths.iter().sum::<u32>()) / depths.len().max(1) as f64,
            solved: solved.iter().filter(|&&solved| solved).count(),
            solvable: solved.len(),
        }
    }

    /// The report as one JSON object, with the signature and the totals first.
    pub fn to_json(&self) -> Value {
        let mut value = serde_json::to_value(self).expect("a report is plain data");
        value["signature"] = json!(self.signature());
        value["totals"] = json!(self.totals());
        for (shown, trial) in value["positions"]
            .as_array_mut()
            .into_iter()
            .flatten()
            .zip(&self.positions)
        {
            shown["nodes_per_second"] = json!(trial.measured.speed());
            shown["solved"] = json!(trial.solved());
        }
        value
    }
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::super::positions::PositionKind;
    use super::*;

    /// A search that looked at a million positions a second.
    fn trial(name: &str, depth: u32, nodes: u64, best: &str) -> Trial {
        let time = Duration::from_micros(nodes);
        Trial {
            position: BenchPosition {
                name: name.into(),
                kind: PositionKind::Tactic,
                fen: format!("the board of {name}"),
                moves: Vec::new(),
                expected: Some("A3B4".into()),
            },
            measured: Measured {
                depth,
                selective_depth: depth + 5,
                nodes,
                time,
                score: 12,
                best: best.into(),
            },
        }
    }

    fn report() -> BenchReport {
        let positions = vec![
            trial("one", 10, 4000, "A3B4"),
            trial("two", 12, 1000, "C3B4"),
            trial("three", 20, 5000, "A3B4"),
        ];
        BenchReport {
            limit: Limit::Depth(20),
            positions,
        }
    }

    #[test]
    fn totals_and_signature_are_derived_from_the_positions() {
        let report = report();
        assert_eq!(report.signature(), Some(10_000));
        let totals = report.totals();
        assert_eq!(
            (totals.nodes, totals.time),
            (10_000, Duration::from_millis(10))
        );
        assert_eq!((totals.median_depth, totals.mean_depth), (12, 14.0));
        assert_eq!((totals.solved, totals.solvable), (2, 3));
        assert!((totals.nodes_per_second - 1e6).abs() < 1.0);
    }

    #[test]
    fn a_run_within_a_time_limit_has_no_signature() {
        let limit = Limit::Time(Duration::from_millis(100));
        let report = BenchReport {
            limit,
            positions: Vec::new(),
        };
        assert_eq!(report.signature(), None);
    }

    #[test]
    fn half_of_the_searches_complete_the_median_depth_at_least() {
        let depths = [9, 4, 7, 5].map(|depth| trial("one", depth, 1, "A3B4"));
        let report = BenchReport {
            limit: Limit::Depth(9),
            positions: depths.to_vec(),
        };
        assert_eq!(report.totals().median_depth, 7);
    }
}
