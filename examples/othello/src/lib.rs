//! Othello: a game of one's own as a crate, with the traits of the library alone.
//!
//! A disc is placed where it encloses discs of the other side between itself and one of its own, in any of eight
//! directions; they turn. A side that cannot passes; where neither can, the side with more discs has won (World Othello
//! Federation, "Official Rules").

mod evaluation;
mod flips;

pub use evaluation::OthelloEvaluation;

use crownhead::hash::fold;
use crownhead::{Bitboard, Cell, Explain, Notation, Outcome, Position, Side, Square};
use crownhead::{PositionError, Refusal, Rows, RuleBook};

/// The discs of either side, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Othello {
    discs: [Bitboard; 2],
    side_to_move: Side,
}

/// A disc on this square, or a pass, which is legal only where no disc can be placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OthelloMove {
    /// A disc is placed.
    Place(Square),
    /// The turn goes to the other side.
    Pass,
}

/// The squares in the middle, which four discs stand on from the start.
const MIDDLE: u64 = 0x0000_0018_1800_0000;

impl Othello {
    /// The discs of this side.
    pub fn discs(&self, side: Side) -> Bitboard {
        self.discs[side.index()]
    }

    /// Where this side may place a disc.
    pub fn targets(&self, side: Side) -> Bitboard {
        flips::targets(self.discs(side), self.discs(side.opponent()))
    }
}

impl Position for Othello {
    type Move = OthelloMove;

    fn start(rules: &RuleBook) -> Othello {
        // D4 and E5 are white, D5 and E4 black.
        let white = Bitboard::of(Square::new(3, 3)).with(Square::new(4, 4));
        Othello {
            discs: [Bitboard(MIDDLE & !white.0), white],
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, mut visit: impl FnMut(OthelloMove)) {
        let targets = self.targets(self.side_to_move);
        if !targets.is_empty() {
            let squares = targets.squares();
            squares.map(OthelloMove::Place).for_each(visit);
        } else if !self.targets(self.side_to_move.opponent()).is_empty() {
            visit(OthelloMove::Pass);
        }
    }

    fn play_unchecked(&self, mv: OthelloMove) -> Othello {
        let (side, mut discs) = (self.side_to_move, self.discs);
        if let OthelloMove::Place(square) = mv {
            let [own, other] = [self.discs(side), self.discs(side.opponent())];
            let turned = flips::turned(own, other, square);
            discs[side.index()] = (own | turned).with(square);
            discs[side.opponent().index()] = other & !turned;
        }
        Othello {
            discs,
            side_to_move: side.opponent(),
        }
    }

    fn is_zeroing(&self, mv: OthelloMove) -> bool {
        mv != OthelloMove::Pass
    }

    fn hash(&self) -> u64 {
        let [black, white] = self.discs.map(|discs| discs.0);
        fold(fold(black, white), self.side_to_move.index() as u64)
    }

    fn move_score(&self, mv: OthelloMove) -> i32 {
        evaluation::move_score(mv)
    }

    fn history_index(mv: OthelloMove) -> u16 {
        match mv {
            OthelloMove::Place(square) => square.index().into(),
            OthelloMove::Pass => 64,
        }
    }

    fn without_moves(&self, _rules: &RuleBook) -> Outcome {
        let [black, white] = self.discs.map(Bitboard::count);
        match black.cmp(&white) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::Black),
            std::cmp::Ordering::Less => Outcome::Win(Side::White),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

impl Notation for Othello {
    const NAME: &'static str = "othello";
    const ABOUT: &'static str = "Discs that enclose others turn them";
    const RULE_BOOKS: &'static [RuleBook] = &[RuleBook {
        moves_first: Side::Black,
        row_1_on_top: true,
        ..RuleBook::new("standard")
    }];

    fn rows(&self) -> Rows {
        let letter = |side| self.discs(side).squares().map(move |square| (square, side));
        let discs = Side::BOTH.into_iter().flat_map(letter);
        let letters = discs.map(|(square, side)| (square, Othello::side_letter(side) as u8));
        letters.collect()
    }

    fn symbol(letter: u8) -> Option<(Side, char)> {
        match letter {
            b'b' => Some((Side::Black, '●')),
            b'w' => Some((Side::White, '○')),
            _ => None,
        }
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Othello, PositionError> {
        let side = |letter| Some(Othello::symbol(letter)?.0);
        let pieces = rows.pieces::<Square, Side>(side, "b w", Othello::square_name)?;
        let of = |side| pieces.iter().filter(move |&&(_, owner)| owner == side);
        let discs = Side::BOTH.map(|side| of(side).map(|&(square, _)| square).collect());
        let [Bitboard(black), Bitboard(white)] = discs;
        match Bitboard(MIDDLE & !(black | white)).squares().next() {
            Some(square) => Err(PositionError::new(format!(
                "{square} is empty; expected a disc on each of D4, E4, D5 and E5"
            ))),
            None => Ok(Othello {
                discs,
                side_to_move,
            }),
        }
    }

    fn move_name(&self, mv: OthelloMove) -> String {
        match mv {
            OthelloMove::Place(square) => square.to_string(),
            OthelloMove::Pass => "PASS".into(),
        }
    }

    fn move_squares(&self, mv: OthelloMove) -> Vec<Cell> {
        match mv {
            OthelloMove::Place(square) => vec![square.into()],
            OthelloMove::Pass => Vec::new(),
        }
    }
}

impl Explain for Othello {
    fn refusal(&self, text: &str, _rules: &RuleBook) -> Refusal {
        let moves = self.legal_moves();
        let names = || {
            moves
                .iter()
                .map(|&mv| self.move_name(mv))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let taken = Bitboard(self.discs[0].0 | self.discs[1].0);
        let sentence = match text.parse() {
            _ if moves.is_empty() => "the game is over".into(),
            _ if moves == [OthelloMove::Pass] => "no disc can be placed: the move is PASS".into(),
            Ok(square) if taken.contains(square) => format!("there is a disc on {square}"),
            Ok(square) => format!("a disc on {square} encloses none: {}", names()),
            Err(_) if text.eq_ignore_ascii_case("pass") => {
                format!("a side that can place a disc does not pass: {}", names())
            }
            Err(_) => format!("a move is a square: {}", names()),
        };
        sentence.into()
    }

    fn note(&self, rules: &RuleBook) -> Option<String> {
        let must_pass = self.legal_moves() == [OthelloMove::Pass];
        must_pass.then(|| format!("{} has to pass", rules.side_name(self.side_to_move)))
    }

    fn describe_end(&self, outcome: Outcome, rules: &RuleBook) -> String {
        let [own, other] = match outcome {
            Outcome::Win(side) => [side, side.opponent()],
            Outcome::Draw => Side::BOTH,
        };
        let has =
            |side: Side| format!("{} has {}", rules.side_name(side), self.discs(side).count());
        format!("no disc can be placed: {}, {}", has(own), has(other))
    }
}
