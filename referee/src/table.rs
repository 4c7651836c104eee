//! Tables for people. On a terminal a table is at most as wide as the screen and wraps long cells; in a pipe each row
//! and the headings are one line.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};
use crownhead_record::numbers::{show_count, show_time};
use crownhead_record::totals::Times;
use unicode_width::UnicodeWidthStr;

/// A column: its heading, and where its cells stand.
pub(super) type Column = (String, CellAlignment);

/// A column whose cells stand at its left edge.
pub(super) fn left(heading: impl Into<String>) -> Column {
    (heading.into(), CellAlignment::Left)
}

/// A column whose cells stand at its right edge.
pub(super) fn right(heading: impl Into<String>) -> Column {
    (heading.into(), CellAlignment::Right)
}

/// The cell of a value that may not be known.
pub(super) fn known<T>(value: Option<T>, show: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".into(), show)
}

/// The spaces between columns: the first where names fit beside them, else the second.
const GAPS: [u16; 2] = [2, 1];

fn width_of(text: &str) -> u16 {
    UnicodeWidthStr::width(text) as u16
}

/// The least width of each column on a screen of this width, and the spaces between them. Numbers and words stay whole.
/// Only names, the first column on the left, are broken: they get what the other columns leave.
fn least_widths(columns: &[Column], cells: &[Vec<String>], screen: u16) -> (Vec<u16>, u16) {
    let is_left = |(_, alignment): &Column| *alignment == CellAlignment::Left;
    let name = columns.iter().position(is_left);
    let of_column = |(place, column): (usize, &Column)| {
        let heading = column.0.split(' ').map(width_of);
        let cells = cells.iter().filter_map(|row| row.get(place));
        match is_left(column) {
            true if name == Some(place) => heading.max(),
            true => heading
                .chain(cells.flat_map(|cell| cell.split(' ').map(width_of)))
                .max(),
            false => heading.chain(cells.map(|cell| width_of(cell))).max(),
        }
    };
    let mut least: Vec<u16> = columns
        .iter()
        .enumerate()
        .map(|column| of_column(column).unwrap_or(0))
        .collect();
    let Some(place) = name else {
        return (least, GAPS[0]);
    };
    let names = cells.iter().filter_map(|row| row.get(place));
    let longest = names.map(|cell| width_of(cell)).max().unwrap_or(0);
    let others = least.iter().sum::<u16>() - least[place];
    let gaps = (columns.len() as u16).saturating_sub(1);
    let room = |gap: u16| screen.saturating_sub(others + gap * gaps);
    let fits = |gap: &u16| room(*gap) >= longest;
    let gap = GAPS.into_iter().find(fits).unwrap_or(GAPS[0]);
    least[place] = least[place].max(longest.min(room(gap)));
    (least, gap)
}

/// The table with its headings in bold, for a screen of this width or, without one, for a pipe.
pub(super) fn table<C: Into<String>>(
    columns: &[Column],
    rows: impl IntoIterator<Item: IntoIterator<Item = C>>,
    screen: Option<u16>,
) -> String {
    // The separator marks where the headings end, and is removed.
    let style = TableStyle::new().header_separator(LineStyle::none().fill('='));
    let mut table = comfy_table::Table::new();
    table
        .load_style(style)
        .set_header(columns.iter().map(|(heading, _)| heading));
    let cells: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(Into::into).collect())
        .collect();
    table.add_rows(&cells);
    let gap = match screen {
        Some(screen) => {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(screen);
            let (least, gap) = least_widths(columns, &cells, screen);
            let last = columns.len().saturating_sub(1);
            for (place, (column, least)) in table.column_iter_mut().zip(least).enumerate() {
                let least = if place == last { least } else { least + gap };
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            }
            gap
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
            GAPS[0]
        }
    };
    for (place, (column, (_, alignment))) in table.column_iter_mut().zip(columns).enumerate() {
        let gap = if place + 1 == columns.len() { 0 } else { gap };
        column.set_cell_alignment(*alignment);
        column.set_padding((0, gap));
    }
    let bold = anstyle::Style::new().bold();
    let (mut text, mut in_header) = (String::new(), true);
    for line in table.trim_fmt().lines() {
        if in_header && line.starts_with('=') {
            in_header = false;
        } else if in_header {
            text += &format!("{bold}{line}{bold:#}\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}

/// The columns of answer times, after a first one.
pub(super) fn times_columns(first: Column) -> Vec<Column> {
    let of_times = ["answers", "median", "p99", "p99.9", "worst"];
    std::iter::once(first).chain(of_times.map(right)).collect()
}

/// The cells of those columns.
pub(super) fn times_cells(first: String, times: &Times) -> Vec<String> {
    let quantiles = [times.median, times.p99, times.p999, times.worst].map(show_time);
    [first, show_count(times.answers)]
        .into_iter()
        .chain(quantiles)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Option<u16> = Some(80);

    fn plain(table: &str) -> Vec<String> {
        anstream::adapter::strip_str(table)
            .to_string()
            .lines()
            .map(str::to_string)
            .collect()
    }

    #[test]
    fn cells_stand_under_their_headings_whatever_letters_they_have() {
        let columns = [left("bot"), right("score"), left("remark")];
        let shown = table(&columns, [["änna", "½", "x"], ["漢字", "10", ""]], SCREEN);
        assert_eq!(
            plain(&shown),
            ["bot   score  remark", "änna      ½  x", "漢字     10"]
        );
    }

    #[test]
    fn columns_stand_closer_before_a_name_is_wrapped() {
        let columns = (0..8).map(|number| right(format!("count{number}")));
        let columns = [left("bot")].into_iter().chain(columns);
        let columns: Vec<Column> = columns.collect();
        let row = ["good@f131e40acffd", "1", "2", "3", "4", "5", "6", "7", "8"];
        let shown = plain(&table(&columns, [row], SCREEN));
        assert!(shown[1].starts_with("good@f131e40acffd "), "{shown:?}");
        assert_eq!(shown.len(), 2, "{shown:?}");
    }

    #[test]
    fn headings_are_wrapped_before_names_are() {
        let heading = || right("a heading of several words");
        let columns = [left("bot"), heading(), heading(), heading(), heading()];
        let shown = plain(&table(
            &columns,
            [["a-bot-of-some-length", "1", "2", "3", "4"]],
            SCREEN,
        ));
        assert!(
            shown
                .iter()
                .any(|line| line.starts_with("a-bot-of-some-length ")),
            "{shown:?}"
        );
        assert!(
            shown.len() > 2 && shown.iter().all(|line| line.chars().count() <= 80),
            "{shown:?}"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_in_a_pipe_a_row_is_a_line() {
        let long = "a name that goes on and on ".repeat(5);
        let columns = [left("bot"), right("a heading of several words")];
        let row = || [[long.as_str(), "1"]];
        assert_eq!(plain(&table(&columns, row(), None)).len(), 2);
        let shown = table(&columns, row(), SCREEN);
        assert!(plain(&shown).len() > 2, "{shown}");
        assert!(
            plain(&shown).iter().all(|line| line.chars().count() <= 80),
            "{shown}"
        );
    }
}
