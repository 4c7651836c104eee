//! Boards as pictures for a terminal.
//!
//! The symbols are the game's, the colours those of its players' names.

mod palette;

use crownhead_bots::{Board, BoardGame, Cell};
use crownhead_record::low_side;
use palette::Palette;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Drawing {
    /// With letters alone, instead of the symbols that Unicode has for the pieces, such as ⛂ and ⛀.
    pub ascii: bool,
    /// With codes for colours.
    pub coloured: bool,
}

/// The board with coordinates; the squares in `marked` stand in brackets. Every rule book of a game is drawn the same way
/// up, that of the game's first; only the classroom's dialogue differs.
pub(crate) fn board(board: &dyn Board, marked: &[Cell], drawing: Drawing) -> String {
    let mut picture = String::new();
    let (rows, rules, game) = (board.rows(), board.rules(), board.game());
    let palette = Palette::of(rules);
    let row_1_on_top = game.rule_books()[0].row_1_on_top;
    let (height, width) = (rows.len() as u8, rows.first().map_or(0, String::len) as u8);
    for line in 0..height {
        let row = if row_1_on_top {
            line
        } else {
            height - 1 - line
        };
        let letters = rows[usize::from(height - 1 - row)].bytes();
        picture += &format!("{} ", row + 1);
        for (column, letter) in (0..width).zip(letters) {
            let cell = Cell { column, row };
            let (symbol, style) = match game.symbol(letter) {
                Some((player, _)) if drawing.ascii => {
                    let plain = plain_letter(board, letter, player);
                    (plain, palette.piece(player, cell))
                }
                Some((player, _)) if is_shared(game, letter) => {
                    (char::from(letter), palette.piece(player, cell))
                }
                Some((player, symbol)) => (symbol, palette.piece(player, cell)),
                None if !game.is_playing_square(cell) => (' ', palette.empty(cell)),
                None if drawing.ascii => ('.', palette.empty(cell)),
                None => ('·', palette.empty(cell)),
            };
            let mark = palette.mark(cell);
            let is_marked = marked.contains(&cell);
            let [open, close] = if is_marked { ['[', ']'] } else { [' ', ' '] };
            for (character, style) in [(open, mark), (symbol, style), (close, mark)] {
                if drawing.coloured {
                    picture += &format!("{style}{character}{style:#}");
                } else {
                    picture.push(character);
                }
            }
        }
        picture.truncate(picture.trim_end().len());
        picture.push('\n');
    }
    picture.push_str("  ");
    for cell in (0..width).map(|column| Cell { column, row: 0 }) {
        picture += &format!(" {} ", &game.square_name(cell)[..1]);
    }
    picture.truncate(picture.trim_end().len());
    picture.push('\n');
    picture
}

/// Which way each side moves on the picture of a board, such as `black moves up, white moves down`. Nothing in a game whose
/// sides start from the same rows.
pub(crate) fn directions(board: &dyn Board) -> Option<String> {
    let game = board.game();
    let low = low_side(game.start(*board.rules()).as_ref())?;
    let row_1_on_top = game.rule_books()[0].row_1_on_top;
    let names = board.player_names();
    let moves = |player: usize| {
        let direction = match (player == low) != row_1_on_top {
            true => "up",
            false => "down",
        };
        format!("{} moves {direction}", names[player])
    };
    let first = board.rules().moves_first.index();
    Some(format!("{}, {}", moves(first), moves(1 - first)))
}

/// Whether another letter has the symbol of this one, which would not tell them apart.
fn is_shared(game: &dyn BoardGame, letter: u8) -> bool {
    let mut others = (b'!'..=b'~').filter(|&other| other != letter);
    others.any(|other| game.symbol(other) == game.symbol(letter))
}

/// The letter of the rows; one that stands for the player becomes the first of the player's name: the r of the
/// contest's red is a w where that side is called white.
fn plain_letter(board: &dyn Board, letter: u8, player: usize) -> char {
    let letter = char::from(letter);
    let own = board.game().colour_letter(player);
    match board.player_names()[player].chars().next() {
        Some(name) if letter == own => name,
        Some(name) if letter == own.to_ascii_uppercase() => name.to_ascii_uppercase(),
        _ => letter,
    }
}

/// The board of the classroom's assignment, which is compared byte for byte: with row 1 on top, a space after every cell, and the columns' letters below; with letters for the
/// course's characters where `ascii` asks for them.
pub(crate) fn classroom(board: &dyn Board, ascii: bool) -> String {
    let rows = board.rows();
    let mut picture = String::new();
    for (row, letters) in (0..).zip(rows.iter().rev()) {
        picture.push_str(&(row + 1).to_string());
        for (column, letter) in (0..).zip(letters.bytes()) {
            let is_playing_square = board.game().is_playing_square(Cell { column, row });
            let [course, plain] = cell(letter, is_playing_square);
            picture.push(' ');
            picture.push(if ascii { plain } else { course });
        }
        picture.push_str(" \n");
    }
    picture.push_str("  a b c d e f g h\n");
    picture
}

/// The course's character and the one in ASCII.
fn cell(letter: u8, is_playing_square: bool) -> [char; 2] {
    match letter {
        b'b' => ['⚈', 'b'],
        b'B' => ['⚉', 'B'],
        b'r' => ['⚆', 'w'],
        b'R' => ['⚇', 'W'],
        _ if is_playing_square => ['◻', '.'],
        _ => ['◼', ' '],
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, board, classroom};
    use crownhead::games::checkers::rules;
    use crownhead_bots::{Board, CHECKERS, Cell, games};

    const ASCII: Drawing = Drawing {
        ascii: true,
        coloured: false,
    };

    fn coloured(start: &dyn Board) -> String {
        let drawing = Drawing {
            coloured: true,
            ..ASCII
        };
        board(start, &[], drawing)
    }

    fn start(game: &str) -> Box<dyn Board> {
        let game = games::find(game).unwrap();
        game.start(game.rule_books()[0])
    }

    #[test]
    fn a_board_is_drawn_with_coordinates_and_the_last_move_in_brackets() {
        let rows = [
            ".R......", "........", "........", "....r...", ".....B..", "..b.....", "........",
            "........",
        ];
        let rows = rows.map(String::from);
        let position = CHECKERS.set_up(&rows, 1, rules::CONTEST).unwrap();
        let marked = [(2, 2), (3, 3)].map(|(column, row)| Cell { column, row });
        let plain = |drawing| board(position.as_ref(), &marked, drawing);
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
    fn the_classrooms_rules_are_drawn_as_the_contests_with_white_as_white() {
        let start = CHECKERS.start(rules::CLASSROOM);
        let picture = board(start.as_ref(), &[], ASCII);
        assert!(
            picture.starts_with("8     w     w     w     w\n7  w"),
            "{picture}"
        );
        assert!(picture.ends_with("1  b     b     b     b\n   A  B  C  D  E  F  G  H\n"));
    }

    #[test]
    fn columns_are_labelled_as_the_moves_have_them() {
        let last = |picture: String| picture.lines().last().unwrap().to_string();
        let small = "   a  b  c  d  e  f  g  h";
        assert_eq!(last(board(start("everchess").as_ref(), &[], ASCII)), small);
        assert_eq!(last(board(start("chess").as_ref(), &[], ASCII)), small);
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
        let contest = coloured(CHECKERS.start(rules::CONTEST).as_ref());
        assert!(
            has(&contest, "16", 'b') && has(&contest, "124", 'r'),
            "{contest:?}"
        );
        let classroom = coloured(CHECKERS.start(rules::CLASSROOM).as_ref());
        assert!(
            has(&classroom, "16", 'b') && has(&classroom, "231", 'w'),
            "{classroom:?}"
        );
        let chess = coloured(start("chess").as_ref());
        assert!(
            has(&chess, "16", 'k') && has(&chess, "231", 'K'),
            "{chess:?}"
        );
    }

    #[test]
    fn colours_change_no_character_but_spaces_at_the_ends_of_lines() {
        let start = CHECKERS.start(rules::CONTEST);
        let picture = coloured(start.as_ref());
        let stripped = anstream::adapter::strip_str(&picture).to_string();
        let lines: Vec<&str> = stripped.lines().map(str::trim_end).collect();
        let plain = board(start.as_ref(), &[], ASCII);
        assert_eq!(lines, plain.lines().collect::<Vec<_>>());
    }

    #[test]
    fn sides_that_face_each_other_move_up_or_down_on_the_picture() {
        let directions = |start: Box<dyn Board>| super::directions(start.as_ref());
        for (start, said) in [
            (
                CHECKERS.start(rules::CONTEST),
                "black moves up, red moves down",
            ),
            (
                CHECKERS.start(rules::CLASSROOM),
                "white moves down, black moves up",
            ),
            (start("everchess"), "white moves up, black moves down"),
            (start("chess"), "white moves up, black moves down"),
        ] {
            assert_eq!(directions(start).as_deref(), Some(said));
        }
    }

    #[test]
    fn the_assignments_board_has_row_1_on_top_and_a_space_after_every_cell() {
        let start = CHECKERS.start(rules::CLASSROOM);
        let board = classroom(start.as_ref(), false);
        assert!(board.starts_with("1 ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ \n2 ◼ ⚈ ◼ ⚈ ◼ ⚈ ◼ ⚈ \n"));
        assert!(board.ends_with("8 ◼ ⚆ ◼ ⚆ ◼ ⚆ ◼ ⚆ \n  a b c d e f g h\n"));
        let board = classroom(start.as_ref(), true);
        assert!(board.starts_with("1 b   b   b   b   \n2   b   b   b   b \n"));
    }
}
