//! The board of the classroom's assignment, which is compared byte for byte.

use crownhead::board::Square;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;

/// The board with row 1 on top, a space after every cell, and the columns' letters below; with letters for the
/// course's characters where `ascii` asks for them.
///
/// ```
/// use crownhead::position::Position;
/// use crownhead::games::checkers::{Checkers, rules};
/// use crownhead_referee::draw::classroom;
///
/// let start = Checkers::start(&rules::CLASSROOM);
/// let board = classroom(&start, false);
/// assert!(board.starts_with("1 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n2 ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ \n"));
/// assert!(board.ends_with("8 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n  a b c d e f g h\n"));
/// let board = classroom(&start, true);
/// assert!(board.starts_with("1 b   b   b   b   \n2   b   b   b   b \n"));
/// ```
pub fn classroom(position: &Checkers, ascii: bool) -> String {
    let rows = position.rows();
    let mut board = String::new();
    for row in 0..8 {
        board.push_str(&(row + 1).to_string());
        for square in (0..8).map(|column| Square::new(column, row)) {
            let [course, plain] = cell(rows.at(square), square);
            board.push(' ');
            board.push(if ascii { plain } else { course });
        }
        board.push_str(" \n");
    }
    board.push_str("  a b c d e f g h\n");
    board
}

/// The course's character and the one in ASCII.
fn cell(letter: u8, square: Square) -> [char; 2] {
    match letter {
        b'b' => ['⚈', 'b'],
        b'B' => ['⚉', 'B'],
        b'r' => ['⚆', 'w'],
        b'R' => ['⚇', 'W'],
        _ if Checkers::is_playing_square(square) => ['◻', '.'],
        _ => ['◼', ' '],
    }
}
