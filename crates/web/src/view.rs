//! One recorded game as a page draws it: every position, and what is known of every turn.

use super::plies::{BoardView, Ply, plies, side_word};
use crate::position::SideNames;
use crownhead::board::Side;
use crownhead_bots::games::ListedGame;
use crownhead_record::Termination;
use crownhead_record::{GameRecord, ReadError, RebuildError, RecordedResult, read_games};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game for the page. The page draws it and adds nothing: positions come from the library.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// What the page calls it.
    pub id: u64,
    number: u64,
    game: &'static str,
    rules: String,
    sides: SideNames,
    /// Whether row 1 is on top.
    row_1_on_top: bool,
    black: PlayerView,
    white: PlayerView,
    first_turn_us: u64,
    turn_us: u64,
    clock: Value,
    start: BoardView,
    /// How many of the turns are the opening, in which no player was asked.
    opening: usize,
    turns: Vec<TurnView>,
    result: Option<RecordedResult>,
    termination: Termination,
    reason: String,
    /// Whether it ended by a fault, which the last turn tells.
    fault: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct PlayerView {
    name: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    stderr_before: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    stderr_after: Value,
}

/// A move, or a turn that ended the game without one.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct TurnView {
    #[serde(flatten)]
    ply: Option<Ply>,
    /// Who was asked, where there is no move that says so.
    #[serde(rename = "asked", skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    /// What came back, where it is no move.
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<String>,
    /// `None` for the moves of the opening, and where the times of a game are not told, as in some PDN.
    #[serde(skip_serializing_if = "Option::is_none")]
    us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    work_us: Option<u64>,
    #[serde(skip_serializing_if = "Value::is_null")]
    stderr: Value,
    #[serde(skip_serializing_if = "Value::is_null")]
    said: Value,
}

/// What some records say besides: what the bots wrote and said, turn by turn.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Evidence {
    players: Vec<PlayerEvidence>,
    turns: Vec<TurnEvidence>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PlayerEvidence {
    stderr_before: Value,
    stderr_after: Value,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct TurnEvidence {
    stderr: Value,
    said: Value,
}

/// A record cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The line is no record.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The line is empty.
    #[error("there is no record here; expected a game's record, one JSON object")]
    Empty,
    /// It is of a game that is not known.
    #[error("no game is called `{0}`")]
    Game(String),
    /// Its moves are no game.
    #[error(transparent)]
    Rebuild(#[from] RebuildError),
}

impl View {
    /// The game that a line of a file of records tells; `id` is what the page calls it.
    ///
    /// # Errors
    /// When the line is no record, or the moves in it are no game.
    pub(crate) fn of_line(id: u64, line: &str) -> Result<View, ViewError> {
        let record = read_games(line.as_bytes())
            .next()
            .ok_or(ViewError::Empty)??;
        // A record that could be read above is an object; what is strange in these fields is left out.
        let evidence = serde_json::from_str(line).unwrap_or_default();
        View::of(id, &record, evidence)
    }

    /// A game that is not in a file of records.
    ///
    /// # Errors
    /// When the moves of the record are no game.
    pub fn of_record(id: u64, record: &GameRecord) -> Result<View, ViewError> {
        let line = serde_json::to_string(record).expect("a record is plain data");
        View::of_line(id, &line)
    }

    fn of(id: u64, record: &GameRecord, evidence: Evidence) -> Result<View, ViewError> {
        let game = ListedGame::find(&record.game);
        let game = game.ok_or_else(|| ViewError::Game(record.game.clone()))?;
        let board = record.rebuild(game.object())?;
        let rules = board.rules();
        let (start, plies) = plies(board.as_ref());
        let opening = record.opening.len();
        let timed = record.turns.iter().any(|turn| !turn.time.is_zero());
        let mut told = evidence.turns.into_iter();
        let mut plies = plies.into_iter();
        let mut turns: Vec<TurnView> = plies
            .by_ref()
            .take(opening)
            .map(TurnView::of_opening)
            .collect();
        for turn in &record.turns {
            let TurnEvidence { stderr, said } = told.next().unwrap_or_default();
            let ply = plies.next();
            turns.push(TurnView {
                side: ply.is_none().then(|| side_word(turn.player)),
                reply: turn.reply.clone().filter(|_| ply.is_none()),
                us: timed.then(|| crownhead_record::judge::whole_microseconds(turn.time)),
                work_us: turn.work.map(crownhead_record::judge::whole_microseconds),
                stderr,
                said,
                ply,
            });
        }
        let mut evidence = evidence.players.into_iter();
        let mut player = |side: Side| {
            let evidence = evidence.next().unwrap_or_default();
            PlayerView {
                name: record.players[side.index()].name.clone(),
                stderr_before: evidence.stderr_before,
                stderr_after: evidence.stderr_after,
            }
        };
        Ok(View {
            id,
            number: record.number,
            game: game.name(),
            rules: record.rules.clone(),
            sides: SideNames::from(rules),
            row_1_on_top: rules.row_1_on_top,
            black: player(Side::Black),
            white: player(Side::White),
            first_turn_us: crownhead_record::judge::whole_microseconds(record.limits.first_turn),
            turn_us: crownhead_record::judge::whole_microseconds(record.limits.turn),
            clock: serde_json::to_value(record.clock).unwrap_or_default(),
            start,
            opening,
            turns,
            result: record.result(),
            termination: record.termination,
            reason: record.reason.clone(),
            fault: record.termination.is_fault(),
        })
    }
}

impl TurnView {
    fn of_opening(ply: Ply) -> TurnView {
        TurnView {
            ply: Some(ply),
            side: None,
            reply: None,
            us: None,
            work_us: None,
            stderr: Value::Null,
            said: Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(turns: Value, termination: &str) -> String {
        json!({
            "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest",
            "profile": "strict", "clock": "wall", "number": 7, "seed": 1,
            "players": [{"side": "black", "name": "<b>one</b>", "command": "x"},
                {"side": "red", "name": "two", "command": "y"}],
            "limits": {"first_turn_us": 1_000_000, "turn_us": 100_000}, "max_turns": 200,
            "opening": ["A3B4"], "turns": turns, "scores": [1, 0], "termination": termination,
            "reason": "why",
        })
        .to_string()
    }

    #[test]
    fn an_illegal_reply_is_a_turn_without_a_move() {
        let turns = json!([
            {"player": 1, "reply": "B6A5", "us": 12, "said": {"depth": 3}},
            {"player": 0, "reply": "H8H8", "us": 34, "stderr": {"text": "oops"}},
        ]);
        let view = View::of_line(7, &record(turns, "illegal-reply")).unwrap();
        let shown = serde_json::to_value(&view).unwrap();
        let moves: Vec<&Value> = view_moves(&shown);
        assert_eq!(moves, [&json!("A3B4"), &json!("B6A5"), &Value::Null]);
        assert_eq!(shown["turns"][1]["said"]["depth"], 3);
        assert_eq!(shown["turns"][2]["asked"], "black");
        assert_eq!(shown["turns"][2]["reply"], "H8H8");
        assert_eq!(shown["turns"][2]["stderr"]["text"], "oops");
        assert_eq!(shown["fault"], true);
    }

    #[test]
    fn a_record_that_is_no_game_is_refused_with_the_reason() {
        let turns = json!([{"player": 1, "reply": "B6B5", "us": 12}]);
        let error = View::of_line(7, &record(turns, "no-moves")).unwrap_err();
        assert!(error.to_string().contains("`B6B5`"), "{error}");
        assert!(View::of_line(7, "").is_err());
        assert!(View::of_line(7, "{}").is_err());
    }

    fn view_moves(shown: &Value) -> Vec<&Value> {
        let turns = shown["turns"].as_array().unwrap();
        turns.iter().map(|turn| &turn["move"]).collect()
    }
}
