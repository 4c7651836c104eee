//! A built-in bot in the referee's own process, for tables at which people sit.

use crate::table::{Seat, TimedReply, TurnRequest};
use crownhead_bots::players::BoardPlayer;
use crownhead_record::seed::Purpose;
use std::time::Instant;

/// A built-in bot at the table.
///
/// Made [for every turn](BuiltIn::for_every_turn), what it plays by chance follows from the seed, its seat and
/// the number of the turn alone: a turn that was taken back and is played again is the same turn, and the
/// same seed repeats the game.
pub struct BuiltIn {
    maker: Maker,
}

enum Maker {
    /// A player made anew for every turn, from a seed for that turn.
    EveryTurn {
        seed: u64,
        make: Box<dyn Fn(u64) -> Box<dyn BoardPlayer>>,
    },
    /// One that remembers the game.
    Once(Box<dyn BoardPlayer>),
}

impl BuiltIn {
    /// A bot that is made for every turn by `make`, from a seed for that turn, and remembers nothing: a turn
    /// that was taken back is played again as it was.
    pub fn for_every_turn(
        seed: u64,
        make: impl Fn(u64) -> Box<dyn BoardPlayer> + 'static,
    ) -> BuiltIn {
        BuiltIn {
            maker: Maker::EveryTurn {
                seed,
                make: Box::new(make),
            },
        }
    }

    /// A bot that remembers the game, and may play a turn that was taken back in another way.
    pub fn lasting(player: Box<dyn BoardPlayer>) -> BuiltIn {
        BuiltIn {
            maker: Maker::Once(player),
        }
    }
}

impl Seat for BuiltIn {
    type Answer = TimedReply;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> TimedReply {
        let started = Instant::now();
        let chosen = match &mut self.maker {
            Maker::Once(player) => player.choose(turn.board, started),
            Maker::EveryTurn { seed, make } => {
                let purpose = Purpose::Turn {
                    side: turn.board.mover() as u64,
                    turn: turn.board.turn().into(),
                };
                make(purpose.seed(*seed)).choose(turn.board, started)
            }
        };
        TimedReply::of_move(chosen, started.elapsed())
    }
}

impl std::fmt::Debug for BuiltIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuiltIn").finish_non_exhaustive()
    }
}
