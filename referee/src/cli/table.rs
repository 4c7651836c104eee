//! Tables for people: each column is described once, for its heading and for its cells.

use super::options::show_time;
use crate::stats::Times;
use std::fmt::Display;

/// A column of a table.
pub(super) struct Column {
    heading: String,
    /// The spaces before it.
    gap: usize,
    width: usize,
    is_left: bool,
}

/// A column whose cells stand at its left edge.
pub(super) fn left(gap: usize, width: usize, heading: &str) -> Column {
    Column {
        is_left: true,
        ..right(gap, width, heading)
    }
}

/// A column whose cells stand at its right edge.
pub(super) fn right(gap: usize, width: usize, heading: &str) -> Column {
    Column {
        heading: heading.into(),
        gap,
        width,
        is_left: false,
    }
}

/// The line of headings.
pub(super) fn header(columns: &[Column]) -> String {
    let bold = anstyle::Style::new().bold();
    let line = row(columns, columns.iter().map(|column| &column.heading));
    format!("{bold}{line}{bold:#}")
}

/// A line of cells, which may leave out the last columns.
pub(super) fn row(columns: &[Column], cells: impl IntoIterator<Item: Display>) -> String {
    let mut line = String::new();
    for (column, cell) in columns.iter().zip(cells) {
        let width = column.width;
        line += &" ".repeat(column.gap);
        line += &if column.is_left {
            format!("{cell:<width$}")
        } else {
            format!("{cell:>width$}")
        };
    }
    line
}

/// The width of a column of these names, at least that of its heading.
pub(super) fn widest<'a>(names: impl Iterator<Item = &'a str>, heading: &'a str) -> usize {
    let widths = names.chain([heading]).map(|name| name.chars().count());
    widths.max().unwrap_or(0)
}

/// The columns of answer times, after a first one.
pub(super) fn times_columns(first: Column) -> [Column; 6] {
    [
        first,
        right(2, 8, "answers"),
        right(1, 10, "median"),
        right(1, 10, "p99"),
        right(1, 10, "p99.9"),
        right(1, 10, "worst"),
    ]
}

/// The cells of those columns.
pub(super) fn times_cells(first: String, times: &Times) -> [String; 6] {
    let [median, p99, p999, worst] =
        [times.median, times.p99, times.p999, times.worst].map(show_time);
    [first, times.answers.to_string(), median, p99, p999, worst]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_under_their_headings() {
        let columns = [left(0, 4, "bot"), right(2, 6, "score"), right(1, 0, "")];
        assert!(header(&columns).contains("bot    score "));
        assert_eq!(row(&columns, ["anna", "½", "x"]), "anna       ½ x");
        assert_eq!(row(&columns, ["b"]), "b   ");
    }

    #[test]
    fn a_column_is_as_wide_as_its_widest_name() {
        assert_eq!(widest(["é", "abcde"].into_iter(), "bot"), 5);
        assert_eq!(widest(["a"].into_iter(), "bot"), 3);
    }
}
