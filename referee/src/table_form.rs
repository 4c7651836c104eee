//! Tables as aligned text, or as Markdown for issue threads.

use super::table::{Column, left, right, table};
use comfy_table::CellAlignment;
use std::os::fd::AsFd;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthStr;

/// How tables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TableForm {
    /// Aligned text, at most as wide as the screen; in a pipe or a file, as wide as it gets.
    Text {
        /// The columns of the screen, if there is one.
        screen: Option<u16>,
    },
    /// GitHub Flavored Markdown: each row is a line.
    Markdown,
}

impl TableForm {
    /// Text on this stream.
    pub(super) fn on(stream: &impl AsFd) -> TableForm {
        let size = terminal_size_of(stream);
        TableForm::Text {
            screen: size.map(|(Width(width), _)| width),
        }
    }

    /// Text on standard output.
    pub(super) fn on_stdout() -> TableForm {
        TableForm::on(&std::io::stdout())
    }

    /// The form that `--markdown` asks for, on standard output.
    pub(super) fn of_flag(markdown: bool) -> TableForm {
        if markdown {
            TableForm::Markdown
        } else {
            TableForm::on_stdout()
        }
    }

    /// A table, its headings in bold.
    pub(super) fn table<C: Into<String>>(
        self,
        columns: &[Column],
        rows: impl IntoIterator<Item: IntoIterator<Item = C>>,
    ) -> String {
        match self {
            TableForm::Text { screen } => table(columns, rows, screen),
            TableForm::Markdown => markdown_table(columns, rows),
        }
    }

    /// A word in bold.
    pub(super) fn bold(self, word: &str) -> String {
        let bold = anstyle::Style::new().bold();
        match self {
            TableForm::Text { .. } => format!("{bold}{word}{bold:#}"),
            TableForm::Markdown => format!("**{word}**"),
        }
    }

    /// The points of each bot (row) against each other (column), with the games played. Columns that do not fit on the
    /// screen follow below. `points` gives those of the first of two against the second, by their places.
    pub(super) fn crosstable(
        self,
        names: &[&str],
        points: impl Fn(usize, usize) -> (f64, f64),
    ) -> String {
        let cell = |one: usize, other: usize| match points(one, other) {
            _ if one == other => "·".into(),
            (_, 0.0) => "-".into(),
            (points, games) => format!("{points} / {games}"),
        };
        let bots = 0..names.len();
        let cells: Vec<Vec<String>> = bots
            .clone()
            .map(|one| bots.clone().map(|other| cell(one, other)).collect())
            .collect();
        let widest =
            |texts: &mut dyn Iterator<Item = &str>| texts.map(UnicodeWidthStr::width).max();
        let named = widest(&mut names.iter().copied()).unwrap_or(0) + 6;
        let wide = widest(&mut cells.iter().flatten().map(String::as_str)).unwrap_or(0) + 2;
        let at_once = match self {
            TableForm::Text {
                screen: Some(screen),
            } => usize::from(screen).saturating_sub(named) / wide,
            _ => names.len(),
        };
        let places: Vec<usize> = bots.collect();
        let blocks = places.chunks(at_once.max(1)).map(|places| {
            let numbers = places.iter().map(|place| right((place + 1).to_string()));
            let columns: Vec<Column> = [right(""), left("")].into_iter().chain(numbers).collect();
            let row = |(place, name): (usize, &&str)| -> Vec<String> {
                let cells = places.iter().map(|&other| cells[place][other].clone());
                [(place + 1).to_string(), name.to_string()]
                    .into_iter()
                    .chain(cells)
                    .collect()
            };
            self.table(&columns, names.iter().enumerate().map(row))
        });
        blocks.collect::<Vec<_>>().join("\n")
    }
}

fn markdown_table<C: Into<String>>(
    columns: &[Column],
    rows: impl IntoIterator<Item: IntoIterator<Item = C>>,
) -> String {
    let line = |cells: &mut dyn Iterator<Item = String>| {
        let cells = cells.map(|cell| format!(" {cell} |"));
        format!("|{}\n", cells.collect::<String>())
    };
    let headings = columns.iter().map(|(heading, _)| plain_text(heading));
    let marks = columns.iter().map(|(_, alignment)| match alignment {
        CellAlignment::Right => "--:".to_string(),
        _ => ":--".to_string(),
    });
    let rows = rows.into_iter().map(|row| {
        let cells = row.into_iter().map(|cell| plain_text(&cell.into()));
        line(&mut { cells })
    });
    line(&mut { headings }) + &line(&mut { marks }) + &rows.collect::<String>()
}

/// Text that Markdown shows as it stands, in one line.
fn plain_text(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        if matches!(
            letter,
            '\\' | '|' | '`' | '*' | '_' | '~' | '<' | '>' | '[' | ']' | '&' | '#'
        ) {
            shown.push('\\');
        }
        shown.push(if letter == '\n' { ' ' } else { letter });
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_markdown_table_has_its_columns_aligned_and_names_as_they_are() {
        let columns = [right("#"), left("bot"), right("score")];
        let rows = [["1", "a|b_*c*", "98.6 %"], ["2", "good@f131e40acffd", "-"]];
        let expected = "| \\# | bot | score |\n| --: | :-- | --: |\n\
            | 1 | a\\|b\\_\\*c\\* | 98.6 % |\n| 2 | good@f131e40acffd | - |\n";
        assert_eq!(TableForm::Markdown.table(&columns, rows), expected);
    }

    #[test]
    fn a_crosstable_is_cut_only_where_a_screen_ends() {
        let names = vec!["somebody"; 20];
        let points = |one, other| (one as f64, other as f64 + 100.0);
        let screen = |screen| TableForm::Text { screen };
        let shown = screen(Some(80)).crosstable(&names, points);
        let shown = anstream::adapter::strip_str(&shown).to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 80));
        assert!(lines.iter().any(|line| line.ends_with("20")), "{lines:?}");
        let shown = screen(None).crosstable(&names, points);
        assert_eq!(shown.lines().count(), 21, "{shown}");
        let shown = TableForm::Markdown.crosstable(&names, points);
        assert_eq!(shown.lines().count(), 22, "{shown}");
    }
}
