//! The built-in bots as players of positions, and as objects.

use crate::board::{Board, BoardPlayer, PlayerSpec};
use crate::position_board::{BoardPosition, PositionBoard};
use crownhead::evaluate::Evaluate;
use crownhead::position::Position;
use crownhead_contest::alphabeta::AlphaBeta;
use crownhead_contest::{Player, PlayerTurn};
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_pcg::Pcg64;
use std::time::Instant;

/// A player that chooses any legal move with equal probability; the same seed plays the same game.
#[derive(Clone, Debug)]
pub struct Random(Pcg64);

impl Random {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(Pcg64::seed_from_u64(seed))
    }
}

impl<G: Position> Player<G> for Random {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let chosen = turn.moves.choose(&mut self.0);
        *chosen.expect("a turn offers a move")
    }
}

/// A player that captures as many pieces as one move can, ties broken at random; the same seed plays the same
/// game.
struct Greedy(Random);

impl<G: Position> Player<G> for Greedy {
    fn choose(&mut self, turn: &PlayerTurn<'_, G>) -> G::Move {
        let captures = |mv: &G::Move| turn.position.captures(*mv);
        let moves = turn.moves.iter().copied();
        let most = turn.moves.iter().map(captures).max();
        let best: Vec<G::Move> = moves.filter(|mv| Some(captures(mv)) == most).collect();
        self.0.choose(&PlayerTurn {
            moves: &best,
            ..*turn
        })
    }
}

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
        PlayerSpec::Greedy { seed } => Box::new(Greedy(Random::new(*seed))),
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
