//! The positions of the bench, and how their best moves are known.
//!
//! Openings are named after their first moves, as the literature of checkers has them. Middlegames, endgames
//! without a name and tactics come from games that the search played against itself with some random
//! moves; no collection was used.
//!
//! A tactic begins with a sacrifice that three plies of search do not understand. A best move is listed only
//! where it was verified to stand alone: the position after *each* legal move was searched by itself to 19
//! plies at least, with an empty table, and the listed move came out better than every other by 80 hundredths
//! of a man or more; most of them to 21 plies and by more than a man. (Farther on another may turn out to win as
//! well: a proven win counts as found.) The test
//! `each_best_move_stands_alone_by_the_margin` does it again (it takes minutes and is run by name).

use crownhead::games::checkers::Checkers;
use serde::{Deserialize, Serialize};

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
    /// One move is better than all others by far.
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
#[derive(Clone, Copy, Debug)]
pub struct BenchPosition {
    /// What it is called: unlike any other.
    pub name: &'static str,
    /// What kind it is.
    pub kind: PositionKind,
    /// A FEN of draughts.
    pub fen: &'static str,
    /// The best move, where it is known.
    pub best: Option<&'static str>,
}

impl BenchPosition {
    /// The position itself.
    pub fn board(&self) -> Checkers {
        Checkers::from_fen(self.fen).expect("a FEN of the bench is sound")
    }
}

/// The positions, in the order in which they are searched and shown.
pub const POSITIONS: &[BenchPosition] = &[
    opening(
        "start",
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    ),
    opening(
        "single corner, exchanged",
        "B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12",
    ),
    opening(
        "old fourteenth",
        "W:W17,19,21,24,25,26,27,28,29,30,31,32:B1,2,3,5,6,7,8,9,10,11,12,15",
    ),
    opening(
        "ayrshire lassie",
        "B:W20,21,22,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
    ),
    opening(
        "dyke",
        "B:W17,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15",
    ),
    opening(
        "edinburgh single",
        "B:W18,21,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13",
    ),
    opening(
        "bristol",
        "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,16",
    ),
    middlegame(
        "ten against ten, a",
        "W:W17,19,21,23,25,26,29,30,31,32:B1,2,3,4,5,9,10,12,14,16",
    ),
    middlegame(
        "ten against ten, b",
        "W:W17,19,21,22,23,25,26,29,31,32:B2,3,5,6,8,10,11,12,13,14",
    ),
    middlegame(
        "ten against ten, c",
        "B:W13,17,19,21,22,23,24,28,29,31:B1,3,4,6,7,8,10,12,14,16",
    ),
    middlegame(
        "nine against ten",
        "B:W18,19,20,21,22,24,27,29,30,32:B1,3,4,5,8,9,10,11,12",
    ),
    middlegame(
        "eight against eight, a",
        "W:W17,19,20,21,24,29,30,32:B2,4,5,9,10,11,12,14",
    ),
    middlegame(
        "eight against eight, b",
        "B:W18,21,24,25,27,29,31,32:B1,2,3,10,11,12,13,20",
    ),
    endgame("five against five, a", "B:W12,19,21,26,29:B1,4,5,10,14"),
    endgame("four against four, a", "B:W17,20,24,29:B4,9,11,18"),
    endgame("four against four, b", "B:W12,13,21,25:B4,5,10,19"),
    endgame("four against four, c", "W:W11,19,20,22:B6,10,13,21"),
    endgame("five against five, b", "B:W23,24,25,28,32:B1,2,12,14,16"),
    endgame(
        "king and three against four",
        "W:W18,19,25,28:B10,11,12,K32",
    ),
    endgame("king and four each", "B:WK4,13,16,17,30:B5,6,9,21,K23"),
    endgame("two kings against one", "B:WK1:BK14,K15"),
    endgame("three kings against two", "B:WK1,K32:BK14,K15,K18"),
    endgame("four kings against three", "B:WK1,K29,K32:BK10,K14,K15,K18"),
    tactic("shot c1d2", "W:WK3,11,19,21,23:B4,5,12,13,K27", "C1D2"),
    tactic("shot c7d8", "B:W20,26,29:B1,4,15,16,21,27", "C7D8"),
    tactic("shot a3b4", "B:W15,19,23,29:B2,4,9,10,12,21,K31", "A3B4"),
    tactic("shot b6a7", "B:WK3,5,K10,29:B1,11,15,K20,21,24,K26", "B6A7"),
    tactic("shot d6c5", "B:WK3,5,K24,29:B1,2,K18,22,K23", "D6C5"),
    tactic("shot c7d6", "W:W5,K12,19,21,26,27,32:B14,17,18,20", "C7D6"),
    tactic(
        "shot b6c5",
        "W:W10,21,22,23,24,25,26,28,29,32:B1,3,4,7,8,12,13,15,16",
        "B6C5",
    ),
    tactic("shot c5b4", "W:W9,17,19,20,25:B7,10,12,15", "C5B4"),
    tactic(
        "shot f4e3",
        "W:W14,20,24,25,27,28,29:B4,5,7,9,11,16",
        "F4E3",
    ),
    tactic(
        "shot a1b2",
        "B:W15,21,25,28,29,30,31,32:B1,2,3,4,5,7,12,13,24",
        "A1B2",
    ),
    tactic("shot c3d2", "W:W11,17,20,22,23:B6,10,13,14", "C3D2"),
];

const fn opening(name: &'static str, fen: &'static str) -> BenchPosition {
    without_best(name, PositionKind::Opening, fen)
}

const fn middlegame(name: &'static str, fen: &'static str) -> BenchPosition {
    without_best(name, PositionKind::Middlegame, fen)
}

const fn endgame(name: &'static str, fen: &'static str) -> BenchPosition {
    without_best(name, PositionKind::Endgame, fen)
}

const fn without_best(name: &'static str, kind: PositionKind, fen: &'static str) -> BenchPosition {
    BenchPosition {
        name,
        kind,
        fen,
        best: None,
    }
}

const fn tactic(name: &'static str, fen: &'static str, best: &'static str) -> BenchPosition {
    BenchPosition {
        name,
        kind: PositionKind::Tactic,
        fen,
        best: Some(best),
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Limit;
    use super::super::run::{board, measure};
    use super::*;
    use crownhead::games::checkers::CheckersMove;
    use crownhead::notation::Notation;
    use crownhead::position::Position;
    use crownhead::search::WIN;
    use crownhead_board::CHECKERS;
    use std::collections::HashSet;

    /// By how much a best move beats every other, in hundredths of a man.
    const MARGIN: i32 = 80;

    #[test]
    fn there_are_positions_of_every_kind_and_no_two_are_the_same() {
        let count = |kind| POSITIONS.iter().filter(|one| one.kind == kind).count();
        assert!(PositionKind::ALL.iter().all(|&kind| count(kind) >= 5));
        assert!(POSITIONS.len() >= 24);
        let names: HashSet<_> = POSITIONS.iter().map(|one| one.name).collect();
        let boards: HashSet<_> = POSITIONS.iter().map(|one| one.board().to_fen()).collect();
        assert_eq!(
            (names.len(), boards.len()),
            (POSITIONS.len(), POSITIONS.len())
        );
    }

    #[test]
    fn each_position_offers_a_choice_and_is_written_as_the_program_writes_it() {
        for position in POSITIONS {
            let board = position.board();
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
            let (board, best) = best_move(position).expect(position.name);
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
    #[ignore = "takes minutes, in release: it is for whoever changes the positions"]
    fn each_best_move_stands_alone_by_the_margin() {
        let mut searcher = CHECKERS.searcher(128);
        for position in POSITIONS {
            let Some(best) = position.best else {
                continue;
            };
            let start = board(position);
            let mut worth = |name: &str| {
                let mut after = start.duplicate();
                assert!(after.play(name), "a legal move");
                match measure(after.as_ref(), Limit::Depth(19), searcher.as_mut()) {
                    Some(measured) => -measured.found.score,
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

    fn best_move(position: &BenchPosition) -> Option<(Checkers, CheckersMove)> {
        let board = position.board();
        let best = board.parse_move(position.best?).expect("a legal move");
        Some((board, best))
    }
}
