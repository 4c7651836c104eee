//! Connect Four: a game of one's own whose board is no square.
//!
//! A disc falls in one of seven columns of six squares; four in a row, upright, across or diagonally, have won, and a
//! full board is a draw (Milton Bradley, "Connect Four", 1974).
//!
//! A move is named by its column, as people and the literature of the game do ("1. d1" says no more than "d": where the
//! disc lands follows). So a bot needs no square, and a column that is full is refused as such.

mod threes;

pub use threes::Threes;

use crownhead::hash::fold;
use crownhead::{BoardSize, Cell, Explain, Notation, Outcome, Position, Side};
use crownhead::{PositionError, Refusal, Rows, RuleBook};

/// The discs of either side, and whose turn it is.
///
/// A column is seven bits, of which the last stays empty, so that a line does not go on in the next column (J. Tromp,
/// "The Fhourstones Benchmark"):
///
/// ```text
///  6 13 20 27 34 41 48     always empty
///  5 12 19 26 33 40 47     row 6
///  …
///  0  7 14 21 28 35 42     row 1
///  A  B  C  D  E  F  G
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectFour {
    discs: [u64; 2],
    side_to_move: Side,
}

const COLUMNS: u8 = 7;
const ROWS: u8 = 6;
/// Bits of a column.
const HEIGHT: u8 = ROWS + 1;
/// From a square to its neighbour upwards, to the right, and along the two diagonals.
const STEPS: [u32; 4] = [1, HEIGHT as u32, HEIGHT as u32 + 1, HEIGHT as u32 - 1];

/// The columns in the order in which a search does well to try them: those in the middle are part of more lines.
const FROM_THE_MIDDLE: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

fn bit(cell: Cell) -> u64 {
    1 << (cell.column * HEIGHT + cell.row)
}

/// Whether there are four in a row.
fn has_four(discs: u64) -> bool {
    STEPS.iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl ConnectFour {
    /// The square on which a disc in this column lands; `None` when it is full.
    fn landing(&self, column: u8) -> Option<Cell> {
        let taken = self.discs[0] | self.discs[1];
        let row = (taken >> (column * HEIGHT)).trailing_ones() as u8;
        (row < ROWS).then_some(Cell { column, row })
    }

    fn owner(&self, cell: Cell) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.discs[side.index()] & bit(cell) != 0)
    }
}

impl Position for ConnectFour {
    /// The column, from 0.
    type Move = u8;

    fn start(rules: &RuleBook) -> ConnectFour {
        ConnectFour {
            discs: [0; 2],
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, visit: impl FnMut(u8)) {
        if self.ended().is_none() {
            let columns = FROM_THE_MIDDLE.into_iter();
            columns
                .filter(|&column| self.landing(column).is_some())
                .for_each(visit);
        }
    }

    fn play_unchecked(&self, column: u8) -> ConnectFour {
        let mut after = self.clone();
        let cell = self.landing(column).expect("a column that is not full");
        after.discs[self.side_to_move.index()] |= bit(cell);
        after.side_to_move = self.side_to_move.opponent();
        after
    }

    fn is_zeroing(&self, _column: u8) -> bool {
        true
    }

    fn hash(&self) -> u64 {
        fold(
            fold(self.discs[0], self.discs[1]),
            self.side_to_move.index() as u64,
        )
    }

    fn ended(&self) -> Option<Outcome> {
        let mut sides = Side::BOTH.into_iter();
        sides
            .find(|side| has_four(self.discs[side.index()]))
            .map(Outcome::Win)
    }

    fn history_index(column: u8) -> u16 {
        column.into()
    }

    fn without_moves(&self, _rules: &RuleBook) -> Outcome {
        Outcome::Draw
    }
}

impl Notation for ConnectFour {
    const NAME: &'static str = "connect4";
    const ABOUT: &'static str = "Four in a row, where discs fall";
    const SIZE: BoardSize = BoardSize::new(COLUMNS, ROWS);
    const RULE_BOOKS: &'static [RuleBook] = &[RuleBook {
        side_names: ["red", "yellow"],
        moves_first: Side::Black,
        ..RuleBook::new("standard")
    }];

    fn side_letter(side: Side) -> char {
        match side {
            Side::Black => 'r',
            Side::White => 'y',
        }
    }

    fn rows(&self) -> Rows {
        let mut rows = Rows::empty(ConnectFour::SIZE);
        for cell in ConnectFour::SIZE.cells() {
            if let Some(side) = self.owner(cell) {
                rows.put(cell, ConnectFour::side_letter(side) as u8);
            }
        }
        rows
    }

    fn symbol(letter: u8) -> Option<(Side, char)> {
        match letter {
            b'r' => Some((Side::Black, '●')),
            b'y' => Some((Side::White, '○')),
            _ => None,
        }
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<ConnectFour, PositionError> {
        let side = |letter| Some(ConnectFour::symbol(letter)?.0);
        let pieces = rows.pieces::<Cell, Side>(side, "r y", ConnectFour::square_name)?;
        let mut position = ConnectFour {
            discs: [0; 2],
            side_to_move,
        };
        // Cells come row by row from below, so that a disc that hangs in the air does not land where it is.
        for (cell, side) in pieces {
            if position.landing(cell.column) != Some(cell) {
                let reason = format!("the disc on {cell} has none below it");
                return Err(PositionError::new(reason));
            }
            position.discs[side.index()] |= bit(cell);
        }
        let [first, second] = position.discs.map(u64::count_ones);
        if first == second + u32::from(side_to_move == Side::White) {
            return Ok(position);
        }
        Err(PositionError::new(format!(
            "{first} discs are red and {second} yellow; they fall in turn, red first"
        )))
    }

    fn move_name(&self, column: u8) -> String {
        char::from(b'A' + column).into()
    }

    fn move_squares(&self, column: u8) -> Vec<Cell> {
        self.landing(column).into_iter().collect()
    }
}

impl Explain for ConnectFour {
    fn refusal(&self, text: &str, _rules: &RuleBook) -> Refusal {
        let full = |column: u8| text.eq_ignore_ascii_case(&self.move_name(column));
        let moves = self
            .legal_moves()
            .into_iter()
            .map(|column| self.move_name(column));
        let mut names: Vec<String> = moves.collect();
        names.sort();
        match (0..COLUMNS).find(|&column| full(column)) {
            _ if names.is_empty() => "the game is over".into(),
            Some(column) => {
                let name = self.move_name(column);
                format!("column {name} is full: {}", names.join(" ")).into()
            }
            None => format!("a move is a column: {}", names.join(" ")).into(),
        }
    }

    fn describe_end(&self, outcome: Outcome, rules: &RuleBook) -> String {
        match outcome {
            Outcome::Win(side) => format!("{} has four in a row", rules.side_name(side)),
            Outcome::Draw => "the board is full: a draw".into(),
        }
    }
}
