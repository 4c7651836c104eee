//! Tables for people: as wide as their cells, at most as wide as the terminal; longer cells are wrapped.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};
use crownhead_record::text::show_time;
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

/// The width of a terminal when there is none.
const USUAL_WIDTH: u16 = 80;

/// How many characters fit into a line.
pub(super) fn width() -> u16 {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| width.0)
}

/// The spaces between columns, where names have room beside them and where they have not.
const GAPS: [u16; 2] = [2, 1];

/// The widths below which columns are not narrowed, and the spaces between them. Numbers are not wrapped, and words
/// neither, but those of names, the first column on the left: they have what is left.
fn least_widths(columns: &[Column], cells: &[Vec<String>]) -> (Vec<u16>, u16) {
    let width = |text: &str| UnicodeWidthStr::width(text) as u16;
    let is_left = |(_, alignment): &Column| *alignment == CellAlignment::Left;
    let name = columns.iter().position(is_left);
    let of_column = |(place, column): (usize, &Column)| {
        let heading = column.0.split(' ').map(width);
        let cells = cells.iter().filter_map(|row| row.get(place));
        match is_left(column) {
            true if name == Some(place) => heading.max(),
            true => heading
                .chain(cells.flat_map(|cell| cell.split(' ').map(width)))
                .max(),
            false => heading.chain(cells.map(|cell| width(cell))).max(),
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
    let longest = names.map(|cell| width(cell)).max().unwrap_or(0);
    let others = least.iter().sum::<u16>() - least[place];
    let gaps = (columns.len() as u16).saturating_sub(1);
    let room = |gap: u16| self::width().saturating_sub(others + gap * gaps);
    let fits = |gap: &u16| room(*gap) >= longest;
    let gap = GAPS.into_iter().find(fits).unwrap_or(GAPS[0]);
    least[place] = least[place].max(longest.min(room(gap)));
    (least, gap)
}

/// The table, its headings in bold.
pub(super) fn table<C: Into<String>>(
    columns: &[Column],
    rows: impl IntoIterator<Item: IntoIterator<Item = C>>,
) -> String {
    // The separator marks where the headings end, and is removed.
    let style = TableStyle::new().header_separator(LineStyle::none().fill('='));
    let mut table = comfy_table::Table::new();
    table
        .load_style(style)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width())
        .set_header(columns.iter().map(|(heading, _)| heading));
    let cells: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(Into::into).collect())
        .collect();
    table.add_rows(&cells);
    let (least, gap) = least_widths(columns, &cells);
    for (place, (column, (_, alignment))) in table.column_iter_mut().zip(columns).enumerate() {
        let gap = if place + 1 == columns.len() { 0 } else { gap };
        column.set_cell_alignment(*alignment);
        column.set_padding((0, gap));
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(
            least[place] + gap,
        )));
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
    [first, times.answers.to_string()]
        .into_iter()
        .chain(quantiles)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let shown = table(&columns, [["änna", "½", "x"], ["漢字", "10", ""]]);
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
        let shown = plain(&table(&columns, [row]));
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
    fn no_line_is_wider_than_the_terminal() {
        let long = "a name that goes on and on ".repeat(5);
        let shown = table(&[left("bot"), right("score")], [[long.as_str(), "1"]]);
        assert!(plain(&shown).len() > 2, "{shown}");
        assert!(
            plain(&shown).iter().all(|line| line.chars().count() <= 80),
            "{shown}"
        );
    }
}
