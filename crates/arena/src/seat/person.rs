//! A person at a terminal, in any game: types moves, and may ask for help.

use super::dialogue::SharedDialogue;
use crate::table::{Answer, Seat, TableCommand, TimedReply, TurnRequest};
use crownhead_bots::{Board, BoardPlayer};
use std::time::Instant;

/// A person who types moves and commands.
pub struct Person<'a> {
    /// At whose other end the person is.
    pub dialogue: &'a SharedDialogue<'a>,
    /// Whether the opponent is a person too, who takes back turns for themselves.
    pub against_person: bool,
    /// Gives hints.
    pub adviser: Box<dyn BoardPlayer>,
}

const HELP: &str = "  a move    such as the ones that `moves` lists, or its number there
  moves     list the moves
  hint      what a strong player would do
  undo      take back your last move
  redo      play again what was taken back
  quit, q   leave the game";

impl Person<'_> {
    fn choose(&mut self, turn: &TurnRequest<'_>) -> Result<String, TableCommand> {
        let question = format!("{}, your move (or help):", turn.board.mover_name());
        loop {
            let answer = self.dialogue.borrow_mut().ask(&question);
            let line = answer.ok_or(TableCommand::Quit)?;
            if let Some(name) = self.understand(&line, turn)? {
                return Ok(name);
            }
        }
    }

    /// The move that a line means; `None` if it was a command, and the turn continues.
    fn understand(
        &mut self,
        line: &str,
        turn: &TurnRequest<'_>,
    ) -> Result<Option<String>, TableCommand> {
        let mut dialogue = self.dialogue.borrow_mut();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => dialogue.say_line(HELP),
            "moves" => {
                for (number, name) in (1..).zip(turn.moves) {
                    dialogue.say_line(&format!("{number:>3}: {name}"));
                }
            }
            "hint" => {
                let hint = self.adviser.choose(turn.board, Instant::now());
                dialogue.say_line(&format!("a strong player would play {hint}"));
            }
            "undo" => match turns_back(turn.board, self.against_person) {
                0 => dialogue.say_line("there is nothing to take back"),
                turns => return Err(TableCommand::Undo { turns }),
            },
            "redo" => match turns_forth(turn.board, self.against_person) {
                0 => dialogue.say_line("there is nothing to play again"),
                turns => return Err(TableCommand::Redo { turns }),
            },
            "quit" | "exit" => return Err(TableCommand::Quit),
            // In some game it may be a move.
            "q" if turn.board.find_move("q").is_none() => return Err(TableCommand::Quit),
            text => {
                let number = text
                    .parse()
                    .ok()
                    .and_then(|number: usize| number.checked_sub(1));
                let numbered = number.and_then(|place| turn.moves.get(place)).cloned();
                let named = numbered.or_else(|| turn.board.find_move(text));
                if named.is_none() {
                    dialogue.say_line(&turn.board.refusal(line).advice);
                }
                return Ok(named);
            }
        }
        Ok(None)
    }
}

impl Seat for Person<'_> {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        match self.choose(turn) {
            Ok(name) => TimedReply::of_move(name, started.elapsed()).into(),
            Err(command) => Answer::Command(command),
        }
    }

    fn refused(&mut self, reason: &str) {
        self.dialogue.borrow_mut().say_line(reason);
    }
}

/// How many turns lead back to the last one of the player on move: one against a person, and against a bot as
/// many as it has played since.
pub fn turns_back(board: &dyn Board, against_person: bool) -> usize {
    turns_to(board, |board| board.undo(), against_person)
}

/// How many turns that were taken back lead to the next one of the player on move.
pub fn turns_forth(board: &dyn Board, against_person: bool) -> usize {
    turns_to(board, |board| board.redo(), against_person)
}

fn turns_to(board: &dyn Board, step: fn(&mut dyn Board) -> bool, any: bool) -> usize {
    let mut other = board.duplicate();
    let mut movers = std::iter::from_fn(|| step(other.as_mut()).then(|| other.mover()));
    let found = movers.position(|mover| any || mover == board.mover());
    // Where only the bot's turns are there, it would play them again.
    found.map_or(0, |place| place + 1)
}
