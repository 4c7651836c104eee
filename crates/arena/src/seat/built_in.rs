//! A built-in bot in the referee's own process, for tables at which people sit.

use crate::table::{Answer, Seat, TimedReply, TurnRequest};
use crownhead_bots::BoardPlayer;
use crownhead_record::seed::Purpose;
use std::time::Instant;

/// A built-in bot at the table.
pub enum BuiltIn {
    /// A bot that is made for every turn, from a seed for that turn, and remembers nothing. What it plays by chance
    /// follows from the seed, its seat and the number of the turn alone: a turn that was taken back and is played again
    /// is the same turn, and the same seed repeats the game.
    ForEveryTurn {
        /// From which the turns' seeds follow.
        seed: u64,
        /// Makes the bot.
        make: Box<dyn Fn(u64) -> Box<dyn BoardPlayer>>,
    },
    /// A bot that remembers the game, and may play a turn that was taken back in another way.
    Lasting(Box<dyn BoardPlayer>),
}

impl Seat for BuiltIn {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        let chosen = match self {
            BuiltIn::Lasting(player) => player.choose(turn.board, started),
            BuiltIn::ForEveryTurn { seed, make } => {
                let purpose = Purpose::Turn {
                    side: turn.board.mover() as u64,
                    turn: turn.board.turn().into(),
                };
                make(purpose.seed(*seed)).choose(turn.board, started)
            }
        };
        TimedReply::of_move(chosen, started.elapsed()).into()
    }
}
