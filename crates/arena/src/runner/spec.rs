//! What is played: one game, or both games of a pair.

use crate::settings::GameSettings;
use crownhead::board::Side;
use crownhead_record::openings::Opening;
use crownhead_record::seed::Purpose;

/// One game, to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSpec {
    /// The number of the game, from 1.
    pub number: u64,
    /// Which of the two bots plays black; the other plays white.
    pub black: usize,
    /// The moves before the bots are asked first.
    pub opening: Opening,
    /// A seed for each of the two bots.
    pub bot_seeds: [u64; 2],
}

impl GameSpec {
    /// Both games of a pair. Bot 0 has the first move in the first of them, bot 1 in the second.
    ///
    /// `first` is the number of the first game; `purpose` says for game 0 or 1 and bot 0 or 1 what the bot's
    /// seed is for.
    pub fn pair<'a>(
        settings: &GameSettings,
        first: u64,
        opening: &Opening,
        purpose: impl Fn(u64, u64) -> Purpose<'a>,
    ) -> [GameSpec; 2] {
        [0, 1].map(|game| {
            let first_mover = game as usize;
            GameSpec {
                number: first + game,
                black: match settings.rules.moves_first {
                    Side::Black => first_mover,
                    Side::White => 1 - first_mover,
                },
                opening: opening.clone(),
                bot_seeds: [0, 1].map(|bot| purpose(game, bot).seed(settings.seed)),
            }
        })
    }
}
