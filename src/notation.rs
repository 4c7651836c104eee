//! How a game is written down: rows of a board, names of moves, and why a move is refused.
//!
//! The line protocol, the records and the terminal all speak through this trait, so that none of them
//! knows a game. How positions are drawn in colour or in a classroom's symbols is the referee's affair.

use crate::board::{Side, Square};
use crate::position::Position;
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

    /// The game's rule books; the first is the one in force when nobody picks.
    const RULE_BOOKS: &'static [RuleBook];

    /// The letter that stands for `side` in the protocol's colour line.
    fn side_letter(side: Side) -> char;

    /// The board as text.
    fn rows(&self) -> Rows;

    /// Whose piece a letter of the rows stands for, and the symbol that Unicode has for it; `None` for a letter
    /// that stands for no piece.
    fn symbol(letter: u8) -> Option<(Side, char)>;

    /// Whether pieces may ever stand on `square`.
    fn is_playing_square(_square: Square) -> bool {
        true
    }

    /// The position that these rows show, with `side_to_move` to move.
    ///
    /// A game already over is a position too: rows of every position that play can reach are read.
    ///
    /// # Errors
    /// When the rows are not a board of this game, or one that no play can reach, with the reason.
    fn from_rows(rows: &Rows, side_to_move: Side) -> Result<Self, PositionError>;

    /// The name of a legal move of this position, such as `A3C5A7`.
    fn move_name(&self, mv: Self::Move) -> String;

    /// The squares a move touches, from where the piece stood to where it ends: for marking it on a drawn
    /// board.
    fn move_squares(&self, mv: Self::Move) -> Vec<Square>;

    /// A square as this game's moves have it: `A1`, or `a1`.
    fn square_name(square: Square) -> String {
        square.to_string()
    }

    /// Why `text` names no legal move of this position: a clause that completes the sentence
    /// "red answered \`B6C5\` but …", on one line, and short however long `text` is.
    ///
    /// Called only for text that [`parse_move`](Notation::parse_move) does not find.
    ///
    /// ```
    /// use crownhead::board::Side;
    /// use crownhead::games::checkers::{rules, Checkers};
    /// use crownhead::notation::Notation;
    ///
    /// let rows = "
    /// ........
    /// ........
    /// .r.r....
    /// ........
    /// .r......
    /// b.......
    /// ........
    /// ........";
    /// let position = Checkers::from_rows(&rows.trim().parse().unwrap(), Side::Black).unwrap();
    /// let because = |text| position.refusal(text, &rules::CONTEST);
    /// assert_eq!(because("A3A4"), "no piece ever stands on A4");
    /// assert_eq!(because("A3C5"), "that jump must go on: A3C5A7 or A3C5E7");
    /// assert_eq!(because("B6A5"), "the piece on B6 is red's");
    /// ```
    fn refusal(&self, text: &str, rules: &RuleBook) -> String;

    /// The same, said to a person who is to move: "you must capture: A5C3 or E5C3".
    fn advice(&self, text: &str, rules: &RuleBook) -> String {
        self.refusal(text, rules)
    }

    /// What a person should know of the position besides the board: "white is in check", say.
    fn note(&self, _rules: &RuleBook) -> Option<String> {
        None
    }

    /// How the side to move stands, which has no legal move, in words: "white is checkmated". Asked only where
    /// [`ended`](Position::ended) does not say how the game came out.
    fn describe_no_moves(&self, rules: &RuleBook) -> String {
        format!("{} has no legal move", rules.side_name(self.side_to_move()))
    }

    /// The legal move that `text` names, in either case.
    ///
    /// # Errors
    /// When no legal move is named so; [`refusal`](Notation::refusal) says why.
    fn parse_move(&self, text: &str) -> Result<Self::Move, crate::position::IllegalMove> {
        let mut found = None;
        self.each_move(|mv| {
            if found.is_none() && self.move_name(mv).eq_ignore_ascii_case(text) {
                found = Some(mv);
            }
        });
        found.ok_or(crate::position::IllegalMove)
    }
}

/// The rule book of game `G` that is called `name`.
pub fn rule_book<G: Notation>(name: &str) -> Option<&'static RuleBook> {
    G::RULE_BOOKS.iter().find(|book| book.name == name)
}

/// A board as eight rows of eight ASCII characters, row 8 first, as the line protocol sends it.
///
/// ```
/// use crownhead::notation::Rows;
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
/// assert_eq!(rows.at("A3".parse().unwrap()), b'b');
/// assert_eq!(rows.to_string(), text);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rows([[u8; 8]; 8]);

impl Rows {
    /// A board with `empty` on every square.
    pub const fn filled(empty: u8) -> Rows {
        Rows([[empty; 8]; 8])
    }

    /// The character on `square`.
    pub const fn at(&self, square: Square) -> u8 {
        self.0[7 - square.row() as usize][square.column() as usize]
    }

    /// Puts a visible ASCII character on `square`, in place of what was there.
    pub fn put(&mut self, square: Square, character: u8) {
        debug_assert!(character.is_ascii_graphic());
        self.0[7 - square.row() as usize][square.column() as usize] = character;
    }

    /// The eight lines, row 8 first.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .map(|row| std::str::from_utf8(row).expect("rows hold ASCII alone"))
    }

    /// Rows from eight lines, row 8 first.
    ///
    /// # Errors
    /// When there are not eight lines of eight visible ASCII characters.
    pub fn from_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Rows, PositionError> {
        let mut rows = [[0; 8]; 8];
        let mut count = 0;
        for line in lines {
            let row = line.as_bytes();
            if row.len() != 8 || !row.iter().all(u8::is_ascii_graphic) {
                return Err(PositionError::new(format!(
                    "board line {} is {:?}; expected 8 characters, one a square",
                    count + 1,
                    excerpt(line)
                )));
            }
            if let Some(place) = rows.get_mut(count) {
                place.copy_from_slice(row);
            }
            count += 1;
        }
        if count == 8 {
            Ok(Rows(rows))
        } else {
            Err(PositionError::new(format!(
                "a board has 8 lines, row 8 first; found {count}"
            )))
        }
    }
}

impl std::str::FromStr for Rows {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Rows, PositionError> {
        Rows::from_lines(text.lines())
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.lines().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            f.write_str(line)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// The beginning of a text, for an error that quotes it: what strangers send may be of any length.
pub(crate) fn excerpt(text: &str) -> &str {
    const LONGEST: usize = 40;
    let end = text.char_indices().nth(LONGEST);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The text is no position of the game, or one that no play can reach; says why and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionError(String);

impl PositionError {
    /// An error with this reason, a sentence without its full stop.
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

#[cfg(test)]
mod tests {
    use super::Rows;

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
    fn what_is_put_on_a_square_is_found_there() {
        let mut rows = Rows::filled(b'.');
        rows.put("B8".parse().unwrap(), b'r');
        assert_eq!(rows.lines().next(), Some(".r......"));
        assert_eq!(rows.at("B8".parse().unwrap()), b'r');
    }
}
