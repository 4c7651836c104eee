//! How a referee shows the board: which row comes first, and whether it is mirrored.
//!
//! The contest's statement leaves open which row is sent first and towards which row black moves. A bot
//! that assumes the wrong one loses its first game with an illegal move; this one searches for the
//! orientation in which its own legal moves are the listed ones, and answers in the referee's names.

use crownhead::board::{BoardSize, Cell, Side};
use crownhead::notation::{parse_squares, Notation, Rows};
use crownhead::protocol;
use std::fmt;

/// One of the eight ways in which a board may be shown.
///
/// The default has row 8 first and names squares as this library does. In the others the lines come from
/// row 1 up, the board is mirrored in its columns or its rows, or both (a half turn: black moves down). Each
/// is its own inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Orientation {
    row_1_first: bool,
    columns_mirrored: bool,
    rows_mirrored: bool,
}

impl Orientation {
    /// All orientations, the default first.
    pub fn all() -> impl Iterator<Item = Orientation> {
        (0..8).map(|bits| Orientation {
            row_1_first: bits & 1 != 0,
            columns_mirrored: bits & 2 != 0,
            rows_mirrored: bits & 4 != 0,
        })
    }

    /// The board as this library would show it.
    pub fn rows(self, shown: &Rows) -> Rows {
        let size = shown.size();
        let mut rows = shown.clone();
        for cell in size.cells() {
            let mut theirs = self.cell(size, cell);
            if self.row_1_first {
                theirs.row = size.rows - 1 - theirs.row;
            }
            rows.put(cell, shown.at(theirs));
        }
        rows
    }

    /// The referee's name of a square; also this library's name of a square of the referee's.
    pub fn cell(self, size: BoardSize, cell: Cell) -> Cell {
        let mirror = |mirrored, last, place| if mirrored { last - place } else { place };
        Cell {
            column: mirror(self.columns_mirrored, size.columns - 1, cell.column),
            row: mirror(self.rows_mirrored, size.rows - 1, cell.row),
        }
    }

    /// A move's name with each square renamed by [`Orientation::cell`]. Text that is no sequence of squares, such as a
    /// pass, has one name in all orientations.
    pub fn name(self, size: BoardSize, name: &str) -> String {
        let renamed = |cell| {
            let on_board = size.contains(cell);
            on_board.then(|| self.cell(size, cell).to_string())
        };
        let cells = parse_squares(name).unwrap_or_default().into_iter();
        let renamed: Option<String> = cells.map(renamed).collect();
        renamed
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| name.into())
    }
}

impl fmt::Display for Orientation {
    /// `row 8 first`, `row 1 first, board turned round`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = if self.row_1_first { 1 } else { 8 };
        let board = match (self.columns_mirrored, self.rows_mirrored) {
            (false, false) => "",
            (true, false) => ", columns mirrored",
            (false, true) => ", rows mirrored",
            (true, true) => ", board turned round",
        };
        write!(f, "row {first} first{board}")
    }
}

/// A turn as read in one orientation.
#[derive(Clone, Debug)]
pub struct Reading<G: Notation> {
    /// The orientation it was read in.
    pub orientation: Orientation,
    /// The position on the board.
    pub position: G,
    /// The listed moves that are legal by this library's rules, in the order of the list.
    pub moves: Vec<G::Move>,
    /// The index in the list of each of `moves`.
    pub indexes: Vec<usize>,
    /// Whether the listed moves are exactly the legal ones.
    pub agrees: bool,
}

impl<G: Notation> Reading<G> {
    /// The reading of `turn` in which the listed moves are the legal ones, `usual` being tried first; if there
    /// is none, the reading in which most listed moves are legal. `None` when no listed move is legal in any.
    pub fn find(
        turn: &protocol::TurnRequest,
        side: Side,
        usual: Orientation,
    ) -> Option<Reading<G>> {
        let others = Orientation::all().filter(|&other| other != usual);
        let mut best: Option<Reading<G>> = None;
        for orientation in std::iter::once(usual).chain(others) {
            let Some(reading) = Reading::of(turn, side, orientation) else {
                continue;
            };
            if reading.agrees {
                return Some(reading);
            }
            let most = best.as_ref().map_or(0, |best| best.moves.len());
            if reading.moves.len() > most {
                best = Some(reading);
            }
        }
        best
    }

    /// The turn read in this orientation; `None` when its board is no position of the game.
    fn of(
        turn: &protocol::TurnRequest,
        side: Side,
        orientation: Orientation,
    ) -> Option<Reading<G>> {
        let position = G::from_rows(&orientation.rows(&turn.rows), side).ok()?;
        let legal: Vec<(String, G::Move)> = position
            .legal_moves()
            .into_iter()
            .map(|mv| (position.move_name(mv), mv))
            .collect();
        let (mut moves, mut indexes) = (Vec::new(), Vec::new());
        for (index, listed) in turn.moves.iter().enumerate() {
            let ours = orientation.name(turn.rows.size(), listed);
            let mut legal = legal.iter();
            let known = legal.find(|(name, _)| name.eq_ignore_ascii_case(&ours));
            if let Some(&(_, mv)) = known {
                moves.push(mv);
                indexes.push(index);
            }
        }
        let agrees =
            moves.len() == turn.moves.len() && legal.iter().all(|(_, mv)| moves.contains(mv));
        Some(Reading {
            orientation,
            position,
            moves,
            indexes,
            agrees,
        })
    }
}
