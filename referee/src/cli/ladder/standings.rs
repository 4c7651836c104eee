//! `crownhead ladder standings`: the table, in the forms that people and programs read.

use super::super::Failure;
use super::super::options::show_time;
use super::super::table::{header, left, right, row, widest};
use super::WithLadder;
use crate::ladder::{Folder, LadderTally, Roster, Row, Standings};
use crate::plot;
use crate::stats::rating::Results;
use anyhow::Context;
use clap::Args;
use crownhead_bots::games::Played;
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
    fn run<G: Played>(&self, folder: &Folder) -> Result<(), Failure> {
        let config = folder.config::<G>()?;
        let store = folder.read_store()?;
        for problem in store.problems_of_pairs()? {
            anstream::eprintln!(
                "warning: {}; it is not counted. `crownhead ladder check {} --repair` mends it",
                problem.told,
                folder.path().display()
            );
        }
        let pairs = store.pairs(0)?;
        let roster = Roster::new(&config, &store.versions()?);
        let mut tally = LadderTally::new(roster.clone());
        for pair in &pairs {
            tally.add(pair);
        }
        let standings = tally.standings(&config, &store.disabled()?);
        for path in &self.plot {
            let is_history = path.file_stem().is_some_and(|name| name == "history");
            let picture = if is_history {
                plot::history(&plot::ratings_over_pairs(&config, &roster, &pairs))
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
            write!(out, "{}", crosstable(&standings, tally.results()))?;
        } else {
            write!(out, "{}", table(&standings))?;
        }
        Ok(())
    }
}

/// The table for people.
pub(super) fn table(standings: &Standings) -> String {
    let columns = [
        right(0, 4, "rank"),
        left(2, width(standings), "bot"),
        right(2, 7, "rating"),
        right(2, 4, "±"),
        right(3, 18, "stronger than next"),
        right(3, 5, "pairs"),
        right(2, 7, "score"),
        right(2, 7, "draws"),
        right(2, 10, "time used"),
        right(3, 6, "faults"),
    ];
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "-".into(), |share| format!("{:.1} %", 100.0 * share))
    };
    let mut text = header(&columns) + "\n";
    for bot in &standings.rows {
        let cells = [
            bot.rank.to_string(),
            bot.label.clone(),
            format!("{:.0}", bot.rating),
            format!("{:.0}", bot.margin),
            percent(bot.superiority),
            bot.pairs.to_string(),
            percent(bot.score),
            percent(bot.draws),
            show_time(bot.time),
            bot.faults.values().sum::<u64>().to_string(),
        ];
        text += &format!("{}{}\n", row(&columns, cells), remark(bot));
    }
    text
}

fn remark(row: &Row) -> String {
    let mut remarks = Vec::new();
    match &row.disabled {
        Some(reason) => remarks.push(format!("disabled: {reason}")),
        None if row.retired => remarks.push("retired".into()),
        None if !row.current => remarks.push("an earlier version".into()),
        None => {}
    }
    if row.void > 0 {
        remarks.push(format!("{} void", row.void));
    }
    remarks
        .iter()
        .map(|remark| format!("   {remark}"))
        .collect()
}

fn width(standings: &Standings) -> usize {
    widest(standings.rows.iter().map(|row| row.label.as_str()), "bot")
}

fn csv(standings: &Standings) -> String {
    let mut text =
        "rank,bot,rating,margin,superiority,pairs,score,draws,time_us,faults,retired,benched,version,void\n"
            .to_string();
    for row in &standings.rows {
        let number =
            |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        let faults: u64 = row.faults.values().sum();
        writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{faults},{},{},{},{}",
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
            row.version.as_deref().unwrap_or_default(),
            row.void,
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
fn crosstable(standings: &Standings, results: &Results) -> String {
    let rows = &standings.rows;
    let mut columns = vec![left(0, width(standings), "")];
    columns.extend(rows.iter().map(|row| right(2, 11, &row.rank.to_string())));
    let mut text = header(&columns) + "\n";
    for one in rows {
        let cell = |other: &Row| {
            let (points, games) = results.points_between(one.number, other.number);
            match () {
                () if one.number == other.number => "·".into(),
                () if games == 0.0 => "-".into(),
                () => format!("{points} / {games}"),
            }
        };
        let cells = std::iter::once(one.label.clone()).chain(rows.iter().map(cell));
        text += &row(&columns, cells);
        text.push('\n');
    }
    text
}
