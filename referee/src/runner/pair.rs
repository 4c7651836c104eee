//! A pair of games: one opening, colours swapped.

use super::game::{Participant, play};
use super::watch::Watch;
use crate::openings::Opening;
use crate::record::GameRecord;
use crate::seat::Placement;
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
    /// The games that count, unless the pair is [void](PlayedPair::void).
    pub games: [GameRecord; 2],
    /// The suspect games that were played again, and are recorded too.
    pub replaced: Vec<GameRecord>,
}

/// Why a pair counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VoidCause {
    /// A bot did not start.
    DidNotStart,
    /// A bot lost on time while others may have held its core, also when the game was played again.
    Starved,
    /// The referee failed or was interrupted.
    RefereeFault,
}

/// A pair that says nothing of who is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VoidPair<'a> {
    /// Why.
    pub cause: VoidCause,
    /// The game that makes it void.
    pub game: &'a GameRecord,
    /// The bot that did not start, or starved.
    pub bot: Option<&'a str>,
}

impl PlayedPair {
    /// Why the pair is void, if it is.
    pub fn void(&self) -> Option<VoidPair<'_>> {
        self.games.iter().find_map(|game| {
            let cause = match game.termination {
                Termination::CannotStart => VoidCause::DidNotStart,
                _ if game.result.is_some() => return None,
                _ if game.starved() => VoidCause::Starved,
                _ => VoidCause::RefereeFault,
            };
            let asked = game
                .turns
                .last()
                .filter(|_| cause != VoidCause::RefereeFault);
            Some(VoidPair {
                cause,
                game,
                bot: asked.map(|turn| game.player(turn.side).name.as_str()),
            })
        })
    }

    /// The game that was lost on time by a bot that may have wanted a core, to the last time it was played: who is
    /// better is not known by it.
    pub fn suspect_game(&self) -> Option<&GameRecord> {
        self.games.iter().find(|game| game.suspect)
    }
}

/// Plays one game, and once more if it is suspect and that is wanted: the last one counts. One that is suspect then
/// too is void.
pub(super) fn play_counted<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    spec: &GameSpec,
    cores: &[Placement; 2],
    interrupted: &Arc<AtomicBool>,
    watch: Option<&dyn Watch<G>>,
) -> Vec<GameRecord> {
    let mut first = play::<G>(settings, bots, spec, cores, interrupted, watch);
    let again = first.suspect && settings.replay_suspect && !interrupted.load(Ordering::Relaxed);
    if !again {
        return vec![first];
    }
    let second = play::<G>(settings, bots, spec, cores, interrupted, watch);
    if interrupted.load(Ordering::Relaxed) {
        return vec![first];
    }
    first.replayed = true;
    vec![first, second]
}

/// Plays both games of a pair.
pub(crate) fn play_pair<G: Explain>(
    settings: &GameSettings,
    bots: [&Participant; 2],
    specs: &[GameSpec; 2],
    cores: &[Placement; 2],
    interrupted: &Arc<AtomicBool>,
) -> PlayedPair {
    let mut replaced = Vec::new();
    let games = specs.each_ref().map(|spec| {
        let games = play_counted::<G>(settings, bots, spec, cores, interrupted, None);
        let (again, counted): (Vec<_>, Vec<_>) = games.into_iter().partition(|game| game.replayed);
        replaced.extend(again);
        counted.into_iter().next().expect("one of them counts")
    });
    PlayedPair { games, replaced }
}
