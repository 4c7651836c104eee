//! EverChess: agreement with a slow, obvious generator, the rules' own scenario, and every refusal.

mod refusals;
mod set_up;
mod slow;

use self::slow::Slow;
use crate::support::drawn::{after, board};
use crate::support::{learned, random_game};
use crownhead::board::{Bitboard, Side};
use crownhead::evaluate::Evaluate;
use crownhead::game::Game;
use crownhead::games::everchess::{rules, EverChess};
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};
use crownhead::search::{search, Parameters, Root, TranspositionTable, MAX_PLY, PROVEN};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

fn start() -> EverChess {
    EverChess::start(&rules::STANDARD)
}

fn names(position: &EverChess) -> Vec<String> {
    let moves = position.legal_moves();
    moves.into_iter().map(|mv| position.move_name(mv)).collect()
}

/// Lost in the middle of a turn: the side captured, and has no second pawn that can move.
/// White has taken the last pawn with its only one, and is to move another.
fn without_a_second_pawn() -> EverChess {
    let position = board::<EverChess>(
        "........
         ........
         ........
         ....p...
         ...P....
         ........
         ........
         ........",
        Side::White,
    );
    after(position, "d4e5")
}

fn lost_for_want_of_a_second_pawn(position: &EverChess) -> bool {
    !position.moved_pawns().is_empty() && position.count_moves() == 0
}

#[test]
fn random_games_agree_with_the_slow_generator_at_every_move() {
    let mut rng = Pcg32::seed_from_u64(1);
    for _ in 0..800 {
        let (mut fast, mut slow) = (start(), Slow::start());
        loop {
            assert_eq!(fast.rows().to_string(), slow.text());
            assert_eq!(fast.side_to_move() == Side::White, slow.white_to_move);
            assert_eq!(names(&fast), slow.moves(), "{fast:?}");
            assert_eq!(fast.count_moves(), slow.moves().len() as u64, "{fast:?}");
            assert_eq!(fast.ended().is_some(), slow.won(), "{fast:?}");
            let moves = fast.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            slow.play(&fast.move_name(mv));
            fast = fast.play(mv).unwrap();
        }
    }
}

#[test]
fn a_capture_must_be_made_and_a_different_pawn_moves_next() {
    let position = after(start(), "e2e3 e7e6 e3e4 e6e5 a2a3 d7d6 b2b3 a7a6 c2c3 d6d5");
    assert_eq!(names(&position), ["e4d5"]);

    let position = after(position, "e4d5");
    assert_eq!(position.side_to_move(), Side::White);
    assert_eq!(
        position
            .moved_pawns()
            .squares()
            .map(|s| s.to_string())
            .collect::<String>(),
        "D5"
    );
    assert_eq!(
        names(&position),
        ["d2d3", "f2f3", "g2g3", "h2h3", "a3a4", "b3b4", "c3c4"]
    );
    let movable: Vec<String> = position
        .movable_pawns()
        .squares()
        .map(|s| s.to_string())
        .collect();
    assert_eq!(movable, ["D2", "F2", "G2", "H2", "A3", "B3", "C3"]);

    let position = after(position, "h2h3");
    assert_eq!(position.side_to_move(), Side::Black);
    assert!(position.moved_pawns().is_empty());
}

#[test]
fn captures_go_on_with_another_pawn_each_while_any_can_capture() {
    let position = board::<EverChess>(
        "........
         .......p
         ........
         .p.p....
         ..P.P...
         ........
         .......P
         ........",
        Side::White,
    );
    assert_eq!(names(&position), ["c4b5", "c4d5", "e4d5"]);
    let position = after(position, "c4b5");
    assert_eq!(names(&position), ["e4d5"]);
    let position = after(position, "e4d5");
    assert_eq!(names(&position), ["h2h3"]);
    assert_eq!(position.rows().lines().nth(3), Some(".M.M...."));
    assert_eq!(after(position, "h2h3").side_to_move(), Side::Black);
}

#[test]
fn a_pawn_on_the_far_row_wins_at_once() {
    let position = board::<EverChess>(
        "........
         P.......
         ...p....
         ........
         ........
         ........
         ...P....
         ........",
        Side::White,
    );
    let won = after(position, "a7a8");
    assert_eq!(won.ended(), Some(Outcome::Win(Side::White)));
    assert_eq!(won.legal_moves(), []);
    assert!(won.movable_pawns().is_empty() && !won.must_capture());

    let position = board::<EverChess>(
        "........
         ........
         ........
         ........
         ...P....
         ........
         p.......
         ........",
        Side::Black,
    );
    assert_eq!(
        after(position, "a2a1").ended(),
        Some(Outcome::Win(Side::Black))
    );
}

#[test]
fn a_forced_capture_comes_before_a_winning_step() {
    let position = board::<EverChess>(
        "........
         P.......
         ........
         ....p...
         ...P....
         ........
         ........
         ........",
        Side::White,
    );
    assert_eq!(names(&position), ["d4e5"]);
    // The same turn continues, and the winning step is there for the second pawn.
    let won = after(position, "d4e5 a7a8");
    assert_eq!(won.ended(), Some(Outcome::Win(Side::White)));
}

#[test]
fn a_side_that_captures_and_has_no_second_pawn_to_move_has_lost() {
    let only_one = board::<EverChess>(
        "........
         .......p
         ........
         ....p...
         ...P....
         ........
         ........
         ........",
        Side::White,
    );
    let the_other_is_blocked = board::<EverChess>(
        "........
         .......p
         .......P
         ....p...
         ...P....
         ........
         ........
         ........",
        Side::White,
    );
    for position in [only_one, the_other_is_blocked] {
        let stuck = after(position, "d4e5");
        assert!(lost_for_want_of_a_second_pawn(&stuck));
        assert_eq!(stuck.ended(), None);
        assert_eq!(
            stuck.outcome(&rules::STANDARD),
            Some(Outcome::Win(Side::Black))
        );
    }
}

#[test]
fn a_side_that_takes_the_last_pawn_and_has_no_second_one_has_lost_all_the_same() {
    let stuck = without_a_second_pawn();
    assert!(stuck.pawns(Side::Black).is_empty());
    assert!(lost_for_want_of_a_second_pawn(&stuck));
    assert_eq!(
        stuck.outcome(&rules::STANDARD),
        Some(Outcome::Win(Side::Black))
    );
}

#[test]
fn a_side_that_is_left_without_pawns_or_without_steps_has_lost() {
    let last_taken = board::<EverChess>(
        "........
         ........
         ........
         ....p...
         ...P....
         ........
         .......P
         ........",
        Side::White,
    );
    let without_pawns = after(last_taken, "d4e5 h2h3");
    assert_eq!(
        without_pawns.outcome(&rules::STANDARD),
        Some(Outcome::Win(Side::White))
    );

    let about_to_be_blocked = board::<EverChess>(
        "........
         ........
         ........
         ....p...
         ........
         ....P...
         ........
         ........",
        Side::White,
    );
    let blocked = after(about_to_be_blocked, "e3e4");
    assert_eq!(
        blocked.outcome(&rules::STANDARD),
        Some(Outcome::Win(Side::White))
    );
}

#[test]
fn one_random_game_in_eleven_is_lost_for_want_of_a_second_pawn() {
    const GAMES: u32 = 20_000;
    let ends = (0..GAMES.into()).map(|seed| random_game(&rules::STANDARD, seed).pop());
    let lost = ends.flatten().filter(lost_for_want_of_a_second_pawn);
    let lost = lost.count() as u32;
    // 1/12 to 1/10; the standard error of 20000 games is 0.2 %.
    let share = f64::from(lost) / f64::from(GAMES);
    assert!((1.0 / 12.0..1.0 / 10.0).contains(&share), "{share}");
}

#[test]
fn rows_tell_pawns_that_have_moved_this_turn_from_those_that_have_not() {
    let position = after(start(), "e2e3 d7d6 e3e4 d6d5 e4d5");
    assert_eq!(
        position.rows().to_string(),
        "........\nppp.pppp\n........\n...M....\n........\n........\nPPPP.PPP\n........"
    );
    let rested = after(position, "a2a3");
    assert_eq!(rested.rows().lines().nth(3), Some("...P...."));

    let drawing = position.rows().to_string();
    let fresh = drawing.replace('M', "P");
    assert_eq!(board::<EverChess>(&drawing, Side::White), position);
    let fresh = board::<EverChess>(&fresh, Side::White);
    assert_ne!(fresh, position);
    assert_ne!(fresh.hash(), position.hash());
}

#[test]
fn a_chain_of_captures_is_one_whole_turn_and_each_of_its_moves_a_turn_of_its_own() {
    let mut game = Game::<EverChess>::new(rules::STANDARD);
    let mut counts = Vec::new();
    for name in "e2e3 e7e6 e3e4 e6e5 a2a3 d7d6 b2b3 d6d5 e4d5 a3a4 h7h6".split(' ') {
        counts.push((game.whole_turn(), game.turn()));
        game.play(game.position().parse_move(name).unwrap())
            .unwrap();
    }
    let last = [(8, 8), (9, 9), (9, 10), (10, 11)];
    assert_eq!(counts[7..], last);
    assert_eq!(game.whole_turn(), 11);
    assert!(game.undo() && game.undo());
    assert_eq!(
        (game.whole_turn(), game.turn()),
        (9, 10),
        "in the middle of the chain"
    );
}

/// The same position seen from the other side of the table.
fn turned(position: &EverChess) -> EverChess {
    let flipped = |squares: Bitboard| Bitboard(squares.0.swap_bytes());
    let pawns = [Side::White, Side::Black].map(|side| flipped(position.pawns(side)));
    let moved = flipped(position.moved_pawns());
    EverChess::from_pawns(pawns, moved, position.side_to_move().opponent()).unwrap()
}

#[test]
fn the_evaluation_favours_neither_side() {
    let network = learned();
    for position in (0..200).flat_map(|seed| random_game(&rules::STANDARD, seed)) {
        let score = network.evaluate(&position);
        let score_turned = network.evaluate(&turned(&position));
        assert_eq!(score, score_turned, "{position:?}");
    }
}

#[test]
fn a_pawn_more_is_worth_about_a_hundred_on_average() {
    let network = learned();
    let (mut sum, mut count) = (0, 0);
    let games = (0..200).map(|seed| random_game::<EverChess>(&rules::STANDARD, seed));
    for position in games.flatten() {
        let [own, other] = [Side::White, Side::Black].map(|side| position.pawns(side));
        let quiet = position.moved_pawns().is_empty() && own.count() == other.count();
        if position.side_to_move() == Side::White && quiet && own.count() > 2 {
            let fewer = Bitboard(other.0 & (other.0 - 1));
            let without = EverChess::from_pawns([fewer, own], Bitboard::EMPTY, Side::White);
            let without = without.unwrap();
            sum += network.evaluate(&without) - network.evaluate(&position);
            count += 1;
        }
    }
    let pawn = sum / count;
    assert!(
        count > 500 && (60..300).contains(&pawn),
        "{pawn} of {count}"
    );
}

/// White's pawn on f5 can be stopped; and the same with the pawn that stops it far away.
fn stoppable_and_runner() -> [EverChess; 2] {
    let drawing = "........
         ......p.
         .p......
         .....P..
         ........
         ........
         .P......
         ........";
    let far_away = drawing.replace("......p.", "p.......");
    [drawing, &far_away].map(|drawing| board::<EverChess>(drawing, Side::White))
}

#[test]
fn the_evaluation_prefers_a_pawn_that_cannot_be_stopped() {
    let network = learned();
    let [stoppable, runner] = stoppable_and_runner();
    assert!(network.evaluate(&runner) > network.evaluate(&stoppable));
}

#[test]
fn a_search_sees_a_pawn_that_cannot_be_stopped() {
    let scores = stoppable_and_runner().map(|position| {
        let root = Root::new(&position, &rules::STANDARD, learned());
        let mut table = TranspositionTable::new(1);
        let parameters = Parameters::default();
        let stop = |nodes| nodes >= 1000;
        let report = search(&root, &parameters, &mut table, MAX_PLY, stop, |_| {}).unwrap();
        report.score
    });
    assert!(scores[1] >= PROVEN && scores[0] < PROVEN, "{scores:?}");
}
