//! A game of one's own: what it takes to be played at the referee's table, recorded and searched.
//!
//! Each side pushes a runner along a row, one or two squares a turn; the first on column H has won.

use crownhead::hash::fold;
use crownhead::{Cell, Explain, Game, Notation, Outcome, Position, Side, Square};
use crownhead::{PositionError, PositionErrorKind, Rows, RuleBook};

/// Where the runners are, black's first, and whose turn it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    runners: [Square; 2],
    side_to_move: Side,
}

impl Race {
    fn runner(&self) -> Square {
        self.runners[self.side_to_move.index()]
    }
}

impl Position for Race {
    /// The square to go to.
    type Move = Square;

    fn start(rules: &RuleBook) -> Race {
        Race {
            runners: [Square::new(0, 7), Square::new(0, 0)],
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, visit: impl FnMut(Square)) {
        if self.ended().is_none() {
            let steps = [1, 2].into_iter();
            steps
                .filter_map(|columns| self.runner().offset(columns, 0))
                .for_each(visit);
        }
    }

    fn play_unchecked(&self, to: Square) -> Race {
        let mut after = self.clone();
        after.runners[self.side_to_move.index()] = to;
        after.side_to_move = self.side_to_move.opponent();
        after
    }

    fn hash(&self) -> u64 {
        let [black, white] = self.runners.map(|runner| u64::from(runner.index()));
        fold(black << 8 | white, self.side_to_move.index() as u64)
    }

    fn ended(&self) -> Option<Outcome> {
        let arrived = |side: &Side| self.runners[side.index()].column() == 7;
        Side::BOTH.into_iter().find(arrived).map(Outcome::Win)
    }
}

impl Notation for Race {
    const NAME: &'static str = "race";
    const ABOUT: &'static str = "Two runners on two rows";
    const RULE_BOOKS: &'static [RuleBook] = &[RuleBook::new("short")];

    fn rows(&self) -> Rows {
        let letter = |side: Side| (self.runners[side.index()], Race::side_letter(side) as u8);
        Side::BOTH.into_iter().map(letter).collect()
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Race, PositionError> {
        let find = |side| {
            let letter = Race::side_letter(side);
            let mut squares = Square::all();
            let found = squares.find(|&square| rows.at(square) == letter as u8);
            let missing = || PositionError::new(PositionErrorKind::Pieces(side), "no runner");
            found.ok_or_else(missing)
        };
        let runners = [find(Side::Black)?, find(Side::White)?];
        Ok(Race {
            runners,
            side_to_move,
        })
    }

    fn move_name(&self, to: Square) -> String {
        to.to_string()
    }

    fn move_squares(&self, to: Square) -> Vec<Cell> {
        vec![self.runner().into(), to.into()]
    }
}

impl Explain for Race {
    type Refusal = String;

    fn refusal(&self, _text: &str) -> String {
        "a runner is pushed by one or two squares".into()
    }
}

/// White takes two squares a turn, black one.
pub fn main() {
    let mut game = Game::<Race>::new(Race::RULE_BOOKS[0]);
    for name in ["C1", "B8", "E1", "C8", "G1", "D8", "H1"] {
        let mv = game.position().parse_move(name).expect("a listed move");
        game.play(mv).expect("a legal move");
    }
    let (outcome, _) = game.result().expect("the game is over");
    assert_eq!(outcome, Outcome::Win(Side::White));
}
