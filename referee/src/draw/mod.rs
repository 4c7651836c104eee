//! Boards as pictures for a terminal.
//!
//! The symbols are a game's [`Notation`]'s, the colours those of its sides' names.

mod classroom;
mod palette;

pub use classroom::classroom;

use anstyle::Style;
use crownhead::board::{Side, Square};
use crownhead::rules::RuleBook;
use crownhead_board::{Board, Cell, GameRules};
use palette::Palette;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// With letters alone, instead of the symbols that Unicode has for the pieces, such as ⛂ and ⛀.
    pub ascii: bool,
    /// With codes for colours.
    pub coloured: bool,
}

/// The board of a position with coordinates, the way up that `rules` show it; the squares in `marked` stand in
/// brackets.
pub fn board<G: Notation>(
    position: &G,
    rules: &RuleBook,
    marked: &[Square],
    drawing: Drawing,
) -> String {
    let mut picture = String::new();
    let rows = position.rows();
    let palette = Palette::of(rules);
    for line in 0..8 {
        let row = if rules.row_1_on_top { line } else { 7 - line };
        picture += &format!("{} ", row + 1);
        for square in (0..8).map(|column| Square::new(column, row)) {
            let letter = rows.at(square);
            let (symbol, style) = match G::symbol(letter) {
                Some((side, symbol)) => (
                    if drawing.ascii {
                        plain_letter::<G>(letter, side, rules)
                    } else {
                        symbol
                    },
                    palette.piece(side, square),
                ),
                None if !G::is_playing_square(square) => (' ', palette.empty(square)),
                None => (if drawing.ascii { '.' } else { '·' }, palette.empty(square)),
            };
            let mark = palette.mark(square);
            let [open, close] = if marked.contains(&square) {
                ['[', ']']
            } else {
                [' ', ' ']
            };
            for (character, style) in [(open, mark), (symbol, style), (close, mark)] {
                let style = if drawing.coloured {
                    style
                } else {
                    Style::new()
                };
                picture += &format!("{style}{character}{style:#}");
            }
        }
        picture.truncate(picture.trim_end().len());
        picture.push('\n');
    }
    picture.push_str("  ");
    for square in (0..8).map(|column| Square::new(column, 0)) {
        picture += &format!(" {} ", &G::square_name(square)[..1]);
    }
    picture.truncate(picture.trim_end().len());
    picture.push('\n');
    picture
}

/// The letter of the rows; one that stands for the side becomes the first of the side's name: the r of the
/// contest's red is a w where that side is called white.
fn plain_letter<G: Notation>(letter: u8, side: Side, rules: &RuleBook) -> char {
    let letter = char::from(letter);
    let name = rules.side_name(side).chars().next();
    match name {
        Some(name) if letter == G::side_letter(side) => name,
        Some(name) if letter == G::side_letter(side).to_ascii_uppercase() => {
            name.to_ascii_uppercase()
        }
        _ => letter,
    }
}

/// A board with `lines` to the right of it, from its first row on.
pub fn beside(board: &str, lines: &[String]) -> String {
    /// The width of a board, and two spaces.
    const COLUMN: usize = 2 + 8 * 3 + 2;
    let width = |line: &str| {
        anstream::adapter::strip_str(line)
            .to_string()
            .chars()
            .count()
    };
    let mut lines = lines.iter();
    let mut picture = String::new();
    for row in board.lines() {
        picture.push_str(row);
        if let Some(line) = lines.next() {
            picture.push_str(&" ".repeat(COLUMN.saturating_sub(width(row))));
            picture.push_str(line);
        }
        picture.push('\n');
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::{Drawing, beside, board};
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::games::chess::{self, Chess};
    use crownhead::games::everchess::{self, EverChess};
    use crownhead::notation::Notation;
    use crownhead::position::Position;
    use crownhead::rules::RuleBook;

    const ASCII: Drawing = Drawing {
        ascii: true,
        coloured: false,
    };

    fn coloured<G: Notation>(position: &G, rules: &RuleBook) -> String {
        let drawing = Drawing {
            coloured: true,
            ..ASCII
        };
        board(position, rules, &[], drawing)
    }

    #[test]
    fn a_board_is_drawn_with_coordinates_and_the_last_move_in_brackets() {
        let position = Checkers::from_fen("W:W18,K32:B11,K14").unwrap();
        let marked = ["C3", "D4"].map(|square| square.parse().unwrap());
        let plain = |drawing| board(&position, &rules::CONTEST, &marked, drawing);
        assert_eq!(
            plain(ASCII),
            "\
8     R     .     .     .
7  .     .     .     .
6     .     .     .     .
5  .     .     r     .
4     .    [.]    B     .
3  .    [b]    .     .
2     .     .     .     .
1  .     .     .     .
   A  B  C  D  E  F  G  H
"
        );
        assert!(plain(Drawing::default()).contains("4     ·    [·]    ⛃     ·\n"));
    }

    #[test]
    fn the_classroom_sees_row_1_on_top_and_white_as_white() {
        let start = Checkers::start(&rules::CLASSROOM);
        let picture = board(&start, &rules::CLASSROOM, &[], ASCII);
        assert!(
            picture.starts_with("1  b     b     b     b\n2     b"),
            "{picture}"
        );
        assert!(picture.ends_with("8     w     w     w     w\n   A  B  C  D  E  F  G  H\n"));
    }

    #[test]
    fn columns_are_labelled_as_the_moves_have_them() {
        let last = |picture: String| picture.lines().last().unwrap().to_string();
        let small = "   a  b  c  d  e  f  g  h";
        let rules = everchess::rules::STANDARD;
        assert_eq!(
            last(board(&EverChess::start(&rules), &rules, &[], ASCII)),
            small
        );
        let rules = chess::rules::TWO_PLAYER;
        assert_eq!(
            last(board(&Chess::start(&rules), &rules, &[], ASCII)),
            small
        );
    }

    #[test]
    fn pieces_have_the_colour_of_their_side_s_name() {
        // Entries of xterm's table: 16 is #000000, 124 is #af0000, 231 is #ffffff.
        let has = |picture: &str, colour: &str, letter: char| {
            let code = format!("\u{1b}[1m\u{1b}[38;5;{colour}m");
            let mut cells = picture.split(&code).skip(1);
            cells.any(|cell| {
                cell.split_once('m')
                    .is_some_and(|(_, rest)| rest.starts_with(letter))
            })
        };
        let contest = coloured(&Checkers::start(&rules::CONTEST), &rules::CONTEST);
        assert!(
            has(&contest, "16", 'b') && has(&contest, "124", 'r'),
            "{contest:?}"
        );
        let classroom = coloured(&Checkers::start(&rules::CLASSROOM), &rules::CLASSROOM);
        assert!(
            has(&classroom, "16", 'b') && has(&classroom, "231", 'w'),
            "{classroom:?}"
        );
        let two_player = chess::rules::TWO_PLAYER;
        let chess = coloured(&Chess::start(&two_player), &two_player);
        assert!(
            has(&chess, "16", 'k') && has(&chess, "231", 'K'),
            "{chess:?}"
        );
    }

    #[test]
    fn colours_change_no_character_but_spaces_at_the_ends_of_lines() {
        let start = Checkers::start(&rules::CONTEST);
        let picture = coloured(&start, &rules::CONTEST);
        let stripped = anstream::adapter::strip_str(&picture).to_string();
        let lines: Vec<&str> = stripped.lines().map(str::trim_end).collect();
        let plain = board(&start, &rules::CONTEST, &[], ASCII);
        assert_eq!(lines, plain.lines().collect::<Vec<_>>());
    }

    #[test]
    fn lines_stand_beside_a_board_in_one_column() {
        let start = Checkers::start(&rules::CONTEST);
        for coloured in [false, true] {
            let drawing = Drawing {
                coloured,
                ..Drawing::default()
            };
            let board = board(&start, &rules::CONTEST, &[], drawing);
            let picture = beside(&board, &["one".into(), "two".into()]);
            let stripped = anstream::adapter::strip_str(&picture).to_string();
            let lines: Vec<&str> = stripped.lines().map(str::trim_end).collect();
            assert_eq!(lines[0], "8     ⛀     ⛀     ⛀     ⛀   one");
            assert_eq!(lines[1], "7  ⛀     ⛀     ⛀     ⛀      two");
            assert_eq!(lines[2], "6     ⛀     ⛀     ⛀     ⛀");
        }
    }
}
