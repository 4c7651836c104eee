//! A round of games: one opening, seats rotated; between two players a pair, colours swapped.

use super::cores::GamePlacement;
use super::game::{GameSetup, play};
use super::live::LiveRun;
use super::spec::{GameSpec, Participant};
use crate::settings::GameSettings;
use crownhead_record::{GameRecord, TurnRecord, points_with_failures};
use std::collections::BTreeMap;
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

impl PlayedPair {
    /// The pairs of games between this many players in the order in which they were played, by the numbers that a test gives
    /// its pairs. Of a pair that was played again, the last games count.
    pub fn of_games(
        games: impl IntoIterator<Item = GameRecord>,
        players: usize,
    ) -> BTreeMap<u64, PlayedPair> {
        let mut pairs = BTreeMap::<u64, PlayedPair>::new();
        for game in games {
            let pair = pairs
                .entry(game.number.saturating_sub(1) / players as u64 + 1)
                .or_insert_with(|| PlayedPair {
                    games: Vec::new(),
                    replaced: Vec::new(),
                    interrupted: true,
                });
            if game.replayed {
                pair.replaced.push(game);
                continue;
            }
            if !pair.interrupted {
                pair.games.clear();
            }
            pair.games.push(game);
            pair.interrupted = pair.games.len() < players;
        }
        pairs
    }

    /// Why the pair says nothing of who is better, if it is void, and the game that makes it so.
    pub fn void(&self) -> Option<(VoidCause, &GameRecord)> {
        self.games.iter().find_map(|game| {
            let cause = match () {
                _ if game.has_failed_start() => VoidCause::DidNotStart,
                _ if game.scores.is_some() => return None,
                _ if game.starved() => VoidCause::Starved,
                _ => VoidCause::RefereeFault,
            };
            Some((cause, game))
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
    watch: Option<&LiveRun>,
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
        let Some((mut game, _)) = play(&setup, watch) else {
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
    // Not every system shows it.
    let is_known = opponents.clone().any(|turn| turn.waited.is_some());
    is_known && work >= TELLING_WORK && waited <= work.mul_f64(MOST_WAITING)
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
    watch: Option<&LiveRun>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A game of this number, void where it has no scores.
    fn game(number: u64, is_void: bool, replayed: bool) -> GameRecord {
        let player = json!({"side": "player", "name": "anna", "command": "anna"});
        let game = json!({
            "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest", "number": number, "seed": 1,
            "players": [player, player], "limits": {"first_turn_us": 1, "turn_us": 1}, "profile": "strict",
            "clock": "wall", "replayed": replayed, "opening": [], "turns": [], "termination": "no-moves", "reason": "",
            "scores": if is_void { json!(null) } else { json!([1.0, 0.0]) },
        });
        serde_json::from_value(game).unwrap()
    }

    #[test]
    fn the_last_games_of_a_recorded_pair_count_and_half_a_pair_is_interrupted() {
        let good = |number| game(number, false, false);
        let games = [
            good(3),
            game(4, true, false),
            good(1),
            game(2, true, true),
            good(2),
            // Pair 2 is void and was played again, pair 4 was not played to its end.
            good(3),
            good(4),
            good(7),
        ];
        let pairs = PlayedPair::of_games(games, 2);
        let told = pairs.iter().map(|(&pair, played)| {
            let numbers: Vec<u64> = played.games.iter().map(|game| game.number).collect();
            let is_void = played.void().is_some();
            (
                pair,
                numbers,
                played.replaced.len(),
                is_void,
                played.interrupted,
            )
        });
        let expected = [
            (1, vec![1, 2], 1, false, false),
            (2, vec![3, 4], 0, false, false),
            (4, vec![7], 0, false, true),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
    }
}
