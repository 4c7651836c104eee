//! The stats that bots printed about themselves and their games, as tables of a match.

use super::table::{Column, known, left, right};
use super::table_form::TableForm;
use crownhead_record::numbers::{counted, show_count, show_mean, show_rate};
use crownhead_record::totals::{FigureRange, FigureSummary, MatchSummary, SaidSummary};
use std::collections::{BTreeMap, BTreeSet};

/// Stats of turns that have a column; `--json` has all.
const COLUMNS: usize = 6;

/// Stats of games that have a row, for each bot; `--json` has all.
const ROWS: usize = 6;

/// Different texts of one stat that are shown.
const TEXTS: usize = 4;

/// The tables of all stats, each after a blank line; nothing where bots printed none.
pub(super) fn stats_tables(summary: &MatchSummary, form: TableForm) -> String {
    by_turn(summary, form).unwrap_or_default() + &by_game(summary, form).unwrap_or_default()
}

/// The means of what bots printed turn by turn: a row for each bot, a column for each stat.
fn by_turn(summary: &MatchSummary, form: TableForm) -> Option<String> {
    let names = summary.bots.iter().flat_map(|bot| bot.said.keys());
    let names: BTreeSet<&String> = names.collect();
    let columns: Vec<&String> = names.iter().take(COLUMNS).copied().collect();
    if columns.is_empty() {
        return None;
    }
    let has_speed = summary
        .bots
        .iter()
        .any(|bot| bot.nodes_per_second.is_some());
    let mut headings = vec![left("mean per turn")];
    headings.extend(columns.iter().map(|name| right(name.as_str())));
    headings.extend(has_speed.then(|| right("nodes/s")));
    let bots = summary.bots.iter().filter(|bot| !bot.said.is_empty());
    let rows = bots.map(|bot| {
        let mean = |said: &SaidSummary| show_mean(said.mean);
        let cells = columns.iter().map(|&name| known(bot.said.get(name), mean));
        let mut row = vec![bot.name.clone()];
        row.extend(cells);
        row.extend(has_speed.then(|| known(bot.nodes_per_second, show_rate)));
        row
    });
    let table = form.table(&headings, rows);
    let more = left_out(names.len().saturating_sub(COLUMNS), form);
    Some(format!("\n{table}{more}"))
}

/// What bots printed of whole games: a row for each stat of a bot, and of the games themselves.
fn by_game(summary: &MatchSummary, form: TableForm) -> Option<String> {
    let of_bots = summary
        .bots
        .iter()
        .map(|bot| (bot.name.as_str(), &bot.figures));
    let all: Vec<_> = of_bots.chain([("(game)", &summary.figures)]).collect();
    let count: usize = all.iter().map(|(_, figures)| figures.len()).sum();
    if count == 0 {
        return None;
    }
    let headings: [Column; 7] = [
        left("per game"),
        left("stat"),
        right("games"),
        right("mean"),
        right("lowest"),
        right("highest"),
        left("texts"),
    ];
    let rows: Vec<_> = all
        .iter()
        .flat_map(|(who, figures)| rows_of(who, figures))
        .collect();
    let more = left_out(count - rows.len(), form);
    let table = form.table(&headings, rows);
    Some(format!("\n{table}{more}"))
}

fn rows_of(who: &str, figures: &BTreeMap<String, FigureSummary>) -> Vec<[String; 7]> {
    let row = |(name, stat): (&String, &FigureSummary)| {
        let number = |of: fn(&FigureRange) -> f64| {
            known(stat.numbers.as_ref(), |range| show_mean(of(range)))
        };
        let texts = stat.texts.iter().take(TEXTS);
        let texts = texts.map(|(text, &games)| format!("{text} {}", show_count(games)));
        let mut texts: Vec<String> = texts.collect();
        texts.extend((stat.texts.len() > TEXTS).then(|| "…".into()));
        [
            who.to_string(),
            name.clone(),
            show_count(stat.games),
            number(|range| range.mean),
            number(|range| range.lowest),
            number(|range| range.highest),
            texts.join(", "),
        ]
    };
    figures.iter().take(ROWS).map(row).collect()
}

/// Says that there are more stats than a table shows.
fn left_out(count: usize, form: TableForm) -> String {
    // In Markdown a line below a table would be a row of it.
    let between = match form {
        TableForm::Text { .. } => "",
        TableForm::Markdown => "\n",
    };
    match count {
        0 => String::new(),
        _ => format!(
            "{between}and {}; --json has all\n",
            counted(count, "more stat")
        ),
    }
}
