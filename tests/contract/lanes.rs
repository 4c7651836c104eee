//! A small game for these tests: a side may move many times in a row.

use crownhead::board::{Bitboard, BoardSize, Cell, Side, Square};
use crownhead::contract::Noise;
use crownhead::explain::{Explain, Refusal};
use crownhead::hash::fold;
use crownhead::notation::{parse_squares, Notation, PositionError, Rows};
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;
use crownhead::search::{search, Parameters, Root, TranspositionTable, WIN};

/// Four columns, each with a pawn of either side at its own end:
///
/// ```text
/// 8  w w w w . . . .
/// 7  . . . . . . . .
///    …                    white goes down, black goes up
/// 2  . . . . . . . .
/// 1  b b b b . . . .
///    A B C D E F G H
/// ```
///
/// A pawn goes one or two squares ahead in its column, over empty squares, and the turn passes; or it takes
/// the pawn on the next square, and the same side *moves again*. A pawn on its far row wins the game; a
/// side that is to move and has no pawn has lost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lanes {
    pawns: [Bitboard; 2],
    side_to_move: Side,
}

pub(crate) const RULES: RuleBook = RuleBook {
    moves_first: Side::Black,
    ..RuleBook::new("lanes")
};

const COLUMNS: u8 = 4;

/// The row on which a pawn of `side` wins.
fn goal(side: Side) -> u8 {
    [7, 0][side.index()]
}

impl Lanes {
    fn owner(&self, square: Square) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.pawns[side.index()].contains(square))
    }
}

impl Position for Lanes {
    type Move = (Square, Square);

    fn start(rules: &RuleBook) -> Lanes {
        let row = |row| {
            (0..COLUMNS)
                .map(|column| Square::new(column, row))
                .collect()
        };
        Lanes {
            pawns: Side::BOTH.map(|side| row(goal(side.opponent()))),
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
        let ahead = [1, -1][self.side_to_move.index()];
        for from in self.pawns[self.side_to_move.index()].squares() {
            let next = from.offset(0, ahead);
            if let Some(next) = next.filter(|&next| self.owner(next) != Some(self.side_to_move)) {
                visit((from, next));
                let second = next.offset(0, ahead);
                if let (None, Some(second)) = (self.owner(next), second) {
                    if self.owner(second).is_none() {
                        visit((from, second));
                    }
                }
            }
        }
    }

    fn play_unchecked(&self, (from, to): Self::Move) -> Lanes {
        let (side, mut pawns) = (self.side_to_move, self.pawns);
        pawns[side.index()] = (pawns[side.index()] & !Bitboard::of(from)).with(to);
        let other = &mut pawns[side.opponent().index()];
        let captures = other.contains(to);
        *other = *other & !Bitboard::of(to);
        Lanes {
            pawns,
            side_to_move: if captures { side } else { side.opponent() },
        }
    }

    fn captures(&self, (_, to): Self::Move) -> u32 {
        u32::from(self.owner(to).is_some())
    }

    fn hash(&self) -> u64 {
        let [black, white] = self.pawns.map(|pawns| pawns.0);
        fold(fold(black, white), self.side_to_move.index() as u64)
    }

    fn ended(&self) -> Option<Outcome> {
        let arrived = |side: Side| {
            let mut pawns = self.pawns[side.index()].squares();
            pawns.any(|square| square.row() == goal(side))
        };
        let winner = Side::BOTH.into_iter().find(|&side| arrived(side));
        winner.map(Outcome::Win)
    }
}

impl Notation for Lanes {
    const NAME: &'static str = "lanes";
    const RULE_BOOKS: &'static [RuleBook] = &[RULES];

    fn rows(&self) -> Rows {
        let mut rows = Rows::empty(BoardSize::default());
        for square in Square::all() {
            if let Some(side) = self.owner(square) {
                rows.put(square, Lanes::side_letter(side) as u8);
            }
        }
        rows
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Lanes, PositionError> {
        let of = |letter| Square::all().filter(|&s| rows.at(s) == letter).collect();
        let pawns: [Bitboard; 2] = [of(b'b'), of(b'w')];
        match Square::all().find(|&square| !b".bw".contains(&rows.at(square))) {
            Some(square) => Err(PositionError::new(format!("{square} is none of . b w"))),
            None => Ok(Lanes {
                pawns,
                side_to_move,
            }),
        }
    }

    fn move_name(&self, (from, to): Self::Move) -> String {
        format!("{from}{to}")
    }

    fn move_squares(&self, (from, to): Self::Move) -> Vec<Cell> {
        vec![from.into(), to.into()]
    }
}

impl Explain for Lanes {
    fn refusal(&self, text: &str, _rules: &RuleBook) -> Refusal {
        let squares: Vec<Square> = parse_squares(text).unwrap_or_default();
        match squares.first().map(|&from| (from, self.owner(from))) {
            None => "a move is two squares, such as A1A2".into(),
            Some((from, Some(side))) if side == self.side_to_move => {
                format!("the pawn on {from} cannot go there").into()
            }
            Some((from, _)) => format!("it has no pawn on {from}").into(),
        }
    }
}

#[test]
fn a_capture_keeps_the_turn_and_the_search_sees_that_it_wins() {
    let rows = "........\n".repeat(3) + "ww......\nbb......\n" + "........\n........\n........";
    let position = Lanes::from_rows(&rows.parse().unwrap(), Side::Black).unwrap();
    let taken = position.play(position.parse_move("A4A5").unwrap()).unwrap();
    assert_eq!(taken.side_to_move(), Side::Black);
    // B4B5 next leaves white without a pawn, and any step without a move: three plies of one side.
    let root = Root::new(&position, &RULES, &Noise);
    let mut table = TranspositionTable::new(1);
    let exact = Parameters::exact();
    let report = search(&root, &exact, &mut table, 3, |_| false, |_| {}).unwrap();
    assert_eq!(report.score, WIN - 3);
    assert_eq!(report.principal_variation.len(), 3);
}
