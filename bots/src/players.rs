//! The built-in bots as players of positions, and as objects.

use crate::board::{Board, BoardPlayer, PlayerSpec};
use crate::greedy::Greedy;
use crate::position_board::{BoardPosition, PositionBoard};
use crate::random::Random;
use crownhead::evaluate::Evaluate;
use crownhead_contest::alphabeta::AlphaBeta;
use crownhead_contest::{Player, PlayerTurn};
use std::time::Instant;

/// The player of `G` that is meant; it searches by evaluation `E`.
///
/// # Panics
/// When the network that it names is none of this game.
pub fn player_of<G, E>(spec: &PlayerSpec) -> Box<dyn Player<G>>
where
    G: BoardPosition,
    E: Evaluate<G> + Default + 'static,
{
    match spec {
        PlayerSpec::Random { seed } => Box::new(Random::new(*seed)),
        PlayerSpec::Greedy { seed } => Box::new(Greedy::new(*seed)),
        PlayerSpec::AlphaBeta {
            rules,
            limits,
            network,
        } => {
            let network = network.as_deref().map(E::by_network);
            let evaluation = network.map_or_else(E::default, |network| {
                network.expect("a network is checked where it is read")
            });
            Box::new(AlphaBeta::new(evaluation, *rules, *limits))
        }
    }
}

/// A player of positions `G` as an object.
pub(crate) struct PositionPlayer<G: BoardPosition>(pub(crate) Box<dyn Player<G>>);

impl<G: BoardPosition> BoardPlayer for PositionPlayer<G> {
    fn choose(&mut self, board: &dyn Board, started: Instant) -> String {
        let position = PositionBoard::<G>::of(board).game().position();
        let moves = position.legal_moves();
        let chosen = self.0.choose(&PlayerTurn {
            position,
            moves: &moves,
            started,
        });
        position.move_name(chosen)
    }

    fn remark(&self) -> Option<&str> {
        self.0.remark()
    }
}
