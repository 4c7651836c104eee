//! The moves of a game as a page draws them: what changes on which square.

use crownhead::board::{Side, Square};
use crownhead::game::Game;
use crownhead::notation::{Notation, Rows};
use serde::Serialize;

/// A board as a page draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Board {
    /// The 64 letters of the rows, row 8 first.
    rows: String,
    /// Who is to move.
    side: &'static str,
}

impl Board {
    pub(super) fn of<G: Notation>(position: &G) -> Board {
        Board {
            rows: position.rows().lines().collect(),
            side: side_word(position.side_to_move()),
        }
    }
}

/// A side by its name in records.
pub(super) fn side_word(side: Side) -> &'static str {
    ["black", "white"][side.index()]
}

/// One move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Ply {
    side: &'static str,
    /// Its name.
    #[serde(rename = "move")]
    name: String,
    /// The squares that it touches, as in `A3C5`.
    squares: String,
    /// What stands on the squares that change, three characters each: `A3.C5b`.
    set: String,
}

impl Ply {
    /// The move `mv` of `before`, which leads to `after`.
    pub(super) fn of<G: Notation>(before: &G, mv: G::Move, after: &G) -> Ply {
        Ply {
            side: side_word(before.side_to_move()),
            name: before.move_name(mv),
            squares: squares(before, mv),
            set: changes(&before.rows(), &after.rows()),
        }
    }
}

/// The squares that a move touches.
pub(super) fn squares<G: Notation>(position: &G, mv: G::Move) -> String {
    let squares = position.move_squares(mv);
    squares.iter().map(ToString::to_string).collect()
}

/// The moves of a game, oldest first.
pub(super) fn plies<G: Notation>(game: &Game<G>) -> Vec<Ply> {
    let (before, after) = (game.positions(), game.positions().skip(1));
    let steps = before.zip(after).zip(game.moves());
    steps
        .map(|((before, after), mv)| Ply::of(before, mv, after))
        .collect()
}

fn changes(before: &Rows, after: &Rows) -> String {
    let changed = Square::all().filter(|&square| before.at(square) != after.at(square));
    changed
        .map(|square| format!("{square}{}", char::from(after.at(square))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::position::Position;

    #[test]
    fn a_jump_empties_the_squares_it_leaves_and_captures_on() {
        let rows = "........\n........\n...r....\n........\n.r......\nb.......\n........\n........";
        let position = Checkers::from_rows(&rows.parse().unwrap(), Side::Black).unwrap();
        let mut game = Game::from_position(position, rules::CONTEST);
        game.play(position.legal_moves()[0]).unwrap();
        let [ply] = plies(&game).try_into().unwrap();
        assert_eq!((ply.name.as_str(), ply.side), ("A3C5E7", "black"));
        assert_eq!(ply.squares, "A3C5E7");
        assert_eq!(ply.set, "A3.B4.D6.E7b");
        assert_eq!(Board::of(&position).rows, rows.replace('\n', ""));
    }
}
