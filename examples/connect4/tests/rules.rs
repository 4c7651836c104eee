//! Connect Four's moves, and the laws of every game.

use connect4::ConnectFour;
use crownhead::perft::perft;
use crownhead::{Explain, Game, Notation, Outcome, Position, Rows, RuleBook, Side};
use std::collections::HashSet;

crownhead::contract!(ConnectFour);

const RULES: RuleBook = ConnectFour::RULE_BOOKS[0];

fn after(moves: &str) -> Game<ConnectFour> {
    let mut game = Game::<ConnectFour>::new(RULES);
    for name in moves.split_whitespace() {
        let mv = game.position().parse_move(name).unwrap();
        game.play(mv).unwrap();
    }
    game
}

/// Until the seventh ply no column is full and no game over: powers of seven. From then on as other programs count.
#[test]
fn move_trees_have_the_known_sizes() {
    const LEAVES: [u64; 8] = [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    let start = ConnectFour::start(&RULES);
    for (depth, leaves) in (1..).zip(LEAVES) {
        assert_eq!(perft(&start, depth), leaves, "depth {depth}");
    }
}

/// J. Tromp, "Number of legal 7 X 6 Connect-Four positions after n plies" (<https://oeis.org/A212693>).
#[test]
fn there_are_as_many_positions_after_some_plies_as_are_published() {
    let mut positions = vec![ConnectFour::start(&RULES)];
    for count in [7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275] {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for position in &positions {
            position.each_move(|mv| {
                let after = position.play_unchecked(mv);
                if seen.insert(after.rows()) {
                    next.push(after);
                }
            });
        }
        assert_eq!(next.len(), count);
        positions = next;
    }
}

#[test]
fn four_in_a_row_have_won_in_each_direction_and_not_around_the_top() {
    let result = |moves| after(moves).position().ended();
    assert_eq!(result("A A B B C C"), None);
    assert_eq!(result("A A B B C C D"), Some(Outcome::Win(Side::Black)));
    assert_eq!(result("A B A B A B A"), Some(Outcome::Win(Side::Black)));
    assert_eq!(
        result("G A B B C C D C D D A D"),
        Some(Outcome::Win(Side::White))
    );
    assert_eq!(
        result("A G F F E E D E D D G D"),
        Some(Outcome::Win(Side::White))
    );
    let around = "A A A B A A B B A C B B";
    assert_eq!(result(around), None);
}

#[test]
fn a_full_board_is_a_draw_and_a_full_column_refused() {
    let column = after("A A A A A A");
    assert_eq!(
        column.position().refusal("a", &RULES).clause,
        "column A is full: B C D E F G"
    );
    assert_eq!(
        column.position().refusal("A1", &RULES).clause,
        "a move is a column: B C D E F G"
    );
    let full =
        "A B A B A B B A B A B A C D C D C D D C D C D C E F E F E F F E F E F E G G G G G G";
    let game = after(full);
    assert_eq!(game.position().outcome(&RULES), Some(Outcome::Draw));
}

#[test]
fn a_disc_in_the_air_and_one_too_many_are_refused_by_name() {
    let refused = |drawing: &str| {
        let rows = Rows::from_lines(ConnectFour::SIZE, drawing.split('/')).unwrap();
        ConnectFour::from_rows(&rows, Side::Black)
            .unwrap_err()
            .to_string()
    };
    let air = "......./......./......./......./r....../.......";
    assert_eq!(refused(air), "the disc on A2 has none below it");
    let twice = "......./......./......./......./......./rr.....";
    assert_eq!(
        refused(twice),
        "2 discs are red and 0 yellow; they fall in turn, red first"
    );
}
