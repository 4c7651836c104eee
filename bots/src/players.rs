//! The built-in bots as players of positions, and as objects.

use crate::board::{Board, BoardPlayer, PlayerSpec};
use crate::greedy::Greedy;
use crate::networks::ByNetwork;
use crate::position_board::{BoardPosition, PositionBoard};
use crate::random::Random;
use crownhead::evaluate::Evaluate;
use crownhead::network::Inputs;
use crownhead_contest::alphabeta::AlphaBeta;
use crownhead_contest::{Player, PlayerTurn};
use std::time::Instant;

/// The player of `G`, where it searches by evaluation `E`, whatever network it names.
pub fn player_of<G, E>(spec: &PlayerSpec) -> Box<dyn Player<G>>
where
    G: BoardPosition,
    E: Evaluate<G> + Default + 'static,
{
    match *spec {
        PlayerSpec::Random { seed } => Box::new(Random::new(seed)),
        PlayerSpec::Greedy { seed } => Box::new(Greedy::new(seed)),
        PlayerSpec::AlphaBeta { rules, limits, .. } => {
            Box::new(AlphaBeta::new(E::default(), rules, limits))
        }
    }
}

/// The player of `G`, where it searches by the network that is named, or else by evaluation `E`.
///
/// # Panics
/// When the network is none of this game.
pub(crate) fn player_by_network<const WORDS: usize, const BUCKETS: usize, G, E>(
    spec: &PlayerSpec,
) -> Box<dyn Player<G>>
where
    G: BoardPosition + Inputs<WORDS>,
    E: Evaluate<G> + Default + 'static,
{
    match spec {
        PlayerSpec::AlphaBeta {
            rules,
            limits,
            network: Some(weights),
        } => {
            let evaluation = ByNetwork::<WORDS, G, E>::new::<BUCKETS>(weights);
            Box::new(AlphaBeta::new(evaluation, *rules, *limits))
        }
        _ => player_of::<G, E>(spec),
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
