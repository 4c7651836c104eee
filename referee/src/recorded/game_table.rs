//! A list of games as a table: number, bots, result, turns, how each ended.
//!
//! There may be more games than fit into memory, so it is written while they are read: the first games set the widths
//! of the columns, and later ones may only widen them.

use super::super::table::{Column, left, right};
use super::list::{turns, winner_of};
use comfy_table::CellAlignment;
use crownhead_record::GameRecord;
use crownhead_record::numbers::show_count;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Games whose columns are made equally wide before they are written.
const BATCH: usize = 1000;

/// A table of games that is written batch by batch.
pub(crate) struct GameTable<W> {
    out: W,
    /// What the games of the table call their sides.
    sides: Vec<String>,
    columns: Vec<Column>,
    widths: Vec<usize>,
    rows: Vec<Vec<String>>,
    has_heading: bool,
}

impl<W: Write> GameTable<W> {
    /// A table without games.
    pub(crate) fn new(out: W) -> GameTable<W> {
        GameTable {
            out,
            sides: Vec::new(),
            columns: Vec::new(),
            widths: Vec::new(),
            rows: Vec::new(),
            has_heading: false,
        }
    }

    /// Adds a game. One whose sides have other names begins a new table.
    pub(crate) fn add(&mut self, game: &GameRecord) -> io::Result<()> {
        let sides = game.players.iter().map(|player| player.side.as_str());
        if !sides.clone().eq(&self.sides) {
            let is_first = self.sides.is_empty();
            self.write_rows()?;
            if !is_first {
                writeln!(self.out)?;
            }
            self.sides = sides.map(String::from).collect();
            self.begin();
        }
        self.rows.push(cells(game));
        match self.rows.len() {
            BATCH.. => self.write_rows(),
            _ => Ok(()),
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write_rows()?;
        self.out.flush()
    }

    fn begin(&mut self) {
        let sides = self.sides.iter().map(left);
        let ends = [left("result"), right("turns"), left("ended by")];
        self.columns = [right("game")]
            .into_iter()
            .chain(sides)
            .chain(ends)
            .collect();
        let headings = self.columns.iter().map(|(heading, _)| heading.width());
        self.widths = headings.collect();
        self.has_heading = false;
    }

    fn write_rows(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        for row in &rows {
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = (*width).max(cell.width());
            }
        }
        if !rows.is_empty() && !self.has_heading {
            self.has_heading = true;
            let bold = anstyle::Style::new().bold();
            let headings = self.columns.iter().map(|(heading, _)| heading);
            let heading = self.line(headings);
            writeln!(self.out, "{bold}{heading}{bold:#}")?;
        }
        for row in &rows {
            let line = self.line(row);
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    fn line<'a>(&self, cells: impl IntoIterator<Item = &'a String>) -> String {
        let mut line = String::new();
        for ((cell, (_, alignment)), width) in
            cells.into_iter().zip(&self.columns).zip(&self.widths)
        {
            let space = " ".repeat(width - cell.width());
            match alignment {
                CellAlignment::Right => line += &format!("{space}{cell}  "),
                _ => line += &format!("{cell}{space}  "),
            }
        }
        line.trim_end().to_string()
    }
}

fn cells(game: &GameRecord) -> Vec<String> {
    let result = match winner_of(game) {
        Some(_) if game.referee.is_some() => scores_in_words(game),
        Some(Some(player)) => format!("{} won", game.players[player].side),
        Some(None) => "draw".into(),
        None => "no result".into(),
    };
    let players = game.players.iter().map(|player| player.name.clone());
    let ends = [
        result,
        show_count(turns(game)),
        game.termination.to_string(),
    ];
    let number = game.number.to_string();
    [number].into_iter().chain(players).chain(ends).collect()
}

/// The scores that an external referee gave, or the points if it gave none.
fn scores_in_words(game: &GameRecord) -> String {
    let given = game.referee.as_ref().map(|referee| &referee.scores);
    let scores = given
        .filter(|scores| !scores.is_empty())
        .or(game.scores.as_ref());
    let scores = scores.into_iter().flatten().map(f64::to_string);
    scores.collect::<Vec<_>>().join(" : ")
}
