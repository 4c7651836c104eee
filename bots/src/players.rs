//! The built-in bots: [`PlayerSpec`] says which, and [`BoardPlayer`] is one as an object, called in this process.

use crate::greedy::Greedy;
use crate::networks::{ByNetwork, NetworkWeights};
use crate::random::Random;
use crownhead::evaluate::Evaluate;
use crownhead::network::Inputs;
use crownhead::rules::RuleBook;
use crownhead_board::{Board, BoardPosition, PositionBoard};
use crownhead_contest::alphabeta::{AlphaBeta, SearchLimits};
use crownhead_contest::{Player, PlayerTurn};
use std::time::Instant;

/// A built-in bot with all that it needs to know.
#[derive(Clone, Debug)]
pub enum PlayerSpec {
    /// Any legal move, by chance that follows from the seed.
    Random {
        /// The seed.
        seed: u64,
    },
    /// The most captures, ties broken by chance that follows from the seed.
    Greedy {
        /// The seed.
        seed: u64,
    },
    /// The search.
    AlphaBeta {
        /// The rule book in force.
        rules: RuleBook,
        /// What ends the search of a turn.
        limits: SearchLimits,
        /// The network to evaluate by, of the same game, instead of the one that is compiled in.
        network: Option<NetworkWeights>,
    },
}

impl PlayerSpec {
    /// The player of `G`, where it searches by evaluation `E`, whatever network it names.
    pub fn player<G, E>(&self) -> Box<dyn Player<G>>
    where
        G: BoardPosition,
        E: Evaluate<G> + Default + 'static,
    {
        match *self {
            PlayerSpec::Random { seed } => Box::new(Random::new(seed)),
            PlayerSpec::Greedy { seed } => Box::new(Greedy::new(seed)),
            PlayerSpec::AlphaBeta { rules, limits, .. } => {
                Box::new(AlphaBeta::new(E::default(), rules, limits))
            }
        }
    }
}

impl PlayerSpec {
    /// The player of `G`, where it searches by the network that is named, or else by evaluation `E`.
    ///
    /// # Panics
    /// When the network is none of this game.
    pub(crate) fn player_by_network<const WORDS: usize, const BUCKETS: usize, G, E>(
        &self,
    ) -> Box<dyn Player<G>>
    where
        G: BoardPosition + Inputs<WORDS> + 'static,
        E: Evaluate<G> + Default + 'static,
    {
        match self {
            PlayerSpec::AlphaBeta {
                rules,
                limits,
                network: Some(weights),
            } => {
                let evaluation = ByNetwork::<WORDS, G, E>::new::<BUCKETS>(weights);
                Box::new(AlphaBeta::new(evaluation, *rules, *limits))
            }
            _ => self.player::<G, E>(),
        }
    }
}

/// A built-in bot as an object, called in this process.
pub trait BoardPlayer {
    /// The name of the move to play on this board, on which the game goes on. The turn has started at `started`.
    fn choose(&mut self, board: &dyn Board, started: Instant) -> String;

    /// What the player has to say about its last choice.
    fn remark(&self) -> Option<&str>;
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
