//! A person at a terminal, in any game: types moves, and may ask for help.

use super::dialogue::{Dialogue, SharedDialogue};
use crate::table::{Answer, Command, Seat, TimedReply, TurnRequest};
use crownhead_board::Board;
use crownhead_bots::players::BoardPlayer;
use std::time::Instant;

/// A person who types moves and commands.
pub struct Person<'a> {
    dialogue: &'a SharedDialogue<'a>,
    /// Whether the opponent is a person too, who takes back turns for themselves.
    against_person: bool,
    adviser: Box<dyn BoardPlayer>,
}

const HELP: &str = "  a move    such as the ones that `moves` lists, or its number there
  moves     list the moves
  hint      what a strong player would do
  undo      take back your last move
  redo      play again what was taken back
  quit      leave the game";

/// What a line means.
enum Meant {
    Move(String),
    Command(Command),
    /// Nothing that ends the turn: it has been answered.
    Answered,
}

impl<'a> Person<'a> {
    /// A person at the other end of `dialogue`, who may ask `adviser` for a hint.
    pub fn new(
        dialogue: &'a SharedDialogue<'a>,
        against_person: bool,
        adviser: Box<dyn BoardPlayer>,
    ) -> Person<'a> {
        Person {
            dialogue,
            against_person,
            adviser,
        }
    }

    fn listen(&mut self, turn: &TurnRequest<'_>) -> Result<String, Command> {
        let mover = turn.board.mover_name();
        loop {
            let answer = self
                .dialogue
                .borrow_mut()
                .ask(&format!("{mover}, your move (or help):"));
            let Some(line) = answer else {
                return Err(Command::Quit);
            };
            match self.understand(&line, turn) {
                Meant::Move(name) => return Ok(name),
                Meant::Command(command) => return Err(command),
                Meant::Answered => {}
            }
        }
    }

    fn understand(&mut self, line: &str, turn: &TurnRequest<'_>) -> Meant {
        let mut dialogue = self.dialogue.borrow_mut();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => dialogue.say_line(HELP),
            "moves" => list_moves(turn, &mut dialogue),
            "hint" => {
                let hint = self.adviser.choose(turn.board, Instant::now());
                dialogue.say_line(&format!("a strong player would play {hint}"));
            }
            "undo" => match turns_back(turn.board, self.against_person) {
                0 => dialogue.say_line("there is nothing to take back"),
                turns => return Meant::Command(Command::Undo { turns }),
            },
            "redo" => match turns_forth(turn.board, self.against_person) {
                0 => dialogue.say_line("there is nothing to play again"),
                turns => return Meant::Command(Command::Redo { turns }),
            },
            "quit" | "exit" => return Meant::Command(Command::Quit),
            text => {
                let numbered = text
                    .parse()
                    .ok()
                    .and_then(|number: usize| turn.moves.get(number.checked_sub(1)?));
                match numbered.cloned().or_else(|| turn.board.find_move(text)) {
                    Some(name) => return Meant::Move(name),
                    None => dialogue.say_line(&turn.board.refusal(line).advice),
                }
            }
        }
        Meant::Answered
    }
}

impl Seat for Person<'_> {
    type Answer = Answer;

    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        match self.listen(turn) {
            Ok(name) => TimedReply::of_move(name, started.elapsed()).into(),
            Err(command) => Answer::Command(command),
        }
    }

    fn refused(&mut self, reason: &str) {
        self.dialogue.borrow_mut().say_line(reason);
    }
}

impl std::fmt::Debug for Person<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Person").finish_non_exhaustive()
    }
}

fn list_moves(turn: &TurnRequest<'_>, dialogue: &mut Dialogue<'_>) {
    for (number, name) in (1..).zip(turn.moves) {
        dialogue.say_line(&format!("{number:>3}: {name}"));
    }
}

/// How many turns lead back to the last one of the player on move: one against a person, and against a bot as
/// many as it has played since.
pub fn turns_back(board: &dyn Board, against_person: bool) -> usize {
    let mut earlier = board.duplicate();
    let movers = std::iter::from_fn(|| earlier.undo().then(|| earlier.mover()));
    turns_to(board.mover(), movers, against_person)
}

/// How many turns that were taken back lead to the next one of the player on move.
pub fn turns_forth(board: &dyn Board, against_person: bool) -> usize {
    let mut later = board.duplicate();
    let movers = std::iter::from_fn(|| later.redo().then(|| later.mover()));
    turns_to(board.mover(), movers, against_person)
}

fn turns_to(player: usize, movers: impl Iterator<Item = usize>, any: bool) -> usize {
    let mut turns = 0;
    for mover in movers {
        turns += 1;
        if any || mover == player {
            return turns;
        }
    }
    // Only the bot's turns are there: it would play them again.
    0
}
