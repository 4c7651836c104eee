//! A built-in bot in the referee's own process, for tables at which people sit.

use crate::table::{Answer, Seat, TimedReply, TurnRequest};
use crownhead_bots::{BoardGame, BoardPlayer, PlayerSpec};
use crownhead_record::seed::Purpose;
use std::time::Instant;

/// A built-in bot at the table.
///
/// It is made for every turn and remembers nothing, so that a turn that was taken back and is played again is the same
/// turn. What it plays by chance follows from its seed, its seat and the number of the turn alone. Only a bot with a time
/// limit remembers the game, because its turns are not repeatable anyway.
pub struct BuiltIn {
    game: &'static dyn BoardGame,
    spec: PlayerSpec,
    /// The bot that remembers the game.
    lasting: Option<Box<dyn BoardPlayer>>,
}

impl BuiltIn {
    /// The bot of this description.
    pub fn new(game: &'static dyn BoardGame, spec: PlayerSpec) -> BuiltIn {
        let is_timed =
            matches!(&spec, PlayerSpec::AlphaBeta { limits, .. } if limits.time.is_some());
        BuiltIn {
            lasting: is_timed.then(|| game.player(&spec)),
            game,
            spec,
        }
    }
}

impl Seat for BuiltIn {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        let purpose = Purpose::Turn {
            side: turn.board.mover() as u64,
            turn: turn.board.turn().into(),
        };
        let chosen = if let Some(player) = &mut self.lasting {
            player.choose(turn.board, started)
        } else {
            let mut spec = self.spec.clone();
            if let PlayerSpec::Random { seed } | PlayerSpec::Greedy { seed } = &mut spec {
                *seed = purpose.seed(*seed);
            }
            self.game.player(&spec).choose(turn.board, started)
        };
        TimedReply::of_move(chosen, started.elapsed()).into()
    }
}
