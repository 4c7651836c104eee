//! Laws of moves and outcomes.

use super::sample::{positions, random_game, some_positions, GAMES};
use super::violation::{Verdict, Violation};
use crate::board::Side;
use crate::notation::Notation;
use crate::rules::RuleBook;
use std::collections::HashSet;

/// [`each_move`](crate::Position::each_move) gives every legal move once, in an order that depends on the position alone.
///
/// # Errors
/// When a game breaks the law, as of each law here.
pub fn legal_moves_are_distinct_and_always_in_the_same_order<G: Notation>(
    rules: &RuleBook,
) -> Verdict {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        let again = position.clone().legal_moves();
        if moves != again {
            let seen = format!("{moves:?}, then {again:?}");
            return Err(Violation::at(
                &position,
                seen,
                "the same moves in the same order",
            ));
        }
        let twice = (1..moves.len()).find(|&index| moves[..index].contains(&moves[index]));
        if let Some(index) = twice {
            let seen = format!("{:?} twice", moves[index]);
            return Err(Violation::at(&position, seen, "each legal move once"));
        }
    }
    Ok(())
}

/// [`play`](crate::Position::play) and [`is_legal`](crate::Position::is_legal) accept every legal move, `play` agrees with
/// [`play_unchecked`](crate::Position::play_unchecked), and a move leads to another position.
///
/// # Errors
/// When a game breaks the law.
pub fn playing_with_and_without_the_check_agrees<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        for mv in position.legal_moves() {
            if !position.is_legal(mv) {
                let seen = format!("is_legal({mv:?}) is false");
                return Err(Violation::at(&position, seen, "true of a listed move"));
            }
            let unchecked = position.play_unchecked(mv);
            match position.play(mv) {
                Ok(played) if played == unchecked => {}
                other => {
                    let seen = format!("play({mv:?}) gives {other:?}");
                    return Err(Violation::at(&position, seen, format!("{unchecked:?}")));
                }
            }
            if unchecked == position {
                let seen = format!("{mv:?} changes nothing");
                return Err(Violation::at(&position, seen, "another position"));
            }
        }
    }
    Ok(())
}

/// [`play`](crate::Position::play) and [`is_legal`](crate::Position::is_legal) refuse moves of other positions that are not
/// legal here.
///
/// # Errors
/// When a game breaks the law.
pub fn a_move_that_is_not_legal_is_refused<G: Notation>(rules: &RuleBook) -> Verdict {
    let elsewhere = random_game::<G>(rules, GAMES);
    let elsewhere = elsewhere.iter().flat_map(G::legal_moves);
    let elsewhere: Vec<G::Move> = elsewhere.step_by(3).collect();
    for position in some_positions::<G>(rules, 100) {
        let moves = position.legal_moves();
        for &mv in elsewhere.iter().filter(|mv| !moves.contains(mv)) {
            if position.is_legal(mv) || position.play(mv).is_ok() {
                let seen = format!("{mv:?} is played");
                return Err(Violation::at(
                    &position,
                    seen,
                    "a refusal: it is not legal here",
                ));
            }
        }
    }
    Ok(())
}

/// [`count_moves`](crate::Position::count_moves) and [`count_replies`](crate::Position::count_replies) are what listing and
/// playing the moves finds.
///
/// # Errors
/// When a game breaks the law.
pub fn counts_of_moves_and_of_replies_are_their_numbers<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        let after = moves.iter().map(|&mv| position.play_unchecked(mv));
        let replies = after.map(|after| after.legal_moves().len() as u64).sum();
        let expected = (moves.len() as u64, replies);
        let counted = (position.count_moves(), position.count_replies());
        if counted != expected {
            let told = |(moves, replies)| format!("{moves} moves and {replies} replies");
            return Err(Violation::at(&position, told(counted), told(expected)));
        }
    }
    Ok(())
}

/// After a move of which [`is_zeroing`](crate::Position::is_zeroing) is true, no position from before it comes back.
///
/// # Errors
/// When a game breaks the law.
pub fn nothing_from_before_a_zeroing_move_comes_back<G: Notation>(rules: &RuleBook) -> Verdict {
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
            if before.contains(&after.hash()) {
                let seen = "this position comes back after a move of which `is_zeroing` is true";
                return Err(Violation::at(
                    after,
                    seen,
                    "`false` of a move that can be taken back",
                ));
            }
        }
    }
    Ok(())
}

/// [`each_capture`](crate::Position::each_capture) gives the moves that [capture](crate::Position::captures), in the order of all
/// moves, and says whether there are others.
///
/// # Errors
/// When a game breaks the law.
pub fn captures_are_visited_apart_in_the_same_order<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves().into_iter();
        let (captures, quiet): (Vec<_>, Vec<_>) = moves.partition(|&mv| position.captures(mv) > 0);
        let expected = (captures, !quiet.is_empty());
        let mut visited = Vec::new();
        let others = position.each_capture(|mv| visited.push(mv));
        let seen = (visited, others);
        if seen != expected {
            let told = |(moves, others): (Vec<_>, bool)| format!("{moves:?}, others: {others}");
            return Err(Violation::at(&position, told(seen), told(expected)));
        }
    }
    Ok(())
}

/// Where [`ended`](crate::Position::ended) gives an outcome there are no moves, and
/// [`outcome`](crate::Position::outcome) is that; where there are no moves it is
/// [`without_moves`](crate::Position::without_moves); elsewhere the game goes on.
///
/// # Errors
/// When a game breaks the law.
pub fn a_game_is_over_exactly_where_there_are_no_moves<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        let moves = position.legal_moves();
        let expected = match position.ended() {
            Some(outcome) if !moves.is_empty() => {
                let seen = format!("over ({outcome:?}), and {} legal moves", moves.len());
                return Err(Violation::at(
                    &position,
                    seen,
                    "no moves once the game is over",
                ));
            }
            None if moves.is_empty() => Some(position.without_moves(rules)),
            ended => ended,
        };
        let outcome = position.outcome(rules);
        if outcome != expected {
            let seen = format!("outcome {outcome:?}");
            return Err(Violation::at(&position, seen, format!("{expected:?}")));
        }
    }
    Ok(())
}

/// A piece that one side may move, the other may not: from the same rows, with the other side to move, no move begins
/// on the same square. Moves of one square put a piece there, and of none pass; the law is not about them.
///
/// # Errors
/// When a game breaks the law.
pub fn a_piece_moves_for_one_side_only<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        let side = position.side_to_move();
        let Ok(turned) = G::from_rows(&position.rows(), side.opponent()) else {
            continue;
        };
        if turned.side_to_move() != side.opponent() || turned == position {
            let seen = format!("{turned:?}, of its rows with the other side to move");
            return Err(Violation::at(
                &position,
                seen,
                "a position that differs in the mover",
            ));
        }
        let origins = |position: &G| -> HashSet<_> {
            let moves = position.legal_moves().into_iter();
            let squares = moves.map(|mv| position.move_squares(mv));
            squares
                .filter(|squares| squares.len() > 1)
                .map(|squares| squares[0])
                .collect()
        };
        if let Some(&square) = origins(&position).intersection(&origins(&turned)).next() {
            let seen = format!(
                "the piece on {} moves for both sides",
                G::square_name(square)
            );
            return Err(Violation::at(
                &position,
                seen,
                "a piece moves for one side only",
            ));
        }
    }
    Ok(())
}

/// A move takes as many of the opponent's pieces off the board as [`captures`](crate::Position::captures) says, and no piece
/// of the mover; a piece that changes sides stays on the board, which is no capture.
///
/// # Errors
/// When a game breaks the law.
pub fn captures_are_what_leaves_the_board<G: Notation>(rules: &RuleBook) -> Verdict {
    for position in positions::<G>(rules) {
        let mover = position.side_to_move();
        let [all_before, theirs_before] = pieces(&position, mover.opponent());
        for mv in position.legal_moves() {
            let captures = position.captures(mv) as usize;
            let [all_after, theirs_after] = pieces(&position.play_unchecked(mv), mover.opponent());
            let fewer = all_before.saturating_sub(all_after);
            let captured = theirs_before.saturating_sub(theirs_after);
            if fewer > captures || (captures > 0 && captured != captures) {
                let name = position.move_name(mv);
                let seen = format!(
                    "{name} captures {captures}; of the opponent's pieces {captured} are gone, \
                     of all together {fewer}"
                );
                return Err(Violation::at(
                    &position,
                    seen,
                    "what is captured leaves the board",
                ));
            }
        }
    }
    Ok(())
}

/// How many pieces stand on the board, and how many of them are of `side`.
fn pieces<G: Notation>(position: &G, side: Side) -> [usize; 2] {
    let rows = position.rows();
    let letters = rows.lines().flat_map(str::bytes);
    let owners: Vec<Side> = letters
        .filter_map(|letter| Some(G::symbol(letter)?.0))
        .collect();
    let of_side = owners.iter().filter(|&&owner| owner == side).count();
    [owners.len(), of_side]
}
