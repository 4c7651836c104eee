//! How a game of checkers ends, by either rule book.

use super::board::{draw, play, stuck};
use crownhead::board::Side::{Black, White};
use crownhead::game::{Ending, Game};
use crownhead::games::checkers::rules::{CLASSROOM, CONTEST};
use crownhead::games::checkers::Checkers;
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;

#[test]
fn a_side_that_cannot_move_its_pieces_has_lost_the_contest_and_drawn_in_the_classroom() {
    let stuck = stuck();
    assert_eq!(stuck.ended(), None, "only being without moves decides it");
    assert_eq!(stuck.outcome(&CONTEST), Some(Outcome::Win(White)));
    assert_eq!(stuck.outcome(&CLASSROOM), Some(Outcome::Draw));
    let ending = |rules| Game::from_position(stuck, rules).result().unwrap().1;
    assert_eq!(ending(CONTEST), Ending::NoMoves);
    assert_eq!(ending(CLASSROOM), Ending::NoMoves);
}

#[test]
fn a_side_without_pieces_has_lost_by_either_rule_book() {
    let last = draw(
        Black,
        "
        4  . r . . . . . .
        3  b . . . . . . .
           A B C D E F G H",
    );
    let taken = play(&last, "A3C5");
    for rules in [CONTEST, CLASSROOM] {
        assert_eq!(last.outcome(&rules), None);
        assert_eq!(taken.outcome(&rules), Some(Outcome::Win(Black)));
    }
}

/// Two kings in their corners, which can go to and fro for ever.
fn two_kings() -> Checkers {
    draw(
        Black,
        "
        8  . . . . . . . R
        1  B . . . . . . .
           A B C D E F G H",
    )
}

/// Plays this many turns of going to and fro.
fn to_and_fro(rules: RuleBook, turns: usize) -> Game<Checkers> {
    let mut game = Game::from_position(two_kings(), rules);
    for name in ["A1B2", "H8G7", "B2A1", "G7H8"].iter().cycle().take(turns) {
        play_turn(&mut game, name);
    }
    game
}

fn play_turn(game: &mut Game<Checkers>, name: &str) {
    use crownhead::notation::Notation;
    let mv = game.position().parse_move(name).expect("a legal move");
    game.play(mv).expect("a legal move is played");
}

#[test]
fn the_contest_is_drawn_after_200_turns_and_not_for_want_of_captures() {
    let mut game = to_and_fro(CONTEST, 199);
    assert_eq!((game.turn(), game.turns_without_capture()), (200, 199));
    assert_eq!(game.result(), None);
    play_turn(&mut game, "G7H8");
    assert_eq!(game.result(), Some((Outcome::Draw, Ending::TurnLimit)));
    assert!(game.undo());
    assert_eq!(game.result(), None, "a turn taken back is not counted");
}

#[test]
fn the_classroom_is_drawn_after_50_turns_without_a_capture() {
    let mut game = to_and_fro(CLASSROOM, 49);
    assert_eq!(game.result(), None);
    play_turn(&mut game, "H8G7");
    let drawn = Some((Outcome::Draw, Ending::WithoutCapture));
    assert_eq!(game.result(), drawn);
}

#[test]
fn repeating_a_position_ends_nothing() {
    let game = to_and_fro(CONTEST, 40);
    let seen = game.positions().filter(|&p| p == game.position());
    assert_eq!(seen.count(), 11);
    assert_eq!(game.result(), None);
}

#[test]
fn the_last_piece_taken_on_the_last_turn_wins_all_the_same() {
    let mut rules = CONTEST;
    rules.length.max_turns = Some(1);
    let position = draw(
        Black,
        "
        4  . r . . . . . .
        3  b . . . . . . .
           A B C D E F G H",
    );
    let mut game = Game::from_position(position, rules);
    play_turn(&mut game, "A3C5");
    let won = Some((Outcome::Win(Black), Ending::NoMoves));
    assert_eq!(game.result(), won);
}
