//! Positions as text, in and out: FEN of draughts, and for every game its rows as in FEN.

use crate::fen;
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame, checkers_board};

/// The position that a text describes: FEN of draughts if the game has that, or, in every game, its rows as in FEN with
/// the letter of the side to move. An empty text means the start.
///
/// # Errors
/// With a sentence that says what was expected.
pub fn read_position(
    text: &str,
    game: &'static dyn BoardGame,
    rules: RuleBook,
) -> Result<Box<dyn Board>, String> {
    let text = text.trim();
    let start = || game.start(rules);
    if text.is_empty() {
        return Ok(start());
    }
    let (rows, player): (Vec<String>, usize) = if text.contains(':') && fen(&*start()).is_some() {
        let board = checkers_board(text).map_err(|error| error.to_string())?;
        (board.rows(), board.mover())
    } else {
        let mut fields = text.split_whitespace();
        let rows = fields.next().unwrap_or_default();
        let player = fields.next().and_then(|letter| player_of(game, letter));
        let Some(player) = player else {
            return Err(expected(start().as_ref()));
        };
        let is_plain = has_digits(game);
        let spread = |row: &str| if is_plain { row.into() } else { spread(row) };
        (rows.split('/').map(spread).collect(), player)
    };
    let board = game.set_up(&rows, player, rules);
    board.map_err(|error| error.to_string())
}

/// The expected form of a text, with the start as an example.
fn expected(start: &dyn Board) -> String {
    match fen(start) {
        Some(fen) => format!("expected a position such as `{fen}`"),
        None => format!(
            "expected the rows, the last first, then the side to move, such as `{}`",
            rows_text(start)
        ),
    }
}

/// The side to move for this letter. Unless the game uses them otherwise, `b` is black, and `w` and the contest's `r`
/// are white.
fn player_of(game: &dyn BoardGame, letter: &str) -> Option<usize> {
    let own = side_letters(game).map(String::from);
    let own = own.iter().position(|own| own.eq_ignore_ascii_case(letter));
    own.or(match letter {
        "b" => Some(0),
        "w" | "r" => Some(1),
        _ => None,
    })
}

/// The letters that stand for the two sides.
pub fn side_letters(game: &dyn BoardGame) -> [char; 2] {
    [0, 1].map(|player| game.colour_letter(player))
}

/// Whether digits are letters of the game. Then they cannot also be numbers of empty squares.
pub fn has_digits(game: &dyn BoardGame) -> bool {
    (b'0'..=b'9').any(|digit| game.symbol(digit).is_some())
}

/// The side whose pieces stand on lower rows, if there is one.
pub fn low_side(start: &dyn Board) -> Option<usize> {
    let (mut sums, mut counts) = ([0, 0], [0, 0]);
    for (row, letters) in (0..).zip(start.rows().iter().rev()) {
        for (side, _) in letters
            .bytes()
            .filter_map(|letter| start.game().symbol(letter))
        {
            sums[side] += row;
            counts[side] += 1;
        }
    }
    // Compares means without a division, because a side may have no piece.
    let [first, second] = [sums[0] * counts[1], sums[1] * counts[0]];
    (first != second).then_some(usize::from(second < first))
}

/// A row of FEN with a full stop for each empty square.
fn spread(row: &str) -> String {
    /// More than any board has.
    const MOST: usize = 1000;
    let (mut spread, mut empty) = (String::new(), 0);
    for letter in row.chars() {
        if let Some(digit) = letter.to_digit(10) {
            empty = (10 * empty + digit as usize).min(MOST);
        } else {
            spread += &".".repeat(std::mem::take(&mut empty));
            spread.push(letter);
        }
    }
    spread + &".".repeat(empty)
}

/// The text that [`read_position`] reads as this position: FEN of draughts, or the rows as in FEN, the last first, empty squares as
/// their number, and the letter of the side to move. Where digits are letters of the game, empty squares are full stops.
pub fn position_text(board: &dyn Board) -> String {
    fen(board).unwrap_or_else(|| rows_text(board))
}

fn rows_text(board: &dyn Board) -> String {
    let mut rows = board.rows();
    if !has_digits(board.game()) {
        rows = rows.iter().map(|row| gather(row)).collect();
    }
    format!("{} {}", rows.join("/"), board.mover_letter())
}

/// A row of FEN: empty squares as their number.
fn gather(row: &str) -> String {
    let mut gathered = String::new();
    for part in row.split_inclusive(|letter| letter != '.') {
        let letter = part.trim_start_matches('.');
        match part.len() - letter.len() {
            0 => {}
            empty => gathered += &empty.to_string(),
        }
        gathered += letter;
    }
    gathered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead_bots::{CHECKERS, CHESS, EVERCHESS};

    #[test]
    fn written_games_read_back_in_every_game() {
        for game in [CHECKERS, EVERCHESS, CHESS] {
            let rules = game.rule_books()[0];
            let mut board = game.start(rules);
            for _ in 0..6 {
                let text = position_text(board.as_ref());
                let read = read_position(&text, game, rules).unwrap();
                assert_eq!(
                    (read.rows(), read.mover()),
                    (board.rows(), board.mover()),
                    "{text}"
                );
                board.play(&board.legal_moves()[0]);
            }
        }
    }

    #[test]
    fn one_side_is_lower_on_average_however_many_pieces_the_other_has() {
        let rules = CHECKERS.rule_books()[0];
        let low = |text| low_side(read_position(text, CHECKERS, rules).unwrap().as_ref());
        assert_eq!(low("B:W13,14,15:B21"), Some(1));
        assert_eq!(low("B:W21:B13,14,15"), Some(0));
        assert_eq!(low("B:W13:B14,15"), None);
    }

    #[test]
    fn empty_squares_are_reported_by_their_number_however_many_there_are() {
        for row in [
            "............",
            "ab..........c",
            ".x",
            "x",
            "x..........................x",
        ] {
            assert_eq!(spread(&gather(row)), row);
        }
        assert_eq!(gather("ab..........c"), "ab10c");
        assert_eq!(spread("99999999999x").len(), 1001, "no row of any board");
    }

    #[test]
    fn a_side_is_reported_by_its_own_letter_or_as_black_and_white() {
        for (letter, player) in [
            ("b", Some(0)),
            ("B", Some(0)),
            ("r", Some(1)),
            ("w", Some(1)),
            ("x", None),
        ] {
            assert_eq!(player_of(CHECKERS, letter), player, "{letter}");
        }
    }

    #[test]
    fn checkers_is_written_as_fen_of_draughts_and_others_as_rows() {
        let start =
            |game: &'static dyn BoardGame| position_text(&*game.start(game.rule_books()[0]));
        let fen = start(CHECKERS);
        assert!(fen.starts_with("B:W21,22,"), "{fen}");
        assert!(fen.ends_with(":B1,2,3,4,5,6,7,8,9,10,11,12"), "{fen}");
        assert_eq!(
            start(CHESS),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"
        );
    }

    #[test]
    fn a_position_that_cannot_be_read_is_told_what_was_expected() {
        let told = |game: &'static dyn BoardGame, text| {
            let read = read_position(text, game, game.rule_books()[0]);
            read.err().unwrap_or_default()
        };
        let chess = told(CHESS, "rnbqkbnr/pppppppp");
        let expected = "expected the rows, the last first, then the side to move, such as \
                        `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w`";
        assert_eq!(chess, expected);
        let checkers = told(CHECKERS, "no position");
        assert!(
            checkers.starts_with("expected a position such as `B:W21,"),
            "{checkers}"
        );
        // In a game without FEN of draughts, the colon is a letter of a row.
        assert!(!told(CHESS, "B:W21:B1").contains("piece"));
        assert_eq!(told(CHECKERS, ""), "", "the start");
    }
}
