//! A program with a small game of discs on a board that is not 8 by 8. The tests of its pages use it.
//!
//! *Climb* (11 columns, 10 rows): a turn puts a disc anywhere on the lowest row that has none. The first on the last row
//! has won.

use crownhead::hash::fold;
use crownhead::{BoardSize, Cell, Explain, Notation, Outcome, Position, Side};
use crownhead::{PositionError, Refusal, Rows, RuleBook};

/// Where discs are, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Climb {
    discs: Vec<(Cell, Side)>,
    side_to_move: Side,
}

impl Climb {
    /// Where a disc may be put.
    fn free(&self) -> Vec<Cell> {
        let mut rows = 0..Self::SIZE.rows;
        let row = rows.find(|&row| self.discs.iter().all(|(disc, _)| disc.row != row));
        let cell = |row| (0..Self::SIZE.columns).map(move |column| Cell { column, row });
        row.into_iter().flat_map(cell).collect()
    }
}

impl Position for Climb {
    type Move = Cell;

    fn start(rules: &RuleBook) -> Self {
        Climb {
            discs: Vec::new(),
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, visit: impl FnMut(Self::Move)) {
        if self.ended().is_none() {
            self.free().into_iter().for_each(visit);
        }
    }

    fn play_unchecked(&self, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.discs.push((mv, self.side_to_move));
        after.discs.sort_by_key(|(cell, _)| *cell);
        after.side_to_move = self.side_to_move.opponent();
        after
    }

    fn hash(&self) -> u64 {
        let start = self.side_to_move.index() as u64;
        self.discs.iter().fold(start, |hash, (cell, side)| {
            let place = u64::from(cell.column) << 8 | u64::from(cell.row);
            fold(hash, place << 1 | side.index() as u64)
        })
    }

    fn ended(&self) -> Option<Outcome> {
        let mut discs = self.discs.iter();
        let last = discs.find(|(cell, _)| cell.row + 1 == Self::SIZE.rows);
        last.map(|&(_, side)| Outcome::Win(side))
    }
}

impl Notation for Climb {
    const NAME: &'static str = "climb";
    const ABOUT: &'static str = "First on the last row";
    const SIZE: BoardSize = BoardSize::new(11, 10);
    const RULE_BOOKS: &'static [RuleBook] = &[RuleBook {
        side_names: ["yellow", "blue"],
        moves_first: Side::Black,
        ..RuleBook::new("usual")
    }];

    /// `b` is blue, the second side.
    fn side_letter(side: Side) -> char {
        ['y', 'b'][side.index()]
    }

    fn rows(&self) -> Rows {
        let mut rows = Rows::empty(Self::SIZE);
        for &(cell, side) in &self.discs {
            rows.put(cell, Self::side_letter(side) as u8);
        }
        rows
    }

    fn symbol(letter: u8) -> Option<(Side, char)> {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|&side| Self::side_letter(side) as u8 == letter)?;
        Some((side, '●'))
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Self, PositionError> {
        let side = |letter| Self::symbol(letter).map(|(side, _)| side);
        let mut discs: Vec<(Cell, Side)> = rows.pieces(side, "y b", Self::square_name)?;
        discs.sort_by_key(|(cell, _)| *cell);
        Ok(Climb {
            discs,
            side_to_move,
        })
    }

    fn move_name(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    fn move_squares(&self, mv: Self::Move) -> Vec<Cell> {
        vec![mv]
    }
}

impl Explain for Climb {
    fn refusal(&self, _text: &str, _rules: &RuleBook) -> Refusal {
        "a disc is put on the lowest row that has room".into()
    }
}

fn main() -> std::process::ExitCode {
    crownhead_cli::main_with(crownhead_cli::games![Climb])
}
