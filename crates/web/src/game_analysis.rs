//! The analysis of a whole game, for a page that watches it and for exported pages.
//!
//! The analysis itself is [elsewhere](crownhead_arena::game_analysis).

use super::analysis::{NICENESS, why_stop};
use super::priority::give_way;
use super::sessions::SessionThread;
use super::view::ViewError;
use crownhead_arena::game_analysis::GameAnalysis;
use crownhead_bots::games;
use crownhead_record::{GameRecord, RecordedGame};
use serde::Serialize;
use std::time::Duration;

/// The progress of an analysis.
#[derive(Serialize)]
struct State<'a> {
    /// How many positions have been searched, and how many there are.
    done: usize,
    of: usize,
    /// Why it ended early.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'static str>,
    /// What was found, at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<&'a GameAnalysis>,
}

/// An analysis of this game, which runs to its end or until it is stopped.
///
/// # Errors
/// When the record is not a game on a board that is known here.
pub(super) fn prepare(
    record: GameRecord,
) -> Result<impl FnOnce(SessionThread) + Send + use<>, String> {
    recorded(&record).map_err(|error| error.to_string())?;
    Ok(move |session: SessionThread| {
        give_way(NICENESS);
        let recorded = recorded(&record).expect("it was a game a moment ago");
        let (mut done, mut of, mut why) = (0, 0, None);
        let analysis = GameAnalysis::new(&recorded, None, |now, all| {
            (done, of, why) = (now, all, why_stop(&session));
            let analysis = None;
            session.show(&State {
                done,
                of,
                why,
                analysis,
            });
            why.is_none()
        });
        let done = if analysis.is_some() { of } else { done };
        let analysis = analysis.as_ref();
        session.show(&State {
            done,
            of,
            why,
            analysis,
        });
    })
}

/// An analysis of this game within a time; `None` for a game without a board.
pub(super) fn within(record: &GameRecord, time: Duration) -> Option<GameAnalysis> {
    GameAnalysis::new(&recorded(record).ok()?, Some(time), |_, _| true)
}

fn recorded(record: &GameRecord) -> Result<RecordedGame<'_>, ViewError> {
    let game = games::find(&record.game).filter(|_| record.referee.is_none());
    let game = game.ok_or_else(|| ViewError::Game(record.game.clone()))?;
    Ok(RecordedGame::new(record, game)?)
}
