//! The mistakes of a recorded game, as the built-in search sees them: the list of `replay --blunder`.

use super::super::progress::Progress;
use super::super::table::{left, right, stdout_screen, table};
use super::list::{player, winner_of};
use crate::failure::Failure;
use crownhead_arena::game_analysis::{GameAnalysis, Judgement, Mistake};
use crownhead_record::numbers::counted;
use crownhead_record::{GameRecord, RecordedGame};
use std::io::Write;

/// Analyses a game, and shows the progress.
pub(crate) fn analyse(recorded: &RecordedGame<'_>) -> GameAnalysis {
    let mut progress: Option<Progress> = None;
    let analysis = GameAnalysis::new(recorded, |done, all| {
        let progress = progress.get_or_insert_with(|| Progress::new("positions", Some(all as u64)));
        progress.show(done as u64, || "searching for mistakes".into());
        true
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    analysis.expect("it was not cancelled")
}

/// The worst mistake of the loser, or of either player if no one lost.
pub(crate) fn gravest<'a>(analysis: &'a GameAnalysis, record: &GameRecord) -> Option<&'a Mistake> {
    analysis.gravest(winner_of(record).flatten())
}

/// Writes the mistakes of both players with the better moves, and how often each found the best move.
pub(crate) fn write_mistakes(
    analysis: &GameAnalysis,
    record: &GameRecord,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let columns = [
        right("turn"),
        left("player"),
        left("move"),
        left("judgement"),
        right("before"),
        right("after"),
        left("better"),
    ];
    let rows = analysis.mistakes.iter().map(|mistake| {
        [
            mistake.turn.to_string(),
            player(record, mistake.player),
            mistake.played.clone(),
            mistake.judgement.name().into(),
            mistake.before.clone(),
            mistake.after.clone(),
            mistake.better.join(" "),
        ]
    });
    match analysis.mistakes.is_empty() {
        true => writeln!(out, "The built-in bot found no mistake.")?,
        false => write!(out, "{}", table(&columns, rows, stdout_screen()))?,
    }
    for (place, best) in analysis.best.iter().enumerate() {
        let count =
            |judgement: Judgement| counted(analysis.count(place, judgement), judgement.name());
        let judged = [
            Judgement::Inaccuracy,
            Judgement::Mistake,
            Judgement::Blunder,
        ]
        .map(count);
        writeln!(
            out,
            "{}: found the best move in {} of {} with a choice; {}",
            player(record, place),
            best.found,
            counted(best.of, "turn"),
            judged.join(", ")
        )?;
    }
    Ok(())
}
