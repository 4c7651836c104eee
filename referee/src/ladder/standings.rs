//! `crownhead ladder standings`: prints the table, for people and for programs.

use super::super::output::write_json;
use super::super::report::pairs_or_rounds;
use super::super::table::{Screen, known, left, points_cell, right, stdout_screen};
use super::FolderCommand;
use crate::failure::Failure;
use clap::Args;
use crownhead_ladder::{Folder, LadderTally, Roster, Standings, StandingsRow};
use crownhead_record::numbers::{
    counted, show_count, show_likelihood, show_percent, show_rating, show_time,
};
use crownhead_record::text::printable;
use std::io::Write;

#[derive(Debug, Args)]
#[command(before_help = "\
Examples:
  crownhead ladder standings night
  crownhead ladder standings night --crosstable")]
pub(super) struct ShowStandings {
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values
    #[arg(long)]
    csv: bool,
    /// Print the points of each bot against each other bot, or its mean places
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    crosstable: bool,
}

impl FolderCommand for ShowStandings {
    fn run(&self, folder: &Folder) -> Result<(), Failure> {
        let (standings, tally) = standings_of(folder)?;
        let mut out = anstream::stdout().lock();
        let screen = stdout_screen();
        if self.json {
            return Ok(write_json(&mut out, &standings)?);
        }
        let table = match (self.csv, self.crosstable) {
            (true, _) => csv(&standings),
            (_, true) => crosstable(&standings, &tally, screen),
            _ => table(&standings, screen),
        };
        Ok(write!(out, "{table}")?)
    }
}

/// The standings of a ladder, and the stored results that they follow from.
pub(super) fn standings_of(folder: &Folder) -> Result<(Standings, LadderTally), Failure> {
    let (config, store) = (folder.config()?, folder.read_store()?);
    let mut tally = LadderTally::new(Roster::new(&config, &store.versions()?));
    for pair in store.each_pair(0)? {
        tally.add(&pair?);
    }
    let standings = tally.standings(&config, &store.bot_states()?.disabled);
    Ok((standings, tally))
}

/// Explains the columns that are often misread.
const LEGEND: &str = "\
±: the 95 % margin of the rating itself
P(> next): the chance that the bot is stronger than the next one below
";

/// The table for people. A bot that has not played has no rating yet.
pub(super) fn table(standings: &Standings, screen: Screen) -> String {
    let players = standings.players;
    let columns = [
        right("#"),
        left("bot"),
        right("rating"),
        right("±"),
        right("P(> next)"),
        right(pairs_or_rounds(players)),
        right("score"),
        right(if players == 2 { "draws" } else { "mean place" }),
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
            match players {
                2 => percent(bot.draws),
                _ => known(bot.mean_place, show_place),
            },
            known(bot.time_per_game(), show_time),
            played(show_count(faults(bot))),
        ]
    });
    let is_rated = standings.rows.iter().any(|row| row.rating.is_some());
    let legend = is_rated.then(|| LEGEND.to_string());
    let void = if players == 2 {
        "void pair"
    } else {
        "void round"
    };
    let of_rows = standings.rows.iter().filter_map(|row| remark(row, void));
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
fn remark(row: &StandingsRow, void: &str) -> Option<String> {
    let state = match &row.disabled {
        Some(reason) => Some(format!("is disabled: {}", printable(reason))),
        None if row.retired => Some("is retired".into()),
        None if !row.current => Some("is an earlier version".into()),
        None => None,
    };
    let void = (row.void > 0).then(|| format!("has {}", counted(row.void, void)));
    let remarks: Vec<String> = state.into_iter().chain(void).collect();
    (!remarks.is_empty()).then(|| format!("{} {}\n", row.label, remarks.join("; ")))
}

/// The table for programs (RFC 4180). Numbers are rounded to their precision. Unknown values are empty.
fn csv(standings: &Standings) -> String {
    let columns = "rank,bot,rating,margin,superiority,pairs,score,draws,time_us,faults,retired,disabled,version,void,group";
    // Adding zero takes the sign off -0.
    let points = |points: f64| format!("{:.1}", (points * 10.0).round() / 10.0 + 0.0);
    let share = |share: f64| format!("{share:.4}");
    let rows = standings.rows.iter().map(|row| {
        let fields = [
            row.rank.to_string(),
            row.bot.clone(),
            row.rating.map(points).unwrap_or_default(),
            row.margin.map(points).unwrap_or_default(),
            row.superiority.map(share).unwrap_or_default(),
            row.pairs.to_string(),
            row.score.map(share).unwrap_or_default(),
            row.draws.map(share).unwrap_or_default(),
            row.time.as_micros().to_string(),
            faults(row).to_string(),
            row.retired.to_string(),
            row.disabled.clone().unwrap_or_default(),
            row.version.clone().unwrap_or_default(),
            row.void.to_string(),
            row.group.map(|group| group.to_string()).unwrap_or_default(),
        ];
        fields.map(quoted).join(",")
    });
    let lines = std::iter::once(columns.to_string()).chain(rows);
    lines.map(|line| line + "\n").collect()
}

/// A field, in quotes where it would be read as something else.
fn quoted(field: String) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field
}

/// The points of each bot against each other, the strongest first; in games of more than two players, its mean place in
/// those with the other.
fn crosstable(standings: &Standings, tally: &LadderTally, screen: Screen) -> String {
    let (rows, players) = (&standings.rows, standings.players);
    let names: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
    let result = |one: usize, other: usize| {
        let (one, other) = (rows[one].number, rows[other].number);
        match players {
            2 => points_cell(tally.results.points_between(one, other)),
            _ => {
                let (place, games) = tally.mean_place(one, other, players)?;
                Some(format!("{} / {games}", show_place(place)))
            }
        }
    };
    super::super::table::crosstable(&names, result, screen)
}

fn show_place(place: f64) -> String {
    format!("{place:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_would_be_read_as_something_else_is_in_quotes() {
        for (field, written) in [
            ("", ""),
            ("it is slow", "it is slow"),
            ("slow, late", "\"slow, late\""),
            ("a \"bug\"", "\"a \"\"bug\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            ("two\rlines", "\"two\rlines\""),
        ] {
            assert_eq!(quoted(field.into()), written);
        }
    }
}
