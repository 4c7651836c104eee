//! The record of one game: everything needed to judge it again, one JSON object a line.
//!
//! The format is versioned; its fields are the public fields of [`GameRecord`]. A record is text: it knows
//! the names of games and moves, and is rebuilt on a [`Board`] of its game.

use crate::Termination;
use crate::judge::{Clock, TimeLimits};
use crate::said::Said;
use crate::stderr::Stderr;
use crownhead::board::Side;
use crownhead::games::checkers::Checkers;
use crownhead::notation::{Notation, PositionError};
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;
use crownhead_board::{Board, GameRules, winner};
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// The version of the format, which alone is written and read.
///
/// Within a version fields may be added, which are optional; fields that are not known are ignored.
pub const VERSION: u32 = 2;

/// One game, whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Always [`VERSION`].
    pub version: u32,
    /// The game's name, such as `checkers`.
    pub game: String,
    /// The rule book's name, such as `contest`.
    pub rules: String,
    /// What people call the sides.
    pub sides: SideNames,
    /// The number of the game within its run, from 1.
    pub number: u64,
    /// The seed of the run.
    pub seed: u64,
    /// Who played black.
    pub black: PlayerRecord,
    /// Who played white (red).
    pub white: PlayerRecord,
    /// How long a player could think.
    pub limits: TimeLimits,
    /// The profile it was judged by.
    pub profile: String,
    /// What counted as time.
    pub clock: Clock,
    /// Whether it was lost on time, and nobody can know whether it would have been on a machine of the bot's own.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suspect: bool,
    /// Whether it was played again, so that the other record with its number counts instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replayed: bool,
    /// The turns after which the game was drawn, if there was such a limit.
    pub max_turns: Option<u32>,
    /// The position in which the game began, if not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<StartRecord>,
    /// The moves played before the players were asked.
    pub opening: Vec<String>,
    /// The turns in which a player was asked, in order.
    pub turns: Vec<TurnRecord>,
    /// Who won; `null` when the referee was at fault, and when a bot lost on time and nobody can know by whose doing.
    pub result: Option<RecordedResult>,
    /// How the game ended.
    pub termination: Termination,
    /// The same in words.
    #[serde(deserialize_with = "printable")]
    pub reason: String,
}

/// What people call the two sides under the game's rules: contest checkers' white is red.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct SideNames {
    pub black: String,
    pub white: String,
}

impl From<&RuleBook> for SideNames {
    fn from(rules: &RuleBook) -> SideNames {
        let [black, white] = rules.side_names.map(String::from);
        SideNames { black, white }
    }
}

/// A position in which a game began.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StartRecord {
    /// The eight rows, row 8 first.
    pub rows: Vec<String>,
    /// Whose move it was.
    #[serde(with = "RecordedSide")]
    pub side: Side,
}

impl StartRecord {
    /// The record of the position on this board.
    pub fn of(board: &dyn Board) -> StartRecord {
        StartRecord {
            rows: board.rows(),
            side: Side::BOTH[board.mover()],
        }
    }

    /// The record of a position of checkers.
    pub(crate) fn of_checkers(position: &Checkers) -> StartRecord {
        StartRecord {
            rows: position.rows().lines().map(str::to_string).collect(),
            side: position.side_to_move(),
        }
    }
}

/// A player of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// What tables call it.
    #[serde(deserialize_with = "printable")]
    pub name: String,
    /// The command line it was started with.
    pub command: String,
    /// Its version, in a ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How long it took from its start until it waited for its first turn, where that was seen.
    #[serde(rename = "start_up_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_up: Option<Duration>,
    /// The letter of the colour line it was sent, if it was sent one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour_line: Option<char>,
    /// Its standard error before its first turn.
    #[serde(default, skip_serializing_if = "Stderr::is_empty")]
    pub stderr_before: Stderr,
    /// Its standard error after the end of the game.
    #[serde(default, skip_serializing_if = "Stderr::is_empty")]
    pub stderr_after: Stderr,
}

impl PlayerRecord {
    /// A player of whom nothing else is known.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> PlayerRecord {
        PlayerRecord {
            name: name.into(),
            command: command.into(),
            version: None,
            start_up: None,
            colour_line: None,
            stderr_before: Stderr::default(),
            stderr_after: Stderr::default(),
        }
    }
}

/// One turn of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TurnRecord {
    /// Who was asked.
    #[serde(with = "RecordedSide")]
    pub side: Side,
    /// The line that came back, raw; what is not printable ASCII is escaped (`\xff`). `null` when none came.
    pub reply: Option<String>,
    /// How long it took.
    #[serde(rename = "us", with = "crate::judge::microseconds")]
    pub time: Duration,
    /// The processor time of the bot's process, all threads together, where it could be measured.
    #[serde(rename = "work_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Duration>,
    /// How long its main thread stood in the run queue without a core, where it could be measured.
    #[serde(rename = "waited_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Duration>,
    /// What of the time was given back, where it took longer than its limit and is in time for all that: the bot waited
    /// for a core, or the referee was away.
    #[serde(rename = "given_back_us", with = "crate::judge::microseconds")]
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub given_back: Duration,
    /// The longest time in it for which the referee was not watching, because it was stopped or had no core; nothing
    /// below a tick of 10 ms.
    #[serde(rename = "lag_us", with = "crate::judge::microseconds")]
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub lag: Duration,
    /// What it wrote on its standard error from this turn to its next one, or to the end of the game.
    #[serde(default, skip_serializing_if = "Stderr::is_empty")]
    pub stderr: Stderr,
    /// The numbers that it said there about itself.
    #[serde(default, skip_serializing_if = "Said::is_empty")]
    pub said: Said,
}

impl TurnRecord {
    /// What of its time counts as the player's.
    pub fn counted(&self) -> Duration {
        self.time.saturating_sub(self.given_back)
    }

    /// A turn of which nothing else is known.
    pub fn new(side: Side, reply: Option<String>, time: Duration) -> TurnRecord {
        TurnRecord {
            side,
            reply,
            time,
            work: None,
            waited: None,
            given_back: Duration::ZERO,
            lag: Duration::ZERO,
            stderr: Stderr::default(),
            said: Said::new(),
        }
    }
}

/// Text that may be a stranger's and is shown to people.
fn printable<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| crate::text::printable(&text))
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A side by its name in records.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Side", rename_all = "lowercase")]
enum RecordedSide {
    Black,
    White,
}

/// A result by its name in records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum RecordedResult {
    Black,
    White,
    Draw,
}

impl From<Outcome> for RecordedResult {
    fn from(outcome: Outcome) -> RecordedResult {
        match outcome {
            Outcome::Win(Side::Black) => RecordedResult::Black,
            Outcome::Win(Side::White) => RecordedResult::White,
            Outcome::Draw => RecordedResult::Draw,
        }
    }
}

impl RecordedResult {
    /// The result in which black and white have these scores.
    pub fn of_scores(scores: &[f64]) -> RecordedResult {
        match winner(scores) {
            Some(0) => RecordedResult::Black,
            Some(_) => RecordedResult::White,
            None => RecordedResult::Draw,
        }
    }

    /// The points of `side`: 1 for a win, half for a draw.
    pub fn points(self, side: Side) -> f64 {
        match (self, side) {
            (RecordedResult::Draw, _) => 0.5,
            (RecordedResult::Black, Side::Black) | (RecordedResult::White, Side::White) => 1.0,
            _ => 0.0,
        }
    }
}

impl GameRecord {
    /// Who won, if the game counts: it is not void, and was not played again. A whole pair is void with one of its
    /// games, which a game does not know of the other.
    pub fn rated(&self) -> Option<RecordedResult> {
        self.result.filter(|_| !self.replayed)
    }

    /// Whether the game is void because a bot lost it on time and nobody can know by whose doing. So is its pair.
    pub fn starved(&self) -> bool {
        self.suspect && self.result.is_none() && !self.replayed
    }

    /// The longest time within its turns for which the referee was not watching.
    pub fn lag(&self) -> Duration {
        let lags = self.turns.iter().map(|turn| turn.lag);
        lags.max().unwrap_or_default()
    }

    /// Whether it is rated as lost on time in a turn in which the referee was not watching for as long as the turn may
    /// last: the bot may have answered in time.
    pub fn is_unwatched_timeout(&self) -> bool {
        let Some(last) = self.turns.last() else {
            return false;
        };
        let own = self.turns.iter().filter(|turn| turn.side == last.side);
        let limit = self.limits.of(own.count());
        let is_rated = self.rated().is_some();
        is_rated && self.termination == Termination::Timeout && last.lag >= limit
    }

    /// The player of `side`.
    pub fn player(&self, side: Side) -> &PlayerRecord {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// Whether the named player took part.
    pub fn has(&self, name: &str) -> bool {
        [&self.black, &self.white]
            .iter()
            .any(|player| player.name == name)
    }

    /// The side that the named player had.
    pub fn side_of(&self, name: &str) -> Side {
        if self.black.name == name {
            Side::Black
        } else {
            Side::White
        }
    }

    /// The points of the named player; `None` when the game counts for nothing.
    pub fn points(&self, name: &str) -> Option<f64> {
        self.result.map(|result| result.points(self.side_of(name)))
    }

    /// How long the player of `side` thought in all.
    pub(crate) fn time_used(&self, side: Side) -> Duration {
        let turns = self.turns.iter().filter(|turn| turn.side == side);
        turns.map(|turn| turn.time).sum()
    }

    /// The game as it was played: opening and legal replies.
    ///
    /// # Errors
    /// When the record is of another game, or a move in it is not legal where it stands.
    pub fn rebuild(&self, game: &'static dyn GameRules) -> Result<Box<dyn Board>, RebuildError> {
        if self.game != game.name() {
            return Err(RebuildError::Game(self.game.clone()));
        }
        let rules = game.rules(Some(&self.rules));
        let mut rules = rules.map_err(|_| RebuildError::Rules(self.rules.clone()))?;
        rules.length.max_turns = self.max_turns;
        let replies = self.turns.iter().filter_map(|turn| turn.reply.as_deref());
        let moves = self.opening.iter().map(String::as_str).chain(replies);
        let mut moves: Vec<&str> = moves.map(str::trim_end).collect();
        // The last reply may be what lost the game.
        let replied = self.turns.last().is_some_and(|turn| turn.reply.is_some());
        let doubtful = if replied && !self.termination.is_regular() {
            moves.pop()
        } else {
            None
        };
        let mut board = replay(game, self.start.as_ref(), moves, rules)?;
        if let Some(text) = doubtful {
            board.play(text);
        }
        Ok(board)
    }
}

/// The game that begins in `start`, else in the usual position, with these moves played.
pub(crate) fn replay<'a>(
    game: &'static dyn GameRules,
    start: Option<&StartRecord>,
    moves: impl IntoIterator<Item = &'a str>,
    rules: RuleBook,
) -> Result<Box<dyn Board>, RebuildError> {
    let mut board = match start {
        Some(start) => game.set_up(&start.rows, start.side.index(), rules)?,
        None => game.start(rules),
    };
    for text in moves {
        if !board.play(text) {
            return Err(RebuildError::Move {
                turn: board.turn(),
                text: text.into(),
            });
        }
    }
    Ok(board)
}

/// A record cannot be turned into a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RebuildError {
    /// It is of another game.
    #[error("the record is of the game `{0}`, which this command does not show")]
    Game(String),
    /// Its rule book is not known.
    #[error("the record names the rule book `{0}`, which this program does not know")]
    Rules(String),
    /// Its first position is not one of the game.
    #[error("the record begins in a position that cannot be: {0}")]
    Start(#[from] PositionError),
    /// A move in it is not legal.
    #[error("turn {turn} of the record is `{text}`, which is no legal move there")]
    Move {
        /// The number of the turn.
        turn: u32,
        /// What stands there.
        text: String,
    },
}
