//! What people at the table see.

use crate::draw::{self, Drawing};
use crownhead::board::Side;
use crownhead::explain::Explain;
use crownhead::game::Game;
use crownhead::games::checkers::Checkers;
use crownhead::position::Position;
use crownhead_arena::seat::SharedDialogue;
use crownhead_arena::table::Observer;

/// The classroom's board and `Turn:` line before every turn.
pub(super) struct ClassroomScreen<'a> {
    dialogue: &'a SharedDialogue<'a>,
    ascii: bool,
}

impl<'a> ClassroomScreen<'a> {
    pub(super) fn new(dialogue: &'a SharedDialogue<'a>, ascii: bool) -> ClassroomScreen<'a> {
        ClassroomScreen { dialogue, ascii }
    }
}

impl Observer<Checkers> for ClassroomScreen<'_> {
    fn turn_begins(&mut self, game: &Game<Checkers>) {
        let mover = game.rules().side_name(game.position().side_to_move());
        let mut dialogue = self.dialogue.borrow_mut();
        dialogue.say(&draw::classroom(game.position(), self.ascii));
        dialogue.say_line(&format!("Turn: {}, {mover}", game.turn()));
    }
}

/// The board of any game before every move, with the last one marked and what happened of late beside it: in
/// place of the last board, or below it.
pub(super) struct Screen<'a> {
    dialogue: &'a SharedDialogue<'a>,
    drawing: Drawing,
    in_place: bool,
}

/// Puts the cursor home and clears what is below it (ECMA-48: CUP, ED).
const CLEAR: &str = "\u{1b}[H\u{1b}[J";

impl<'a> Screen<'a> {
    pub(super) fn new(
        dialogue: &'a SharedDialogue<'a>,
        drawing: Drawing,
        in_place: bool,
    ) -> Screen<'a> {
        Screen {
            dialogue,
            drawing,
            in_place,
        }
    }
}

impl<G: Explain> Observer<G> for Screen<'_> {
    fn turn_begins(&mut self, game: &Game<G>) {
        let position = game.position();
        let rules = game.rules();
        let mut dialogue = self.dialogue.borrow_mut();
        if self.in_place {
            dialogue.say(CLEAR);
        }
        let before = game.positions().nth_back(1);
        let mut marked = Vec::new();
        if let (Some(mv), Some(before)) = (game.last_move(), before) {
            marked = before.move_squares(mv);
        }
        let board = draw::board(position, rules, &marked, self.drawing);
        dialogue.say(&draw::beside(&board, &lately(game)));
        if game.result().is_some() {
            return; // The verdict comes next.
        }
        let side = position.side_to_move();
        let again = if before.is_some_and(|before| before.side_to_move() == side) {
            " again"
        } else {
            ""
        };
        dialogue.say_line(&format!(
            "Turn {}, {} to move{again}",
            game.whole_turn(),
            rules.side_name(side)
        ));
        if let Some(note) = position.note(rules) {
            dialogue.say_line(&note);
        }
    }
}

/// What the side to move has to know of, a line or two a turn: the opponent's last whole turn, and what it has
/// played itself since.
fn lately<G: Explain>(game: &Game<G>) -> Vec<String> {
    /// What is left beside a board in 80 columns.
    const WIDEST: usize = 50;
    let mut turns: Vec<(Side, Vec<String>)> = Vec::new();
    for (before, mv) in game.positions().zip(game.moves()) {
        let (mover, name) = (before.side_to_move(), before.move_name(mv));
        match turns.last_mut() {
            Some((side, names)) if *side == mover => names.push(name),
            _ => turns.push((mover, vec![name])),
        }
    }
    let to_move = game.position().side_to_move();
    let goes_on = turns.last().is_some_and(|(side, _)| *side == to_move);
    let first = turns.len().saturating_sub(if goes_on { 2 } else { 1 });
    let mut lines = Vec::new();
    for (number, (side, names)) in (1..).zip(&turns).skip(first) {
        let mover = game.rules().side_name(*side);
        let (heading, moves) = (format!("Turn {number}: {mover} played"), names.join(" "));
        if heading.len() + 1 + moves.len() <= WIDEST {
            lines.push(format!("{heading} {moves}"));
        } else {
            lines.extend([heading, format!("  {moves}")]);
        }
    }
    lines
}
