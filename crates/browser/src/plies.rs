//! The moves of a game as a page draws them: what changes on which square.

use crownhead_bots::{Board, Cell};
use serde::Serialize;
use std::collections::BTreeMap;

/// A board as a page draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BoardView {
    /// The letters of the rows, the last row first.
    rows: String,
    /// Who is to move, as the game calls it.
    side: &'static str,
}

impl BoardView {
    /// The board as it is.
    pub fn of(board: &dyn Board) -> BoardView {
        BoardView {
            rows: board.rows().concat(),
            side: board.mover_name(),
        }
    }
}

/// One move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Ply {
    side: &'static str,
    /// Its name.
    #[serde(rename = "move")]
    name: String,
    /// The squares that it touches.
    squares: Vec<String>,
    /// What stands on the squares that change.
    set: BTreeMap<String, char>,
}

impl Ply {
    /// The move of this name on `before`, which leads to `after`.
    pub fn of(before: &dyn Board, name: &str, after: &dyn Board) -> Ply {
        Ply {
            side: before.mover_name(),
            name: name.into(),
            squares: squares(before, name),
            set: changes(&before.rows(), &after.rows()),
        }
    }
}

/// The squares that a legal move touches.
pub(super) fn squares(board: &dyn Board, name: &str) -> Vec<String> {
    let cells = board.squares_of(name).into_iter();
    cells.map(|cell| cell.to_string()).collect()
}

/// The position in which a game began, and its moves, oldest first.
pub fn plies(board: &dyn Board) -> (BoardView, Vec<Ply>) {
    let mut before = board.before(0);
    let start = BoardView::of(before.as_ref());
    let plies = board.moves().into_iter().map(|name| {
        let mut after = before.duplicate();
        after.redo();
        let ply = Ply::of(before.as_ref(), &name, after.as_ref());
        before = after;
        ply
    });
    (start, plies.collect())
}

fn changes(before: &[String], after: &[String]) -> BTreeMap<String, char> {
    let mut changed = BTreeMap::new();
    for (row, (before, after)) in (0..).zip(before.iter().rev().zip(after.iter().rev())) {
        for (column, (old, new)) in (0..).zip(before.bytes().zip(after.bytes())) {
            if old != new {
                changed.insert(Cell { column, row }.to_string(), char::from(new));
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::rules;
    use crownhead_bots::CHECKERS;

    #[test]
    fn a_jump_empties_the_squares_it_leaves_and_captures_on() {
        let rows = "........\n........\n...r....\n........\n.r......\nb.......\n........\n........";
        let rows: Vec<String> = rows.lines().map(String::from).collect();
        let mut board = CHECKERS.set_up(&rows, 0, rules::CONTEST).unwrap();
        assert!(board.play("A3C5E7"));
        let (start, plies) = plies(board.as_ref());
        let [ply] = plies.try_into().unwrap();
        assert_eq!((ply.name.as_str(), ply.side), ("A3C5E7", "black"));
        assert_eq!(ply.squares, ["A3", "C5", "E7"]);
        let set: Vec<String> = ply
            .set
            .iter()
            .map(|(at, now)| format!("{at}{now}"))
            .collect();
        assert_eq!(set, ["A3.", "B4.", "D6.", "E7b"]);
        assert_eq!(start.rows, rows.concat());
    }
}
