//! The board of the classroom's assignment, which is compared byte for byte.

use crownhead::board::Square;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;

/// The board with row 1 on top, a space after every cell, and the columns' letters below.
///
/// ```
/// use crownhead::position::Position;
/// use crownhead::games::checkers::{Checkers, rules};
///
/// let board = crownhead_referee::draw::classroom(&Checkers::start(&rules::CLASSROOM));
/// assert!(board.starts_with("1 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n2 ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ \n"));
/// assert!(board.ends_with("8 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n  a b c d e f g h\n"));
/// ```
pub fn classroom(position: &Checkers) -> String {
    let rows = position.rows();
    let mut board = String::new();
    for row in 0..8 {
        board.push_str(&(row + 1).to_string());
        for square in (0..8).map(|column| Square::new(column, row)) {
            board.push(' ');
            board.push(cell(rows.at(square), square));
        }
        board.push_str(" \n");
    }
    board.push_str("  a b c d e f g h\n");
    board
}

fn cell(letter: u8, square: Square) -> char {
    match letter {
        b'b' => '⚈',
        b'B' => '⚉',
        b'r' => '⚆',
        b'R' => '⚇',
        _ if Checkers::is_playing_square(square) => '◻',
        _ => '◼',
    }
}
