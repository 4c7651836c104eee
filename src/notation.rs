//! Positions and moves as text, in and out: rows of a board, names of moves.
//!
//! The line protocol, the records and the terminal use this trait and name no game. Why a
//! move is refused is [`Explain`](crate::explain::Explain)'s; drawing in colour or in a classroom's symbols
//! is the referee's.

use crate::board::{BoardSize, Cell, Side, Square};
use crate::position::{IllegalMove, Position};
use crate::rules::RuleBook;
use std::fmt;

/// The text side of a [`Position`].
///
/// # Laws
/// - Names of legal moves are distinct within a position, and
///   [`parse_move`](Notation::parse_move) of a name, in either case, gives that move back.
/// - [`rows`](Notation::rows) together with the side to move rebuild an equal position through
///   [`from_rows`](Notation::from_rows).
pub trait Notation: Position {
    /// What the command line and the records call the game, such as `checkers`.
    const NAME: &'static str;

    /// What the game is, in a line.
    const ABOUT: &'static str = "";

    /// The size of its board: 8 by 8, unless a game says otherwise.
    const SIZE: BoardSize = BoardSize::new(8, 8);

    /// The game's rule books; the first is the default.
    const RULE_BOOKS: &'static [RuleBook];

    /// The letter that stands for `side` in the protocol's colour line: `b` or `w`, unless a game has others.
    fn side_letter(side: Side) -> char {
        match side {
            Side::Black => 'b',
            Side::White => 'w',
        }
    }

    /// The board as text.
    fn rows(&self) -> Rows;

    /// Whose piece a letter of the rows stands for, and the symbol that Unicode has for it; `None` for a letter
    /// that stands for no piece. Pages draw discs (● ⛀ ⛂ ⛁ ⛃) and the pieces of chess, and show any other symbol as it
    /// is, in the colour that the side is named after.
    ///
    /// Where two letters of a side have one symbol, pages mark the piece that is not on the board at the start, and
    /// terminals show the letters.
    ///
    /// Unless a game says otherwise, the sides' letters stand for pieces, as they are.
    fn symbol(letter: u8) -> Option<(Side, char)> {
        let letter = char::from(letter);
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|&side| Self::side_letter(side) == letter)?;
        Some((side, letter))
    }

    /// Whether pieces may ever stand on this square.
    fn is_playing_square(_square: Cell) -> bool {
        true
    }

    /// The position that these rows show, with `side_to_move` to move.
    ///
    /// A game already over is a position too: rows of every position that play can reach are read. The rows have the
    /// game's [`SIZE`](Notation::SIZE).
    ///
    /// # Errors
    /// When the rows are not a board of this game, or one that no play can reach, with the reason.
    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Self, PositionError>;

    /// The name of a legal move of this position, such as `A3C5A7`.
    fn move_name(&self, mv: Self::Move) -> String;

    /// The squares a move touches, from where the piece stood to where it ends: for marking it on a drawn
    /// board, and for making it there by clicks. None for a move on no square, such as a pass.
    fn move_squares(&self, mv: Self::Move) -> Vec<Cell>;

    /// A square as this game's moves have it: `A1`, or `a1`.
    fn square_name(square: Cell) -> String {
        square.to_string()
    }

    /// The legal move that `text` names, in either case.
    ///
    /// # Errors
    /// When no legal move is named so; [`Explain::refusal`](crate::explain::Explain::refusal) says why.
    fn parse_move(&self, text: &str) -> Result<Self::Move, IllegalMove> {
        let mut moves = self.legal_moves().into_iter();
        let named = moves.find(|&mv| self.move_name(mv).eq_ignore_ascii_case(text));
        named.ok_or(IllegalMove)
    }
}

/// The squares that `text` names one after the other, as in `A3C5A7`; `None` for text that is anything else.
///
/// ```
/// use crownhead::board::Cell;
/// use crownhead::notation::parse_squares;
///
/// let squares: Vec<Cell> = parse_squares("a3c12").unwrap();
/// assert_eq!(squares.iter().map(Cell::to_string).collect::<Vec<_>>(), ["A3", "C12"]);
/// assert_eq!(parse_squares::<Cell>("a3-c5"), None);
/// ```
pub fn parse_squares<S: std::str::FromStr>(text: &str) -> Option<Vec<S>> {
    let mut squares = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.get(1..)?;
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        let (square, others) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        squares.push(square.parse().ok()?);
        rest = others;
    }
    Some(squares)
}

/// The rule book of game `G` that is called `name`.
pub fn rule_book<G: Notation>(name: &str) -> Option<&'static RuleBook> {
    G::RULE_BOOKS.iter().find(|book| book.name == name)
}

/// A board as rows of ASCII characters, the last row first, as the line protocol sends it.
///
/// ```
/// use crownhead::{Rows, Square};
///
/// let text = "\
/// .r.r.r.r
/// r.r.r.r.
/// .r.r.r.r
/// ........
/// ........
/// b.b.b.b.
/// .b.b.b.b
/// b.b.b.b.";
/// let rows: Rows = text.parse().unwrap();
/// assert_eq!(rows.at(Square::new(0, 2)), b'b');
/// assert_eq!(rows.to_string(), text);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rows {
    size: BoardSize,
    /// In the order of [`BoardSize::cells`].
    letters: Vec<u8>,
}

/// An empty square in rows (statement of the contest).
const EMPTY: u8 = b'.';

impl Rows {
    /// A board of this size with a full stop on every square.
    pub fn empty(size: BoardSize) -> Rows {
        let count = usize::from(size.columns) * usize::from(size.rows);
        Rows {
            size,
            letters: vec![EMPTY; count],
        }
    }

    /// Its size.
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    fn index(&self, cell: Cell) -> usize {
        assert!(self.size.contains(cell), "{cell} is on no such board");
        usize::from(cell.row) * usize::from(self.size.columns) + usize::from(cell.column)
    }

    /// The character on a square.
    ///
    /// # Panics
    /// When the board has no such square.
    pub fn at(&self, square: impl Into<Cell>) -> u8 {
        self.letters[self.index(square.into())]
    }

    /// Puts a visible ASCII character on a square, in place of what was there.
    ///
    /// # Panics
    /// When the board has no such square.
    pub fn put(&mut self, square: impl Into<Cell>, character: u8) {
        debug_assert!(character.is_ascii_graphic());
        let index = self.index(square.into());
        self.letters[index] = character;
    }

    /// What stands on the board, `piece` saying what a letter stands for; a full stop is an empty square.
    ///
    /// # Errors
    /// When a square has another letter; the sentence names the square by `name` and lists `letters`. When it has a
    /// piece and is no `S`.
    pub fn pieces<S: TryFrom<Cell>, P>(
        &self,
        piece: impl Fn(u8) -> Option<P>,
        letters: &str,
        name: impl Fn(Cell) -> String,
    ) -> Result<Vec<(S, P)>, PositionError> {
        let mut pieces = Vec::with_capacity(32);
        for (square, &letter) in self.size.cells().zip(&self.letters) {
            match (piece(letter), S::try_from(square)) {
                (Some(piece), Ok(square)) => pieces.push((square, piece)),
                (None, _) if letter == EMPTY => {}
                _ => {
                    let (letter, name) = (char::from(letter), name(square));
                    return refuse(format!("{letter:?} on {name}; expected one of . {letters}"));
                }
            }
        }
        Ok(pieces)
    }

    /// The lines, the last row first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let rows = self.letters.chunks(self.size.columns.into()).rev();
        rows.map(|row| std::str::from_utf8(row).expect("rows hold ASCII alone"))
    }

    /// Rows from the lines of a board of this size, the last row first.
    ///
    /// # Errors
    /// When there are not as many lines of as many visible ASCII characters.
    pub fn from_lines<'a>(
        size: BoardSize,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<Rows, PositionError> {
        let BoardSize { columns, rows } = size;
        let mut found = Vec::new();
        for (line, count) in lines.into_iter().zip(1..) {
            let row = line.as_bytes();
            ensure(
                row.len() == usize::from(columns) && row.iter().all(u8::is_ascii_graphic),
                || {
                    let found = excerpt(line);
                    format!(
                        "board line {count} is {found:?}; expected {columns} characters, one a square"
                    )
                },
            )?;
            found.push(row);
        }
        let count = found.len();
        ensure(count == usize::from(rows), || {
            format!("a board has {rows} lines, row {rows} first; found {count}")
        })?;
        found.reverse();
        Ok(Rows {
            size,
            letters: found.concat(),
        })
    }
}

/// A board of 8 by 8 with these letters, and a full stop on every other square.
impl FromIterator<(Square, u8)> for Rows {
    fn from_iter<I: IntoIterator<Item = (Square, u8)>>(letters: I) -> Rows {
        let mut rows = Rows::empty(BoardSize::default());
        for (square, letter) in letters {
            rows.put(square, letter);
        }
        rows
    }
}

/// A board of 8 by 8.
impl std::str::FromStr for Rows {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Rows, PositionError> {
        Rows::from_lines(BoardSize::default(), text.lines())
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines().collect::<Vec<_>>().join("\n"))
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// The beginning of a text, for an error that quotes it: input may be of any length.
pub(crate) fn excerpt(text: &str) -> &str {
    const LONGEST: usize = 40;
    let end = text.char_indices().nth(LONGEST);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The text is no position of the game: a sentence, in the game's own words, that says what is wrong and what was
/// expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError(String);

impl PositionError {
    /// The error with this sentence, which has no full stop.
    pub fn new(reason: impl Into<String>) -> PositionError {
        PositionError(reason.into())
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PositionError {}

/// Refuses a position for this reason.
pub(crate) fn refuse<T>(reason: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError::new(reason))
}

/// Refuses a position unless `holds`.
pub(crate) fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), PositionError> {
    if holds {
        Ok(())
    } else {
        refuse(reason())
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardSize, Cell, Rows};

    #[test]
    fn rows_of_the_wrong_size_say_what_was_expected() {
        let short = "........\n".repeat(7);
        let error = short.parse::<Rows>().unwrap_err().to_string();
        assert_eq!(error, "a board has 8 lines, row 8 first; found 7");
        let narrow = format!("{}.......", "........\n".repeat(7));
        let error = narrow.parse::<Rows>().unwrap_err().to_string();
        assert_eq!(
            error,
            "board line 8 is \".......\"; expected 8 characters, one a square"
        );
    }

    #[test]
    fn a_piece_put_on_a_square_is_found_there() {
        let mut rows = Rows::empty(BoardSize::new(3, 12));
        let b12: Cell = "B12".parse().unwrap();
        rows.put(b12, b'r');
        assert_eq!(rows.lines().next(), Some(".r."));
        assert_eq!(rows.lines().count(), 12);
        assert_eq!(rows.at(b12), b'r');
        assert_eq!(
            Rows::from_lines(rows.size(), rows.lines()),
            Ok(rows.clone())
        );
    }
}
