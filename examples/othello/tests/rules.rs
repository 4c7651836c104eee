//! Othello's moves, and the laws of every game.

use crownhead::perft::perft;
use crownhead::{Explain, IllegalMove, Notation, Outcome, Position, Rows, RuleBook, Side};
use othello::{Othello, OthelloMove};

crownhead::contract!(Othello);

const RULES: RuleBook = Othello::RULE_BOOKS[0];

fn position(rows: &str, side: Side) -> Othello {
    let rows: Rows = rows.replace('/', "\n").parse().unwrap();
    Othello::from_rows(&rows, side).unwrap()
}

/// Counts by A. Bik, "Reversi for Android" (<http://www.aartbik.com/MISC/reversi.html>); from depth 9 on they have passes.
#[test]
fn move_trees_have_the_published_sizes() {
    const LEAVES: [u64; 9] = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288];
    let start = Othello::start(&RULES);
    for (depth, leaves) in (1..).zip(LEAVES) {
        assert_eq!(perft(&start, depth), leaves, "depth {depth}");
    }
}

#[test]
fn a_disc_turns_all_that_it_encloses_in_every_direction_and_none_around_an_edge() {
    let before = "......../......../......../b.bbb.../.wwww.../bw.wb.../.www..../b.b.b...";
    let before = position(before, Side::Black);
    let after = before.play(before.parse_move("C3").unwrap()).unwrap();
    let expected = "......../......../......../b.bbb.../.bbbw.../bbbbb.../.bbb..../b.b.b...";
    assert_eq!(after, position(expected, Side::White));
    let edge = "......../......../......../...bb.../...bb.../......bw/......../........";
    assert_eq!(
        position(edge, Side::Black).parse_move("A4"),
        Err(IllegalMove)
    );
}

#[test]
fn a_side_that_can_place_no_disc_passes_and_no_other_may() {
    let rows = "......../......../......../...bb.../...bb.../......../......../wb......";
    let black = position(rows, Side::Black);
    assert_eq!(black.legal_moves(), [OthelloMove::Pass]);
    assert_eq!(black.parse_move("pass"), Ok(OthelloMove::Pass));
    assert_eq!(black.note(&RULES).unwrap(), "black has to pass");
    assert_eq!(
        black.refusal("C1", &RULES).clause,
        "no disc can be placed: the move is PASS"
    );
    let white = black.play(OthelloMove::Pass).unwrap();
    assert_eq!(white.rows(), black.rows());
    assert!(white.play(OthelloMove::Pass).is_err());
}

#[test]
fn the_side_with_more_discs_wins_once_neither_can_move() {
    let outcome = |rows, side| position(rows, side).outcome(&RULES);
    let rows = "......../......../......../...bb.../...bw.../......../......../........";
    assert_eq!(outcome(rows, Side::White), None);
    let rows = "......../......../......../...bb.../...bb.../......../......../.......w";
    assert_eq!(outcome(rows, Side::White), Some(Outcome::Win(Side::Black)));
    let rows = "......../......../......../...bb.../...bb.../......../......../wwww....";
    assert_eq!(outcome(rows, Side::Black), Some(Outcome::Draw));
}

#[test]
fn a_refusal_says_what_is_wrong_and_what_is_legal() {
    let start = Othello::start(&RULES);
    let because = |text| start.refusal(text, &RULES).clause;
    assert_eq!(because("D4"), "there is a disc on D4");
    assert_eq!(because("a1"), "a disc on A1 encloses none: D3 C4 F5 E6");
    assert_eq!(
        because("PASS"),
        "a side that can place a disc does not pass: D3 C4 F5 E6"
    );
    assert_eq!(because("D3C4"), "a move is a square: D3 C4 F5 E6");
}
