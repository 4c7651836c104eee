//! The board of the classroom's assignment, which is compared byte for byte.

use crownhead_bots::{Board, Cell};

/// The board with row 1 on top, a space after every cell, and the columns' letters below; with letters for the
/// course's characters where `ascii` asks for them.
pub(crate) fn classroom(board: &dyn Board, ascii: bool) -> String {
    let rows = board.rows();
    let mut picture = String::new();
    for (row, letters) in (0..).zip(rows.iter().rev()) {
        picture.push_str(&(row + 1).to_string());
        for (column, letter) in (0..).zip(letters.bytes()) {
            let is_playing_square = board.game().is_playing_square(Cell { column, row });
            let [course, plain] = cell(letter, is_playing_square);
            picture.push(' ');
            picture.push(if ascii { plain } else { course });
        }
        picture.push_str(" \n");
    }
    picture.push_str("  a b c d e f g h\n");
    picture
}

/// The course's character and the one in ASCII.
fn cell(letter: u8, is_playing_square: bool) -> [char; 2] {
    match letter {
        b'b' => ['⚈', 'b'],
        b'B' => ['⚉', 'B'],
        b'r' => ['⚆', 'w'],
        b'R' => ['⚇', 'W'],
        _ if is_playing_square => ['◻', '.'],
        _ => ['◼', ' '],
    }
}

#[cfg(test)]
mod tests {
    use super::classroom;
    use crownhead::games::checkers::rules;
    use crownhead_bots::CHECKERS;

    #[test]
    fn the_assignments_board_has_row_1_on_top_and_a_space_after_every_cell() {
        let start = CHECKERS.start(rules::CLASSROOM);
        let board = classroom(start.as_ref(), false);
        assert!(board.starts_with("1 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n2 ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ \n"));
        assert!(board.ends_with("8 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n  a b c d e f g h\n"));
        let board = classroom(start.as_ref(), true);
        assert!(board.starts_with("1 b   b   b   b   \n2   b   b   b   b \n"));
    }
}
