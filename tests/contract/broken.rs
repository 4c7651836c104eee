//! Each law is broken by a game with one fault, and the law says so.

use crownhead::contract::laws;
use crownhead::games::checkers::{rules, Checkers, CheckersMove};
use crownhead::position::{Outcome, Position};
use crownhead::{Cell, Explain, Notation, PositionError, Refusal, Rows, RuleBook, Side};

/// Checkers with one fault, of these.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Broken<const FAULT: u8>(Checkers);

const LISTS_A_MOVE_TWICE: u8 = 1;
const KNOWS_NO_MOVE: u8 = 2;
const TAKES_ANY_MOVE: u8 = 3;
const MISCOUNTS_MOVES: u8 = 4;
const ALWAYS_ZEROES: u8 = 5;
const OVERLOOKS_CAPTURES: u8 = 6;
const OVER_AT_ONCE: u8 = 7;
const BLIND_TO_THE_SIDE: u8 = 8;
const BOASTS_OF_CAPTURES: u8 = 9;
const HASHES_ALL_ALIKE: u8 = 10;
const HASHES_BADLY: u8 = 11;
const NAMES_ALL_ALIKE: u8 = 12;
const TOUCHES_NOTHING: u8 = 13;
const READS_NO_ROWS: u8 = 14;
const REFUSES_WITHOUT_REASON: u8 = 15;
const SIDES_OF_ONE_LETTER: u8 = 16;

impl<const FAULT: u8> Position for Broken<FAULT> {
    type Move = CheckersMove;

    fn start(rules: &RuleBook) -> Self {
        Broken(Checkers::start(rules))
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn each_move(&self, mut visit: impl FnMut(CheckersMove)) {
        let mut times = if FAULT == LISTS_A_MOVE_TWICE { 2 } else { 1 };
        self.0.each_move(|mv| {
            (0..times).for_each(|_| visit(mv));
            times = 1;
        });
    }

    fn play_unchecked(&self, mv: CheckersMove) -> Self {
        Broken(self.0.play_unchecked(mv))
    }

    fn is_legal(&self, mv: CheckersMove) -> bool {
        match FAULT {
            KNOWS_NO_MOVE => false,
            TAKES_ANY_MOVE => true,
            _ => self.0.is_legal(mv),
        }
    }

    fn count_moves(&self) -> u64 {
        self.0.count_moves() + u64::from(FAULT == MISCOUNTS_MOVES)
    }

    fn captures(&self, mv: CheckersMove) -> u32 {
        self.0.captures(mv) * if FAULT == BOASTS_OF_CAPTURES { 2 } else { 1 }
    }

    fn each_capture(&self, visit: impl FnMut(CheckersMove)) -> bool {
        FAULT == OVERLOOKS_CAPTURES || self.0.each_capture(visit)
    }

    fn is_zeroing(&self, mv: CheckersMove) -> bool {
        FAULT == ALWAYS_ZEROES || self.0.is_zeroing(mv)
    }

    fn hash(&self) -> u64 {
        match FAULT {
            HASHES_ALL_ALIKE => 1,
            HASHES_BADLY => self.0.hash() << 4,
            _ => self.0.hash(),
        }
    }

    fn ended(&self) -> Option<Outcome> {
        let over = (FAULT == OVER_AT_ONCE).then_some(Outcome::Draw);
        over.or(self.0.ended())
    }

    fn without_moves(&self, rules: &RuleBook) -> Outcome {
        self.0.without_moves(rules)
    }
}

impl<const FAULT: u8> Notation for Broken<FAULT> {
    const NAME: &'static str = "broken checkers";
    const RULE_BOOKS: &'static [RuleBook] = Checkers::RULE_BOOKS;

    fn side_letter(side: Side) -> char {
        let side = if FAULT == SIDES_OF_ONE_LETTER {
            Side::Black
        } else {
            side
        };
        Checkers::side_letter(side)
    }

    fn rows(&self) -> Rows {
        self.0.rows()
    }

    fn symbol(letter: u8) -> Option<(Side, char)> {
        Checkers::symbol(letter)
    }

    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Self, PositionError> {
        match FAULT {
            BLIND_TO_THE_SIDE => Checkers::from_rows(rows, Side::Black).map(Broken),
            READS_NO_ROWS => Ok(Broken::start(&rules::CONTEST)),
            _ => Checkers::from_rows(rows, side_to_move).map(Broken),
        }
    }

    fn move_name(&self, mv: CheckersMove) -> String {
        match FAULT {
            NAMES_ALL_ALIKE => "A3B4".into(),
            _ => self.0.move_name(mv),
        }
    }

    fn move_squares(&self, mv: CheckersMove) -> Vec<Cell> {
        match FAULT {
            TOUCHES_NOTHING => Vec::new(),
            _ => self.0.move_squares(mv),
        }
    }
}

impl<const FAULT: u8> Explain for Broken<FAULT> {
    fn refusal(&self, _text: &str, _rules: &RuleBook) -> Refusal {
        let reason = if FAULT == REFUSES_WITHOUT_REASON {
            ""
        } else {
            "it is not legal"
        };
        reason.into()
    }
}

/// A test that a law sees a fault, and says so by these words.
macro_rules! sees {
    ($($law:ident $fault:ident $seen:literal)*) => {
        $(
            #[test]
            #[should_panic(expected = $seen)]
            fn $law() {
                laws::$law::<Broken<$fault>>(&rules::CONTEST);
            }
        )*
    };
}

sees! {
    legal_moves_are_distinct_and_always_in_the_same_order LISTS_A_MOVE_TWICE "twice"
    playing_with_and_without_the_check_agrees KNOWS_NO_MOVE "is_legal is false"
    a_move_that_is_not_legal_is_refused TAKES_ANY_MOVE "is played"
    moves_are_counted_as_they_are_listed MISCOUNTS_MOVES "left: 8"
    nothing_from_before_a_zeroing_move_comes_back ALWAYS_ZEROES "comes back"
    captures_are_visited_apart_in_the_same_order OVERLOOKS_CAPTURES "left: ([], true)"
    a_game_is_over_exactly_where_there_are_no_moves OVER_AT_ONCE "over, and 7 moves"
    a_piece_moves_for_one_side_only BLIND_TO_THE_SIDE "the same with the other side to move"
    captures_are_what_leaves_the_board BOASTS_OF_CAPTURES "captures 2"
    equal_positions_hash_alike_and_different_ones_apart HASHES_ALL_ALIKE "one hash"
    a_hash_is_good_by_any_of_its_bits HASHES_BADLY "from bit 0"
    names_of_moves_are_distinct_and_read_back_in_either_case NAMES_ALL_ALIKE "parse_move"
    the_squares_of_a_move_lead_to_where_its_piece_ends TOUCHES_NOTHING "are no squares, and the board changes"
    rows_with_the_side_to_move_rebuild_an_equal_position READS_NO_ROWS "is not rebuilt: broken checkers by contest, red to move:"
    every_refusal_has_a_reason_of_one_line REFUSES_WITHOUT_REASON "is \"\""
    rule_books_and_sides_have_names_of_their_own SIDES_OF_ONE_LETTER "two sides of one name or letter"
    a_search_agrees_with_minimax OVERLOOKS_CAPTURES "score"
}
