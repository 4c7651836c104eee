//! What people at the table see.

use crate::draw::{self, Drawing};
use crate::seat::SharedDialogue;
use crate::table::Observer;
use crownhead::explain::Explain;
use crownhead::game::Game;
use crownhead::games::checkers::Checkers;
use crownhead::position::Position;

/// The classroom's board and `Turn:` line before every turn.
pub(super) struct ClassroomScreen<'a> {
    dialogue: &'a SharedDialogue<'a>,
}

impl<'a> ClassroomScreen<'a> {
    pub(super) fn new(dialogue: &'a SharedDialogue<'a>) -> ClassroomScreen<'a> {
        ClassroomScreen { dialogue }
    }
}

impl Observer<Checkers> for ClassroomScreen<'_> {
    fn turn_begins(&mut self, game: &Game<Checkers>) {
        let mover = game.rules().side_name(game.position().side_to_move());
        let mut dialogue = self.dialogue.borrow_mut();
        dialogue.say(&draw::classroom(game.position()));
        dialogue.say_line(&format!("Turn: {}, {mover}", game.turn()));
    }
}

/// The board of any game before every turn, with the last move marked: in place of the last one, or below it.
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
        let mut marked = Vec::new();
        if let (Some(mv), Some(before)) = (game.last_move(), game.positions().nth_back(1)) {
            marked = before.move_squares(mv);
            let mover = rules.side_name(before.side_to_move());
            dialogue.say_line(&format!("{mover} played {}", before.move_name(mv)));
        }
        dialogue.say(&draw::board(position, rules, &marked, self.drawing));
        let mover = rules.side_name(position.side_to_move());
        dialogue.say_line(&format!("Turn {}, {mover} to move", game.turn()));
        if let Some(note) = position.note(rules) {
            dialogue.say_line(&note);
        }
    }
}
