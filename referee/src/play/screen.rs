//! What people at the table see.

use crate::draw::{self, Drawing};
use crownhead_arena::seat::SharedDialogue;
use crownhead_arena::table::Observer;
use crownhead_bots::Board;

/// The classroom's board and `Turn:` line before every turn.
pub(super) struct ClassroomScreen<'a> {
    pub(super) dialogue: &'a SharedDialogue<'a>,
    pub(super) ascii: bool,
}

impl Observer for ClassroomScreen<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let mut dialogue = self.dialogue.borrow_mut();
        dialogue.say(&draw::classroom(board, self.ascii));
        dialogue.say_line(&format!("Turn: {}, {}", board.turn(), board.mover_name()));
    }
}

/// The board of any game before every move, with the last move marked and the last turn below. It is drawn over the last
/// board, or below it.
pub(super) struct Screen<'a> {
    pub(super) dialogue: &'a SharedDialogue<'a>,
    pub(super) drawing: Drawing,
    pub(super) in_place: bool,
    /// What a newcomer can type, until it has been shown above the first board.
    pub(super) welcome: Option<String>,
}

/// Moves the cursor home and clears everything below it (ECMA-48: CUP, ED).
const CLEAR: &str = "\u{1b}[H\u{1b}[J";

impl Observer for Screen<'_> {
    fn turn_begins(&mut self, board: &dyn Board) {
        let mut dialogue = self.dialogue.borrow_mut();
        if self.in_place {
            dialogue.say(CLEAR);
        }
        if let Some(welcome) = self.welcome.take() {
            dialogue.say_line(&welcome);
        }
        dialogue.say(&draw::board(board, &board.last_move(), self.drawing));
        let (player, moves) = last_turn(board);
        let goes_on = !moves.is_empty() && player == board.mover();
        let turn = board.whole_turn();
        if !moves.is_empty() {
            let number = turn - u32::from(!goes_on);
            let mover = board.player_names()[player];
            dialogue.say_line(&format!(
                "Turn {number}: {mover} played {}",
                moves.join(" ")
            ));
        }
        if board.result().is_some() {
            return; // The verdict comes next.
        }
        let (mover, again) = (board.mover_name(), if goes_on { " again" } else { "" });
        dialogue.say_line(&format!("Turn {turn}, {mover} to move{again}"));
        if let Some(note) = board.note() {
            dialogue.say_line(&note);
        }
    }
}

/// The player who moved last, and all moves of that player since another one moved.
fn last_turn(board: &dyn Board) -> (usize, Vec<String>) {
    let mut moves = board.moves();
    let mover = |number: usize| board.before(number as u32).mover();
    let player = mover(moves.len());
    let own = (1..=moves.len())
        .rev()
        .take_while(|&number| mover(number) == player);
    let own = own.count();
    (player, moves.split_off(moves.len() - own))
}
