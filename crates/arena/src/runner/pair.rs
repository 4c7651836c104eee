//! A round of games: one opening, seats rotated; between two players a pair, colours swapped.

use super::cores::GamePlacement;
use super::game::{GameSetup, play};
use super::spec::{GameSpec, Participant};
use super::watch::Watch;
use crate::settings::GameSettings;
use crownhead_record::{GameRecord, Termination, TurnRecord, points_with_failures};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The games of a round: both of a pair, or as many as there are players.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedPair {
    /// The games that count, unless the pair is [void](PlayedPair::void).
    pub games: Vec<GameRecord>,
    /// The void games that were played again, and are recorded too.
    pub replaced: Vec<GameRecord>,
    /// Whether it was interrupted: `games` are those that were played before.
    pub interrupted: bool,
}

/// Why a pair counts for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VoidCause {
    /// A bot did not start.
    DidNotStart,
    /// A bot lost on time for an unknown cause, each time that the game was played.
    Starved,
    /// The referee failed.
    RefereeFault,
}

/// A pair that says nothing of who is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VoidPair<'a> {
    /// Why.
    pub cause: VoidCause,
    /// The game that makes it void.
    pub game: &'a GameRecord,
    /// The bot that did not start, or was late.
    pub bot: Option<&'a str>,
}

impl PlayedPair {
    /// Why the pair is void, if it is.
    pub fn void(&self) -> Option<VoidPair<'_>> {
        self.games.iter().find_map(|game| {
            let cause = match () {
                _ if game.has_failed_start() => VoidCause::DidNotStart,
                _ if game.scores.is_some() => return None,
                _ if game.starved() => VoidCause::Starved,
                _ => VoidCause::RefereeFault,
            };
            let did_not_start = (0..game.players.len())
                .find(|&player| game.fault_of(player) == Some(Termination::CannotStart));
            let player = match cause {
                VoidCause::DidNotStart => did_not_start.map(|player| &game.players[player]),
                VoidCause::Starved => game.decisive_player(),
                VoidCause::RefereeFault => None,
            };
            let bot = player.map(|player| player.name.as_str());
            Some(VoidPair { cause, game, bot })
        })
    }
}

/// How often a game is played at most, while it is void because a bot was late for an unknown cause.
const ATTEMPTS: usize = 5;

/// The void games in a row, all lost on time by the same bot while its opponent was served as usual, after which it is no
/// machine's doing that the next one is lost so too.
const ENOUGH_VOID: usize = 2;

/// The work of an opponent that shows how a game was served, and the share of that for which it may have waited.
const TELLING_WORK: Duration = Duration::from_millis(20);
const MOST_WAITING: f64 = 0.1;

/// Plays one game, and again while it is void: the last one counts. One that is void to the last is void for good, unless
/// it was so for the same bot each time, and its opponent was served as usual: then it is lost as it was seen. There is
/// none if it is interrupted.
pub(super) fn play_counted(
    settings: &GameSettings,
    bots: &[&Participant],
    spec: &GameSpec,
    cores: GamePlacement<'_>,
    interrupted: &Arc<AtomicBool>,
    watch: Option<&dyn Watch>,
) -> Vec<GameRecord> {
    let setup = GameSetup {
        settings,
        bots,
        spec,
        cores,
        interrupted,
    };
    let mut games: Vec<GameRecord> = Vec::new();
    while games.len() < ATTEMPTS {
        let Some(mut game) = play(&setup, watch) else {
            break;
        };
        let before = games.iter().rev().take(ENOUGH_VOID);
        if before.len() == ENOUGH_VOID
            && before.chain([&game]).all(|void| is_own_doing(void, &game))
        {
            count_as_seen(&mut game);
        }
        let is_void = game.starved();
        games.push(game);
        if !is_void {
            break;
        }
    }
    if let Some((_, void)) = games.split_last_mut() {
        void.iter_mut().for_each(|game| game.replayed = true);
    }
    games
}

/// Whether a void game was lost by the bot that has lost `last`, while its opponent was served as usual.
fn is_own_doing(game: &GameRecord, last: &GameRecord) -> bool {
    let late = |game: &GameRecord| Some(game.turns[game.decisive_turn()?].player);
    let (Some(player), true) = (late(game), game.starved() && late(game) == late(last)) else {
        return false;
    };
    let opponents = game.turns.iter().filter(|turn| turn.player != player);
    let sum = |part: fn(&TurnRecord) -> Option<Duration>| -> Duration {
        opponents.clone().filter_map(part).sum()
    };
    let (work, waited) = (sum(|turn| turn.work), sum(|turn| turn.waited));
    work >= TELLING_WORK && waited <= work.mul_f64(MOST_WAITING)
}

/// A void game is lost by the bot that was late.
fn count_as_seen(game: &mut GameRecord) {
    let Some(late) = game.decisive_turn().map(|place| game.turns[place].player) else {
        return;
    };
    game.suspect = false;
    let given = game.referee.as_ref().map(|referee| referee.scores.clone());
    let mut scores = given.unwrap_or_default();
    scores.resize(game.players.len(), 0.0);
    let failed = |player| {
        let recorded = game.referee.iter().flat_map(|referee| &referee.failed);
        let mut turns = recorded.map(|failed| failed.turn);
        let own = turns.find(|&turn| game.turns[turn].player == player);
        own.or((player == late).then_some(game.turns.len()))
    };
    game.scores = Some(points_with_failures(&scores, failed));
    game.reason += &format!(
        ". It counts all the same: so it was {ENOUGH_VOID} times before, while its opponent waited for no core"
    );
}

/// Plays the games of a round until it is interrupted, and shows each to `watch` while it is under way.
pub fn play_pair(
    settings: &GameSettings,
    bots: &[&Participant],
    specs: &[GameSpec],
    cores: GamePlacement<'_>,
    interrupted: &Arc<AtomicBool>,
    watch: Option<&dyn Watch>,
) -> PlayedPair {
    let play = |spec| play_counted(settings, bots, spec, cores, interrupted, watch);
    let (replaced, games): (Vec<_>, Vec<_>) =
        specs.iter().flat_map(play).partition(|game| game.replayed);
    PlayedPair {
        interrupted: games.len() < specs.len(),
        games,
        replaced,
    }
}
