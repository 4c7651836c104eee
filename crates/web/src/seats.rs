//! The seats of a table in a browser: a person, or a computer whose words the page shows.

use super::table::Table;
use crownhead_arena::seat::{Process, StderrListener, turns_back, turns_forth};
use crownhead_arena::table::{Answer, Seat, TableCommand, TimedReply, TurnRequest};
use crownhead_bots::BoardPlayer;
use crownhead_browser::Order;
use std::time::Instant;

/// A person at the page.
pub(super) struct Person<'a> {
    pub(super) table: &'a Table,
    /// Whether a person sits opposite, too.
    pub(super) against_person: bool,
}

impl Seat for Person<'_> {
    type Answer = Answer;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        loop {
            self.table.show(turn.board, turn.moves, None);
            let order = self.table.session.wait();
            self.table.say(None);
            let against_person = self.against_person;
            let command = match order {
                Order::Stop => TableCommand::Quit,
                Order::Undo => TableCommand::Undo {
                    turns: turns_back(turn.board, against_person),
                },
                Order::Redo => TableCommand::Redo {
                    turns: turns_forth(turn.board, against_person),
                },
                Order::Move(text) => {
                    if let Some(name) = turn.board.find_move(text.trim()) {
                        return TimedReply::of_move(name, started.elapsed()).into();
                    }
                    let refused = turn.board.refusal(text.trim());
                    self.table.say(Some(refused.advice));
                    continue;
                }
            };
            return Answer::Command(command);
        }
    }
}

/// A built-in bot in this process.
pub(super) struct Thinker<'a> {
    pub(super) table: &'a Table,
    pub(super) player: Box<dyn BoardPlayer>,
}

impl Seat for Thinker<'_> {
    type Answer = TimedReply;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> TimedReply {
        self.table.show(turn.board, &[], None);
        let started = Instant::now();
        let chosen = self.player.choose(turn.board, started);
        let reply = TimedReply::of_move(chosen, started.elapsed());
        let words = self.player.remark().unwrap_or_default();
        self.table.heard(words, reply.time);
        reply
    }
}

/// A bot's process.
pub(super) struct Program<'a> {
    pub(super) table: &'a Table,
    pub(super) stderr: Option<StderrListener>,
    pub(super) process: Process,
}

impl Seat for Program<'_> {
    type Answer = TimedReply;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> TimedReply {
        self.table.show(turn.board, &[], None);
        let reply = self.process.ask(turn);
        let words = self.stderr.as_ref().map(StderrListener::hear);
        let words = words.unwrap_or_default();
        self.table
            .heard(&String::from_utf8_lossy(&words), reply.time);
        reply
    }
}
