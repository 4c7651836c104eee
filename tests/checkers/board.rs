//! Boards drawn as text, so that the tests read like the rules.

use crownhead::board::{BoardSize, Side};
use crownhead::games::checkers::Checkers;
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;

/// The position of a drawing such as this, where rows that are left out are empty:
///
/// ```text
/// 5  . . r . r . . .
/// 3  . . r . r . . .
/// 2  . . . B . . . .
///    A B C D E F G H
/// ```
pub(crate) fn draw(side_to_move: Side, drawing: &str) -> Checkers {
    let mut lines = [const { String::new() }; 8].map(|_| "........".to_string());
    for line in drawing.lines().map(str::trim) {
        let Some(row) = line.chars().next().and_then(|c| c.to_digit(10)) else {
            continue;
        };
        lines[8 - row as usize] = line[1..].split_whitespace().collect();
    }
    let rows = Rows::from_lines(BoardSize::default(), lines.iter().map(String::as_str))
        .expect("a drawn board");
    Checkers::from_rows(&rows, side_to_move).expect("a position of checkers")
}

/// Black has a man that cannot move.
pub(crate) fn stuck() -> Checkers {
    draw(
        Side::Black,
        "
        7  . . r . . . . .
        6  . r . . . . . .
        5  b . . . . . . .
           A B C D E F G H",
    )
}

/// The names of the legal moves, sorted.
pub(crate) fn moves(position: &Checkers) -> Vec<String> {
    let moves = position.legal_moves().into_iter();
    let mut names: Vec<String> = moves.map(|mv| position.move_name(mv)).collect();
    names.sort();
    names
}

/// The position after the legal move of this name.
pub(crate) fn play(position: &Checkers, name: &str) -> Checkers {
    let mv = position.parse_move(name);
    position.play_unchecked(mv.unwrap_or_else(|_| panic!("{name} is not legal in {position:?}")))
}
