//! The laws, each as a function that panics in the first position in which a game breaks it.

use super::minimax::{Minimax, Noise};
use super::sample::{positions, positions_by_level, random_game, some_positions, GAMES};
use crate::board::Side;
use crate::explain::Explain;
use crate::notation::{rule_book, Notation, Rows};
use crate::rules::RuleBook;
use crate::search::{search, Parameters, Report, Root, TranspositionTable};
use std::collections::{HashMap, HashSet};

/// The position in which a law is broken.
fn at<G: Notation>(position: &G, rules: &RuleBook) -> String {
    let mover = rules.side_name(position.side_to_move());
    let (game, book, rows) = (G::NAME, rules.name, position.rows());
    format!("{game} by {book}, {mover} to move:\n{rows}")
}

/// [`each_move`](crate::Position::each_move) gives every legal move once, in an order that depends on the position alone.
pub fn legal_moves_are_distinct_and_always_in_the_same_order<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let (moves, again) = (position.legal_moves(), position.clone().legal_moves());
        assert_eq!(moves, again, "another order: {}", at(&position, rules));
        let twice = (1..moves.len()).find(|&place| moves[..place].contains(&moves[place]));
        let at = || at(&position, rules);
        assert!(twice.is_none(), "a move twice: {moves:?}: {}", at());
    }
}

/// [`play`](crate::Position::play) and [`is_legal`](crate::Position::is_legal) accept every legal move, `play` agrees with
/// [`play_unchecked`](crate::Position::play_unchecked), and a move leads to another position.
pub fn playing_with_and_without_the_check_agrees<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let at = || at(&position, rules);
        for mv in position.legal_moves() {
            assert!(
                position.is_legal(mv),
                "is_legal is false of {mv:?}: {}",
                at()
            );
            let unchecked = position.play_unchecked(mv);
            assert!(unchecked != position, "{mv:?} changes nothing: {}", at());
            assert_eq!(position.play(mv), Ok(unchecked), "{}", at());
        }
    }
}

/// [`play`](crate::Position::play) and [`is_legal`](crate::Position::is_legal) refuse moves of other positions that are not
/// legal here.
pub fn a_move_that_is_not_legal_is_refused<G: Notation>(rules: &RuleBook) {
    let elsewhere = random_game::<G>(rules, GAMES);
    let elsewhere = elsewhere.iter().flat_map(G::legal_moves);
    let elsewhere: Vec<G::Move> = elsewhere.step_by(3).collect();
    for position in some_positions::<G>(rules, 100) {
        let moves = position.legal_moves();
        let mut illegal = elsewhere.iter().filter(|mv| !moves.contains(mv));
        let played = illegal.find(|&&mv| position.is_legal(mv) || position.play(mv).is_ok());
        let at = || at(&position, rules);
        assert!(played.is_none(), "{played:?} is played: {}", at());
    }
}

/// [`count_moves`](crate::Position::count_moves) is how many legal moves are listed.
pub fn moves_are_counted_as_they_are_listed<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let listed = position.legal_moves().len() as u64;
        assert_eq!(position.count_moves(), listed, "{}", at(&position, rules));
    }
}

/// After a move of which [`is_zeroing`](crate::Position::is_zeroing) is true, no position from before it comes back.
pub fn nothing_from_before_a_zeroing_move_comes_back<G: Notation>(rules: &RuleBook) {
    for seed in 0..GAMES {
        let positions: Vec<G> = random_game(rules, seed);
        let mut before = HashSet::new();
        let mut since: Vec<u64> = Vec::new();
        for two in positions.windows(2) {
            let [position, after] = two else { continue };
            since.push(position.hash());
            let mut moves = position.legal_moves();
            moves.retain(|&mv| position.play_unchecked(mv) == *after);
            if moves.iter().all(|&mv| position.is_zeroing(mv)) {
                before.extend(since.drain(..));
            }
            let back = before.contains(&after.hash());
            assert!(
                !back,
                "comes back after a zeroing move: {}",
                at(after, rules)
            );
        }
    }
}

/// [`each_capture`](crate::Position::each_capture) gives the moves that [capture](crate::Position::captures), in the order of
/// all moves, and says whether there are others.
pub fn captures_are_visited_apart_in_the_same_order<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves().into_iter();
        let (captures, quiet): (Vec<_>, Vec<_>) = moves.partition(|&mv| position.captures(mv) > 0);
        let mut visited = Vec::new();
        let others = position.each_capture(|mv| visited.push(mv));
        let expected = (captures, !quiet.is_empty());
        assert_eq!((visited, others), expected, "{}", at(&position, rules));
    }
}

/// Where [`ended`](crate::Position::ended) gives an outcome there are no moves, and
/// [`outcome`](crate::Position::outcome) is that; where there are no moves it is
/// [`without_moves`](crate::Position::without_moves); elsewhere the game continues.
pub fn a_game_is_over_exactly_where_there_are_no_moves<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        let (count, ended) = (position.legal_moves().len(), position.ended());
        let at = || at(&position, rules);
        assert!(
            ended.is_none() || count == 0,
            "over, and {count} moves: {}",
            at()
        );
        let stuck = (count == 0).then(|| position.without_moves(rules));
        assert_eq!(position.outcome(rules), ended.or(stuck), "{}", at());
    }
}

/// A piece that one side may move, the other may not: from the same rows, with the other side to move, no move begins
/// on the same square. Moves of one square put a piece there, and of none pass; the law is not about them.
pub fn a_piece_moves_for_one_side_only<G: Notation>(rules: &RuleBook) {
    let origins = |position: &G| -> HashSet<_> {
        let moves = position.legal_moves().into_iter();
        let squares = moves.map(|mv| position.move_squares(mv));
        let squares = squares.filter(|squares| squares.len() > 1);
        squares.map(|squares| squares[0]).collect()
    };
    for position in positions::<G>(rules) {
        let other = position.side_to_move().opponent();
        let Ok(turned) = G::from_rows(&position.rows(), other) else {
            continue;
        };
        let at = || at(&position, rules);
        let differs = turned.side_to_move() == other && turned != position;
        assert!(differs, "the same with the other side to move: {}", at());
        let both = &origins(&position) & &origins(&turned);
        assert!(
            both.is_empty(),
            "both sides move the pieces on {both:?}: {}",
            at()
        );
    }
}

/// A move takes as many of the opponent's pieces off the board as [`captures`](crate::Position::captures) says, and no piece
/// of the mover; a piece that changes sides stays on the board, which is no capture.
pub fn captures_are_what_leaves_the_board<G: Notation>(rules: &RuleBook) {
    // How many pieces stand on the board, and how many of them are of a side.
    let pieces = |position: &G, side: Side| {
        let rows = position.rows();
        let letters = rows.lines().flat_map(str::bytes);
        let owners = letters.filter_map(|letter| Some(G::symbol(letter)?.0));
        let owners: Vec<Side> = owners.collect();
        let of_side = owners.iter().filter(|&&owner| owner == side).count();
        [owners.len(), of_side]
    };
    for position in positions::<G>(rules) {
        let other = position.side_to_move().opponent();
        let before = pieces(&position, other);
        for mv in position.legal_moves() {
            let captures = position.captures(mv) as usize;
            let after = pieces(&position.play_unchecked(mv), other);
            let [fewer, captured] = [0, 1].map(|of| before[of].saturating_sub(after[of]));
            assert!(
                fewer <= captures && (captures == 0 || captured == captures),
                "{} captures {captures}, {captured} are gone: {}",
                position.move_name(mv),
                at(&position, rules)
            );
        }
    }
}

/// The positions that differ among those found by level and at random. Equal ones hash alike.
fn distinct_positions<G: Notation>(rules: &RuleBook) -> Vec<G> {
    let mut seen: HashMap<_, Vec<G>> = HashMap::new();
    let by_level = positions_by_level::<G>(rules).into_iter();
    for position in by_level.chain(positions(rules)) {
        // The rows, not the hash, decide which positions may be equal: the hash is under test.
        let place = (position.rows(), position.side_to_move());
        let alike = seen.entry(place).or_default();
        match alike.iter().find(|&other| *other == position) {
            Some(equal) => assert_eq!(equal.hash(), position.hash(), "{}", at(&position, rules)),
            None => alike.push(position),
        }
    }
    seen.into_values().flatten().collect()
}

/// Equal positions have equal [hashes](crate::Position::hash), and different ones practically never share theirs.
pub fn equal_positions_hash_alike_and_different_ones_apart<G: Notation>(rules: &RuleBook) {
    let mut by_hash: HashMap<u64, G> = HashMap::new();
    for position in distinct_positions::<G>(rules) {
        if let Some(other) = by_hash.insert(position.hash(), position.clone()) {
            panic!(
                "one hash: {}\n\n{}",
                at(&position, rules),
                at(&other, rules)
            );
        }
    }
}

/// A table indexed by any ten neighbouring bits of the [hash](crate::Position::hash) fills evenly; by fewer bits where
/// a game has few positions, and a game of less than 64 is not judged.
pub fn a_hash_is_good_by_any_of_its_bits<G: Notation>(rules: &RuleBook) {
    let distinct = distinct_positions::<G>(rules);
    let bits = (distinct.len() / 4).checked_ilog2().unwrap_or(0).min(10);
    if bits < 4 {
        return;
    }
    let even = distinct.len() >> bits;
    // By chance alone the fullest of 1024 entries holds five deviations more than the mean, at most.
    let limit = even + 7 * even.isqrt() + 7;
    for shift in 0..=64 - bits {
        let mut filled = vec![0; 1 << bits];
        for position in &distinct {
            filled[(position.hash() >> shift) as usize % (1 << bits)] += 1;
        }
        let fullest = filled.into_iter().max().unwrap_or(0);
        assert!(
            fullest <= limit,
            "by the {bits} bits of hashes from bit {shift}, {fullest} positions in one entry; expected about {even}: \
             crownhead::hash::fold mixes well"
        );
    }
}

/// A move's [name](Notation::move_name) is one word, distinct within a position, and
/// [`parse_move`](Notation::parse_move) reads it back in either case.
pub fn names_of_moves_are_distinct_and_read_back_in_either_case<G: Notation>(rules: &RuleBook) {
    for position in some_positions::<G>(rules, 1000) {
        let at = || at(&position, rules);
        let mut names = HashSet::new();
        for mv in position.legal_moves() {
            let name = position.move_name(mv);
            let is_word = !name.is_empty() && name.bytes().all(|c| c.is_ascii_graphic());
            assert!(
                is_word,
                "{name:?} is no word of visible ASCII characters: {}",
                at()
            );
            let (lower, upper) = (name.to_ascii_lowercase(), name.to_ascii_uppercase());
            for text in [&name, &lower, &upper] {
                let parsed = position.parse_move(text);
                assert_eq!(parsed, Ok(mv), "parse_move of {text:?}: {}", at());
            }
            assert!(
                names.insert(lower),
                "two moves are called {name:?}: {}",
                at()
            );
        }
    }
}

/// After a move a piece stands on the last of its [squares](Notation::move_squares); before one of two squares or
/// more, a piece stands on the first; and a move of no squares leaves the board as it was.
pub fn the_squares_of_a_move_lead_to_where_its_piece_ends<G: Notation>(rules: &RuleBook) {
    for position in positions::<G>(rules) {
        for mv in position.legal_moves() {
            let squares = position.move_squares(mv);
            let on_board = squares.iter().all(|&square| G::SIZE.contains(square));
            let (before, after) = (position.rows(), position.play_unchecked(mv).rows());
            let piece = |rows: &Rows, square| G::symbol(rows.at(square)).is_some();
            let problem = match squares[..] {
                _ if !on_board => "are not on the board",
                [] if before != after => "are no squares, and the board changes",
                [from, _, ..] if !piece(&before, from) => "begin where no piece stands",
                [.., to] if !piece(&after, to) => "end where no piece stands",
                _ => continue,
            };
            let (name, at) = (position.move_name(mv), at(&position, rules));
            panic!("{squares:?} of {name} {problem}: {at}");
        }
    }
}

/// [`rows`](Notation::rows) and the side to move rebuild an equal position through
/// [`from_rows`](Notation::from_rows), with the same hash and moves.
pub fn rows_with_the_side_to_move_rebuild_an_equal_position<G: Notation>(rules: &RuleBook) {
    let parts = |position: &G| (position.clone(), position.hash(), position.legal_moves());
    for position in positions::<G>(rules) {
        let shown = position.rows().to_string();
        let rows = Rows::from_lines(G::SIZE, shown.lines());
        let rebuilt = rows.and_then(|rows| G::from_rows(&rows, position.side_to_move()));
        let is_rebuilt = rebuilt.as_ref().map(parts) == Ok(parts(&position));
        assert!(is_rebuilt, "is not rebuilt: {}", at(&position, rules));
    }
}

/// What a careless bot, a hasty person or a hostile program may send for a move.
fn hostile_texts() -> impl Iterator<Item = String> {
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
    short.chain(long.into_iter().map(|text| text.repeat(1 << 14)))
}

/// [`refusal`](Explain::refusal) has a reason for whatever text names no legal move: one line, not empty, and short
/// however long the text is.
pub fn every_refusal_has_a_reason_of_one_line<G: Explain>(rules: &RuleBook) {
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
    for position in some_positions::<G>(rules, 15) {
        let refused = texts.iter();
        for text in refused.filter(|text| position.parse_move(text).is_err()) {
            let refusal = position.refusal(text, rules);
            for reason in [refusal.clause, refusal.advice] {
                let one_line = !reason.contains(['\n', '\r', '\0']);
                let right = one_line && !reason.trim().is_empty() && reason.len() < 200;
                let text: String = text.chars().take(40).collect();
                let at = || at(&position, rules);
                assert!(right, "the refusal of {text:?} is {reason:?}: {}", at());
            }
        }
    }
}

/// The game and each rule book have a name, that of a rule book is found, its sides' names and letters differ, and
/// the side that it says begins.
pub fn rule_books_and_sides_have_names_of_their_own<G: Notation>(rules: &RuleBook) {
    let is_named = !G::NAME.is_empty() && !rules.name.is_empty();
    assert!(is_named, "an empty name");
    assert_eq!(
        rule_book::<G>(rules.name),
        Some(rules),
        "two rule books of one name"
    );
    let ([black, white], letters) = (rules.side_names, Side::BOTH.map(G::side_letter));
    let differ = black != white && letters[0] != letters[1];
    assert!(differ, "two sides of one name or letter");
    assert_eq!(
        G::start(rules).side_to_move(),
        rules.moves_first,
        "who begins"
    );
}

/// What a search, and minimax, may look at in one position: games with many captures have large trees.
const NODES: u32 = 10_000;

/// A search with exact parameters finds the score that [minimax](Minimax) gives, a line that can be played, and nothing
/// exactly where the game is over.
pub fn a_search_agrees_with_minimax<G: Notation>(rules: &RuleBook) {
    for position in some_positions::<G>(rules, 40) {
        let (root, mut table) = (
            Root::new(&position, rules, &Noise),
            TranspositionTable::new(1),
        );
        let stop = |nodes| nodes >= u64::from(NODES);
        let check = |report: &Report<G::Move>| {
            let (line, depth) = (&report.principal_variation, report.depth);
            let mut moves = line.iter();
            let end = moves.try_fold(position.clone(), |end, &mv| end.play(mv));
            assert!(end.is_ok(), "the line {line:?}: {}", at(&position, rules));
            let mut minimax = Minimax {
                rules,
                evaluation: &Noise,
                nodes: NODES,
            };
            if let Some(expected) = minimax.score(&position, depth, 0) {
                let told = || format!("score at depth {depth}: {}", at(&position, rules));
                assert_eq!(report.score, expected, "{}", told());
            }
        };
        let found = search(&root, &Parameters::exact(), &mut table, 4, stop, check);
        let over = position.outcome(rules).is_some();
        assert_eq!(found.is_none(), over, "{}", at(&position, rules));
    }
}
