//! Positions as rows and as FEN: what is read back, and what is refused with which reason.

use super::reference::random_position;
use crownhead::board::{BoardSize, Side, Square};
use crownhead::games::checkers::{rules, Checkers, Piece};
use crownhead::notation::{Notation, Rows};
use crownhead::position::Position;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg32;

/// Why the starting board is refused with `letter` on `square`.
fn refused(square: &str, letter: u8, side_to_move: Side) -> String {
    let mut rows = Checkers::start(&rules::CONTEST).rows();
    let square: Square = square.parse().unwrap();
    rows.put(square, letter);
    let refused = Checkers::from_rows(&rows, side_to_move);
    refused.expect_err("no position").to_string()
}

#[test]
fn rows_that_are_no_board_of_checkers_are_refused_with_the_reason() {
    assert_eq!(
        refused("C5", b'x', Side::Black),
        "'x' on C5; expected one of . b B r R"
    );
    assert_eq!(
        refused("B1", b'b', Side::Black),
        "a piece on B1, where none can stand: pieces move on the squares of A1's colour"
    );
    assert_eq!(
        refused("A5", b'b', Side::Black),
        "black has 13 pieces; a side never has more than 12"
    );
    assert_eq!(
        refused("A5", b'R', Side::White),
        "red (PDN's white) has 13 pieces; a side never has more than 12"
    );
}

#[test]
fn rows_that_no_play_reaches_are_refused_with_the_reason() {
    let reason = |letter, square: &str, side_to_move| {
        let mut rows = Rows::empty(BoardSize::default());
        let square: Square = square.parse().unwrap();
        rows.put(square, letter);
        let refused = Checkers::from_rows(&rows, side_to_move);
        refused.expect_err("no position").to_string()
    };
    assert_eq!(
        reason(b'b', "D8", Side::White),
        "a man of black on D8, where it would have been crowned"
    );
    assert_eq!(
        reason(b'r', "E1", Side::Black),
        "a man of red (PDN's white) on E1, where it would have been crowned"
    );
}

#[test]
fn the_start_is_read_from_the_rows_of_the_contest() {
    let rows = "\
.r.r.r.r
r.r.r.r.
.r.r.r.r
........
........
b.b.b.b.
.b.b.b.b
b.b.b.b.";
    let start = Checkers::start(&rules::CONTEST);
    assert_eq!(start.rows().to_string(), rows);
    let read = Checkers::from_rows(&rows.parse().unwrap(), Side::Black);
    assert_eq!(read, Ok(start));
}

/// Characters: a sentence, and an excerpt of forty characters that may each need escaping.
const FEW: usize = 520;

/// Whether no square has a piece that cannot stand there, and no side more pieces than it has.
fn is_sound(rows: &Rows) -> bool {
    let count = |letters: &[u8]| {
        let squares = Square::all().filter(|&square| letters.contains(&rows.at(square)));
        squares.count()
    };
    let may_stand = |square: Square| match rows.at(square) {
        b'.' => true,
        _ if (square.column() + square.row()) % 2 == 1 => false,
        b'b' => square.row() < 7,
        b'r' => square.row() > 0,
        letter => b"BR".contains(&letter),
    };
    Square::all().all(may_stand) && count(b"bB") <= 12 && count(b"rR") <= 12
}

/// Any piece on any square, any number of times.
fn any_pieces() -> impl Strategy<Value = Vec<(Square, Piece)>> {
    let piece = (0u8..64, any::<bool>(), any::<bool>()).prop_map(|(square, white, king)| {
        let side = Side::BOTH[usize::from(white)];
        (Square::from_index(square), Piece { side, king })
    });
    prop::collection::vec(piece, 0..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_position_is_read_back_from_its_rows_and_from_its_fen(seed: u64) {
        let position = random_position(&mut Pcg32::seed_from_u64(seed));
        let rows = position.rows().to_string().parse().unwrap();
        prop_assert_eq!(Checkers::from_rows(&rows, position.side_to_move()), Ok(position));
        prop_assert_eq!(Checkers::from_fen(&position.to_fen()), Ok(position));
    }

    #[test]
    fn pieces_are_set_up_as_given_or_refused(pieces in any_pieces()) {
        if let Ok(position) = Checkers::from_pieces(pieces.clone(), Side::Black) {
            for &(square, piece) in &pieces {
                prop_assert_eq!(position.piece_at(square), Some(piece));
            }
            let stood = position.pieces(Side::Black).count() + position.pieces(Side::White).count();
            prop_assert_eq!(stood as usize, pieces.len());
        }
    }

    #[test]
    fn hostile_text_for_a_position_is_refused_in_few_words(
        beginning in prop::sample::select(&["", "B:", "B:W", "B:W1:B", "W:WK1,"][..]),
        text in "\\PC{0,400}",
    ) {
        let text = format!("{beginning}{text}");
        if let Err(error) = Checkers::from_fen(&text) {
            prop_assert!(error.to_string().chars().count() < FEW, "{}", error);
        }
        if let Err(error) = text.parse::<Rows>() {
            prop_assert!(error.to_string().chars().count() < FEW, "{}", error);
        }
    }

    #[test]
    fn a_fen_that_is_read_is_written_as_one_that_reads_the_same(
        fen in "[BWbw]:[BWbw](K?[0-9]{1,2}(-[0-9]{1,2})?,?){0,4}:[BWbw](K?[0-9]{1,2},?){0,4}[.]?"
    ) {
        if let Ok(position) = Checkers::from_fen(&fen) {
            prop_assert_eq!(Checkers::from_fen(&position.to_fen()), Ok(position));
        }
    }

    #[test]
    fn rows_of_any_letters_are_a_position_exactly_if_pieces_stand_where_they_may(
        letters in prop::collection::vec("[.brBR]{8}|[!-~]{8}", 8)
    ) {
        let rows = Rows::from_lines(BoardSize::default(), letters.iter().map(String::as_str)).expect("visible ASCII");
        match Checkers::from_rows(&rows, Side::White) {
            Ok(position) => {
                prop_assert!(is_sound(&rows), "{:?}", rows);
                prop_assert_eq!(position.rows(), rows);
            }
            Err(error) => prop_assert!(!is_sound(&rows), "{}", error),
        }
    }
}
