//! `crownhead ladder standings`: prints the table, for people and for programs.

use super::super::output::write_json;
use super::super::output_file::OutputPath;
use super::super::table::{Screen, known, left, right, stdout_screen};
use super::FolderCommand;
use super::plot;
use crate::failure::Failure;
use clap::{ArgGroup, Args};
use crownhead_ladder::store::StoredPair;
use crownhead_ladder::{
    Config, Folder, LadderTally, Roster, Standings, StandingsRow, ratings_over_pairs,
};
use crownhead_record::numbers::{
    counted, show_count, show_likelihood, show_percent, show_rating, show_time,
};
use crownhead_record::text::printable;
use crownhead_stats::rating::Results;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("file_made").args(["plot", "plot_history"]).multiple(true),
    before_help = "\
Examples:
  crownhead ladder standings night
  crownhead ladder standings night --plot ratings.svg --plot-history history.svg",
    after_long_help = "\
More examples:
  crownhead ladder standings night --crosstable"
)]
pub(super) struct ShowStandings {
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Print the points of each bot against each other bot
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    crosstable: bool,
    /// Draw the ratings with their intervals into this file (`-`: standard output)
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Draw the ratings over the pairs into this file (`-`: standard output)
    #[arg(long, value_name = "FILE.svg")]
    plot_history: Option<PathBuf>,
    /// Replace the files of --plot and --plot-history
    #[arg(long, short, requires = "file_made")]
    force: bool,
}

impl FolderCommand for ShowStandings {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let out = |path: &PathBuf| OutputPath::of_plot(path, self.force);
        let of_ratings = self.plot.as_ref().map(out).transpose()?;
        let of_history = self.plot_history.as_ref().map(out).transpose()?;
        let Read {
            config,
            pairs,
            roster,
            tally,
            standings,
        } = Read::of(folder)?;
        if let Some(out) = &of_ratings {
            out.write(&plot::ratings(&standings)?)?;
        }
        if let Some(out) = &of_history {
            out.write(&plot::history(&ratings_over_pairs(
                &config, &roster, &pairs,
            ))?)?;
        }
        if of_ratings
            .iter()
            .chain(&of_history)
            .any(OutputPath::is_stdout)
        {
            return Ok(());
        }
        let mut out = anstream::stdout().lock();
        let screen = stdout_screen();
        if self.json {
            write_json(&mut out, &standings)?;
        } else if self.csv {
            write!(out, "{}", csv(&standings)?)?;
        } else if self.crosstable {
            write!(out, "{}", crosstable(&standings, tally.results(), screen))?;
        } else {
            write!(out, "{}", table(&standings, screen))?;
        }
        Ok(())
    }
}

/// The stored pairs of a ladder, and what they come to.
struct Read {
    config: Config,
    pairs: Vec<StoredPair>,
    roster: Roster,
    tally: LadderTally,
    standings: Standings,
}

impl Read {
    fn of(folder: &Folder) -> Result<Read, Failure> {
        let config = folder.config()?;
        let store = folder.read_store()?;
        let pairs = store.pairs(0)?;
        let roster = Roster::new(&config, &store.versions()?);
        let mut tally = LadderTally::new(roster.clone());
        for pair in &pairs {
            tally.add(pair);
        }
        let standings = tally.standings(&config, &store.bot_states()?.disabled);
        Ok(Read {
            config,
            pairs,
            roster,
            tally,
            standings,
        })
    }
}

/// The standings of a ladder.
pub(super) fn standings_of(folder: &Folder) -> Result<Standings, Failure> {
    Ok(Read::of(folder)?.standings)
}

/// Explains the columns that are often misread.
const LEGEND: &str = "\
±: the 95 % margin of the rating itself
P(> next): the chance that the bot is stronger than the next one below
";

/// The table for people. A bot that has not played has no rating yet.
pub(super) fn table(standings: &Standings, screen: Screen) -> String {
    let columns = [
        right("#"),
        left("bot"),
        right("rating"),
        right("±"),
        right("P(> next)"),
        right("pairs"),
        right("score"),
        right("draws"),
        right("time/game"),
        right("faults"),
    ];
    let percent = |share| known(share, show_percent);
    let rows = standings.rows.iter().map(|bot| {
        let played = |text: String| known((bot.pairs > 0).then_some(text), |text| text);
        [
            played(bot.rank.to_string()),
            bot.label.clone(),
            known(bot.rating, show_rating),
            known(bot.margin, show_rating),
            known(bot.superiority, show_likelihood),
            show_count(bot.pairs),
            percent(bot.score),
            percent(bot.draws),
            known(bot.time_per_game(), show_time),
            played(show_count(faults(bot))),
        ]
    });
    let is_rated = standings.rows.iter().any(|row| row.rating.is_some());
    let legend = is_rated.then(|| LEGEND.to_string());
    let of_rows = standings.rows.iter().filter_map(remark);
    let more = standings
        .remarks
        .iter()
        .map(|remark| format!("{}\n", printable(remark)));
    let remarks: String = legend.into_iter().chain(of_rows).chain(more).collect();
    super::super::table::table(&columns, rows, screen) + &remarks
}

/// How many games it lost by its own faults.
fn faults(row: &StandingsRow) -> u64 {
    row.faults.values().sum()
}

/// A line about a bot that no longer plays, or has void pairs.
fn remark(row: &StandingsRow) -> Option<String> {
    let state = match &row.disabled {
        Some(reason) => Some(format!("is disabled: {}", printable(reason))),
        None if row.retired => Some("is retired".into()),
        None if !row.current => Some("is an earlier version".into()),
        None => None,
    };
    let void = (row.void > 0).then(|| format!("has {}", counted(row.void, "void pair")));
    let remarks: Vec<String> = state.into_iter().chain(void).collect();
    (!remarks.is_empty()).then(|| format!("{} {}\n", row.label, remarks.join("; ")))
}

/// Numbers are rounded to their precision. Unknown values are empty.
fn csv(standings: &Standings) -> anyhow::Result<String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let columns = "rank,bot,rating,margin,superiority,pairs,score,draws,time_us,faults,retired,disabled,version,void,group";
    table.write_record(columns.split(','))?;
    for row in &standings.rows {
        let share = |share: Option<f64>| share.map_or_else(String::new, |it| format!("{it:.4}"));
        let points = |points: Option<f64>| points.map_or_else(String::new, one_decimal);
        table.write_record([
            row.rank.to_string(),
            row.bot.clone(),
            points(row.rating),
            points(row.margin),
            share(row.superiority),
            row.pairs.to_string(),
            share(row.score),
            share(row.draws),
            row.time.as_micros().to_string(),
            faults(row).to_string(),
            row.retired.to_string(),
            row.disabled.clone().unwrap_or_default(),
            row.version.clone().unwrap_or_default(),
            row.void.to_string(),
            row.group
                .map_or_else(String::new, |group| group.to_string()),
        ])?;
    }
    Ok(String::from_utf8(table.into_inner()?)?)
}

/// Adding zero takes the sign off -0.
fn one_decimal(number: f64) -> String {
    format!("{:.1}", (number * 10.0).round() / 10.0 + 0.0)
}

/// The points of each bot against each other bot, the strongest first.
fn crosstable(standings: &Standings, results: &Results, screen: Screen) -> String {
    let rows = &standings.rows;
    let names: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
    let points =
        |one: usize, other: usize| results.points_between(rows[one].number, rows[other].number);
    super::super::table::crosstable(&names, points, screen)
}
