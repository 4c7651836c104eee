//! The positions of the bench, and how their best moves are known.
//!
//! Openings are named after their first moves, as the literature of checkers has them. Middlegames, endgames
//! without a name and tactics come from games that the search played against itself with some random
//! moves; no collection was used.
//!
//! A tactic begins with a sacrifice that a search of three plies does not understand. A best move is listed only if it
//! is clearly the only one. To verify that, the position after *each* legal move was searched to at least 19 plies,
//! with an empty table. The listed move was better than every other by at least 80 hundredths of a man; most were
//! searched to 21 plies and are better by more than a man. (At greater depth, another move may win as well: a proven
//! win counts as found.) The test `each_best_move_stands_alone_by_the_margin` repeats this (it takes minutes and is run
//! by name).
//!
//! The positions themselves are in `positions.json`. Other games have positions after random moves.

use crownhead_bots::{Board, BoardGame, CHECKERS, checkers_board};
use crownhead_record::openings::random;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// What kind of position it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionKind {
    /// The first dozen turns.
    Opening,
    /// Most men on the board, nothing to take.
    Middlegame,
    /// Few pieces, or kings on both sides.
    Endgame,
    /// One move is far better than all others.
    Tactic,
}

impl PositionKind {
    /// Every kind.
    pub const ALL: [PositionKind; 4] = [
        PositionKind::Opening,
        PositionKind::Middlegame,
        PositionKind::Endgame,
        PositionKind::Tactic,
    ];

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            PositionKind::Opening => "opening",
            PositionKind::Middlegame => "middlegame",
            PositionKind::Endgame => "endgame",
            PositionKind::Tactic => "tactic",
        }
    }
}

/// A position to search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BenchPosition {
    /// Its name, which no other has.
    pub name: String,
    /// What kind it is.
    pub kind: PositionKind,
    /// A FEN of draughts; empty in another game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fen: String,
    /// The moves from the start to the position, in a game without FEN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The best move, if it is known.
    pub expected: Option<String>,
}

impl BenchPosition {
    /// The position itself, in the game that has it.
    pub(super) fn board(&self, game: &'static dyn BoardGame) -> Box<dyn Board> {
        if !self.fen.is_empty() {
            return checkers_board(&self.fen).expect("a FEN of the bench is sound");
        }
        let mut board = game.start(game.rule_books()[0]);
        assert!(self.moves.iter().all(|name| board.play(name)));
        board
    }
}

/// The positions of a game: [`POSITIONS`] for checkers. For another game, the start and positions after random moves,
/// the same every time.
pub fn positions_of(game: &'static dyn BoardGame) -> Vec<BenchPosition> {
    if game.name() == CHECKERS.name() {
        return POSITIONS.clone();
    }
    let after = |plies| {
        let opening = random(game, &game.rule_books()[0], plies, plies.into())?;
        Some(BenchPosition {
            name: format!("{}, {plies} random moves", game.name()),
            kind: match plies {
                ..=12 => PositionKind::Opening,
                _ => PositionKind::Middlegame,
            },
            fen: String::new(),
            moves: opening.moves,
            expected: None,
        })
    };
    (0..24).filter_map(after).collect()
}

/// The positions, in the order in which they are searched and shown.
pub static POSITIONS: LazyLock<Vec<BenchPosition>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("positions.json")).expect("the positions are JSON")
});

#[cfg(test)]
mod tests {
    use super::super::report::Limit;
    use super::super::run::measure;
    use super::*;
    use crownhead::games::checkers::{Checkers, CheckersMove};
    use crownhead::notation::Notation;
    use crownhead::position::Position;
    use crownhead::search::WIN;
    use std::collections::HashSet;

    /// The margin of a best move over every other, in hundredths of a man.
    const MARGIN: i32 = 80;

    #[test]
    fn there_are_positions_of_every_kind_and_no_two_are_the_same() {
        let count = |kind| POSITIONS.iter().filter(|one| one.kind == kind).count();
        assert!(PositionKind::ALL.iter().all(|&kind| count(kind) >= 5));
        assert!(POSITIONS.len() >= 24);
        let names: HashSet<_> = POSITIONS.iter().map(|one| &one.name).collect();
        let boards: HashSet<_> = POSITIONS.iter().map(|one| checkers(one).to_fen()).collect();
        assert_eq!(
            (names.len(), boards.len()),
            (POSITIONS.len(), POSITIONS.len())
        );
    }

    #[test]
    fn each_position_offers_a_choice_and_is_written_as_the_program_writes_it() {
        for position in POSITIONS.iter() {
            let board = checkers(position);
            assert!(board.count_moves() > 1, "{}", position.name);
            assert_eq!(board.to_fen(), position.fen, "{}", position.name);
        }
    }

    #[test]
    fn each_tactic_has_a_best_move_which_gives_something_up() {
        for position in POSITIONS
            .iter()
            .filter(|one| one.kind == PositionKind::Tactic)
        {
            let (board, best) = best_move(position).expect(&position.name);
            let after = board.play_unchecked(best);
            let takes = |mv| after.captures(mv) > 0;
            assert!(
                after.legal_moves().into_iter().any(takes),
                "{}",
                position.name
            );
        }
    }

    #[test]
    #[ignore = "takes minutes, in release: run it after a change of the positions"]
    fn each_best_move_stands_alone_by_the_margin() {
        let mut searcher = CHECKERS.searcher(128);
        for position in POSITIONS.iter() {
            let Some(best) = &position.expected else {
                continue;
            };
            let start = position.board(CHECKERS);
            let mut worth = |name: &str| {
                let mut after = start.duplicate();
                assert!(after.play(name), "a legal move");
                match measure(after.as_ref(), Limit::Depth(19), searcher.as_mut()) {
                    Some(measured) => -measured.score,
                    None => WIN,
                }
            };
            let others = start.legal_moves().into_iter().filter(|name| name != best);
            let second = others.map(|name| worth(&name)).max().expect("a choice");
            let first = worth(best);
            assert!(
                first >= second + MARGIN,
                "{}: {first}, {second}",
                position.name
            );
        }
    }

    fn checkers(position: &BenchPosition) -> Checkers {
        Checkers::from_fen(&position.fen).unwrap()
    }

    fn best_move(position: &BenchPosition) -> Option<(Checkers, CheckersMove)> {
        let board = checkers(position);
        let best = position.expected.as_ref()?;
        let best = board.parse_move(best).expect("a legal move");
        Some((board, best))
    }
}
