//! Laws of notation: names of moves, rows, refusals.

use crate::position::{positions, some_positions, EMPTY};
use crate::support::random_game;
use crownhead::board::{Side, Square};
use crownhead::explain::{Explain, Refusal};
use crownhead::notation::{rule_book, Notation, Rows};
use crownhead::rules::RuleBook;
use std::collections::HashSet;

pub(crate) fn names_of_moves_are_distinct_and_read_back_in_either_case<G: Notation>(
    rules: &RuleBook,
) {
    for position in some_positions::<G>(rules, 1000) {
        let mut names = HashSet::new();
        for mv in position.legal_moves() {
            let name = position.move_name(mv);
            assert!(
                !name.is_empty() && name.bytes().all(|c| c.is_ascii_graphic()),
                "{name:?} is not a word on a line"
            );
            assert_eq!(position.parse_move(&name), Ok(mv));
            assert_eq!(position.parse_move(&name.to_ascii_lowercase()), Ok(mv));
            assert_eq!(position.parse_move(&name.to_ascii_uppercase()), Ok(mv));
            assert!(
                names.insert(name.to_ascii_lowercase()),
                "{name} names two moves of {position:?}"
            );
        }
    }
}

pub(crate) fn the_squares_of_a_move_lead_from_the_piece_to_where_it_ends<G: Notation>(
    rules: &RuleBook,
) {
    for position in positions::<G>(rules) {
        for mv in position.legal_moves() {
            let squares = position.move_squares(mv);
            let [from, .., to] = squares[..] else {
                panic!("{mv:?} touches {squares:?} alone");
            };
            assert_ne!(position.rows().at(from), EMPTY, "{mv:?} in {position:?}");
            let after = position.play_unchecked(mv);
            assert_ne!(after.rows().at(to), EMPTY, "{mv:?} in {position:?}");
        }
    }
}

pub(crate) fn rows_with_the_side_to_move_rebuild_an_equal_position<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let rows: Rows = position.rows().to_string().parse().expect("eight lines");
        assert_eq!(rows, position.rows());
        let rebuilt = G::from_rows(&rows, position.side_to_move())
            .unwrap_or_else(|error| panic!("{error}: {position:?}"));
        assert_eq!(rebuilt, position);
        assert_eq!(rebuilt.hash(), position.hash());
        assert_eq!(rebuilt.legal_moves(), position.legal_moves());
    }
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

pub(crate) fn every_refusal_has_a_reason_of_one_line<G: Explain>(rules: &RuleBook) {
    let pairs = Square::all().flat_map(|from| Square::all().map(move |to| format!("{from}{to}")));
    let elsewhere = random_game::<G>(rules, u64::MAX);
    let names = elsewhere.iter().flat_map(|position| {
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| position.move_name(mv).to_ascii_lowercase())
    });
    let texts: HashSet<String> = pairs.chain(names).chain(hostile_texts()).collect();

    let mut sentences = HashSet::new();
    for position in some_positions::<G>(rules, 40) {
        for text in &texts {
            if position.parse_move(text).is_ok() {
                continue;
            }
            let refusal = position.refusal(text);
            for reason in [refusal.clause(rules), refusal.advice(rules)] {
                assert!(!reason.trim().is_empty(), "{text:?} in {position:?}");
                assert!(!reason.contains(['\n', '\r', '\0']), "{reason:?}");
                assert!(reason.len() < 200, "a reason repeats what it refuses");
                sentences.insert(reason);
            }
        }
    }
    assert!(sentences.len() > 10, "reasons say nothing: {sentences:?}");
}

pub(crate) fn rule_books_and_sides_have_names_of_their_own<G: Notation>(rules: &RuleBook) {
    for book in G::RULE_BOOKS {
        assert_eq!(rule_book::<G>(book.name), Some(book));
        assert_ne!(book.side_name(Side::Black), book.side_name(Side::White));
        assert_eq!(G::start(book).side_to_move(), book.moves_first);
    }
    assert!(
        G::RULE_BOOKS.contains(rules),
        "{} is not listed",
        rules.name
    );
    assert_ne!(G::side_letter(Side::Black), G::side_letter(Side::White));
    assert!(!G::NAME.is_empty());
}
