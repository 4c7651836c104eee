//! Tables for people. On a terminal a table is at most as wide as the screen and wraps long cells; in a pipe each row
//! and the headings are one line.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle, Width,
};
use terminal_size::{Width as Columns, terminal_size_of};
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

/// How many columns of letters a screen has; `None` is a pipe or a file.
pub(super) type Screen = Option<u16>;

/// The screen that shows standard output.
pub(super) fn stdout_screen() -> Screen {
    terminal_size_of(std::io::stdout()).map(|(Columns(width), _)| width)
}

/// The screen that shows standard error.
pub(super) fn stderr_screen() -> Screen {
    terminal_size_of(std::io::stderr()).map(|(Columns(width), _)| width)
}

/// A word in bold.
pub(super) fn bold(word: &str) -> String {
    let bold = anstyle::Style::new().bold();
    format!("{bold}{word}{bold:#}")
}

/// The spaces between columns.
const GAP: u16 = 2;

/// The least width of a column: numbers and words stay whole. Only names, the first column on the left, are broken.
fn least_width(column: &Column, cells: impl Iterator<Item = impl AsRef<str>>, names: bool) -> u16 {
    let widest = |text: &str| text.split(' ').map(UnicodeWidthStr::width).max();
    let cells = cells.filter(|_| !names);
    let widest = cells
        .map(|cell| widest(cell.as_ref()))
        .chain([widest(&column.0)]);
    widest.flatten().max().unwrap_or(0) as u16
}

/// The table with its headings in bold, for a screen of this width.
pub(super) fn table<C: Into<String>>(
    columns: &[Column],
    rows: impl IntoIterator<Item: IntoIterator<Item = C>>,
    screen: Screen,
) -> String {
    // The separator marks where the headings end, and is removed.
    let style = TableStyle::new().header_separator(LineStyle::none().fill('='));
    let mut table = comfy_table::Table::new();
    table
        .load_style(style)
        .set_header(columns.iter().map(|(heading, _)| heading))
        .set_content_arrangement(ContentArrangement::Disabled);
    let cells: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| row.into_iter().map(Into::into).collect())
        .collect();
    table.add_rows(&cells);
    if let Some(screen) = screen {
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(screen);
    }
    let names = columns
        .iter()
        .position(|(_, side)| *side == CellAlignment::Left);
    for (place, (shown, column)) in table.column_iter_mut().zip(columns).enumerate() {
        let gap = if place + 1 == columns.len() { 0 } else { GAP };
        let cells = cells.iter().filter_map(|row| row.get(place));
        let least = least_width(column, cells, names == Some(place)) + gap;
        shown.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
        shown.set_cell_alignment(column.1);
        shown.set_padding((0, gap));
    }
    let (mut text, mut in_header) = (String::new(), true);
    for line in table.trim_fmt().lines() {
        if in_header && line.starts_with('=') {
            in_header = false;
        } else if in_header {
            text += &(bold(line) + "\n");
        } else {
            text += &format!("{line}\n");
        }
    }
    text
}

/// The points and the number of games in a crosstable, if there were games.
pub(super) fn points_cell((points, games): (f64, f64)) -> Option<String> {
    (games > 0.0).then(|| format!("{points} / {games}"))
}

/// The results of each bot (row) against each other (column). Columns that do not fit on the screen follow below.
/// `result` gives that of the first of two against the second, by their places, if they have met.
pub(super) fn crosstable(
    names: &[&str],
    result: impl Fn(usize, usize) -> Option<String>,
    screen: Screen,
) -> String {
    let cell = |one: usize, other: usize| match one == other {
        true => "·".into(),
        false => known(result(one, other), |result| result),
    };
    let places: Vec<usize> = (0..names.len()).collect();
    let cells = places
        .iter()
        .flat_map(|&one| places.iter().map(move |&other| (one, other)));
    let widest = cells
        .map(|(one, other)| cell(one, other).len())
        .max()
        .unwrap_or(0);
    let named = names.iter().map(|name| name.width()).max().unwrap_or(0) + 6;
    let at_once = screen.map_or(names.len(), |screen| {
        usize::from(screen).saturating_sub(named) / (widest + 2)
    });
    let blocks = places.chunks(at_once.max(1)).map(|others| {
        let numbers = others.iter().map(|other| right((other + 1).to_string()));
        let columns: Vec<Column> = [right(""), left("")].into_iter().chain(numbers).collect();
        let rows = names.iter().enumerate().map(|(one, name)| {
            let cells = others.iter().map(move |&other| (one, other));
            let cells = cells.map(|(one, other)| cell(one, other));
            [(one + 1).to_string(), name.to_string()]
                .into_iter()
                .chain(cells)
        });
        table(&columns, rows, screen)
    });
    blocks.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Screen = Some(80);

    fn plain(table: &str) -> Vec<String> {
        let text = anstream::adapter::strip_str(table).to_string();
        text.lines().map(str::to_string).collect()
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
    fn numbers_stay_whole_where_names_are_wrapped() {
        let counts = (0..8).map(|number| right(format!("count{number}")));
        let columns: Vec<Column> = [left("bot")].into_iter().chain(counts).collect();
        let number = || "123,456".to_string();
        let row = ["good@f131e40acffd and so on".to_string()];
        let row = row.into_iter().chain((0..8).map(|_| number()));
        let shown = plain(&table(&columns, [row], SCREEN));
        assert_eq!(shown.concat().matches("123,456").count(), 8, "{shown:?}");
        assert!(shown.iter().all(|line| line.width() <= 80), "{shown:?}");
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_and_in_a_pipe_a_row_is_a_line() {
        let long = "a name that goes on and on ".repeat(5);
        let columns = [left("bot"), right("a heading of several words")];
        let row = || [[long.as_str(), "1"]];
        assert_eq!(plain(&table(&columns, row(), None)).len(), 2);
        let shown = plain(&table(&columns, row(), SCREEN));
        assert!(shown.len() > 2, "{shown:?}");
        assert!(shown.iter().all(|line| line.width() <= 80), "{shown:?}");
    }

    #[test]
    fn a_crosstable_is_cut_only_where_a_screen_ends() {
        let names = vec!["somebody"; 20];
        let points = |one, other| points_cell((one as f64, other as f64 + 100.0));
        let lines = plain(&crosstable(&names, points, SCREEN));
        assert!(lines.iter().all(|line| line.width() <= 80));
        assert!(lines.iter().any(|line| line.ends_with("20")), "{lines:?}");
        assert_eq!(plain(&crosstable(&names, points, None)).len(), 21);
    }
}
