//! One recorded game for a page: every position of the board, and the data of every turn.
//!
//! Games of external referees are [elsewhere](super::external_view).

use super::external_view::{ExternalView, ViewerView};
use super::player_view::PlayerView;
use crownhead_arena::game_analysis::GameAnalysis;
use crownhead_bots::games;
use crownhead_browser::{BoardView, Ply, plies, unknown_game};
use crownhead_record::judge::{Clock, TimeLimits, optional_microseconds};
use crownhead_record::{Figures, GameRecord, RebuildError};
use crownhead_record::{RefereeRecord, Stderr, Termination};
use serde::Serialize;
use std::time::Duration;

/// A game for the page, whoever judged it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum GameView {
    Board(View),
    External(ExternalView),
}

impl GameView {
    /// The game of this record; `id` is its number on the page; `viewer` finds the viewer of an external referee.
    ///
    /// # Errors
    /// When its moves are not a game.
    pub(super) fn new(
        id: u64,
        record: GameRecord,
        viewer: impl FnOnce(&RefereeRecord) -> ViewerView,
    ) -> Result<GameView, ViewError> {
        match record.referee.as_ref().map(viewer) {
            None => View::new(id, record).map(GameView::Board),
            Some(viewer) => Ok(GameView::External(ExternalView::new(id, record, viewer))),
        }
    }

    /// The same with its analysis, if there is one.
    pub(super) fn with_analysis(mut self, analysis: Option<GameAnalysis>) -> GameView {
        if let GameView::Board(view) = &mut self {
            view.analysis = analysis;
        }
        self
    }
}

/// A game for the page. The page only draws it; positions come from the library.
#[derive(Debug, Serialize)]
pub(super) struct View {
    /// Its number on the page.
    id: u64,
    number: u64,
    game: &'static str,
    rules: String,
    /// The game's names of the sides.
    sides: [&'static str; 2],
    /// Who played, in the order of sides.
    players: Vec<PlayerView>,
    #[serde(flatten)]
    limits: TimeLimits,
    clock: Clock,
    start: BoardView,
    /// How many turns are the opening, without asking a player.
    opening: usize,
    turns: Vec<TurnView>,
    /// The side that has won, or `draw`.
    result: Option<&'static str>,
    termination: Termination,
    reason: String,
    /// Whether it ended by a fault, which the last turn shows.
    fault: bool,
    #[serde(skip_serializing_if = "Figures::is_empty")]
    figures: Figures,
    /// Made in advance, if there is no server to make it.
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<GameAnalysis>,
}

/// A move, or a turn that ended the game without one.
#[derive(Default, Debug, Serialize)]
struct TurnView {
    #[serde(flatten)]
    ply: Option<Ply>,
    /// Who was asked, if no move shows it.
    #[serde(rename = "asked", skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    /// The reply, if it is not a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    /// `None` for the moves of the opening, and if a game has no times, as in some PDN.
    #[serde(rename = "us", with = "optional_microseconds")]
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<Duration>,
    #[serde(rename = "work_us", with = "optional_microseconds")]
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<Duration>,
    #[serde(skip_serializing_if = "Stderr::is_empty")]
    stderr: Stderr,
    #[serde(skip_serializing_if = "Figures::is_empty")]
    said: Figures,
}

/// A record cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// Its game is unknown.
    #[error("{}: open the record with the program that played it", unknown_game(.0))]
    Game(String),
    /// Its moves are not a game.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
}

impl View {
    /// The game of this record; `id` is its number on the page.
    pub(super) fn new(id: u64, record: GameRecord) -> Result<View, ViewError> {
        let Some(game) = games::find(&record.game) else {
            return Err(ViewError::Game(record.game));
        };
        let board = record.rebuild(game)?;
        let sides = board.rules().side_names;
        let (start, plies) = plies(board.as_ref());
        let mut plies = plies.into_iter();
        let opening = record.opening.len();
        let result = record.result().map(|result| result.word(sides));
        let mut turns: Vec<TurnView> = plies
            .by_ref()
            .take(opening)
            .map(|ply| TurnView {
                ply: Some(ply),
                ..TurnView::default()
            })
            .collect();
        let is_timed = record.turns.iter().any(|turn| !turn.time.is_zero());
        turns.extend(record.turns.into_iter().map(|turn| {
            let ply = plies.next();
            TurnView {
                side: ply.is_none().then(|| sides[turn.player]),
                reply: turn.reply.filter(|_| ply.is_none()),
                time: is_timed.then_some(turn.time),
                work: turn.work,
                stderr: turn.stderr,
                said: turn.said,
                ply,
            }
        }));
        Ok(View {
            id,
            number: record.number,
            game: game.name(),
            rules: record.rules,
            sides,
            players: record.players.into_iter().map(PlayerView::of).collect(),
            limits: record.limits,
            clock: record.clock,
            start,
            opening,
            turns,
            result,
            termination: record.termination,
            reason: record.reason,
            fault: record.termination.is_fault(),
            figures: record.figures,
            analysis: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn record(turns: Value, termination: &str) -> GameRecord {
        let record = json!({
            "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest",
            "profile": "strict", "clock": "wall", "number": 7, "seed": 1,
            "players": [{"side": "black", "name": "<b>one</b>", "command": "x"},
                {"side": "red", "name": "two", "command": "y", "figures": {"n": 3}}],
            "limits": {"first_turn_us": 1_000_000, "turn_us": 100_000}, "max_turns": 200,
            "figures": {"map": "small"}, "opening": ["A3B4"], "turns": turns, "scores": [1, 0], "termination": termination,
            "reason": "why",
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn an_illegal_reply_is_a_turn_without_a_move() {
        let turns = json!([
            {"player": 1, "reply": "B6A5", "us": 12, "said": {"depth": 3}},
            {"player": 0, "reply": "H8H8", "us": 34, "stderr": {"text": "oops"}},
        ]);
        let view = View::new(7, record(turns, "illegal-reply")).unwrap();
        let shown = serde_json::to_value(&view).unwrap();
        let moves: Vec<&Value> = view_moves(&shown);
        assert_eq!(moves, [&json!("A3B4"), &json!("B6A5"), &Value::Null]);
        assert_eq!(shown["turns"][1]["said"]["depth"], 3);
        assert_eq!(shown["turns"][2]["asked"], "black");
        assert_eq!(shown["turns"][2]["reply"], "H8H8");
        assert_eq!(shown["turns"][2]["stderr"]["text"], "oops");
        assert_eq!(shown["fault"], true);
        assert_eq!(shown["figures"]["map"], "small");
        assert_eq!(shown["players"][1]["figures"]["n"], 3);
    }

    #[test]
    fn a_record_that_is_no_game_is_refused_with_the_reason() {
        let turns = json!([{"player": 1, "reply": "B6B5", "us": 12}]);
        let error = View::new(7, record(turns, "no-moves")).unwrap_err();
        assert!(error.to_string().contains("`B6B5`"), "{error}");
    }

    fn view_moves(shown: &Value) -> Vec<&Value> {
        let turns = shown["turns"].as_array().unwrap();
        turns.iter().map(|turn| &turn["move"]).collect()
    }
}
