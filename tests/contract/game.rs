//! A game being played, of every game.

use crate::support::random_game;
use crownhead::game::{Ending, Game};
use crownhead::notation::Notation;
use crownhead::position::{IllegalMove, Outcome, Position};
use crownhead::rules::{LengthRules, RuleBook};

const GAMES: u64 = 20;

/// A random game through [`Game`], and what it looked like after each turn.
fn played<G: Position>(rules: &RuleBook, seed: u64) -> (Game<G>, Vec<Snapshot<G>>) {
    let positions = random_game::<G>(rules, seed);
    let mut game = Game::new(*rules);
    let mut snapshots = vec![Snapshot::of(&game)];
    for pair in positions.windows(2) {
        let mv = move_between(&pair[0], &pair[1]);
        game.play(mv).expect("a move of the random game is legal");
        assert_eq!(game.last_move(), Some(mv));
        snapshots.push(Snapshot::of(&game));
    }
    (game, snapshots)
}

fn move_between<G: Position>(from: &G, to: &G) -> G::Move {
    let moves = from.legal_moves();
    let found = moves.into_iter().find(|&mv| from.play_unchecked(mv) == *to);
    found.expect("some move leads to the next position")
}

/// All that a game shows after one turn.
#[derive(Clone, PartialEq, Debug)]
struct Snapshot<G: Position> {
    position: G,
    moves: Vec<G::Move>,
    last_move: Option<G::Move>,
    turn: u32,
    without_capture: u32,
    result: Option<(Outcome, Ending)>,
}

impl<G: Position> Snapshot<G> {
    fn of(game: &Game<G>) -> Snapshot<G> {
        Snapshot {
            position: game.position().clone(),
            moves: game.moves().collect(),
            last_move: game.last_move(),
            turn: game.turn(),
            without_capture: game.turns_without_capture(),
            result: game.result(),
        }
    }
}

pub(crate) fn undo_and_redo_return_to_equal_positions_turns_and_counts<G: Notation>(
    rules: &RuleBook,
) {
    for seed in 0..GAMES {
        let (mut game, snapshots) = played::<G>(rules, seed);
        let mut without_capture = 0;
        for (turn, pair) in (2..).zip(snapshots.windows(2)) {
            let [before, after] = pair else {
                unreachable!()
            };
            let mv = after.last_move.expect("a turn was played");
            let captures = before.position.captures(mv);
            without_capture = if captures > 0 { 0 } else { without_capture + 1 };
            assert_eq!(after.turn, turn);
            assert_eq!(after.without_capture, without_capture);
        }

        assert!(!game.redo(), "nothing was taken back yet");
        for expected in snapshots.iter().rev().skip(1) {
            assert!(game.undo());
            assert_eq!(Snapshot::of(&game), *expected);
        }
        assert!(!game.undo(), "the first position stays");
        assert_eq!(Snapshot::of(&game), snapshots[0]);
        for expected in snapshots.iter().skip(1) {
            assert!(game.redo());
            assert_eq!(Snapshot::of(&game), *expected);
        }
        assert!(!game.redo());
        assert!(game
            .positions()
            .eq(snapshots.iter().map(|snapshot| &snapshot.position)));
    }
}

pub(crate) fn a_new_move_after_undo_forgets_what_could_be_redone<G: Notation>(rules: &RuleBook) {
    for seed in 0..GAMES {
        let (mut game, snapshots) = played::<G>(rules, seed);
        let back = snapshots.len() / 2;
        while game.turn() as usize > back {
            assert!(game.undo());
        }
        let mv = game.position().legal_moves()[0];
        let after = game.position().play_unchecked(mv);
        game.play(mv).expect("the first legal move is legal");
        assert!(!game.redo(), "a new move clears what could be redone");
        assert_eq!(*game.position(), after);
        assert_eq!(game.moves().len(), back);
        assert!(game.undo());
        assert_eq!(Snapshot::of(&game), snapshots[back - 1]);
    }
}

pub(crate) fn an_illegal_move_leaves_the_game_as_it_was<G: Notation>(rules: &RuleBook) {
    let (mut game, snapshots) = played::<G>(rules, 0);
    assert!(game.undo());
    let before = Snapshot::of(&game);
    let elsewhere = snapshots
        .iter()
        .flat_map(|other| other.position.legal_moves());
    let mut refused = 0;
    for mv in elsewhere.filter(|&mv| !before.position.is_legal(mv)) {
        assert_eq!(game.play(mv), Err(IllegalMove));
        assert_eq!(Snapshot::of(&game), before);
        refused += 1;
    }
    assert!(refused > 0);
    assert!(game.redo(), "what could be redone still can");
}

pub(crate) fn counters_do_not_disturb_equality_or_hash<G: Notation>(rules: &RuleBook) {
    let (game, snapshots) = played::<G>(rules, 0);
    let last = game.position();
    let rows = last.rows();
    let fresh = G::from_rows(&rows, last.side_to_move()).expect("the position was reached");
    let fresh = Game::from_position(fresh, *rules);
    assert_eq!((fresh.turn(), fresh.turns_without_capture()), (1, 0));
    assert_ne!(fresh.turn(), game.turn());
    assert!(snapshots
        .iter()
        .any(|snapshot| snapshot.without_capture > 0));
    assert_eq!(fresh.position(), last);
    assert_eq!(fresh.position().hash(), last.hash());
}

pub(crate) fn length_rules_draw_a_game_that_the_board_has_not_decided<G: Notation>(
    rules: &RuleBook,
) {
    const TURNS: u32 = 12;
    let limited = |max_turns, max_turns_without_capture| RuleBook {
        length: LengthRules {
            max_turns,
            max_turns_without_capture,
        },
        ..*rules
    };
    let mut drawn_games = 0;
    for seed in 0..GAMES {
        let (_, by_turns) = played::<G>(&limited(Some(TURNS), None), seed);
        let (_, by_captures) = played::<G>(&limited(None, Some(3)), seed);
        let (_, unlimited) = played::<G>(&limited(None, None), seed);
        for (turns, expected) in (0..).zip(&unlimited) {
            let drawn = |reached: bool, ending| reached.then_some((Outcome::Draw, ending));
            assert_eq!(
                by_turns[turns as usize].result,
                expected.result.or(drawn(turns >= TURNS, Ending::TurnLimit))
            );
            assert_eq!(
                by_captures[turns as usize].result,
                expected
                    .result
                    .or(drawn(expected.without_capture >= 3, Ending::WithoutCapture))
            );
        }
        let ended = |snapshots: &[Snapshot<G>], ending| {
            let mut results = snapshots.iter().filter_map(|snapshot| snapshot.result);
            results.any(|(_, other)| other == ending)
        };
        drawn_games += u32::from(ended(&by_turns, Ending::TurnLimit));
        drawn_games += u32::from(ended(&by_captures, Ending::WithoutCapture));
    }
    assert!(drawn_games > 10, "the limits were hardly ever reached");
}
