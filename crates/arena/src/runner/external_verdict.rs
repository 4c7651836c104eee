//! The verdict on a game that an external referee knows: its scores, with those bots last that failed.

use crate::table::{Fault, Verdict};
use crownhead_record::text::{excerpt, printable};
use crownhead_record::{FailedTurn, Frame, Termination, TurnRecord, points_with_failures};

/// A bot that has failed.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) player: usize,
    /// The place of the turn among all.
    pub(super) turn: usize,
    pub(super) fault: Fault,
}

impl Failure {
    /// As records have it.
    pub(super) fn record(&self) -> FailedTurn {
        FailedTurn {
            turn: self.turn,
            termination: self.fault.termination(),
        }
    }
}

/// An answer for people.
fn in_one_line(answer: &str) -> String {
    excerpt(&answer.replace('\n', "\\n"))
}

/// A few of the answers that were legal, as a part of a sentence; nothing of none.
fn listed(legal: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = legal
        .iter()
        .take(SHOWN)
        .map(|answer| format!("`{}`", in_one_line(answer)))
        .collect();
    match legal.len().saturating_sub(SHOWN) {
        _ if legal.is_empty() => String::new(),
        0 => format!("; legal were {}", shown.join(", ")),
        more => format!("; legal were {} and {more} more", shown.join(", ")),
    }
}

/// The verdict on a game between bots of these names, with their failures in order. Where the referee gave no scores, for
/// it could not go on after a failure, those that have not failed are level; `said` is why it ended the game, where it
/// says so.
pub(super) fn verdict(
    names: &[&str],
    failures: &[Failure],
    scores: &[f64],
    said: Option<&str>,
) -> Verdict {
    let is_void = |failure: &&Failure| failure.fault.termination() == Termination::RefereeFault;
    if let Some(void) = failures.iter().find(is_void) {
        return Verdict {
            scores: None,
            termination: Termination::RefereeFault,
            reason: void.fault.describe(names[void.player]),
        };
    }
    let mut given = scores.to_vec();
    given.resize(names.len(), 0.0);
    let failed = |player| {
        let mut failures = failures.iter();
        let own = failures.find(|failure| failure.player == player)?;
        Some(own.turn)
    };
    // What is found out about the first is added to the sentence: it comes last.
    let told = failures.iter().rev();
    let told = told.map(|failure| failure.fault.describe(names[failure.player]));
    let told: Vec<String> = told.collect();
    Verdict {
        scores: Some(points_with_failures(&given, failed)),
        termination: failures
            .first()
            .map_or(Termination::Scores, |first| first.fault.termination()),
        reason: match told.is_empty() {
            true => ending(names, scores, said),
            false => told.join("; "),
        },
    }
}

/// `anna 298, bert 155`, after what the referee says of it, if it does: `no dice are left: anna 298, bert 155`.
fn ending(names: &[&str], scores: &[f64], said: Option<&str>) -> String {
    let scores = names.iter().zip(scores);
    let scores: Vec<String> = scores
        .map(|(name, score)| format!("{name} {score}"))
        .collect();
    let scores = scores.join(", ");
    said.map_or(scores.clone(), |said| format!("{said}: {scores}"))
}

/// The players whose answers the referee refused: it says so itself (`errors`), or gives a negative score, as contests do
/// with players that they deactivate, and a remark on that player after its last turn (observed: the contests of 2023 to
/// 2026). `legal` are the answers that were legal in the last turn of each player, where the referee lists them.
pub(super) fn refusals(
    errors: &[(usize, String)],
    scores: &[f64],
    turns: &[TurnRecord],
    frames: &[Frame],
    legal: &[Vec<String>],
) -> Vec<Failure> {
    let refusal = |player: usize| {
        let turn = turns.iter().rposition(|turn| turn.player == player)?;
        let said = errors.iter().find(|(failed, _)| *failed == player);
        let remark = || {
            let is_negative = scores.get(player).is_some_and(|&score| score < 0.0);
            let after = frames
                .iter()
                .filter(|frame| is_negative && frame.turn > turn);
            let remarks = after.flat_map(|frame| &frame.tooltips);
            let mut remarks = remarks.filter_map(|remark| remark.split_once(' '));
            let own = remarks.find(|(of, _)| of.parse() == Ok(player))?;
            Some(own.1)
        };
        let why = said.map(|(_, why)| why.as_str()).or_else(remark)?;
        let reply = turns[turn].reply.as_deref();
        Some(Failure {
            player,
            turn,
            fault: Fault::Illegal {
                reply: in_one_line(reply.unwrap_or_default()),
                why: format!(
                    ", and the referee says: {}{}",
                    printable(why),
                    listed(&legal[player])
                ),
            },
        })
    };
    (0..scores.len()).filter_map(refusal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const NAMES: [&str; 3] = ["anna", "bert", "carl"];
    const NO_LIST: [Vec<String>; 3] = [const { Vec::new() }; 3];

    fn failure(player: usize, fault: Fault) -> Failure {
        Failure {
            player,
            turn: player,
            fault,
        }
    }

    fn timeout(player: usize) -> Failure {
        let limit = Duration::from_millis(50);
        failure(
            player,
            Fault::Timeout {
                limit,
                input_closed: false,
            },
        )
    }

    fn turns() -> Vec<TurnRecord> {
        let turn = |player| TurnRecord::new(player, Some("FOO".into()), Duration::ZERO);
        (0..3).map(turn).collect()
    }

    #[test]
    fn the_referees_scores_are_the_reason_and_their_order_the_points() {
        let verdict = verdict(&NAMES, &[], &[7.0, 9.5, 7.0], None);
        assert_eq!(verdict.scores, Some(vec![0.25, 1.0, 0.25]));
        assert_eq!(verdict.termination, Termination::Scores);
        assert_eq!(verdict.reason, "anna 7, bert 9.5, carl 7");
    }

    #[test]
    fn the_referees_words_about_the_end_come_before_the_scores() {
        let said = Some("all dice are rolled");
        let verdict = verdict(&NAMES, &[], &[7.0, 9.5, 7.0], said);
        let reason = "all dice are rolled: anna 7, bert 9.5, carl 7";
        assert_eq!(verdict.reason, reason);
    }

    #[test]
    fn with_a_refusal_a_few_of_the_legal_answers_are_reported() {
        let errors = [(0, "no such die".into())];
        let told = |legal: &[&str]| {
            let mut lists = NO_LIST;
            lists[0] = legal.iter().map(ToString::to_string).collect();
            let failures = refusals(&errors, &[0.0; 3], &turns(), &[], &lists);
            verdict(&NAMES, &failures, &[0.0; 3], None).reason
        };
        let refused = "anna answered `FOO`, and the referee says: no such die";
        assert_eq!(told(&[]), refused);
        assert_eq!(
            told(&["A", "B\nC"]),
            format!("{refused}; legal were `A`, `B\\nC`")
        );
        let many = told(&["1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(
            many,
            format!("{refused}; legal were `1`, `2`, `3`, `4`, `5` and 2 more")
        );
    }

    #[test]
    fn a_bot_that_failed_is_last_whatever_its_score() {
        let verdict = verdict(&NAMES, &[timeout(1)], &[7.0, 9.0, 3.0], None);
        assert_eq!(verdict.scores, Some(vec![1.0, 0.0, 0.5]));
        assert_eq!(verdict.termination, Termination::Timeout);
        assert_eq!(verdict.reason, "bert did not answer within 50 ms");
    }

    #[test]
    fn if_the_game_cannot_continue_players_that_have_not_failed_are_level() {
        let verdict = verdict(&NAMES, &[timeout(2)], &[], None);
        assert_eq!(verdict.scores, Some(vec![0.75, 0.75, 0.0]));
    }

    #[test]
    fn a_fault_of_our_own_makes_the_game_void() {
        let failures = [
            timeout(1),
            failure(0, Fault::RefereeFault("no pipes left".into())),
        ];
        let verdict = verdict(&NAMES, &failures, &[], None);
        assert_eq!(verdict.scores, None);
        assert_eq!(verdict.termination, Termination::RefereeFault);
    }

    #[test]
    fn a_remark_on_a_player_with_a_negative_score_tells_why_its_answer_was_refused() {
        let frame = |turn, remark: &str| Frame {
            turn,
            tooltips: vec![remark.into()],
            ..Frame::default()
        };
        let frames = [
            frame(1, "1 well done"),
            frame(3, "1 Invalid: FOO"),
            frame(3, "0 wins"),
        ];
        let scores = [5.0, -1.0, 0.0];
        let failures = refusals(&[], &scores, &turns(), &frames, &NO_LIST);
        let refused = verdict(&NAMES, &failures, &scores, None);
        assert_eq!(refused.termination, Termination::IllegalReply);
        assert_eq!(refused.scores, Some(vec![1.0, 0.0, 0.5]));
        assert_eq!(
            refused.reason,
            "bert answered `FOO`, and the referee says: Invalid: FOO"
        );
        let low = refusals(&[], &scores, &turns(), &frames[..1], &NO_LIST);
        assert!(low.is_empty(), "a low score is no fault");
    }

    #[test]
    fn an_error_reported_by_the_referee_is_one_at_any_score() {
        let errors = [(2, "no such move".into())];
        let failures = refusals(&errors, &[1.0, 0.0, 2.0], &turns(), &[], &NO_LIST);
        let refused = verdict(&NAMES, &failures, &[1.0, 0.0, 2.0], None);
        assert_eq!(refused.scores, Some(vec![1.0, 0.5, 0.0]));
        assert!(
            refused.reason.ends_with("no such move"),
            "{}",
            refused.reason
        );
    }
}
