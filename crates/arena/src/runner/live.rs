//! Games under way as values, for those who look at a run from elsewhere: from a page, or from another program.
//!
//! The thread that plays a game leaves a snapshot of it before each turn, while no clock runs, and waits for nobody: where
//! someone reads at that moment the snapshot is left out, and the next turn brings another. Nothing here knows who reads,
//! or how snapshots reach them. Games of an external referee leave none: their boards are their referee's alone.

use crate::table::{Observer, TimedReply};
use crownhead_bots::Board;
use crownhead_record::TurnRecord;
use crownhead_record::judge::{microseconds, optional_microseconds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// A run that others look at meanwhile.
#[derive(Default, Debug)]
pub struct LiveRun {
    /// By their numbers: the games under way, and when their turns began.
    games: Mutex<BTreeMap<u64, (GameSnapshot, Instant)>>,
    progress: Mutex<RunProgress>,
}

/// How a run stands.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RunSnapshot {
    /// How far it is.
    pub progress: RunProgress,
    /// The games under way.
    pub games: Vec<GameSnapshot>,
}

/// How far a run is.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct RunProgress {
    /// What is counted: `games` or `pairs`.
    pub unit: String,
    /// How many are played.
    pub done: u64,
    /// How many there are to be in all, at most in a test that ends with its verdict.
    pub all: u64,
    /// The sequential test that it plays for, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtProgress>,
}

/// How a sequential test stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtProgress {
    /// The bots that are compared.
    pub bots: [String; 2],
    /// The hypotheses.
    pub elo: [f64; 2],
    /// The logarithm of the likelihood ratio.
    pub ratio: f64,
    /// Where it ends: not better, and better.
    pub bounds: [f64; 2],
}

/// A game under way, as of the beginning of a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSnapshot {
    /// The number of the game.
    pub number: u64,
    /// The name of the game.
    pub game: String,
    /// Its rule book.
    pub rules: String,
    /// The letters of the board's rows, the last row first.
    pub rows: String,
    /// The squares that the last move has touched.
    pub last_move: Vec<String>,
    /// The turn under way, from 1.
    pub turn: u32,
    /// The player whose turn it is.
    pub mover: usize,
    /// How long ago the turn began.
    #[serde(rename = "since_us", with = "microseconds")]
    pub since: Duration,
    /// The players by their numbers.
    pub players: Vec<PlayerSnapshot>,
}

/// A player of a game under way.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct PlayerSnapshot {
    /// What it is called.
    pub name: String,
    /// How long its last answer took.
    #[serde(rename = "last_us", with = "optional_microseconds", default)]
    pub last: Option<Duration>,
    /// How long it has thought in all.
    #[serde(rename = "used_us", with = "microseconds")]
    pub used: Duration,
}

impl LiveRun {
    /// Tells how far the run is.
    pub fn tell(&self, progress: RunProgress) {
        *lock(&self.progress) = progress;
    }

    /// How it stands now.
    pub fn snapshot(&self) -> RunSnapshot {
        let games = lock(&self.games).clone();
        let games = games.into_values().map(|(game, began)| GameSnapshot {
            since: began.elapsed(),
            ..game
        });
        RunSnapshot {
            progress: lock(&self.progress).clone(),
            games: games.collect(),
        }
    }

    /// Shows a game as of the beginning of a turn.
    fn show(&self, game: GameSnapshot) {
        let mut games = match self.games.try_lock() {
            Ok(games) => games,
            Err(TryLockError::Poisoned(games)) => games.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        games.insert(game.number, (game, Instant::now()));
    }

    /// The game of this number is over.
    pub(super) fn over(&self, number: u64) {
        lock(&self.games).remove(&number);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GameSnapshot {
    fn of(number: u64, board: &dyn Board, players: &[PlayerSnapshot]) -> GameSnapshot {
        let last_move = board.last_move().into_iter();
        GameSnapshot {
            number,
            game: board.game().name().into(),
            rules: board.rules().name.into(),
            rows: board.rows().concat(),
            last_move: last_move.map(|cell| cell.to_string()).collect(),
            turn: board.turn(),
            mover: board.mover(),
            since: Duration::ZERO,
            players: players.to_vec(),
        }
    }
}

/// Writes the turns down, and shows the game to a watcher, if there is one.
pub(super) struct GameObserver<'a> {
    pub(super) turns: Vec<TurnRecord>,
    pub(super) watch: Option<&'a LiveRun>,
    pub(super) number: u64,
    pub(super) players: Vec<PlayerSnapshot>,
}

impl Observer for GameObserver<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let Some(watch) = self.watch else { return };
        watch.show(GameSnapshot::of(self.number, board, &self.players));
    }

    fn replied(&mut self, player: usize, reply: &TimedReply) {
        self.turns.push(reply.record(player));
        let live = &mut self.players[player];
        live.last = Some(reply.time);
        live.used += reply.time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crownhead::games::checkers::rules::CONTEST;
    use crownhead_bots::CHECKERS;

    #[test]
    fn a_game_shows_its_newest_turn_and_is_gone_when_it_is_over() {
        let run = LiveRun::default();
        let mut board = CHECKERS.start(CONTEST);
        let player = |name: &str| PlayerSnapshot {
            name: name.into(),
            ..PlayerSnapshot::default()
        };
        let players = [player("one"), player("other")];
        let show = |board: &dyn Board| run.show(GameSnapshot::of(7, board, &players));
        show(board.as_ref());
        assert!(board.play("A3B4"));
        show(board.as_ref());
        let games = run.snapshot().games;
        assert_eq!((games.len(), games[0].turn, games[0].mover), (1, 2, 1));
        assert_eq!(games[0].last_move, ["A3", "B4"]);
        assert_eq!(games[0].players[0].name, "one");
        run.over(7);
        assert_eq!(run.snapshot(), RunSnapshot::default());
    }

    #[test]
    fn a_turn_does_not_wait_for_a_reader() {
        let run = LiveRun::default();
        let board = CHECKERS.start(CONTEST);
        let held = lock(&run.games);
        // It would wait for ever: the lock is this thread's own.
        run.show(GameSnapshot::of(1, board.as_ref(), &[]));
        assert!(held.is_empty());
    }
}
