//! The smallest possible fifth game at the referee's table: two traits implemented, nothing else touched.

use crownhead::board::{Side, Square};
use crownhead::game::Game;
use crownhead::notation::{Notation, PositionError, Rows};
use crownhead::position::{Outcome, Position};
use crownhead::rules::{LengthRules, RuleBook, Stuck};
use crownhead_referee::judge::TimeLimits;
use crownhead_referee::seat::Scripted;
use crownhead_referee::table::{self, Policy};
use crownhead_referee::table::{Termination, Verdict};

/// A race along row 1: both sides push one runner by one or two squares; whoever brings it to H1 has won.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Race {
    column: u8,
    side_to_move: Side,
}

const RULES: RuleBook = RuleBook {
    name: "short",
    side_names: ["black", "white"],
    moves_first: Side::White,
    row_1_on_top: false,
    stuck: Stuck::Loses,
    length: LengthRules {
        max_turns: None,
        max_turns_without_capture: None,
    },
};

impl Position for Race {
    /// By how many squares.
    type Move = u8;

    fn start(rules: &RuleBook) -> Race {
        Race {
            column: 0,
            side_to_move: rules.moves_first,
        }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn each_move(&self, visit: impl FnMut(u8)) {
        (1..=2.min(7 - self.column)).for_each(visit);
    }

    fn play_unchecked(&self, squares: u8) -> Race {
        Race {
            column: self.column + squares,
            side_to_move: !self.side_to_move,
        }
    }

    fn captures(&self, _squares: u8) -> u32 {
        0
    }

    fn hash(&self) -> u64 {
        let all = u64::from(self.column) << 1 | self.side_to_move.index() as u64;
        (all + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn ended(&self) -> Option<Outcome> {
        (self.column == 7).then_some(Outcome::Win(!self.side_to_move))
    }

    fn without_moves(&self, _rules: &RuleBook) -> Outcome {
        unreachable!("a runner that is not at its goal can be pushed")
    }
}

impl Notation for Race {
    const NAME: &'static str = "race";
    const RULE_BOOKS: &'static [RuleBook] = &[RULES];

    fn side_letter(side: Side) -> char {
        ['b', 'w'][side.index()]
    }

    fn rows(&self) -> Rows {
        let mut rows = Rows::filled(b'.');
        rows.put(Square::new(self.column, 0), b'o');
        rows
    }

    fn symbol(letter: u8) -> Option<(Side, char)> {
        (letter == b'o').then_some((Side::White, '●'))
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Race, PositionError> {
        let found = (0..8).find(|&column| rows.at(Square::new(column, 0)) == b'o');
        let column = found.ok_or_else(|| PositionError::new("expected an o on row 1"))?;
        Ok(Race {
            column,
            side_to_move,
        })
    }

    fn move_name(&self, squares: u8) -> String {
        format!("push {squares}")
    }

    fn move_squares(&self, squares: u8) -> Vec<Square> {
        [0, squares]
            .map(|on| Square::new(self.column + on, 0))
            .into()
    }

    fn refusal(&self, _text: &str, _rules: &RuleBook) -> String {
        "a runner is pushed by one or two squares".into()
    }
}

fn play<const N: usize>(white: [&str; N], black: [&str; N]) -> Verdict {
    let (mut white, mut black) = (Scripted::new(white), Scripted::new(black));
    let mut policy = Policy::strict(TimeLimits::default());
    let mut history = Game::<Race>::new(RULES);
    table::play(&mut history, [&mut black, &mut white], &mut policy, &mut ())
}

#[test]
fn a_fifth_game_is_played_and_won_at_the_table() {
    let verdict = play(["push 1", "push 1", "push 2"], ["push 2", "push 1", ""]);
    assert_eq!(verdict.result, Some(Outcome::Win(Side::White)));
    assert_eq!(verdict.termination, Termination::Goal);
}

#[test]
fn its_refusals_are_told_in_its_words() {
    let verdict = play(["push 3"], [""]);
    assert_eq!(verdict.result, Some(Outcome::Win(Side::Black)));
    let reason = "white answered `push 3` but a runner is pushed by one or two squares";
    assert_eq!(verdict.reason, reason);
}
