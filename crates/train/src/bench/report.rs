//! The measurements of a run: sums derived from them, and JSON in both directions.

use super::positions::BenchPosition;
use crownhead::search::PROVEN;
use crownhead_record::format_error::plain_format;
use crownhead_record::judge::microseconds;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;

/// What ends each search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BenchReport {
    /// Always [`FORMAT`].
    format: String,
    /// Always [`VERSION`].
    version: u32,
    /// What ended each search.
    pub limit: Limit,
    /// The positions in their order.
    pub positions: Vec<Trial>,
}

/// The search of one position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// What was searched.
    #[serde(flatten)]
    pub position: BenchPosition,
    /// Its result.
    #[serde(flatten)]
    pub measured: Measured,
}

/// What a search found and how long it took.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    /// When each depth was completed, shallowest first.
    pub completed: Vec<CompletedDepth>,
}

/// A depth that a search has completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompletedDepth {
    /// The depth, in plies.
    pub depth: u32,
    /// The nodes up to then.
    pub nodes: u64,
    /// The time up to then.
    #[serde(rename = "us", with = "microseconds")]
    pub time: Duration,
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

/// The marker of a report.
const FORMAT: &str = "crownhead bench";

/// The version of the format.
const VERSION: u32 = 1;

impl BenchReport {
    /// The report of a run.
    pub fn new(limit: Limit, positions: Vec<Trial>) -> BenchReport {
        BenchReport {
            format: FORMAT.into(),
            version: VERSION,
            limit,
            positions,
        }
    }

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

    /// Reads what [`to_json`](BenchReport::to_json) wrote.
    ///
    /// # Errors
    /// When the text is something else, with what was expected.
    pub fn from_json(text: &str) -> Result<BenchReport, ReportError> {
        let value: Value = serde_json::from_str(text).map_err(ReportError::NoJson)?;
        if value["format"] != FORMAT {
            return Err(ReportError::Foreign);
        }
        if value["version"] != VERSION {
            return Err(ReportError::Version(value["version"].clone()));
        }
        serde_json::from_value(value).map_err(ReportError::Broken)
    }
}

/// A text that is not a report of a bench.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is not JSON.
    #[error("it is not JSON; expected what `crownhead bench --json` prints")]
    NoJson(serde_json::Error),
    /// It is JSON of another kind.
    #[error("it does not come from `crownhead bench --json`")]
    Foreign,
    /// It was written by another version of the program.
    #[error("the report has version {0}; this program reads version {VERSION}")]
    Version(Value),
    /// Something in it is missing or wrong.
    #[error("the report is damaged: {}", plain_format(&.0.to_string()))]
    Broken(serde_json::Error),
}

fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::positions::PositionKind;
    use super::*;

    /// A search that looked at a million positions a second.
    pub(crate) fn trial(name: &str, depth: u32, nodes: u64, best: &str) -> Trial {
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
                completed: vec![CompletedDepth { depth, nodes, time }],
            },
        }
    }

    fn report() -> BenchReport {
        let positions = vec![
            trial("one", 10, 4000, "A3B4"),
            trial("two", 12, 1000, "C3B4"),
            trial("three", 20, 5000, "A3B4"),
        ];
        BenchReport::new(Limit::Depth(20), positions)
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
        assert_eq!(BenchReport::new(limit, vec![]).signature(), None);
    }

    #[test]
    fn half_of_the_searches_complete_the_median_depth_at_least() {
        let depths = [9, 4, 7, 5].map(|depth| trial("one", depth, 1, "A3B4"));
        let report = BenchReport::new(Limit::Depth(9), depths.to_vec());
        assert_eq!(report.totals().median_depth, 7);
    }

    #[test]
    fn a_report_reads_back_from_its_json() {
        for limit in [Limit::Depth(8), Limit::Time(Duration::from_millis(100))] {
            let report = BenchReport { limit, ..report() };
            let text = report.to_json().to_string();
            assert_eq!(BenchReport::from_json(&text).unwrap(), report);
        }
    }

    #[test]
    fn other_texts_are_refused_with_what_was_expected() {
        let refusal = |text: &str| BenchReport::from_json(text).unwrap_err().to_string();
        assert!(refusal("not JSON").contains("it is not JSON; expected what"));
        assert!(refusal(r#"{"version":1,"games":10}"#).contains("does not come from"));
        let mut newer = report().to_json();
        newer["version"] = json!(2);
        assert!(
            refusal(&newer.to_string()).contains("has version 2; this program reads version 1")
        );
        let mut damaged = report().to_json();
        damaged["positions"][0]["nodes"] = json!("many");
        assert!(refusal(&damaged.to_string()).contains("damaged"));
    }
}
