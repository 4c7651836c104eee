//! Positions as rows and as FEN: what is read back, and what is refused with which reason.

use super::reference::random_position;
use crownhead::board::{BoardSize, Cell, Side, Square};
use crownhead::games::checkers::{rules, Checkers, Piece};
use crownhead::notation::{Notation, PositionErrorKind, Rows};
use crownhead::position::Position;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_pcg::Pcg32;

/// Whether `rows` have what they are refused for.
fn is_true(refused_for: PositionErrorKind, rows: &Rows) -> bool {
    let pieces = |letters: &[u8]| {
        let squares = Square::all().filter(|&square| letters.contains(&rows.at(square)));
        squares.count()
    };
    match refused_for {
        PositionErrorKind::Letter(square) => !b".bBrR".contains(&rows.at(square)),
        PositionErrorKind::Misplaced(square) => {
            let crowned = match rows.at(square) {
                b'b' => square.row == 7,
                b'r' => square.row == 0,
                _ => false,
            };
            rows.at(square) != b'.' && (crowned || (square.column + square.row) % 2 == 1)
        }
        PositionErrorKind::Pieces(Side::Black) => pieces(b"bB") > 12,
        PositionErrorKind::Pieces(Side::White) => pieces(b"rR") > 12,
        // Only from boards of men at home (`a_side_that_has_not_moved_has_met_one_move_at_most`).
        PositionErrorKind::Unreachable(_) => pieces(b"b") == 12 || pieces(b"r") == 12,
        PositionErrorKind::Line(_)
        | PositionErrorKind::LineCount(_)
        | PositionErrorKind::Fen
        | PositionErrorKind::TwoPieces(_) => false,
    }
}

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
    assert_eq!(
        reason(b'B', "A1", Side::Black),
        "black is to move, but red (PDN's white) has no piece that could have made the move before"
    );
    let empty = Checkers::from_rows(&Rows::empty(BoardSize::default()), Side::Black);
    assert!(empty.is_err());
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

#[test]
fn an_error_says_what_is_wrong_and_where() {
    let kind = |fen| Checkers::from_fen(fen).unwrap_err().kind();
    let square = |name: &str| name.parse::<Cell>().unwrap();
    assert_eq!(kind("B:W33:B1"), PositionErrorKind::Fen);
    assert_eq!(
        kind("B:W1,1:B2"),
        PositionErrorKind::TwoPieces(square("G1"))
    );
    assert_eq!(
        kind("B:W21:B32"),
        PositionErrorKind::Misplaced(square("B8"))
    );
    assert_eq!(kind("B:W20-32:B1"), PositionErrorKind::Pieces(Side::White));
    assert_eq!(kind("W:W18:B"), PositionErrorKind::Unreachable(Side::White));
    let text = |text: &str| text.parse::<Rows>().unwrap_err().kind();
    assert_eq!(text("........\n..."), PositionErrorKind::Line(2));
    assert_eq!(text("........"), PositionErrorKind::LineCount(1));
    let rows = Rows::from_iter([(Square::new(2, 2), b'x')]);
    let letter = Checkers::from_rows(&rows, Side::Black).unwrap_err();
    assert_eq!(letter.kind(), PositionErrorKind::Letter(square("C3")));
}

/// Characters: a sentence, and an excerpt of forty characters that may each need escaping.
const FEW: usize = 520;

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
    fn what_is_read_as_fen_is_written_as_fen_that_reads_the_same(
        fen in "[BWbw]:[BWbw](K?[0-9]{1,2}(-[0-9]{1,2})?,?){0,4}:[BWbw](K?[0-9]{1,2},?){0,4}[.]?"
    ) {
        match Checkers::from_fen(&fen) {
            Ok(position) => prop_assert_eq!(Checkers::from_fen(&position.to_fen()), Ok(position)),
            // Rows alone have letters, and rows alone have lines.
            Err(error) => {
                use PositionErrorKind::{Letter, Line, LineCount};
                let of_rows = matches!(error.kind(), Letter(_) | Line(_) | LineCount(_));
                prop_assert!(!of_rows, "{}", error);
            }
        }
    }

    #[test]
    fn rows_of_any_letters_are_a_position_or_refused_with_the_reason(
        letters in prop::collection::vec("[.brBR]{8}|[!-~]{8}", 8)
    ) {
        let rows = Rows::from_lines(BoardSize::default(), letters.iter().map(String::as_str)).expect("visible ASCII");
        match Checkers::from_rows(&rows, Side::White) {
            Ok(position) => prop_assert_eq!(position.rows(), rows),
            Err(error) => prop_assert!(is_true(error.kind(), &rows), "{}", error),
        }
    }
}

#[test]
fn a_side_that_has_not_moved_has_met_one_move_at_most() {
    let home = "W21,22,23,24,25,26,27,28,29,30,31,32";
    for (black, reached) in [
        ("1,2,3,4,5,6,7,8,9,10,11,12", true),
        ("1,2,3,4,5,6,7,8,9,10,11,16", true),
        ("1,2,3,4,5,6,7,8,9,10,15,16", false),
        ("1,2,3,4,5,6,7,8,9,10,11", false),
        ("1,2,3,4,5,6,7,8,9,10,11,K12", false),
        ("K13", false),
    ] {
        let position = Checkers::from_fen(&format!("W:{home}:B{black}"));
        assert_eq!(position.is_ok(), reached, "{black}: {position:?}");
    }
    // A king at home has been elsewhere.
    let king_at_home = home.replace("W21", "WK21");
    assert!(Checkers::from_fen(&format!("W:{king_at_home}:BK13")).is_ok());
}
