//! A person in the classroom's checkers dialogue: a piece first, then one of its moves from a menu.
//!
//! The words are those of the course's assignment, byte for byte; the sentences for input that is neither
//! a square nor an index are ours: the assignment leaves them open.

use super::dialogue::{Dialogue, SharedDialogue};
use crate::table::{Answer, Seat, TableCommand, TimedReply, TurnRequest};
use crownhead::board::Square;
use crownhead::games::checkers::{Checkers, CheckersMove};
use crownhead::position::Position;
use crownhead_bots::PositionBoard;
use std::time::Instant;

/// A person who picks moves from menus.
pub struct Classroom<'a> {
    /// At whose other end the person is.
    pub dialogue: &'a SharedDialogue<'a>,
    /// Whether the person is at a terminal, where `help` and `quit` are understood. A transcript on a pipe is the
    /// assignment's alone.
    pub at_terminal: bool,
}

/// What `help` says at a terminal.
const HELP: &str = "  a square  such as d6: the piece to move
  an index  the number before a move in the menu
  quit      leave the game";

impl Classroom<'_> {
    fn choose(&self, turn: &TurnRequest<'_>) -> Option<CheckersMove> {
        let mut dialogue = self.dialogue.borrow_mut();
        let menu = loop {
            let answer = dialogue.ask("Select a piece to move")?;
            if self.at_terminal && is_command(&answer, &mut dialogue)? {
                continue;
            }
            match moves_of_piece(&answer, turn) {
                Ok(menu) => break menu,
                Err(sentence) => dialogue.say_line(&sentence),
            }
        };
        for (index, &mv) in menu.iter().enumerate() {
            dialogue.say_line(&format!("{index}: {}", menu_line(mv)));
        }
        loop {
            let answer = dialogue.ask("Select a move by entering the corresponding index")?;
            if self.at_terminal && is_command(&answer, &mut dialogue)? {
                continue;
            }
            match answer.parse().ok().and_then(|index: usize| menu.get(index)) {
                Some(&mv) => return Some(mv),
                None => dialogue.say_line(&format!(
                    "That is not one of the indexes; enter a number from 0 to {}",
                    menu.len() - 1
                )),
            }
        }
    }
}

impl Seat for Classroom<'_> {
    fn ask(&mut self, turn: &TurnRequest<'_>) -> Answer {
        let started = Instant::now();
        match self.choose(turn) {
            Some(mv) => TimedReply::of_move(mv.to_string(), started.elapsed()).into(),
            None => Answer::Command(TableCommand::Quit),
        }
    }
}

/// Whether an answer was a command, which is carried out; `None` if the person leaves.
fn is_command(answer: &str, dialogue: &mut Dialogue<'_>) -> Option<bool> {
    match answer.to_ascii_lowercase().as_str() {
        "quit" | "exit" => None,
        "help" | "?" => {
            dialogue.say_line(HELP);
            Some(true)
        }
        _ => Some(false),
    }
}

/// The moves of the piece that a person named, in the menu's order, or why it cannot be moved.
fn moves_of_piece(answer: &str, turn: &TurnRequest<'_>) -> Result<Vec<CheckersMove>, String> {
    let position = PositionBoard::<Checkers>::of(turn.board).game().position();
    let square: Square = answer
        .parse()
        .map_err(|_| "That is not a square; enter a letter and a digit such as d6".to_string())?;
    let piece = position
        .piece_at(square)
        .ok_or("No piece at that location")?;
    if piece.side != position.side_to_move() {
        return Err("That is not your piece".into());
    }
    let starts_here = |mv: &CheckersMove| mv.squares().next() == Some(square);
    let legal = position.legal_moves().into_iter();
    let mut moves: Vec<CheckersMove> = legal.filter(starts_here).collect();
    if moves.is_empty() {
        return Err("That piece cannot move".into());
    }
    moves.sort_by_cached_key(|&mv| directions(mv));
    Ok(moves)
}

/// The way a move goes, for sorting: up before down and left before right *as the screen shows it*, with
/// row 1 on top; a longer jump is compared step by step.
fn directions(mv: CheckersMove) -> Vec<(bool, bool)> {
    let squares: Vec<Square> = mv.squares().collect();
    let step = |pair: &[Square]| {
        let down = pair[1].row() > pair[0].row();
        let right = pair[1].column() > pair[0].column();
        (down, right)
    };
    squares.windows(2).map(step).collect()
}

fn menu_line(mv: CheckersMove) -> String {
    let name = |square: Square| square.to_string().to_lowercase();
    let from = mv.squares().next().map(name).unwrap_or_default();
    let to = mv.squares().last().map(name).unwrap_or_default();
    if !mv.is_jump() {
        return format!("basic move: {from}->{to}");
    }
    let captured: Vec<String> = mv.captured_squares().map(name).collect();
    let captured = captured.join(", ");
    format!("jump move: {from}->{to}, capturing [{captured}]")
}
