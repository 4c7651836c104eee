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

/// The board of any game before every move, with the last move marked and the latest turns beside it. It is drawn over
/// the last board, or below it.
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
        let turns = turns(board);
        let last = turns.last();
        let goes_on = last.is_some_and(|last| last.player == board.mover());
        let shown = if goes_on { 2 } else { 1 };
        let picture = draw::board(board, &board.last_move(), self.drawing);
        dialogue.say(&draw::beside(&picture, &lately(board, &turns, shown)));
        if board.result().is_some() {
            return; // The verdict comes next.
        }
        let again = if goes_on { " again" } else { "" };
        dialogue.say_line(&format!(
            "Turn {}, {} to move{again}",
            board.whole_turn(),
            board.mover_name()
        ));
        if let Some(note) = board.note() {
            dialogue.say_line(&note);
        }
    }
}

/// All moves of a player until another player was to move.
struct WholeTurn {
    player: usize,
    moves: Vec<String>,
}

fn turns(board: &dyn Board) -> Vec<WholeTurn> {
    let mut turns: Vec<WholeTurn> = Vec::new();
    let mut at = board.before(0);
    for name in board.moves() {
        let player = at.mover();
        at.redo();
        match turns.last_mut() {
            Some(last) if last.player == player => last.moves.push(name),
            _ => {
                let moves = vec![name];
                turns.push(WholeTurn { player, moves });
            }
        }
    }
    turns
}

/// What the player on move needs to know, one or two lines a turn: the opponent's last whole turn, and the player's own
/// moves since.
fn lately(board: &dyn Board, turns: &[WholeTurn], shown: usize) -> Vec<String> {
    /// The room beside a board in 80 columns.
    const WIDEST: usize = 50;
    let first = turns.len().saturating_sub(shown);
    let mut lines = Vec::new();
    for (number, turn) in (1..).zip(turns).skip(first) {
        let mover = board.player_names()[turn.player];
        let heading = format!("Turn {number}: {mover} played");
        let moves = turn.moves.join(" ");
        if heading.len() + 1 + moves.len() <= WIDEST {
            lines.push(format!("{heading} {moves}"));
        } else {
            lines.extend([heading, format!("  {moves}")]);
        }
    }
    lines
}
