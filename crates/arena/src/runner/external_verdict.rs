//! The verdict on a game that an external referee knows: its scores, with those bots last that failed.

use crate::table::{Fault, Verdict};
use crownhead_external::Ended;
use crownhead_record::text::{excerpt, printable};
use crownhead_record::{Frame, Termination, TurnRecord, points_by_place};

/// A bot that gave no answer.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) player: usize,
    /// The place of the turn among all.
    pub(super) turn: usize,
    pub(super) fault: Fault,
}

/// The verdict on a game between bots of these names. `ended` is what the referee said of its end; nothing where it could
/// not go on after the last failure: then those that have not failed are level.
pub(super) fn verdict(
    names: &[&str],
    failures: &[Failure],
    ended: Option<&Ended>,
    turns: &[TurnRecord],
    frames: &[Frame],
) -> Verdict {
    let has_failed = |player| failures.iter().any(|failure| failure.player == player);
    let mut scores = ended.map_or_else(|| vec![0.0; names.len()], |ended| ended.scores.clone());
    let told = told(names, &scores);
    let refused: Vec<(usize, String)> = (0..names.len())
        .filter(|&player| !has_failed(player))
        .filter_map(|player| Some((player, refusal(player, ended?, turns, frames)?)))
        .collect();
    for (player, score) in scores.iter_mut().enumerate() {
        if has_failed(player) {
            *score = f64::NEG_INFINITY;
        }
    }
    let faults = failures.iter().map(|failure| {
        let told = failure.fault.describe(names[failure.player]);
        (failure.fault.termination(), told)
    });
    let refusals = refused.iter().map(|(player, why)| {
        let reply = turns.iter().rfind(|turn| turn.player == *player);
        let reply = reply
            .and_then(|turn| turn.reply.as_deref())
            .unwrap_or_default();
        let told = format!(
            "{} answered `{}`, and the referee says: {why}",
            names[*player],
            excerpt(&reply.replace('\n', "\\n"))
        );
        (Termination::IllegalReply, told)
    });
    let mut all: Vec<(Termination, String)> = faults.chain(refusals).collect();
    if let Some(void) = all
        .iter()
        .position(|(termination, _)| *termination == Termination::RefereeFault)
    {
        let (termination, reason) = all.swap_remove(void);
        return Verdict {
            scores: None,
            termination,
            reason,
        };
    }
    // What is found out about a fault is added to the sentence of the first: it comes last.
    all[..].reverse();
    let termination = all
        .last()
        .map_or(Termination::Scores, |(termination, _)| *termination);
    let sentences: Vec<String> = all.into_iter().map(|(_, told)| told).collect();
    Verdict {
        scores: Some(points_by_place(&scores)),
        termination,
        reason: match sentences.is_empty() {
            true => told,
            false => sentences.join("; "),
        },
    }
}

/// `anna 298, bert 155`.
fn told(names: &[&str], scores: &[f64]) -> String {
    let told = names
        .iter()
        .zip(scores)
        .map(|(name, score)| format!("{name} {score}"));
    told.collect::<Vec<_>>().join(", ")
}

/// Why the referee refused what a player answered last, if it did: it says so itself, or gives a negative score, as
/// contests do with players that they deactivate, and a remark on that player after its last turn (observed: the contests
/// of 2023 to 2026).
fn refusal(player: usize, ended: &Ended, turns: &[TurnRecord], frames: &[Frame]) -> Option<String> {
    if let Some((_, why)) = ended.errors.iter().find(|(failed, _)| *failed == player) {
        return Some(printable(why));
    }
    if ended.scores.get(player).is_none_or(|&score| score >= 0.0) {
        return None;
    }
    let last_turn = turns.iter().rposition(|turn| turn.player == player)?;
    let after = frames.iter().filter(|frame| frame.turn > last_turn);
    // The engine's tooltips are pairs of lines: the text, and the player.
    let remarks = after.flat_map(|frame| frame.tooltips.as_chunks().0);
    let own = remarks.filter(|[_, of]| of.trim() == player.to_string());
    own.map(|[text, _]| printable(text.trim())).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const NAMES: [&str; 3] = ["anna", "bert", "carl"];

    fn ended(scores: [f64; 3]) -> Ended {
        Ended {
            frame: Frame::default(),
            scores: scores.into(),
            metadata: Vec::new(),
            input: Vec::new(),
            errors: Vec::new(),
        }
    }

    fn timeout(player: usize) -> Failure {
        let limit = Duration::from_millis(50);
        Failure {
            player,
            turn: 0,
            fault: Fault::Timeout {
                limit,
                input_closed: false,
            },
        }
    }

    fn turns() -> Vec<TurnRecord> {
        let turn = |player| TurnRecord::new(player, Some("FOO".into()), Duration::ZERO);
        (0..3).map(turn).collect()
    }

    #[test]
    fn the_referees_scores_are_the_reason_and_their_order_the_points() {
        let verdict = verdict(&NAMES, &[], Some(&ended([7.0, 9.5, 7.0])), &turns(), &[]);
        assert_eq!(verdict.scores, Some(vec![0.25, 1.0, 0.25]));
        assert_eq!(verdict.termination, Termination::Scores);
        assert_eq!(verdict.reason, "anna 7, bert 9.5, carl 7");
    }

    #[test]
    fn a_bot_that_failed_is_last_whatever_its_score() {
        let ended = ended([7.0, 9.0, 3.0]);
        let verdict = verdict(&NAMES, &[timeout(1)], Some(&ended), &turns(), &[]);
        assert_eq!(verdict.scores, Some(vec![1.0, 0.0, 0.5]));
        assert_eq!(verdict.termination, Termination::Timeout);
        assert_eq!(verdict.reason, "bert did not answer within 50ms");
    }

    #[test]
    fn where_the_game_cannot_go_on_those_that_have_not_failed_are_level() {
        let verdict = verdict(&NAMES, &[timeout(2)], None, &turns(), &[]);
        assert_eq!(verdict.scores, Some(vec![0.75, 0.75, 0.0]));
    }

    #[test]
    fn a_fault_of_our_own_makes_the_game_void() {
        let mut failure = timeout(0);
        failure.fault = Fault::RefereeFault("no pipes left".into());
        let failures = [timeout(1), failure];
        let verdict = verdict(&NAMES, &failures, None, &turns(), &[]);
        assert_eq!(verdict.scores, None);
        assert_eq!(verdict.termination, Termination::RefereeFault);
    }

    #[test]
    fn a_remark_on_a_player_with_a_negative_score_tells_why_its_answer_was_refused() {
        let frame = |turn, text: &str, player: &str| Frame {
            turn,
            tooltips: vec![text.into(), player.into()],
            ..Frame::default()
        };
        let frames = [
            frame(1, "well done", "1"),
            frame(3, "Invalid: FOO", "1"),
            frame(3, "wins", "0"),
        ];
        let refused = verdict(
            &NAMES,
            &[],
            Some(&ended([5.0, -1.0, 0.0])),
            &turns(),
            &frames,
        );
        assert_eq!(refused.termination, Termination::IllegalReply);
        assert_eq!(
            refused.reason,
            "bert answered `FOO`, and the referee says: Invalid: FOO"
        );
        let low = verdict(
            &NAMES,
            &[],
            Some(&ended([5.0, -1.0, 0.0])),
            &turns(),
            &frames[..1],
        );
        assert_eq!(
            low.termination,
            Termination::Scores,
            "a low score is no fault"
        );
    }
}
