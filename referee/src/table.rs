//! The loop that every game is played by: show the turn, ask the seat, judge the reply, play it, tell the
//! watchers.

use crate::judge::{self, TimeLimits, Verdict};
use crate::seat::{Answer, Seat, Turn};
use crownhead::board::Side;
use crownhead::history::History;
use crownhead::notation::Notation;

/// Someone who looks on: shows the game, or records it.
pub trait Watcher<G: Notation> {
    /// `side` has answered a turn; the answer is not judged yet.
    fn answered(&mut self, _side: Side, _answer: &Answer) {}

    /// A move has been played; `history` shows the game with it.
    fn played(&mut self, _history: &History<G>) {}
}

/// Nobody looks on.
impl<G: Notation> Watcher<G> for () {}

/// Plays `history` on to its end and says how it came out.
///
/// `seats` are black's and white's ([`Side::index`]). A reply that is not a legal move loses the game, and
/// so does a fault, unless it is the referee's.
pub fn play<G: Notation>(
    history: &mut History<G>,
    seats: [&mut dyn Seat<G>; 2],
    limits: &TimeLimits,
    watcher: &mut dyn Watcher<G>,
) -> Verdict {
    let mut asked = [false; 2];
    loop {
        if let Some(verdict) = judge::by_rules(history) {
            return verdict;
        }
        let side = history.position().side_to_move();
        let moves = history.position().legal_moves();
        let first_turn = !std::mem::replace(&mut asked[side.index()], true);
        let limit = if first_turn {
            limits.first_turn
        } else {
            limits.turn
        };
        let answer = seats[side.index()].ask(&Turn {
            history,
            moves: &moves,
            limit,
        });
        watcher.answered(side, &answer);
        let reply = match &answer.reply {
            Ok(reply) => reply,
            Err(fault) => return judge::fault(fault, history),
        };
        match judge::strictly(reply, &moves, history) {
            Ok(mv) => history.play(mv).expect("a listed move is legal"),
            Err(verdict) => return verdict,
        }
        watcher.played(history);
    }
}

#[cfg(test)]
mod tests {
    use super::play;
    use crate::judge::{Termination, TimeLimits, Verdict};
    use crate::seat::{ExitKind, Fault, Scripted};
    use crownhead::board::Side;
    use crownhead::game::Outcome;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::history::History;
    use crownhead::rules::{LengthRules, RuleBook};
    use std::time::Duration;

    fn game(fen: &str, mut black: Scripted, mut white: Scripted) -> Verdict {
        let position = Checkers::from_fen(fen).unwrap();
        let mut history = History::from_position(position, rules::CONTEST);
        play(
            &mut history,
            [&mut black, &mut white],
            &TimeLimits::default(),
            &mut (),
        )
    }

    /// Black's man on A1 meets red's on B2, with nothing behind it.
    const ONE_CAPTURE: &str = "B:W8:B4";

    #[test]
    fn a_side_without_moves_loses() {
        let verdict = game(ONE_CAPTURE, Scripted::new(["A1C3"]), Scripted::default());
        assert_eq!(verdict.result, Some(Outcome::Win(Side::Black)));
        assert_eq!(verdict.termination, Termination::NoMoves);
        assert_eq!(verdict.reason, "red has no legal move and loses");
    }

    #[test]
    fn an_illegal_reply_loses_with_the_reason_in_words() {
        let verdict = game(
            "W:W20,18:B16,14,15",
            Scripted::default(),
            Scripted::new(["C5B4"]),
        );
        assert_eq!(verdict.result, Some(Outcome::Win(Side::Black)));
        assert_eq!(verdict.termination, Termination::IllegalReply);
        assert!(
            verdict.reason.starts_with("red answered `C5B4` but "),
            "{}",
            verdict.reason
        );
    }

    #[test]
    fn a_reply_in_the_wrong_case_is_told_how_to_be_written() {
        let verdict = game(ONE_CAPTURE, Scripted::new(["a1c3"]), Scripted::default());
        assert_eq!(verdict.termination, Termination::IllegalReply);
        assert_eq!(
            verdict.reason,
            "black answered `a1c3` but a reply must equal a listed move exactly: `A1C3`"
        );
    }

    #[test]
    fn white_space_at_the_end_of_a_reply_is_ignored() {
        let verdict = game(ONE_CAPTURE, Scripted::new(["A1C3 \r"]), Scripted::default());
        assert_eq!(verdict.termination, Termination::NoMoves);
    }

    #[test]
    fn an_empty_or_unreadable_reply_loses_as_unreadable() {
        for reply in ["", "  ", "A1\u{0}C3", "\u{1b}[A"] {
            let verdict = game(ONE_CAPTURE, Scripted::new([reply]), Scripted::default());
            assert_eq!(
                verdict.termination,
                Termination::UnreadableReply,
                "{reply:?}"
            );
            assert_eq!(verdict.result, Some(Outcome::Win(Side::White)));
        }
    }

    #[test]
    fn each_fault_is_a_loss_with_its_own_termination() {
        let limit = Duration::from_millis(100);
        let faults = [
            (
                Fault::Timeout { limit },
                Termination::Timeout,
                "black did not answer within 100ms",
            ),
            (
                Fault::Late {
                    limit,
                    after: Duration::from_micros(104_300),
                },
                Termination::Timeout,
                "black answered after 104.3 ms; its limit was 100ms",
            ),
            (
                Fault::Ended(ExitKind::Code(3)),
                Termination::Crash,
                "black's bot ended with exit status 3 instead of answering",
            ),
            (
                Fault::Ended(ExitKind::Signal(11)),
                Termination::Crash,
                "black's bot was killed by signal 11 (SIGSEGV, a segmentation fault)",
            ),
            (
                Fault::Ended(ExitKind::Code(0)),
                Termination::Exit,
                "black's bot ended with exit status 0 instead of answering",
            ),
            (
                Fault::ClosedOutput,
                Termination::ClosedOutput,
                "black's bot closed its output and runs on",
            ),
        ];
        for (fault, termination, reason) in faults {
            let verdict = game(
                ONE_CAPTURE,
                Scripted::default().then_fails(fault),
                Scripted::default(),
            );
            assert_eq!(verdict.result, Some(Outcome::Win(Side::White)));
            assert_eq!(verdict.termination, termination);
            assert_eq!(verdict.reason, reason);
        }
    }

    #[test]
    fn a_fault_of_the_referee_has_no_winner() {
        let broken = Scripted::default().then_fails(Fault::Referee("no pipes left".into()));
        let verdict = game(ONE_CAPTURE, broken, Scripted::default());
        assert_eq!(verdict.result, None);
        assert_eq!(verdict.termination, Termination::RefereeFault);
    }

    #[test]
    fn the_turn_limit_draws() {
        let short = RuleBook {
            length: LengthRules {
                max_turns: Some(2),
                max_turns_without_capture: None,
            },
            ..rules::CONTEST
        };
        let mut history = History::<Checkers>::new(short);
        let (mut black, mut white) = (Scripted::new(["A3B4"]), Scripted::new(["B6A5"]));
        let seats: [&mut dyn crate::seat::Seat<Checkers>; 2] = [&mut black, &mut white];
        let verdict = play(&mut history, seats, &TimeLimits::default(), &mut ());
        assert_eq!(verdict.result, Some(Outcome::Draw));
        assert_eq!(verdict.termination, Termination::TurnLimit);
        assert_eq!(verdict.reason, "2 turns were played: a draw");
    }
}
