//! Boards as pictures for a terminal.
//!
//! Gives text with colour codes in it; what prints it strips them where there is no terminal.

use anstyle::{AnsiColor, Style};
use crownhead::board::Square;
use crownhead::notation::Rows;
use std::fmt::Write;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// With discs: ⛂ and ⛃ for black's men and kings, ⛀ and ⛁ for red's.
    Unicode,
    /// With the protocol's letters alone.
    Ascii,
}

/// A checkers board with coordinates, row 8 on top; the squares in `marked` stand in brackets.
pub fn checkers(rows: &Rows, marked: &[Square], drawing: Drawing) -> String {
    let mut picture = String::new();
    for (row, line) in (0..8).rev().zip(rows.lines()) {
        write!(picture, "{} ", row + 1).expect("writing to a string");
        for (column, letter) in (0..8).zip(line.chars()) {
            let square = Square::new(column, row);
            let [open, close] = if marked.contains(&square) {
                ['[', ']']
            } else {
                [' ', ' ']
            };
            let (symbol, style) = symbol(letter, square, drawing);
            write!(picture, "{open}{style}{symbol}{style:#}{close}").expect("writing to a string");
        }
        picture.truncate(picture.trim_end().len());
        picture.push('\n');
    }
    picture.push_str("   A  B  C  D  E  F  G  H\n");
    picture
}

fn symbol(letter: char, square: Square, drawing: Drawing) -> (char, Style) {
    let red = Style::new().fg_color(Some(AnsiColor::Red.into()));
    let black = Style::new().bold();
    let playing = (square.column() + square.row()).is_multiple_of(2);
    match (letter, drawing) {
        ('.', Drawing::Unicode) if playing => ('·', Style::new().dimmed()),
        ('.', Drawing::Ascii) if playing => ('.', Style::new()),
        ('.', _) => (' ', Style::new()),
        ('b', Drawing::Unicode) => ('⛂', black),
        ('B', Drawing::Unicode) => ('⛃', black),
        ('r', Drawing::Unicode) => ('⛀', red),
        ('R', Drawing::Unicode) => ('⛁', red),
        ('b' | 'B', Drawing::Ascii) => (letter, black),
        _ => (letter, red),
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, checkers};
    use crownhead::games::checkers::Checkers;
    use crownhead::notation::Notation;

    #[test]
    fn a_board_is_drawn_with_coordinates_and_the_last_move_in_brackets() {
        let position = Checkers::from_fen("W:W18,K32:B11,K14").unwrap();
        let marked = ["C3", "D4"].map(|square| square.parse().unwrap());
        let plain = |drawing| {
            let picture = checkers(&position.rows(), &marked, drawing);
            anstream::adapter::strip_str(&picture).to_string()
        };
        assert_eq!(
            plain(Drawing::Ascii),
            "\
8     R     .     .     .
7  .     .     .     .
6     .     .     .     .
5  .     .     r     .
4     .    [.]    B     .
3  .    [b]    .     .
2     .     .     .     .
1  .     .     .     .
   A  B  C  D  E  F  G  H
"
        );
        assert!(plain(Drawing::Unicode).contains("4     ·    [·]    ⛃     ·\n"));
    }
}
