//! The record of one game: everything needed to judge it again, one JSON object a line.
//!
//! The format is versioned; its fields are the public fields of [`GameRecord`]. A record is text: it knows
//! the names of games and moves, and is rebuilt on a [`Board`] of its game.

mod rebuild;

pub use rebuild::RebuildError;
pub(crate) use rebuild::replay;

use crate::Termination;
use crate::figures::{self, Figures};
use crate::judge::{Clock, TimeLimits, profile};
use crate::referee::RefereeRecord;
use crate::site::SiteRecord;
use crate::stderr::Stderr;
use crownhead_bots::{Board, winner};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of the format. No other version is written or read.
///
/// Within a version, optional fields may be added; unknown fields are ignored.
/// `docs/guide/reference/record.schema.json` describes the format.
pub const VERSION: u32 = 3;

/// One complete game. A player is a place in `players`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct GameRecord {
    /// Always [`VERSION`].
    pub version: u32,
    /// The game's name, such as `checkers`, or the name of an external referee's game.
    pub game: String,
    /// The rule book's name, such as `contest`, or the parameters of an external referee, such as `league=4`.
    pub rules: String,
    /// The number of the game within its run, from 1.
    pub number: u64,
    /// The seed of the run.
    pub seed: u64,
    /// The external referee that judged it; `None` for a game that Crownhead knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee: Option<RefereeRecord>,
    /// The site that it was played on; `None` for a game of our own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteRecord>,
    /// Who played, in the order of the game's sides.
    pub players: Vec<PlayerRecord>,
    /// How long a player could think.
    pub limits: TimeLimits,
    /// The profile it was judged by.
    pub profile: String,
    /// What counted as time.
    pub clock: Clock,
    /// Whether it was lost on time, and the machine may be to blame.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suspect: bool,
    /// Whether it was played again, so that the other record with its number counts instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub replayed: bool,
    /// Options of its match that no other field holds, by their names: `adjudicate`, and the hypotheses of a test.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The turns after which the game was drawn, if there was such a limit.
    pub max_turns: Option<u32>,
    /// The position in which the game began, if not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<StartRecord>,
    /// The moves played before the players were asked.
    pub opening: Vec<String>,
    /// The turns in which a player was asked, in order.
    pub turns: Vec<TurnRecord>,
    /// The points of each player: 1 for a win; with more players, the share of the opponents that it beat, ties
    /// counting half. `null` if the referee was at fault, or if a bot lost on time and the machine may be to blame.
    pub scores: Option<Vec<f64>>,
    /// How the game ended.
    pub termination: Termination,
    /// The same in words.
    #[serde(deserialize_with = "printable")]
    pub reason: String,
}

/// A position in which a game began.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct StartRecord {
    /// The rows, the last row of the board first.
    pub rows: Vec<String>,
    /// The player whose move it was.
    pub player: usize,
}

impl StartRecord {
    /// The record of the position on this board.
    pub fn of(board: &dyn Board) -> StartRecord {
        StartRecord {
            rows: board.rows(),
            player: board.mover(),
        }
    }
}

/// A player of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The game's name of its side: `red` in contest checkers, `white` in the classroom.
    #[serde(deserialize_with = "printable")]
    pub side: String,
    /// Its name in tables.
    #[serde(deserialize_with = "printable")]
    pub name: String,
    /// The command line it was started with.
    pub command: String,
    /// Its version: a hash of its files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The time from its start until it waited for its first turn, if that was seen.
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
    /// A player with no other data.
    pub fn new(side: &str, name: impl Into<String>, command: impl Into<String>) -> PlayerRecord {
        PlayerRecord {
            side: side.into(),
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
    /// The player who was asked.
    pub player: usize,
    /// The input that an external referee sent to the bot for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<String>,
    /// How many lines were expected.
    #[serde(default = "one_line", skip_serializing_if = "is_one_line")]
    pub lines: usize,
    /// Its limit, if the referee of the game sets one for each turn.
    #[serde(rename = "limit_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Duration>,
    /// The raw line that the bot answered, or the lines if several are expected. Bytes that are not printable ASCII are
    /// escaped (`\xff`). `null` if no line came.
    pub reply: Option<String>,
    /// The answer that an external referee got instead, if the turn belongs to the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// How long it took.
    #[serde(rename = "us", with = "crate::judge::microseconds")]
    pub time: Duration,
    /// The processor time of the bot's process, all threads together, if it could be measured.
    #[serde(rename = "work_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<Duration>,
    /// How long its main thread was in the run queue without a core, if that could be measured.
    #[serde(rename = "waited_us", with = "crate::judge::optional_microseconds")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited: Option<Duration>,
    /// The time given back, if the turn exceeded its limit and still counts as in time: the bot waited for a core, or
    /// the referee was delayed.
    #[serde(rename = "given_back_us", with = "crate::judge::microseconds")]
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub given_back: Duration,
    /// The longest time for which the referee was not watching, because it was stopped or had no core; zero below a
    /// tick of 10 ms.
    #[serde(rename = "lag_us", with = "crate::judge::microseconds")]
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub lag: Duration,
    /// What it wrote on its standard error from this turn to its next one, or to the end of the game.
    #[serde(default, skip_serializing_if = "Stderr::is_empty")]
    pub stderr: Stderr,
    /// The figures of the turn that it printed there.
    #[serde(default, skip_serializing_if = "Figures::is_empty")]
    #[serde(deserialize_with = "figures::deserialize")]
    pub said: Figures,
}

impl TurnRecord {
    /// The part of its time that counts against the player.
    pub fn counted(&self) -> Duration {
        self.time.saturating_sub(self.given_back)
    }

    /// A turn with no other data.
    pub fn new(player: usize, reply: Option<String>, time: Duration) -> TurnRecord {
        TurnRecord {
            player,
            sent: None,
            lines: one_line(),
            limit: None,
            reply,
            opening: None,
            time,
            work: None,
            waited: None,
            given_back: Duration::ZERO,
            lag: Duration::ZERO,
            stderr: Stderr::default(),
            said: Figures::new(),
        }
    }
}

/// Text that may come from a stranger and is shown to people.
fn printable<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| crate::text::printable(&text))
}

fn one_line() -> usize {
    1
}

fn is_one_line(lines: &usize) -> bool {
    *lines == one_line()
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The result of a game of two players, whatever the game calls its sides. People and programs see its
/// [`word`](RecordedResult::word).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RecordedResult {
    Black,
    White,
    Draw,
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

    /// The winner among these sides of the game, or `draw`.
    pub fn word(self, sides: [&str; 2]) -> &str {
        match self {
            RecordedResult::Black => sides[0],
            RecordedResult::White => sides[1],
            RecordedResult::Draw => "draw",
        }
    }
}

impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        GameRecord::serialize(self, to)
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    /// Checks that the lists have one length, so that a player's number is a place in each.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<GameRecord, D::Error> {
        let game = GameRecord::deserialize(from)?;
        let players = game.players.len();
        let asked = game.turns.iter().map(|turn| turn.player);
        let first = game.start.iter().map(|start| start.player);
        let scores = game.scores.as_ref().map_or(players, Vec::len);
        let failed = game.referee.iter().flat_map(|referee| &referee.failed);
        let turns = game.turns.len();
        if failed.clone().any(|failed| failed.turn >= turns)
            || players < 2
            || scores != players
            || asked.chain(first).any(|place| place >= players)
        {
            let message =
                "its lists disagree: two players or more, a score for each, turns of theirs alone";
            return Err(D::Error::custom(message));
        }
        Ok(game)
    }
}

impl GameRecord {
    /// A game of these players without a turn, result or other data.
    pub fn new(
        game: impl Into<String>,
        rules: impl Into<String>,
        players: Vec<PlayerRecord>,
    ) -> GameRecord {
        GameRecord {
            version: VERSION,
            game: game.into(),
            rules: rules.into(),
            number: 1,
            seed: 0,
            referee: None,
            site: None,
            players,
            limits: TimeLimits::default(),
            profile: profile::STRICT.name.into(),
            clock: Clock::default(),
            suspect: false,
            replayed: false,
            options: BTreeMap::new(),
            max_turns: None,
            start: None,
            opening: Vec::new(),
            turns: Vec::new(),
            scores: None,
            termination: Termination::NotStated,
            reason: String::new(),
        }
    }

    /// The scores, if the game counts: it is not void, and was not played again. A void game also voids the other game
    /// of its pair, which that game's record does not show.
    pub fn rated(&self) -> Option<&[f64]> {
        self.scores.as_deref().filter(|_| !self.replayed)
    }

    /// The result between two players; `None` if the game is void or had more players.
    pub fn result(&self) -> Option<RecordedResult> {
        let scores = self.scores.as_deref().filter(|scores| scores.len() == 2);
        scores.map(RecordedResult::of_scores)
    }

    /// The same as a word: the winning side, as the game calls it, or `draw`.
    pub fn result_word(&self) -> Option<&str> {
        let sides = [0, 1].map(|player: usize| self.players[player].side.as_str());
        self.result().map(|result| result.word(sides))
    }

    /// Whether the game is void because a bot lost it on time and the machine may be to blame. So is its pair.
    pub fn starved(&self) -> bool {
        self.suspect && self.scores.is_none() && !self.replayed
    }

    /// The longest time in its turns for which the referee was not watching.
    pub fn lag(&self) -> Duration {
        let lags = self.turns.iter().map(|turn| turn.lag);
        lags.max().unwrap_or_default()
    }

    /// The place of the turn that decided it: the first in which a bot failed, or else the last. `None` if the game
    /// ended before any bot was asked.
    pub fn decisive_turn(&self) -> Option<usize> {
        let failed = self
            .referee
            .as_ref()
            .and_then(|referee| referee.failed.first());
        failed
            .map(|failed| failed.turn)
            .or_else(|| self.turns.len().checked_sub(1))
    }

    /// The ending by which games are counted: the referee's reason, if the game was played to its end and has one.
    pub fn ended_by(&self) -> String {
        let referee = self.referee.as_ref();
        let reason = referee.and_then(|referee| referee.reason.clone());
        let reason = reason.filter(|_| self.termination == Termination::Scores);
        reason.unwrap_or_else(|| self.termination.to_string())
    }

    /// The player who was asked in the turn that decided the game.
    pub fn decisive_player(&self) -> Option<&PlayerRecord> {
        let turn = &self.turns[self.decisive_turn()?];
        Some(&self.players[turn.player])
    }

    /// The place of the turn that lost the game by a fault.
    pub fn fault_turn(&self) -> Option<usize> {
        self.decisive_turn().filter(|_| self.termination.is_fault())
    }

    /// How this player failed, if it lost the game by its own fault.
    pub fn fault_of(&self, player: usize) -> Option<Termination> {
        let Some(referee) = &self.referee else {
            let has_lost = self
                .scores
                .as_ref()
                .is_some_and(|scores| scores[player] == 0.0);
            return Some(self.termination).filter(|ended| ended.is_fault() && has_lost);
        };
        let mut failed = referee.failed.iter();
        let own = failed.find(|failed| self.turns[failed.turn].player == player)?;
        Some(own.termination)
    }

    /// Whether one of its bots did not start.
    pub fn has_failed_start(&self) -> bool {
        (0..self.players.len())
            .any(|player| self.fault_of(player) == Some(Termination::CannotStart))
    }

    /// The place of the named player, if it took part.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }

    /// The points of the named player; `None` if it did not take part or the game is void.
    pub fn score_of(&self, name: &str) -> Option<f64> {
        Some(self.scores.as_ref()?[self.place_of(name)?])
    }

    /// The turns in which this player was asked.
    pub fn turns_of(&self, player: usize) -> impl Iterator<Item = &TurnRecord> {
        self.turns.iter().filter(move |turn| turn.player == player)
    }

    /// This player's total time.
    pub fn time_used(&self, player: usize) -> Duration {
        self.turns_of(player).map(|turn| turn.time).sum()
    }
}

#[cfg(test)]
mod tests;
