//! A person at a terminal, in any game: types moves, and may ask for help.

use super::dialogue::{Dialogue, SharedDialogue};
use crate::table::{Answer, Command, Seat, TimedReply, TurnRequest};
use crownhead::board::Side;
use crownhead::explain::{Explain, Refusal};
use crownhead::game::Game;
use crownhead_bots::Player;
use std::time::Instant;

/// A person who types moves and commands.
pub struct Person<'a, G: Explain> {
    dialogue: &'a SharedDialogue<'a>,
    /// Whether the opponent is a person too, who takes back turns for themselves.
    against_person: bool,
    adviser: Box<dyn Player<G>>,
}

const HELP: &str = "  a move    such as the ones that `moves` lists, or its number there
  moves     list the moves
  hint      what a strong player would do
  undo      take back your last move
  redo      play again what was taken back
  quit      leave the game";

/// What a line means.
enum Meant<M> {
    Move(M),
    Command(Command),
    /// Nothing that ends the turn: it has been answered.
    Answered,
}

impl<'a, G: Explain> Person<'a, G> {
    /// A person at the other end of `dialogue`, who may ask `adviser` for a hint.
    pub fn new(
        dialogue: &'a SharedDialogue<'a>,
        against_person: bool,
        adviser: Box<dyn Player<G>>,
    ) -> Person<'a, G> {
        Person {
            dialogue,
            against_person,
            adviser,
        }
    }

    fn listen(&mut self, turn: &TurnRequest<'_, G>) -> Result<G::Move, Command> {
        let position = turn.game.position();
        let mover = turn.game.rules().side_name(position.side_to_move());
        loop {
            let answer = self
                .dialogue
                .borrow_mut()
                .ask(&format!("{mover}, your move (or help):"));
            let Some(line) = answer else {
                return Err(Command::Quit);
            };
            match self.understand(&line, turn) {
                Meant::Move(mv) => return Ok(mv),
                Meant::Command(command) => return Err(command),
                Meant::Answered => {}
            }
        }
    }

    fn understand(&mut self, line: &str, turn: &TurnRequest<'_, G>) -> Meant<G::Move> {
        let mut dialogue = self.dialogue.borrow_mut();
        let position = turn.game.position();
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => dialogue.say_line(HELP),
            "moves" => list_moves(turn, &mut dialogue),
            "hint" => {
                let seen = crownhead_bots::PlayerTurn {
                    position,
                    moves: turn.moves,
                    started: Instant::now(),
                };
                let hint = position.move_name(self.adviser.choose(&seen));
                dialogue.say_line(&format!("a strong player would play {hint}"));
            }
            "undo" => match turns_back(turn.game, self.against_person) {
                0 => dialogue.say_line("there is nothing to take back"),
                turns => return Meant::Command(Command::Undo { turns }),
            },
            "redo" => match turns_forth(turn.game, self.against_person) {
                0 => dialogue.say_line("there is nothing to play again"),
                turns => return Meant::Command(Command::Redo { turns }),
            },
            "quit" | "exit" => return Meant::Command(Command::Quit),
            text => {
                let numbered = text
                    .parse()
                    .ok()
                    .and_then(|number: usize| turn.moves.get(number.checked_sub(1)?));
                match numbered.copied().or_else(|| position.parse_move(text).ok()) {
                    Some(mv) => return Meant::Move(mv),
                    None => dialogue.say_line(&position.refusal(line).advice(turn.game.rules())),
                }
            }
        }
        Meant::Answered
    }
}

impl<G: Explain> Seat<G> for Person<'_, G> {
    type Answer = Answer;

    fn ask(&mut self, turn: &TurnRequest<'_, G>) -> Answer {
        let started = Instant::now();
        match self.listen(turn) {
            Ok(mv) => TimedReply::of_move(turn, mv, started.elapsed()).into(),
            Err(command) => Answer::Command(command),
        }
    }

    fn refused(&mut self, reason: &str) {
        self.dialogue.borrow_mut().say_line(reason);
    }
}

impl<G: Explain> std::fmt::Debug for Person<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Person").finish_non_exhaustive()
    }
}

fn list_moves<G: Explain>(turn: &TurnRequest<'_, G>, dialogue: &mut Dialogue<'_>) {
    let position = turn.game.position();
    for (number, &mv) in (1..).zip(turn.moves) {
        dialogue.say_line(&format!("{number:>3}: {}", position.move_name(mv)));
    }
}

/// How many turns lead back to the last one of the side to move: one against a person, and against a bot as
/// many as it has played since.
pub fn turns_back<G: Explain>(game: &Game<G>, against_person: bool) -> usize {
    let side = game.position().side_to_move();
    let movers = game.positions().rev().skip(1).map(G::side_to_move);
    turns_to(side, movers, against_person)
}

/// How many turns that were taken back lead to the next one of the side to move.
pub fn turns_forth<G: Explain>(game: &Game<G>, against_person: bool) -> usize {
    let side = game.position().side_to_move();
    let mut later = game.clone();
    let movers = std::iter::from_fn(|| later.redo().then(|| later.position().side_to_move()));
    turns_to(side, movers, against_person)
}

fn turns_to(side: Side, movers: impl Iterator<Item = Side>, any: bool) -> usize {
    let mut turns = 0;
    for mover in movers {
        turns += 1;
        if any || mover == side {
            return turns;
        }
    }
    // Only the bot's turns are there: it would play them again.
    0
}
