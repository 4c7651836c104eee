//! `crownhead ladder standings`: the table, in the forms that people and programs read.

use super::super::Failure;
use super::super::options::show_time;
use super::WithLadder;
use crate::ladder::{Config, Folder, LadderTally, Row, Standings};
use crate::plot;
use crate::stats::rating::Results;
use anyhow::Context;
use clap::Args;
use crownhead::explain::Explain;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ShowStandings {
    /// The ladder's folder
    pub(super) folder: PathBuf,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Print each bot's points against each other
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    crosstable: bool,
    /// Draw a picture: ratings with their intervals, or, if the file is called history.svg, ratings over pairs
    #[arg(long, value_name = "FILE.svg")]
    plot: Vec<PathBuf>,
}

impl WithLadder for ShowStandings {
    fn run<G: Explain>(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config::<G>()?;
        let store = folder.store()?;
        let pairs = store.pairs(0)?;
        let mut tally = LadderTally::default();
        for pair in &pairs {
            tally.add(&config, pair);
        }
        let standings = tally.standings(&config, &store.disabled()?);
        for path in &self.plot {
            let is_history = path.file_stem().is_some_and(|name| name == "history");
            let picture = if is_history {
                plot::history(&plot::ratings_over_pairs(&config, &pairs))
            } else {
                plot::ratings(&standings)
            }?;
            std::fs::write(path, picture).with_context(|| path.display().to_string())?;
        }
        let mut out = anstream::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &standings)?;
            writeln!(out)?;
        } else if self.csv {
            write!(out, "{}", csv(&standings))?;
        } else if self.crosstable {
            write!(out, "{}", crosstable(&config, &standings, tally.results()))?;
        } else {
            write!(out, "{}", table(&standings))?;
        }
        Ok(())
    }
}

/// The table for people.
pub(super) fn table(standings: &Standings) -> String {
    let bold = anstyle::Style::new().bold();
    let width = width(standings);
    let mut text = format!(
        "{bold}rank  {:<width$}   rating     ±   stronger than next   pairs    score    draws   time used   faults{bold:#}\n",
        "bot"
    );
    for row in &standings.rows {
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "-".into(), |share| format!("{:.1} %", 100.0 * share))
        };
        let faults: u64 = row.faults.values().sum();
        let line = format!(
            "{:>4}  {:<width$}  {:>7.0}  {:>4.0}   {:>18}   {:>5}  {:>7}  {:>7}  {:>10}   {faults:>6}",
            row.rank,
            row.bot,
            row.rating,
            row.margin,
            percent(row.superiority),
            row.pairs,
            percent(row.score),
            percent(row.draws),
            show_time(row.time),
        );
        text.push_str(&line);
        text.push_str(&remark(row));
        text.push('\n');
    }
    text
}

fn remark(row: &Row) -> String {
    match &row.disabled {
        Some(reason) => format!("   benched: {reason}"),
        None if row.retired => "   retired".into(),
        None => String::new(),
    }
}

fn width(standings: &Standings) -> usize {
    let names = standings.rows.iter().map(|row| row.bot.chars().count());
    names.max().unwrap_or(0).max(3)
}

fn csv(standings: &Standings) -> String {
    let mut text =
        "rank,bot,rating,margin,superiority,pairs,score,draws,time_us,faults,retired,benched\n"
            .to_string();
    for row in &standings.rows {
        let number =
            |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let faults: u64 = row.faults.values().sum();
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{faults},{},{}",
            row.rank,
            quoted(&row.bot),
            row.rating,
            row.margin,
            number(row.superiority),
            row.pairs,
            number(row.score),
            number(row.draws),
            row.time.as_micros(),
            row.retired,
            quoted(row.disabled.as_deref().unwrap_or_default()),
        )
        .expect("writing to a string");
    }
    text
}

/// A value as RFC 4180 has it.
fn quoted(value: &str) -> String {
    if value.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.into()
    }
}

/// Points of each bot (by row) against each other (by column), with the games played.
fn crosstable(config: &Config, standings: &Standings, results: &Results) -> String {
    let width = width(standings);
    let mut text = format!("{:<width$}", "");
    for row in &standings.rows {
        write!(text, "  {:>11}", format!("{}", row.rank)).expect("writing to a string");
    }
    text.push('\n');
    let number = |row: &Row| {
        config
            .number_of(&row.bot)
            .expect("rows are bots of the file")
    };
    for row in &standings.rows {
        write!(text, "{:<width$}", row.bot).expect("writing to a string");
        for column in &standings.rows {
            let (points, games) = results.points_between(number(row), number(column));
            let cell = match () {
                () if row.bot == column.bot => "·".into(),
                () if games == 0.0 => "-".into(),
                () => format!("{points} / {games}"),
            };
            write!(text, "  {cell:>11}").expect("writing to a string");
        }
        text.push('\n');
    }
    text
}
