//! The library's search as an object: the one implementation of [`Searcher`].

use crate::board::{Found, Searcher, Subject};
use crate::position_board::{BoardPosition, PositionBoard};
use crownhead::evaluate::Evaluate;
use crownhead::search::{search, Parameters, Root, TranspositionTable};
use std::marker::PhantomData;

/// The search of positions `G` by evaluation `E`.
pub(crate) struct PositionSearcher<G, E> {
    pub(crate) evaluation: E,
    pub(crate) table: TranspositionTable,
    pub(crate) game: PhantomData<fn() -> G>,
}

impl<G, E> Searcher for PositionSearcher<G, E>
where
    G: BoardPosition,
    E: Evaluate<G> + Send,
{
    fn search(
        &mut self,
        subject: &Subject<'_>,
        depth: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Found> {
        let game = PositionBoard::<G>::of(subject.board).game();
        let position = game.position();
        let named = subject.root_moves.iter();
        let root_moves = named.filter_map(|name| position.parse_move(name).ok());
        let root_moves: Vec<G::Move> = root_moves.collect();
        let earlier = game.positions().take(game.moves().len());
        let earlier = earlier.filter(|_| subject.knows_past);
        let past: Vec<u64> = earlier.map(G::hash).collect();
        let root = Root {
            root_moves: &root_moves,
            past: &past,
            turns: game.turn() - 1,
            turns_without_capture: game.turns_without_capture(),
            ..Root::new(position, game.rules(), &self.evaluation)
        };
        let parameters = Parameters::default();
        let report = search(&root, &parameters, &mut self.table, depth, stop, |_| {})?;
        let mut after = position.clone();
        let line = report.principal_variation.iter().map(|&mv| {
            let name = after.move_name(mv);
            after = after.play_unchecked(mv);
            name
        });
        Some(Found {
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: report.score,
            nodes: report.nodes,
            principal_variation: line.collect(),
        })
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CHECKERS;
    use crownhead::games::checkers::rules;

    #[test]
    fn a_search_finds_the_same_again_once_it_is_cleared() {
        let board = CHECKERS.start(rules::CONTEST);
        let mut searcher = CHECKERS.searcher(1);
        let subject = Subject::new(board.as_ref());
        let mut once = || {
            searcher.clear();
            searcher.search(&subject, 5, &mut |_| false)
        };
        let found = once().unwrap();
        assert_eq!(found.depth, 5);
        assert!(board.legal_moves().contains(&found.best()));
        assert_eq!(once(), Some(found));
    }

    #[test]
    fn it_chooses_among_the_moves_that_it_is_given() {
        let board = CHECKERS.start(rules::CONTEST);
        let root_moves = ["G3H4".to_string()];
        let subject = Subject {
            root_moves: &root_moves,
            ..Subject::new(board.as_ref())
        };
        let mut searcher = CHECKERS.searcher(1);
        let found = searcher.search(&subject, 4, &mut |_| false);
        assert_eq!(found.unwrap().best(), "G3H4");
    }
}
