//! Laws of notation: names of moves, rows, refusals.

use super::sample::{positions, random_game, some_positions};
use super::violation::{Verdict, Violation};
use crate::board::Side;
use crate::explain::{Explain, Refusal};
use crate::notation::{rule_book, Notation, Rows};
use crate::rules::RuleBook;
use std::collections::HashSet;

/// A move's [name](Notation::move_name) is one word, distinct within a position, and
/// [`parse_move`](Notation::parse_move) reads it back in either case.
///
/// # Errors
/// When a game breaks the law, as of each law here.
pub fn names_of_moves_are_distinct_and_read_back_in_either_case<G: Notation>(
    rules: &RuleBook,
) -> Verdict {
    for position in some_positions::<G>(rules, 1000) {
        let mut names = HashSet::new();
        for mv in position.legal_moves() {
            let name = position.move_name(mv);
            if name.is_empty() || !name.bytes().all(|c| c.is_ascii_graphic()) {
                let seen = format!("the move name {name:?}");
                return Err(Violation::at(
                    &position,
                    seen,
                    "a word of visible ASCII characters",
                ));
            }
            let (lower, upper) = (name.to_ascii_lowercase(), name.to_ascii_uppercase());
            for text in [&name, &lower, &upper] {
                let parsed = position.parse_move(text);
                if parsed != Ok(mv) {
                    let seen = format!("parse_move({text:?}) gives {parsed:?}");
                    return Err(Violation::at(&position, seen, format!("{mv:?}")));
                }
            }
            if !names.insert(lower) {
                let seen = format!("{name} names two moves");
                return Err(Violation::at(
                    &position,
                    seen,
                    "a name of its own for each move",
                ));
            }
        }
    }
    Ok(())
}

/// After a move a piece stands on the last of its [squares](Notation::move_squares); before one of two squares or
/// more, a piece stands on the first; and a move of no squares leaves the board as it was.
///
/// # Errors
/// When a game breaks the law.
pub fn the_squares_of_a_move_lead_to_where_its_piece_ends<G: Notation>(
    rules: &RuleBook,
) -> Verdict {
    for position in positions::<G>(rules) {
        for mv in position.legal_moves() {
            let name = position.move_name(mv);
            let squares = position.move_squares(mv);
            if let Some(&square) = squares.iter().find(|&&square| !G::SIZE.contains(square)) {
                let seen = format!("{name} touches {square}");
                return Err(Violation::at(&position, seen, "squares of the board"));
            }
            let after = position.play_unchecked(mv).rows();
            let empty = |rows: &Rows, square| G::symbol(rows.at(square)).is_none();
            let (seen, expected) = match squares[..] {
                [] if after != position.rows() => ("no squares", "the squares that it changes"),
                [.., to] if empty(&after, to) => (
                    "no piece on its last square after it",
                    "where its piece ends",
                ),
                [from, _, ..] if empty(&position.rows(), from) => (
                    "no piece on its first square before it",
                    "where its piece stood",
                ),
                _ => continue,
            };
            let touched: String = squares.into_iter().map(G::square_name).collect();
            let seen = format!("{name}, by its squares {touched:?}: {seen}");
            return Err(Violation::at(&position, seen, expected));
        }
    }
    Ok(())
}

/// [`rows`](Notation::rows) and the side to move rebuild an equal position through
/// [`from_rows`](Notation::from_rows), with the same hash and moves.
///
/// # Errors
/// When a game breaks the law.
pub fn rows_with_the_side_to_move_rebuild_an_equal_position<G: Notation>(
    rules: &RuleBook,
) -> Verdict {
    for position in positions::<G>(rules) {
        let refused = |error| Violation::at(&position, format!("a refusal: {error}"), "a position");
        let shown = position.rows().to_string();
        let rows = Rows::from_lines(G::SIZE, shown.lines()).map_err(refused)?;
        let rebuilt = G::from_rows(&rows, position.side_to_move()).map_err(refused)?;
        let parts = |position: &G| (position.clone(), position.hash(), position.legal_moves());
        if parts(&rebuilt) != parts(&position) {
            let [seen, expected] =
                [&rebuilt, &position].map(|position| format!("{:?}", parts(position)));
            return Err(Violation::at(&position, seen, expected));
        }
    }
    Ok(())
}

/// What a careless bot, a hasty person or a hostile program may send for a move.
fn hostile_texts() -> Vec<String> {
    let short = [
        "",
        " ",
        "\0",
        "\n",
        "A",
        "A3",
        "A3B",
        "A3A3",
        "A3 B4",
        " A3B4",
        "A3B4 ",
        "A3-B4",
        "A3xB4",
        "0000",
        "I9J0",
        "-1-1",
        "resign",
        "Ä3B4",
        "ＡЗＢ４",
        "é",
        "🦀",
        "🦀🦀",
        "\u{202e}A3B4",
        "A3B\u{301}4",
        "\u{feff}A3B4",
        "%s%n",
        "A1B2C3D4E5F6G7H8",
    ];
    let long = ["A", "A3", "A3B4", "🦀", " ", "\u{301}"];
    let short = short.into_iter().map(String::from);
    short.chain(long.map(|text| text.repeat(1 << 14))).collect()
}

/// [`refusal`](Explain::refusal) has a reason for whatever text names no legal move: one line, not empty, and short
/// however long the text is.
///
/// # Errors
/// When a game breaks the law.
pub fn every_refusal_has_a_reason_of_one_line<G: Explain>(rules: &RuleBook) -> Verdict {
    const ENOUGH: usize = 64 * 64;
    let names = || G::SIZE.cells().map(G::square_name);
    let pairs = names().flat_map(|from| names().map(move |to| format!("{from}{to}")));
    let pairs = pairs.step_by(names().count().pow(2).div_ceil(ENOUGH));
    let elsewhere = random_game::<G>(rules, u64::MAX);
    let moves = elsewhere.iter().flat_map(|position| {
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| position.move_name(mv).to_ascii_lowercase())
    });
    let texts = pairs.chain(names()).chain(moves).chain(hostile_texts());
    let texts: HashSet<String> = texts.collect();

    for position in some_positions::<G>(rules, 40) {
        for text in &texts {
            if position.parse_move(text).is_ok() {
                continue;
            }
            let refusal = position.refusal(text);
            for reason in [refusal.clause(rules), refusal.advice(rules)] {
                let one_line = !reason.contains(['\n', '\r', '\0']);
                if reason.trim().is_empty() || !one_line || reason.len() >= 200 {
                    let text: String = text.chars().take(40).collect();
                    let seen = format!("the refusal of {text:?} is {reason:?}");
                    let expected = "one line of less than 200 bytes, and not an empty one";
                    return Err(Violation::at(&position, seen, expected));
                }
            }
        }
    }
    Ok(())
}

/// The game and each rule book have a name, that of a rule book is found, its sides' names and letters differ, and
/// the side that it says begins.
///
/// # Errors
/// When a game breaks the law.
pub fn rule_books_and_sides_have_names_of_their_own<G: Notation>(rules: &RuleBook) -> Verdict {
    let [black, white] = rules.side_names;
    let letters = Side::BOTH.map(G::side_letter);
    let first = G::start(rules).side_to_move();
    let problem = if G::NAME.is_empty() || rules.name.is_empty() {
        (
            "an empty name",
            "a name of the game and of each rule book".into(),
        )
    } else if rule_book::<G>(rules.name) != Some(rules) {
        (
            "another rule book of the same name",
            format!("one called {}", rules.name),
        )
    } else if black == white || letters[0] == letters[1] {
        (
            "two sides of one name or letter",
            "names and letters that differ".into(),
        )
    } else if first != rules.moves_first {
        (
            "another side begins",
            format!(
                "{}, as the rule book has it",
                rules.side_name(rules.moves_first)
            ),
        )
    } else {
        return Ok(());
    };
    Err(Violation::anywhere(problem.0, problem.1))
}
