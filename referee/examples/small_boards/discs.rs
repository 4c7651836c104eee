//! Two small games of discs, on boards of other sizes than 8 by 8, whose moves touch one square or none.
//!
//! *Climb* (11 columns, 10 rows): a turn puts a disc anywhere on the lowest row that has none, in column K an own one or
//! the opponent's; who has more discs may pass. *Drop* (5 columns, 4 rows): a disc falls into a column. The first on the
//! last row has won.

use crownhead::hash::fold;
use crownhead::{BoardSize, Cell, Click, Explain, Notation, Outcome, Position, Side};
use crownhead::{PositionError, Rows, RuleBook};

/// One of the two games, where discs are, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Discs<const DROP: bool> {
    discs: Vec<(Cell, Side)>,
    side_to_move: Side,
}

impl<const DROP: bool> Discs<DROP> {
    fn count(&self, side: Side) -> usize {
        let own = self.discs.iter().filter(|(_, own)| *own == side);
        own.count()
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.discs.iter().all(|&(disc, _)| disc != cell)
    }

    /// Where a disc may be put.
    fn free(&self) -> Vec<Cell> {
        let columns = 0..Self::SIZE.columns;
        let free = columns.filter_map(|column| {
            let mut column = (0..Self::SIZE.rows).map(|row| Cell { column, row });
            column.find(|&cell| {
                let row = self.discs.iter().filter(|(disc, _)| disc.row == cell.row);
                if DROP {
                    self.is_empty(cell)
                } else {
                    row.count() == 0
                }
            })
        });
        free.collect()
    }
}

impl<const DROP: bool> Position for Discs<DROP> {
    /// The disc to put; none to pass.
    type Move = Option<(Cell, Side)>;

    fn start(rules: &RuleBook) -> Self {
        let first = (Cell { column: 0, row: 0 }, Side::Black);
        Discs {
            discs: if DROP { vec![] } else { vec![first] },
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, mut visit: impl FnMut(Self::Move)) {
        if self.ended().is_some() {
            return;
        }
        let (own, other) = (self.side_to_move, self.side_to_move.opponent());
        for cell in self.free() {
            visit(Some((cell, own)));
            if cell.column == 10 {
                visit(Some((cell, other)));
            }
        }
        if !DROP && self.count(own) > self.count(other) {
            visit(None);
        }
    }

    fn play_unchecked(&self, mv: Self::Move) -> Self {
        let mut after = self.clone();
        after.discs.extend(mv);
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

impl<const DROP: bool> Notation for Discs<DROP> {
    const NAME: &'static str = if DROP { "drop" } else { "climb" };
    const ABOUT: &'static str = "First on the last row";
    const SIZE: BoardSize = if DROP {
        BoardSize::new(5, 4)
    } else {
        BoardSize::new(11, 10)
    };
    const CLICK: Click = if DROP { Click::Column } else { Click::Path };
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
        Ok(Discs {
            discs,
            side_to_move,
        })
    }

    fn move_name(&self, mv: Self::Move) -> String {
        match mv {
            Some((cell, _)) if DROP => char::from(b'A' + cell.column).into(),
            Some((cell, side)) if side == self.side_to_move => cell.to_string(),
            Some((cell, _)) => format!("{cell}-GIFT"),
            None => "PASS".into(),
        }
    }

    fn move_squares(&self, mv: Self::Move) -> Vec<Cell> {
        mv.into_iter().map(|(cell, _)| cell).collect()
    }
}

impl<const DROP: bool> Explain for Discs<DROP> {
    type Refusal = String;

    fn refusal(&self, _text: &str) -> String {
        "a disc is put on the lowest row that has room".into()
    }
}
