//! The turns of a game in which people may sit: what stands of it in the end, as a record. What bots wrote, and where
//! their time went, is left to the runner's games.

use super::{Observer, TimedReply, Verdict};
use crownhead_bots::Board;
use crownhead_record::judge::TimeLimits;
use crownhead_record::{GameRecord, PlayerRecord, StartRecord, TurnRecord};

/// Writes down the turns of a game, and shows it to another observer. Turns that were taken back and not played again are
/// left out.
pub struct TurnLog<'a> {
    shown: &'a mut dyn Observer,
    /// The number of the turn under way, from 0.
    turn: usize,
    /// By the number of the turn; `None` for moves in which no player was asked.
    turns: Vec<Option<TurnRecord>>,
}

impl<'a> TurnLog<'a> {
    /// The log of a game that goes on from this board: the moves that were played on it are the opening.
    pub fn new(board: &dyn Board, shown: &'a mut dyn Observer) -> TurnLog<'a> {
        let turns = vec![None; board.moves().len()];
        TurnLog {
            shown,
            turn: turns.len(),
            turns,
        }
    }

    /// The record of the game, which has come to this verdict on this board; `None` if no player has moved.
    pub fn record(
        mut self,
        board: &dyn Board,
        players: Vec<PlayerRecord>,
        limits: TimeLimits,
        verdict: Verdict,
    ) -> Option<GameRecord> {
        let moves = board.moves();
        // The turn of a fault has no move.
        let failed = usize::from(verdict.termination.is_fault());
        self.turns.truncate(moves.len() + failed);
        let opening = self.turns.iter().take_while(|turn| turn.is_none()).count();
        let turns: Vec<TurnRecord> = self.turns.into_iter().flatten().collect();
        if turns.is_empty() {
            return None;
        }
        let (start, rules) = (board.before(0), board.rules());
        let is_usual = StartRecord::of(&*start) == StartRecord::of(&*board.game().start(*rules));
        Some(GameRecord {
            limits,
            max_turns: rules.length.max_turns,
            start: (!is_usual).then(|| StartRecord::of(&*start)),
            opening: moves[..opening].to_vec(),
            turns,
            scores: verdict.scores,
            termination: verdict.termination,
            reason: verdict.reason,
            ..GameRecord::new(board.game().name(), rules.name, players)
        })
    }
}

impl Observer for TurnLog<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        self.turn = board.moves().len();
        self.shown.turn_begins(board);
    }

    fn replied(&mut self, player: usize, reply: &TimedReply) {
        self.turns.truncate(self.turn);
        self.turns.push(Some(reply.record(player)));
        self.shown.replied(player, reply);
    }

    fn played(&mut self, board: &dyn Board) {
        self.shown.played(board);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Answer, Policy, Seat, TableCommand, TurnRequest, play};
    use super::*;
    use crownhead_bots::EVERCHESS;
    use crownhead_record::Termination;
    use std::time::Duration;

    /// Says what stands in a list, and leaves at its end.
    struct Script(std::vec::IntoIter<Answer>);

    impl Seat for Script {
        fn ask(&mut self, _: &TurnRequest<'_>) -> Answer {
            let quit = Answer::Command(TableCommand::Quit);
            self.0.next().unwrap_or(quit)
        }
    }

    fn seat(answers: &[&str]) -> Script {
        let undo = |turns| Answer::Command(TableCommand::Undo { turns });
        let redo = |turns| Answer::Command(TableCommand::Redo { turns });
        let answers = answers.iter().map(|&answer| match answer {
            "undo" => undo(1),
            "redo" => redo(1),
            name => TimedReply::of_move(name, Duration::ZERO).into(),
        });
        Script(answers.collect::<Vec<_>>().into_iter())
    }

    const LIMITS: TimeLimits = TimeLimits {
        first_turn: Duration::from_secs(2),
        turn: Duration::from_secs(1),
    };

    fn played(opening: &[&str], black: &[&str], white: &[&str]) -> Option<GameRecord> {
        let mut board = EVERCHESS.start(EVERCHESS.rule_books()[0]);
        for name in opening {
            assert!(board.play(name));
        }
        played_on(board, black, white, &mut ())
    }

    fn played_on(
        mut board: Box<dyn Board>,
        black: &[&str],
        white: &[&str],
        shown: &mut dyn Observer,
    ) -> Option<GameRecord> {
        let (mut black, mut white) = (seat(black), seat(white));
        let mut log = TurnLog::new(board.as_ref(), shown);
        let mut policy = Policy::strict(LIMITS);
        let seats: &mut [&mut dyn Seat] = &mut [&mut black, &mut white];
        let verdict = play(board.as_mut(), seats, &mut policy, &mut log);
        let players = ["black", "white"].map(|side| PlayerRecord::new(side, side, ""));
        log.record(board.as_ref(), players.to_vec(), LIMITS, verdict)
    }

    #[test]
    fn a_record_has_the_limit_on_turns_and_a_first_position_that_is_not_the_usual_one() {
        let mut rules = EVERCHESS.rule_books()[0];
        rules.length.max_turns = Some(7);
        let mut before = EVERCHESS.start(rules);
        assert!(before.play("a2a3"));
        let board = EVERCHESS.set_up(&before.rows(), before.mover(), rules);
        let record = played_on(board.unwrap(), &["b7b6"], &[], &mut ()).unwrap();
        assert_eq!(record.max_turns, Some(7));
        assert_eq!(record.start, Some(StartRecord::of(before.as_ref())));
        assert_eq!(played(&[], &[], &["a2a3"]).unwrap().start, None);
    }

    #[test]
    fn another_observer_is_shown_each_move() {
        struct Counter(usize);
        impl Observer for Counter {
            fn played(&mut self, _: &dyn Board) {
                self.0 += 1;
            }
        }
        let (board, mut counter) = (EVERCHESS.start(EVERCHESS.rule_books()[0]), Counter(0));
        played_on(board, &["b7b6"], &["a2a3"], &mut counter);
        assert_eq!(counter.0, 2);
    }

    fn replies(record: &GameRecord) -> Vec<&str> {
        let replies = record.turns.iter().filter_map(|turn| turn.reply.as_deref());
        replies.collect()
    }

    #[test]
    fn moves_taken_back_are_left_out_unless_played_again() {
        // White takes back black's move, which black plays again.
        let record = played(&[], &["b7b6", "redo"], &["a2a3", "undo"]).unwrap();
        assert_eq!(replies(&record), ["a2a3", "b7b6"]);
        // Now black takes back white's move instead, and both play other moves.
        let record = played(&[], &["b7b6", "undo", "c7c6"], &["a2a3", "undo", "c2c3"]).unwrap();
        assert_eq!(replies(&record), ["c2c3", "c7c6"]);
        assert_eq!(record.termination, Termination::Abandoned);
        let board = record.rebuild(EVERCHESS).unwrap();
        assert_eq!(board.moves(), ["c2c3", "c7c6"]);
    }

    #[test]
    fn moves_before_the_first_question_are_the_opening_as_far_as_they_are_not_taken_back() {
        let record = played(&["a2a3", "b7b6"], &[], &["c2c3"]).unwrap();
        assert_eq!(record.opening, ["a2a3", "b7b6"]);
        assert_eq!(replies(&record), ["c2c3"]);
        let record = played(&["a2a3", "b7b6"], &["c7c6"], &["undo", "d2d3"]).unwrap();
        assert_eq!(record.opening, ["a2a3"]);
        assert_eq!(replies(&record), ["c7c6", "d2d3"]);
    }

    #[test]
    fn a_game_without_a_move_is_no_record_and_a_fault_is_its_last_turn() {
        assert!(played(&["a2a3"], &[], &[]).is_none());
        let record = played(&[], &["z9"], &["a2a3"]).unwrap();
        assert_eq!(replies(&record), ["a2a3", "z9"]);
        assert_eq!(record.termination, Termination::IllegalReply);
        assert_eq!(record.limits, LIMITS);
        assert_eq!(record.scores, Some(vec![0.0, 1.0]));
        assert!(record.reason.contains("answered `z9`"), "{}", record.reason);
        assert_eq!(record.rebuild(EVERCHESS).unwrap().moves(), ["a2a3"]);
    }
}
