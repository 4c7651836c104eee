//! A built-in bot in the referee's own process, for tables at which people sit.

use crate::table::{Seat, TimedReply, TurnRequest};
use crownhead::notation::Notation;
use crownhead_bots::Player;
use crownhead_record::seed::Purpose;
use std::time::Instant;

/// A built-in bot at the table.
///
/// Made [for every turn](BuiltIn::for_every_turn), what it plays by chance follows from the seed, its seat and
/// the number of the turn alone: a turn that was taken back and is played again is the same turn, and the
/// same seed repeats the game.
pub struct BuiltIn<G: Notation> {
    maker: Maker<G>,
}

enum Maker<G: Notation> {
    /// A player made anew for every turn, from a seed for that turn.
    EveryTurn {
        seed: u64,
        make: Box<dyn Fn(u64) -> Box<dyn Player<G>>>,
    },
    /// One that remembers the game.
    Once(Box<dyn Player<G>>),
}

impl<G: Notation> BuiltIn<G> {
    /// A bot that is made for every turn by `make`, from a seed for that turn, and remembers nothing: a turn
    /// that was taken back is played again as it was.
    pub fn for_every_turn(
        seed: u64,
        make: impl Fn(u64) -> Box<dyn Player<G>> + 'static,
    ) -> BuiltIn<G> {
        BuiltIn {
            maker: Maker::EveryTurn {
                seed,
                make: Box::new(make),
            },
        }
    }

    /// A bot that remembers the game, and may play a turn that was taken back in another way.
    pub fn lasting(player: Box<dyn Player<G>>) -> BuiltIn<G> {
        BuiltIn {
            maker: Maker::Once(player),
        }
    }
}

impl<G: Notation> Seat<G> for BuiltIn<G> {
    type Answer = TimedReply;

    fn ask(&mut self, turn: &TurnRequest<'_, G>) -> TimedReply {
        let started = Instant::now();
        let position = turn.game.position();
        let seen = crownhead_bots::PlayerTurn {
            position,
            moves: turn.moves,
            started,
        };
        let chosen = match &mut self.maker {
            Maker::Once(player) => player.choose(&seen),
            Maker::EveryTurn { seed, make } => {
                let purpose = Purpose::Turn {
                    side: position.side_to_move().index() as u64,
                    turn: turn.game.turn().into(),
                };
                make(purpose.seed(*seed)).choose(&seen)
            }
        };
        TimedReply::of_move(turn, chosen, started.elapsed())
    }
}

impl<G: Notation> std::fmt::Debug for BuiltIn<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltIn").finish_non_exhaustive()
    }
}
