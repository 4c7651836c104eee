//! One recorded game for a page: its record, and what only the rules of its game and the files of its contest tell.

use super::error::{SiteError, fail};
use super::viewers::ViewerView;
use crownhead_arena::game_analysis::GameAnalysis;
use crownhead_bots::games;
use crownhead_browser::{BoardView, Ply, plies, unknown_game};
use crownhead_record::{GameRecord, RecordedGame, RefereeRecord, write_pdn};
use serde::Serialize;

/// A game for the page. The page only draws it; positions come from the library.
#[derive(Debug, Serialize)]
pub(super) struct GameView {
    /// Its number on the page.
    id: u64,
    /// Its record, as a line of a record file.
    line: String,
    /// The position of the turn that lost the game by a fault.
    fault: Option<usize>,
    #[serde(flatten)]
    board: Option<BoardGame>,
    /// Of a game that an external referee judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    viewer: Option<ViewerView>,
    /// Made in advance, if there is no server to make it.
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<GameAnalysis>,
}

/// A game on a board that Crownhead knows.
#[derive(Debug, Serialize)]
struct BoardGame {
    start: BoardView,
    /// All moves, beginning with those of the opening.
    plies: Vec<Ply>,
    /// `None` for a game that PDN cannot express.
    pdn: Option<String>,
}

impl GameView {
    /// The game of this record, which is `line`, with its analysis if there is one. `id` is its number on the page;
    /// `viewer` finds the viewer of an external referee.
    ///
    /// # Errors
    /// When its moves are not a game.
    pub(super) fn new(
        id: u64,
        record: &GameRecord,
        line: String,
        analysis: Option<GameAnalysis>,
        viewer: impl FnOnce(&RefereeRecord) -> ViewerView,
    ) -> Result<GameView, SiteError> {
        let viewer = record.referee.as_ref().map(viewer);
        let board = match viewer {
            Some(_) => None,
            None => Some(BoardGame::new(record)?),
        };
        Ok(GameView {
            id,
            line,
            fault: record.fault_turn(),
            board,
            viewer,
            analysis,
        })
    }
}

impl BoardGame {
    fn new(record: &GameRecord) -> Result<BoardGame, SiteError> {
        let told = "open the record with the program that played it";
        let unknown = || fail(format!("{}: {told}", unknown_game(&record.game)));
        let game = games::find(&record.game).ok_or_else(unknown)?;
        let (start, plies) = plies(record.rebuild(game).map_err(fail)?.as_ref());
        let pdn = write_pdn(record).ok();
        Ok(BoardGame { start, plies, pdn })
    }
}

/// The analysis of a game, as long as `go_on` says so; `None` for a game without a board.
pub(super) fn analyse(
    record: &GameRecord,
    go_on: impl FnMut(usize, usize) -> bool,
) -> Option<GameAnalysis> {
    let game = games::find(&record.game).filter(|_| record.referee.is_none())?;
    let recorded = RecordedGame::new(record, game).ok()?;
    GameAnalysis::new(&recorded, go_on)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::records::record;
    use serde_json::{Value, json};

    fn shown(moves: &[&str], ended: &str) -> Result<Value, SiteError> {
        let record = record(7, ["one", "two"], moves, json!([1, 0]), ended);
        let record: GameRecord = serde_json::from_value(record).unwrap();
        let view = GameView::new(8, &record, "the line".into(), None, |_| unreachable!())?;
        Ok(serde_json::to_value(view).unwrap())
    }

    #[test]
    fn a_game_is_its_record_and_its_moves_and_an_illegal_reply_is_none() {
        let told = shown(&["A3B4", "B6A5", "H8H8"], "illegal-reply").unwrap();
        let plies = told["plies"].as_array().unwrap();
        let moves: Vec<&Value> = plies.iter().map(|ply| &ply["move"]).collect();
        assert_eq!(moves, ["A3B4", "B6A5"]);
        assert_eq!(
            [&told["id"], &told["line"]],
            [&json!(8), &json!("the line")]
        );
        assert_eq!(
            [&told["fault"], &told["start"]["side"]],
            [&json!(1), &json!("black")]
        );
        assert!(told["pdn"].as_str().unwrap().contains("[Black \"one\"]"));
    }

    #[test]
    fn a_record_that_is_no_game_is_refused_with_the_reason() {
        let error = shown(&["A3B4", "B6B5"], "no-moves").unwrap_err();
        assert!(error.to_string().contains("`B6B5`"), "{error}");
    }
}
