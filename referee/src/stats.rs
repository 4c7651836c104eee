//! The stats that bots printed about themselves, as a table of a match.

use super::table::{known, left, right};
use super::table_form::TableForm;
use crownhead_record::numbers::{counted, show_mean, show_rate};
use crownhead_record::totals::{MatchSummary, SaidSummary};
use std::collections::BTreeSet;

/// Stats of turns that have a column; `--json` has all.
const COLUMNS: usize = 6;

/// The means of what bots printed turn by turn, after a blank line: a row for each bot, a column for each stat. `None`
/// if no bot printed any.
pub(super) fn stats_table(summary: &MatchSummary, form: TableForm) -> Option<String> {
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
