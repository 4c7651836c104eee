//! Boards as pictures for a terminal.
//!
//! Gives text with colour codes in it; what prints it strips them where there is no terminal. The
//! symbols are a game's [`Notation`]'s.

mod classroom;

pub use classroom::classroom;

use anstyle::{AnsiColor, Style};
use crownhead::board::{Side, Square};
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use std::fmt::Write;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawing {
    /// With the symbols that Unicode has for the pieces, such as ⛂ and ⛀.
    Unicode,
    /// With the letters of the protocol's rows alone.
    Ascii,
}

/// The look of a piece of either side: black's is bold, the other's red.
fn style_of(side: Side) -> Style {
    match side {
        Side::Black => Style::new().bold(),
        Side::White => Style::new().fg_color(Some(AnsiColor::Red.into())),
    }
}

/// The board of a position with coordinates, the way up that `rules` show it; the squares in `marked` stand in
/// brackets.
pub fn board<G: Notation>(
    position: &G,
    rules: &RuleBook,
    marked: &[Square],
    drawing: Drawing,
) -> String {
    let mut picture = String::new();
    write_board(position, rules, marked, drawing, &mut picture).expect("writing to a string");
    picture
}

fn write_board<G: Notation>(
    position: &G,
    rules: &RuleBook,
    marked: &[Square],
    drawing: Drawing,
    out: &mut String,
) -> std::fmt::Result {
    let rows = position.rows();
    for line in 0..8 {
        let row = if rules.row_1_on_top { line } else { 7 - line };
        write!(out, "{} ", row + 1)?;
        for square in (0..8).map(|column| Square::new(column, row)) {
            let [open, close] = if marked.contains(&square) {
                ['[', ']']
            } else {
                [' ', ' ']
            };
            let letter = rows.at(square);
            let (symbol, style) = match (G::symbol(letter), drawing) {
                (Some((side, symbol)), Drawing::Unicode) => (symbol, style_of(side)),
                (Some((side, _)), Drawing::Ascii) => (char::from(letter), style_of(side)),
                (None, _) if !G::is_playing_square(square) => (' ', Style::new()),
                (None, Drawing::Unicode) => ('·', Style::new().dimmed()),
                (None, Drawing::Ascii) => ('.', Style::new()),
            };
            write!(out, "{open}{style}{symbol}{style:#}{close}")?;
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    }
    out.push_str("   A  B  C  D  E  F  G  H\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Drawing, board};
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::position::Position;

    #[test]
    fn a_board_is_drawn_with_coordinates_and_the_last_move_in_brackets() {
        let position = Checkers::from_fen("W:W18,K32:B11,K14").unwrap();
        let marked = ["C3", "D4"].map(|square| square.parse().unwrap());
        let plain = |drawing| {
            let picture = board(&position, &rules::CONTEST, &marked, drawing);
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

    #[test]
    fn the_classroom_sees_row_1_on_top() {
        let start = Checkers::start(&rules::CLASSROOM);
        let picture = board(&start, &rules::CLASSROOM, &[], Drawing::Ascii);
        let picture = anstream::adapter::strip_str(&picture).to_string();
        assert!(
            picture.starts_with("1  b     b     b     b\n2     b"),
            "{picture}"
        );
        assert!(picture.ends_with("8     r     r     r     r\n   A  B  C  D  E  F  G  H\n"));
    }
}
