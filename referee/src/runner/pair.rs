//! A pair of games: one opening, colours swapped.

use super::game::{Participant, play};
use crate::openings::Opening;
use crate::record::GameRecord;
use crate::seed::Purpose;
use crate::settings::GameSettings;
use crate::table::Termination;
use crownhead::board::Side;
use crownhead::explain::Explain;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Both games of a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedPair {
    /// The games that count, unless the pair is void.
    pub games: [GameRecord; 2],
    /// The suspect games that were played again, and are recorded too.
    pub replaced: Vec<GameRecord>,
}

impl PlayedPair {
    /// The game that makes the pair void, if it is: the referee was at fault, or a bot did not start, and the
    /// pair says nothing of who is better.
    pub fn void_game(&self) -> Option<&GameRecord> {
        self.games
            .iter()
            .find(|game| game.result.is_none() || game.termination == Termination::CannotStart)
    }

    /// The game that was lost on time by a bot that may have wanted a core, to the last time it was played: who is
    /// better is not known by it.
    pub fn suspect_game(&self) -> Option<&GameRecord> {
        self.games.iter().find(|game| game.suspect)
    }
}

/// Plays one game, and once more if it is suspect and that is wanted: the last one counts.
pub(super) fn play_counted<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    spec: &GameSpec,
    interrupted: &Arc<AtomicBool>,
) -> Vec<GameRecord> {
    let mut first = play::<G>(settings, bots, spec, interrupted);
    let again = first.suspect && settings.replay_suspect && !interrupted.load(Ordering::Relaxed);
    if !again {
        return vec![first];
    }
    let second = play::<G>(settings, bots, spec, interrupted);
    first.replayed = second.result.is_some();
    vec![first, second]
}

/// Plays both games of a pair.
pub(crate) fn play_pair<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    specs: &[GameSpec; 2],
    interrupted: &Arc<AtomicBool>,
) -> PlayedPair {
    let mut replaced = Vec::new();
    let games = specs.each_ref().map(|spec| {
        let games = play_counted::<G>(settings, bots, spec, interrupted);
        let (again, counted): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.replayed);
        replaced.extend(again);
        counted.into_iter().next().expect("one of them counts")
    });
    PlayedPair { games, replaced }
}
