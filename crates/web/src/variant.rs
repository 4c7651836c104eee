//! A game under one of its rule books (a variant), for pages: its board, sides and pieces.
//! The game provides everything; pages know no game by name.

use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame, Cell, games};
use crownhead_record::{fen, has_digits, low_side, side_letters};
use serde::Serialize;

/// A game under a rule book.
#[derive(Debug, Serialize)]
pub(super) struct Variant {
    game: &'static str,
    rules: &'static str,
    title: String,
    /// What the game is, in a line.
    about: &'static str,
    columns: u8,
    rows: u8,
    /// The columns as the game names them.
    files: String,
    /// The squares that pieces may stand on, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    playing_squares: Option<Vec<String>>,
    /// The game's names of the sides.
    sides: [&'static str; 2],
    /// The letters of the sides in positions as text.
    side_letters: [char; 2],
    moves_first: &'static str,
    /// The side at the bottom, with the board as the rule book shows it.
    bottom: &'static str,
    /// Whether the sides start at different ends of the board, so that people see it from their own end.
    is_facing: bool,
    row_1_on_top: bool,
    /// Whether the library in the page knows it, to play and analyse.
    is_played: bool,
    pieces: Vec<Piece>,
    /// Whether digits are letters of the game instead of numbers of empty squares.
    has_digits: bool,
    /// Whether its games can be written as PDN, and its positions as FEN of draughts.
    has_pdn: bool,
}

/// The meaning of a letter in the rows.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
struct Piece {
    /// Pieces are in the order of seats.
    #[serde(skip)]
    seat: usize,
    side: &'static str,
    symbol: char,
    /// Whether it looks like another piece of its side that is on the board at the start, while this one is not.
    is_marked: bool,
    letter: char,
}

/// The game with this name under the rule book with this name, if both exist.
pub(super) fn variant(game: &str, rules: &str) -> Option<Variant> {
    let game = games::find(game)?;
    let book = game.rules(Some(rules)).ok()?;
    Some(Variant::new(game, book))
}

/// Every game of the list under each of its rule books.
pub(super) fn variants() -> Vec<Variant> {
    let games = games::all().iter().copied();
    let of_game = |game: &'static dyn BoardGame| {
        let books = game.rule_books().iter();
        books.map(move |&book| Variant::new(game, book))
    };
    games.flat_map(of_game).collect()
}

impl Variant {
    fn new(game: &'static dyn BoardGame, book: RuleBook) -> Variant {
        let start = game.start(book);
        let first = book.moves_first.index();
        let low = low_side(start.as_ref());
        let bottom = low.map_or(first, |low| if book.row_1_on_top { 1 - low } else { low });
        let size = game.size();
        let file = |column| {
            let name = game.square_name(Cell { column, row: 0 });
            name.chars().next().unwrap_or(' ')
        };
        let playing = size.cells().filter(|&cell| game.is_playing_square(cell));
        let playing: Vec<String> = playing.map(|cell| cell.to_string()).collect();
        Variant {
            game: game.name(),
            rules: book.name,
            title: title(game, book),
            about: game.about(),
            columns: size.columns,
            rows: size.rows,
            files: (0..size.columns).map(file).collect(),
            playing_squares: (playing.len() < size.cells().count()).then_some(playing),
            sides: book.side_names,
            side_letters: side_letters(game),
            moves_first: book.side_names[first],
            bottom: book.side_names[bottom],
            is_facing: low.is_some(),
            row_1_on_top: book.row_1_on_top,
            is_played: games::library().contains(&game),
            pieces: pieces(game, start.as_ref(), book.side_names),
            has_digits: has_digits(game),
            has_pdn: fen(start.as_ref()).is_some(),
        }
    }
}

/// `Checkers, contest rules`; without the rule book if there is only one.
fn title(game: &dyn BoardGame, book: RuleBook) -> String {
    let mut letters = game.name().chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    match game.rule_books() {
        [_] => name,
        _ => format!("{name}, {} rules", book.name),
    }
}

/// The pieces of both sides, those of the first before the other's.
fn pieces(game: &dyn BoardGame, start: &dyn Board, sides: [&'static str; 2]) -> Vec<Piece> {
    let rows = start.rows().concat();
    let letters =
        (b'!'..=b'~').filter_map(|letter| Some((char::from(letter), game.symbol(letter)?)));
    let letters: Vec<_> = letters.collect();
    let pieces = letters.iter().map(|&(letter, (seat, symbol))| {
        let mut others = letters.iter();
        let looks_like = others.any(|&(other, piece)| {
            other != letter && piece == (seat, symbol) && rows.contains(other)
        });
        Piece {
            seat,
            side: sides[seat],
            symbol,
            is_marked: looks_like && !rows.contains(letter),
            letter,
        }
    });
    let mut pieces: Vec<Piece> = pieces.collect();
    pieces.sort();
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn variant(game: &str, rules: &str) -> Value {
        let all = serde_json::to_value(variants()).unwrap();
        let mut all = all.as_array().unwrap().iter();
        let found = all.find(|one| one["game"] == game && one["rules"] == rules);
        found.unwrap().clone()
    }

    #[test]
    fn a_variant_tells_what_a_page_draws_of_it() {
        let told = variant("checkers", "contest");
        assert_eq!(told["title"], "Checkers, contest rules");
        assert_eq!(told["sides"], json!(["black", "red"]));
        assert_eq!(told["files"], "ABCDEFGH");
        let squares = told["playing_squares"].as_array().unwrap();
        assert_eq!(
            (squares.len(), &squares[..2]),
            (32, &[json!("A1"), json!("C1")][..])
        );
        assert_eq!(
            (&told["moves_first"], &told["bottom"]),
            (&json!("black"), &json!("black"))
        );
        assert_eq!(told["side_letters"], json!(["b", "r"]));
        assert_eq!(told["has_pdn"], true);
        let king = json!({"side": "red", "symbol": "⛁", "is_marked": false, "letter": "R"});
        assert!(told["pieces"].as_array().unwrap().contains(&king), "{told}");
        let told = variant("chess", "two-player");
        assert_eq!(
            (&told["title"], &told["files"]),
            (&json!("Chess"), &json!("abcdefgh"))
        );
        assert_eq!(told["playing_squares"], Value::Null);
        assert_eq!(told["bottom"], "white");
        assert_eq!(told["has_pdn"], false);
    }

    #[test]
    fn the_lower_player_sits_at_the_bottom_or_on_top_by_row_1() {
        let told = variant("checkers", "classroom");
        assert_eq!(
            (&told["row_1_on_top"], &told["bottom"]),
            (&json!(true), &json!("white"))
        );
    }

    #[test]
    fn sides_that_stand_on_different_ends_see_the_board_from_there() {
        assert_eq!(variant("checkers", "contest")["is_facing"], true);
        assert_eq!(variant("chess", "two-player")["is_facing"], true);
        assert_eq!(variant("checkers", "classroom")["is_facing"], true);
    }

    #[test]
    fn a_mark_tells_apart_two_pieces_that_look_alike() {
        let told = variant("everchess", "standard");
        let told = told["pieces"].as_array().unwrap().iter();
        let told: Vec<String> = told
            .map(|piece| {
                format!(
                    "{}{}{}",
                    piece["letter"], piece["symbol"], piece["is_marked"]
                )
            })
            .collect();
        let expected = ["p♟false", "m♟true", "P♙false", "M♙true"];
        assert_eq!(told.join(" ").replace('"', ""), expected.join(" "));
    }
}
