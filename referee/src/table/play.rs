//! The loop that every game is played by: show the turn, ask the seat, judge the reply, play it, tell the
//! observers.
//!
//! Programs and people sit at the same table under different [`Policy`] values: a bot's illegal reply loses,
//! a person's is explained and asked again; and where turns may be taken back, the table asks about that
//! before each of them, a computer's too.

use super::{Answer, Command, Seated, TimedReply, Turn, Verdict, verdict};
use crate::judge::TimeLimits;
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::game::Game;
use crownhead::notation::Notation;

/// Watches a game: shows it, or records it.
pub trait Observer<G: Notation> {
    /// A turn begins, or a position is shown again after undo or redo. Comes before the end is looked for.
    fn turn_begins(&mut self, _game: &Game<G>) {}

    /// `side` has replied in its turn; the reply is not judged yet.
    fn replied(&mut self, _side: Side, _reply: &TimedReply) {}

    /// A move has been played; `game` shows the game with it.
    fn played(&mut self, _game: &Game<G>) {}
}

/// A game that is not watched.
impl<G: Notation> Observer<G> for () {}

/// How a table treats those who sit at it.
pub struct Policy<'a> {
    /// How long a player may think.
    pub limits: TimeLimits,
    /// What an illegal reply costs black and white ([`Side::index`]).
    pub illegal_reply: [IllegalReply; 2],
    /// Asked before every turn for a command; without one the turn is played. `None` where turns are not taken
    /// back.
    pub before_turn: Option<&'a mut dyn FnMut() -> Option<Command>>,
}

/// What an illegal reply costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReply {
    /// The game.
    Loses,
    /// Nothing: the reason is told and the seat asked again.
    IsAskedAgain,
}

impl Policy<'_> {
    /// For bots: an illegal reply loses, and nothing is taken back.
    pub fn strict(limits: TimeLimits) -> Policy<'static> {
        Policy {
            limits,
            illegal_reply: [IllegalReply::Loses; 2],
            before_turn: None,
        }
    }
}

/// Plays `game` on to its end and says how it came out.
///
/// `seats` are black's and white's ([`Side::index`]). A fault loses the game, unless it is the referee's; what
/// an illegal reply costs is the policy's to say.
pub fn play<G: Explain>(
    game: &mut Game<G>,
    seats: [&mut dyn Seated<G>; 2],
    policy: &mut Policy<'_>,
    observer: &mut dyn Observer<G>,
) -> Verdict {
    let mut asked = [false; 2];
    loop {
        observer.turn_begins(game);
        if let Some(verdict) = verdict::result_by_rules(game) {
            return verdict;
        }
        let wanted = policy.before_turn.as_mut().and_then(|ask| ask());
        let done = match wanted {
            Some(command) => TurnEnd::Command(command),
            None => {
                let side = game.position().side_to_move();
                let first_turn = !std::mem::replace(&mut asked[side.index()], true);
                let limit = match first_turn {
                    true => policy.limits.first_turn,
                    false => policy.limits.turn,
                };
                let illegal_reply = policy.illegal_reply[side.index()];
                turn(game, seats[side.index()], limit, illegal_reply, observer)
            }
        };
        match done {
            TurnEnd::Lost(verdict) => return verdict,
            TurnEnd::Move(mv) => {
                game.play(mv).expect("a listed move is legal");
                observer.played(game);
            }
            TurnEnd::Command(Command::Quit) => return verdict::abandoned(game),
            TurnEnd::Command(Command::Undo { turns }) => {
                _ = (0..turns).take_while(|_| game.undo()).count();
            }
            TurnEnd::Command(Command::Redo { turns }) => {
                _ = (0..turns).take_while(|_| game.redo()).count();
            }
        }
    }
}

/// How a turn ended.
enum TurnEnd<M> {
    Move(M),
    Lost(Verdict),
    Command(Command),
}

/// Asks one seat until its answer counts.
fn turn<G: Explain>(
    game: &Game<G>,
    seat: &mut dyn Seated<G>,
    limit: std::time::Duration,
    illegal_reply: IllegalReply,
    observer: &mut dyn Observer<G>,
) -> TurnEnd<G::Move> {
    let side = game.position().side_to_move();
    let moves = game.position().legal_moves();
    loop {
        let answer = seat.ask_any(&Turn {
            game,
            moves: &moves,
            limit,
        });
        let answer = match answer {
            Answer::Command(command) => return TurnEnd::Command(command),
            Answer::Reply(answer) => answer,
        };
        observer.replied(side, &answer);
        let reply = match &answer.reply {
            Err(fault) => return TurnEnd::Lost(verdict::fault(fault, game)),
            Ok(reply) => reply,
        };
        match verdict::match_reply(reply, &moves, game) {
            Ok(mv) => return TurnEnd::Move(mv),
            Err(verdict) => match illegal_reply {
                IllegalReply::Loses => return TurnEnd::Lost(verdict),
                IllegalReply::IsAskedAgain => seat.tell_refused(&verdict.reason),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IllegalReply, Policy, play};
    use crate::judge::TimeLimits;
    use crate::seat::Scripted;
    use crate::table::{
        Answer, Command, ExitKind, Fault, Seat, Seated, Termination, Turn, Verdict,
    };
    use crownhead::board::Side;
    use crownhead::game::Game;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::position::Outcome;
    use crownhead::rules::{LengthRules, RuleBook};
    use std::time::Duration;

    fn game(fen: &str, mut black: Scripted, mut white: Scripted) -> Verdict {
        let position = Checkers::from_fen(fen).unwrap();
        let mut game = Game::from_position(position, rules::CONTEST);
        play(
            &mut game,
            [&mut black, &mut white],
            &mut Policy::strict(TimeLimits::default()),
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
        assert_eq!(verdict.reason, "red has no pieces left and loses");
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
        let broken = Scripted::default().then_fails(Fault::RefereeFault("no pipes left".into()));
        let verdict = game(ONE_CAPTURE, broken, Scripted::default());
        assert_eq!(verdict.result, None);
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
        let mut game = Game::<Checkers>::new(short);
        let (mut black, mut white) = (Scripted::new(["A3B4"]), Scripted::new(["B6A5"]));
        let seats: [&mut dyn Seated<Checkers>; 2] = [&mut black, &mut white];
        let verdict = play(
            &mut game,
            seats,
            &mut Policy::strict(TimeLimits::default()),
            &mut (),
        );
        assert_eq!(verdict.result, Some(Outcome::Draw));
        assert_eq!(verdict.termination, Termination::TurnLimit);
        assert_eq!(verdict.reason, "2 turns were played: a draw");
    }

    #[test]
    fn where_people_sit_an_illegal_reply_is_explained_and_asked_again() {
        struct Listening(Scripted, Vec<String>);
        impl Seat<Checkers> for Listening {
            type Answer = Answer;
            fn ask(&mut self, turn: &Turn<'_, Checkers>) -> Answer {
                self.0.ask(turn)
            }
            fn refused(&mut self, reason: &str) {
                self.1.push(reason.into());
            }
        }
        let mut black = Listening(Scripted::new(["B2C3", "A1C3"]), Vec::new());
        let mut game =
            Game::from_position(Checkers::from_fen(ONE_CAPTURE).unwrap(), rules::CONTEST);
        let mut policy = Policy {
            illegal_reply: [IllegalReply::IsAskedAgain; 2],
            ..Policy::strict(TimeLimits::default())
        };
        let mut white = Scripted::default();
        let verdict = play(&mut game, [&mut black, &mut white], &mut policy, &mut ());
        assert_eq!(verdict.termination, Termination::NoMoves);
        assert_eq!(
            black.1,
            ["black answered `B2C3` but the piece on B2 is red's"]
        );
    }

    #[test]
    fn turns_are_taken_back_and_played_again_before_a_turn_and_in_it() {
        const NEXT: Option<Command> = None;
        const UNDO: Option<Command> = Some(Command::Undo { turns: 1 });
        const REDO: Option<Command> = Some(Command::Redo { turns: 1 });
        const QUIT: Option<Command> = Some(Command::Quit);
        // Before each turn; the seats undo and redo in the turns that are played.
        let mut before = [NEXT, NEXT, UNDO, UNDO, UNDO, REDO, REDO, NEXT, NEXT, QUIT].into_iter();
        let mut ask = || before.next().unwrap();
        let mut policy = Policy {
            before_turn: Some(&mut ask),
            ..Policy::strict(TimeLimits::default())
        };
        let mut black = Scripted::new(["A3B4"]).then_commands(Command::Undo { turns: 1 });
        let mut white = Scripted::new(["B6A5"]).then_commands(Command::Redo { turns: 1 });
        let mut game = Game::<Checkers>::new(rules::CONTEST);
        let verdict = play(&mut game, [&mut black, &mut white], &mut policy, &mut ());
        assert_eq!(verdict.termination, Termination::Abandoned);
        assert_eq!(verdict.result, None);
        assert_eq!(
            game.turn(),
            3,
            "two turns undone and redone, one more back and forth"
        );
    }
}
