//! The line protocol between a referee and a bot, both ends, for any game with a notation.
//!
//! `protocol.md` describes it. In short: one line with the bot's colour when the game begins; then,
//! for every turn of the bot, the lines of the board (row 8 first, where there are eight), a line with the number of
//! legal moves, and as many lines with a move each; the bot answers with one line, one of those moves.
//!
//! Text goes in and out as strings: reading and writing pipes, and their clocks, are the caller's responsibility.

use crate::board::{BoardSize, Side};
use crate::notation::{excerpt, Notation, Rows};

/// The largest number of moves that a reader accepts. (Checkers never offers more than 192: twelve pieces, each
/// with at most 16 complete jumps.)
pub const MAX_MOVES: usize = 1000;

/// Appends the colour line.
pub fn write_colour(letter: char, out: &mut String) {
    out.extend([letter, '\n']);
}

/// Appends the lines of one turn: the board, the number of moves, the moves.
pub fn write_turn<G: Notation>(position: &G, moves: &[G::Move], out: &mut String) {
    for line in position.rows().lines() {
        out.extend([line, "\n"]);
    }
    out.extend([&moves.len().to_string(), "\n"]);
    for &mv in moves {
        out.extend([&position.move_name(mv), "\n"]);
    }
}

/// The bot's end: takes lines as they arrive and returns each complete request.
///
/// ```
/// use crownhead::board::Side;
/// use crownhead::protocol::{RequestReader, Request};
/// use crownhead::BoardSize;
///
/// let mut reader = RequestReader::new(BoardSize::new(8, 8), ['b', 'r']);
/// assert_eq!(reader.push("r\r"), Ok(Some(Request::Colour(Side::White))));
/// for _ in 0..8 {
///     assert_eq!(reader.push("........"), Ok(None));
/// }
/// assert_eq!(reader.push("1"), Ok(None));
/// let Ok(Some(Request::Turn(turn))) = reader.push("B6A5 ") else { panic!() };
/// assert_eq!(turn.moves, ["B6A5"]);
/// ```
#[derive(Clone, Debug)]
pub struct RequestReader {
    size: BoardSize,
    /// The sides' letters in the colour line.
    letters: [char; 2],
    /// How many lines were read.
    lines: usize,
    /// The lines of this turn so far.
    turn: Vec<String>,
}

/// What a referee says to a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// The bot plays this side.
    Colour(Side),
    /// It is the bot's turn.
    Turn(TurnRequest),
}

/// One turn as a bot reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnRequest {
    /// The board.
    pub rows: Rows,
    /// The names of the legal moves, in the order they were listed.
    pub moves: Vec<String>,
}

impl RequestReader {
    /// A reader that expects the colour line of a game with a board of this size, and these letters for its sides.
    pub fn new(size: BoardSize, letters: [char; 2]) -> RequestReader {
        RequestReader {
            size,
            letters,
            lines: 0,
            turn: Vec::new(),
        }
    }

    /// Takes one line, with or without its end; white space at its end is ignored.
    ///
    /// # Errors
    /// If the line is not what the protocol has in that place: its number, and what was expected. The conversation cannot
    /// continue.
    pub fn push(&mut self, line: &str) -> Result<Option<Request>, String> {
        self.lines += 1;
        let line = line.trim_end();
        let request = if self.lines == 1 {
            self.parse_colour(line)
                .map(|side| Some(Request::Colour(side)))
        } else {
            self.turn.push(line.to_string());
            self.complete_turn()
        };
        request.map_err(|reason| format!("line {}: {reason}", self.lines))
    }

    /// The side of this letter. Where the game has no other letters, `b` is black; `r` (the contest's statement) and
    /// `w` (its live site) are the other side.
    fn parse_colour(&self, line: &str) -> Result<Side, String> {
        let [black, white] = self.letters;
        match line.to_ascii_lowercase().chars().collect::<Vec<_>>()[..] {
            [letter] if letter.eq_ignore_ascii_case(&black) => Ok(Side::Black),
            [letter] if letter.eq_ignore_ascii_case(&white) => Ok(Side::White),
            ['b'] => Ok(Side::Black),
            ['r' | 'w'] => Ok(Side::White),
            _ => {
                let found = excerpt(line);
                Err(format!("expected a colour, b, r or w; found {found:?}"))
            }
        }
    }

    /// The turn, if its last line has been read.
    fn complete_turn(&mut self) -> Result<Option<Request>, String> {
        let rows = usize::from(self.size.rows);
        let Some(count) = self.turn.get(rows) else {
            return Ok(None);
        };
        let Ok(count @ 0..=MAX_MOVES) = count.parse() else {
            return Err(format!(
                "expected the number of legal moves, at most {MAX_MOVES}; found {:?}",
                excerpt(count)
            ));
        };
        if self.turn.len() <= rows + count {
            return Ok(None);
        }
        let moves = self.turn.split_off(rows + 1);
        let rows = self.turn[..rows].iter().map(String::as_str);
        let rows = Rows::from_lines(self.size, rows).map_err(|error| error.to_string())?;
        self.turn.clear();
        Ok(Some(Request::Turn(TurnRequest { rows, moves })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::checkers::Checkers;

    fn reader_after_colour() -> RequestReader {
        let mut reader = RequestReader::new(Checkers::SIZE, ['b', 'r']);
        reader.push("b").unwrap();
        reader
    }

    #[test]
    fn every_letter_of_a_colour_is_understood() {
        for (letter, side) in [
            ("b", Side::Black),
            ("r", Side::White),
            ("w\r\n", Side::White),
        ] {
            assert_eq!(
                RequestReader::new(Checkers::SIZE, ['b', 'r']).push(letter),
                Ok(Some(Request::Colour(side)))
            );
        }
    }

    #[test]
    fn nonsense_is_refused_with_its_line_and_what_was_expected() {
        let error = RequestReader::new(Checkers::SIZE, ['b', 'r'])
            .push("blue")
            .unwrap_err();
        let told = "line 1: expected a colour, b, r or w; found \"blue\"";
        assert_eq!(error, told);

        for count in ["many", "-1", "1001", "", &"9".repeat(1 << 16)] {
            let mut reader = reader_after_colour();
            for _ in 0..8 {
                reader.push("........").unwrap();
            }
            let error = reader.push(count).unwrap_err();
            let told = "line 10: expected the number of legal moves";
            assert!(error.starts_with(told), "{count:?}: {error}");
            assert!(error.len() < 200, "the error does not repeat a long line");
        }
    }
}
