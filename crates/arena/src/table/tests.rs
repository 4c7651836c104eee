//! What the table makes of replies, faults and commands.

#![cfg(test)]

use super::{
    Answer, ExitKind, Fault, Policy, Seat, TableCommand, TimedReply, TurnRequest, Verdict, play,
};
use crownhead::games::checkers::{Checkers, rules};
use crownhead::rules::{LengthRules, RuleBook};
use crownhead::{Notation, Position};
use crownhead_bots::{Board, CHECKERS};
use crownhead_record::Termination;
use crownhead_record::judge::TimeLimits;
use std::collections::VecDeque;
use std::time::Duration;

/// Gives prepared answers, one each time it is asked: a stand-in for a bot or a person.
#[derive(Clone, Debug, Default)]
struct Scripted {
    answers: VecDeque<Answer>,
}

fn at_once(reply: Result<Vec<u8>, Fault>) -> Answer {
    let time = Duration::ZERO;
    Answer::Reply(TimedReply { reply, time })
}

impl Scripted {
    /// A seat that gives these replies, each at once.
    fn new<'a>(replies: impl IntoIterator<Item = &'a str>) -> Scripted {
        let answer = |reply: &str| at_once(Ok(reply.into()));
        Scripted {
            answers: replies.into_iter().map(answer).collect(),
        }
    }

    /// The same seat, which then gives this command.
    fn then_commands(mut self, command: TableCommand) -> Scripted {
        self.answers.push_back(Answer::Command(command));
        self
    }

    /// The same seat, which then fails so.
    fn then_fails(mut self, fault: Fault) -> Scripted {
        self.answers.push_back(at_once(Err(fault)));
        self
    }
}

impl Seat for Scripted {
    fn ask(&mut self, _turn: &TurnRequest<'_>) -> Answer {
        let next = self.answers.pop_front();
        next.expect("the script is long enough")
    }
}

fn board(fen: &str) -> Box<dyn Board> {
    let position = Checkers::from_fen(fen).unwrap();
    let rows: Vec<String> = position.rows().lines().map(String::from).collect();
    let mover = position.side_to_move().index();
    CHECKERS.set_up(&rows, mover, rules::CONTEST).unwrap()
}

fn game(fen: &str, mut black: Scripted, mut white: Scripted) -> Verdict {
    play(
        board(fen).as_mut(),
        &mut [&mut black, &mut white],
        &mut Policy::strict(TimeLimits::default()),
        &mut (),
    )
}

/// Black's man on A1 meets red's on B2, with nothing behind it.
const ONE_CAPTURE: &str = "B:W8:B4";

#[test]
fn a_side_without_moves_loses() {
    let verdict = game(ONE_CAPTURE, Scripted::new(["A1C3"]), Scripted::default());
    assert_eq!(verdict.scores, Some(vec![1.0, 0.0]));
    assert_eq!(verdict.termination, Termination::NoMoves);
    assert_eq!(verdict.reason, "red has no pieces left and loses");
}

#[test]
fn an_illegal_reply_loses_with_the_reason_in_words() {
    let verdict = game(
        "W:W20,18:B16,14,15",
        Scripted::default(),
        Scripted::new(["C5B4"]),
    );
    assert_eq!(verdict.scores, Some(vec![1.0, 0.0]));
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
    for reply in ["", "   ", "A1\u{0}C3", "A1C3\0", "\u{1b}[A"] {
        let verdict = game(ONE_CAPTURE, Scripted::new([reply]), Scripted::default());
        assert_eq!(
            verdict.termination,
            Termination::UnreadableReply,
            "{reply:?}"
        );
        assert_eq!(verdict.scores, Some(vec![0.0, 1.0]));
    }
}

#[test]
fn each_fault_is_a_loss_with_its_own_termination() {
    let limit = Duration::from_millis(100);
    let faults = [
        (
            Fault::Timeout {
                limit,
                input_closed: false,
            },
            Termination::Timeout,
            "black did not answer within 100 ms",
        ),
        (
            Fault::Late {
                limit,
                after: Duration::from_micros(104_300),
                strike: None,
            },
            Termination::Timeout,
            "black answered after 104.3 ms; its limit was 100 ms",
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
        assert_eq!(verdict.scores, Some(vec![0.0, 1.0]));
        assert_eq!(verdict.termination, termination);
        assert_eq!(verdict.reason, reason);
    }
}

#[test]
fn a_fault_of_the_referee_has_no_winner() {
    let broken = Scripted::default().then_fails(Fault::RefereeFault("no pipes left".into()));
    let verdict = game(ONE_CAPTURE, broken, Scripted::default());
    assert_eq!(verdict.scores, None);
    assert_eq!(verdict.termination, Termination::RefereeFault);
}

#[test]
fn the_turn_limit_draws() {
    let short = RuleBook {
        length: LengthRules {
            max_turns: Some(2),
            ..LengthRules::UNLIMITED
        },
        ..rules::CONTEST
    };
    let mut board = CHECKERS.start(short);
    let (mut black, mut white) = (Scripted::new(["A3B4"]), Scripted::new(["B6A5"]));
    let verdict = play(
        board.as_mut(),
        &mut [&mut black, &mut white],
        &mut Policy::strict(TimeLimits::default()),
        &mut (),
    );
    assert_eq!(verdict.scores, Some(vec![0.5; 2]));
    assert_eq!(verdict.termination, Termination::TurnLimit);
    assert_eq!(verdict.reason, "2 turns were played: a draw");
}

#[test]
fn each_side_has_a_limit_of_its_own_for_its_first_turn() {
    struct Timed(Scripted, Vec<Duration>);
    impl Seat for Timed {
        fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
            self.1.push(turn.limit);
            self.0.ask(turn)
        }
    }
    let [first_turn, turn] = [10, 1].map(Duration::from_secs);
    let mut black = Timed(Scripted::new(["A3B4", "nothing"]), Vec::new());
    let mut white = Timed(Scripted::new(["B6A5"]), Vec::new());
    let mut policy = Policy::strict(TimeLimits { first_turn, turn });
    let mut board = CHECKERS.start(rules::CONTEST);
    play(
        board.as_mut(),
        &mut [&mut black, &mut white],
        &mut policy,
        &mut (),
    );
    assert_eq!(black.1, [first_turn, turn]);
    assert_eq!(white.1, [first_turn]);
}

#[test]
fn a_persons_illegal_move_is_explained_and_asked_for_again() {
    struct Listening(Scripted, Vec<String>);
    impl Seat for Listening {
        fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
            self.0.ask(turn)
        }
        fn refused(&mut self, reason: &str) {
            self.1.push(reason.into());
        }
    }
    let mut black = Listening(Scripted::new(["B2C3", "A1C3"]), Vec::new());
    let mut board = board(ONE_CAPTURE);
    let mut policy = Policy {
        asked_again: vec![true; 2],
        ..Policy::strict(TimeLimits::default())
    };
    let mut white = Scripted::default();
    let verdict = play(
        board.as_mut(),
        &mut [&mut black, &mut white],
        &mut policy,
        &mut (),
    );
    assert_eq!(verdict.termination, Termination::NoMoves);
    assert_eq!(
        black.1,
        ["black answered `B2C3` but the piece on B2 is red's"]
    );
}

#[test]
fn a_game_in_which_only_kings_go_to_and_fro_is_adjudicated_a_draw_if_asked() {
    let verdict = |adjudicate, replies: [&[&str]; 2]| {
        let [mut black, mut white] = replies.map(|replies| Scripted::new(replies.iter().copied()));
        // Black: a king on A1, a man on H2; red: kings on H8 and B8.
        let mut board = board("B:WK29,K32:BK4,5");
        let mut policy = Policy {
            adjudicate: Some(adjudicate),
            ..Policy::strict(TimeLimits::default())
        };
        let verdict = play(
            board.as_mut(),
            &mut [&mut black, &mut white],
            &mut policy,
            &mut (),
        );
        (verdict, board.turn() - 1)
    };
    let (drawn, turns) = verdict(4, [&["A1B2", "B2A1"], &["H8G7", "G7H8"]]);
    assert_eq!(drawn.scores, Some(vec![0.5; 2]));
    assert_eq!(drawn.termination, Termination::Adjudicated);
    assert_eq!(drawn.reason, "4 turns without progress: adjudicated a draw");
    assert_eq!(turns, 4);

    // A man's move begins the count anew.
    let replies: [&[&str]; 2] = [&["A1B2", "H2G3", "B2A1"], &["H8G7", "G7H8", "H8G7"]];
    assert_eq!(verdict(3, replies).1, 6);
}

#[test]
fn turns_are_taken_back_and_played_again_before_a_turn_and_in_it() {
    const NEXT: Option<TableCommand> = None;
    const UNDO: Option<TableCommand> = Some(TableCommand::Undo { turns: 1 });
    const REDO: Option<TableCommand> = Some(TableCommand::Redo { turns: 1 });
    const QUIT: Option<TableCommand> = Some(TableCommand::Quit);
    // Before each turn; the seats undo and redo in the turns that are played.
    let mut before = [NEXT, NEXT, UNDO, UNDO, UNDO, REDO, REDO, NEXT, NEXT, QUIT].into_iter();
    let mut ask = || before.next().unwrap();
    let mut policy = Policy {
        before_turn: Some(&mut ask),
        ..Policy::strict(TimeLimits::default())
    };
    let mut black = Scripted::new(["A3B4"]).then_commands(TableCommand::Undo { turns: 1 });
    let mut white = Scripted::new(["B6A5"]).then_commands(TableCommand::Redo { turns: 1 });
    let mut board = CHECKERS.start(rules::CONTEST);
    let verdict = play(
        board.as_mut(),
        &mut [&mut black, &mut white],
        &mut policy,
        &mut (),
    );
    assert_eq!(verdict.termination, Termination::Abandoned);
    assert_eq!(verdict.scores, None);
    assert_eq!(
        board.turn(),
        3,
        "two turns undone and redone, one more back and forth"
    );
}
