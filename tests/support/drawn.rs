//! Positions out of drawn boards and lists of moves, in any game.

use crownhead::board::{BoardSize, Side};
use crownhead::explain::Explain;
use crownhead::notation::{Notation, Rows};

/// The position of a drawn board, or the reason there is none.
pub(crate) fn set_up<G: Notation>(drawing: &str, side_to_move: Side) -> Result<G, String> {
    let rows =
        Rows::from_lines(BoardSize::default(), drawing.trim().lines().map(str::trim)).unwrap();
    G::from_rows(&rows, side_to_move).map_err(|error| error.to_string())
}

/// The position of a drawn board.
pub(crate) fn board<G: Notation>(drawing: &str, side_to_move: Side) -> G {
    set_up(drawing, side_to_move).unwrap()
}

/// Asserts that a board is refused for this reason; `rows` are rows 8 to 1 with a slash between two.
pub(crate) fn assert_refused<G: Notation>(rows: &str, side_to_move: Side, reason: &str) {
    let drawing = rows.replace('/', "\n");
    let answer = set_up::<G>(&drawing, side_to_move);
    assert_eq!(answer, Err(reason.to_string()), "\n{drawing}");
}

/// The position after these moves.
pub(crate) fn after<G: Explain>(mut position: G, moves: &str) -> G {
    for mv in moves.split_whitespace() {
        let parsed = position.parse_move(mv);
        let mv = parsed
            .unwrap_or_else(|_| panic!("{mv}: {}", position.refusal(mv, &G::RULE_BOOKS[0]).clause));
        position = position.play(mv).unwrap();
    }
    position
}
