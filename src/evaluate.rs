//! What a search thinks of a position of a game.
//!
//! A search is handed an evaluation as a value; a game does not know that it is being evaluated.

use crate::position::Position;

/// A judge of positions, and of which moves to look at first.
pub trait Evaluate<G: Position> {
    /// The worth of `position` for its side to move, in hundredths of a man.
    ///
    /// Stays well inside ±[`LIMIT`]: scores beyond it mean a proven win or loss.
    fn evaluate(&self, position: &G) -> i32;

    /// How promising `mv` looks before it is searched; higher is searched earlier.
    ///
    /// Only the order of these numbers matters.
    fn move_score(&self, position: &G, mv: G::Move) -> i32 {
        position.captures(mv) as i32
    }

    /// Whether the side to move is about to lose something, so that the evaluation of `position` should
    /// not be trusted where no capture is on the board.
    fn threatened(&self, _position: &G) -> bool {
        false
    }

    /// What kind of move `mv` is in any position: where a piece goes from and to, say. A number below
    /// [`HISTORY_INDEXES`]; moves of one kind share what a search learns about them.
    fn history_index(&self, _mv: G::Move) -> u16 {
        0
    }
}

/// No evaluation reaches this; see [`Evaluate::evaluate`].
pub const LIMIT: i32 = 30_000;

/// How many kinds of moves a search tells apart; see [`Evaluate::history_index`].
pub const HISTORY_INDEXES: usize = 1 << 12;
