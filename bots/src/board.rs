//! The traits of a game, its board, its search and its players, and the types that they return. They refer to each
//! other, so they share a file.

use crownhead::evaluate::NetworkInputs;
use crownhead::game::Ending;
use crownhead::rules::RuleBook;
use crownhead::search::Report;
use crownhead::{BoardSize, Cell, PositionError, Refusal};
use crownhead_contest::alphabeta::SearchLimits;
use std::any::Any;
use std::fmt::Debug;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// A game that can be played.
pub trait BoardGame: Debug + Send + Sync {
    /// Its name on the command line and in records, such as `checkers`.
    fn name(&self) -> &'static str;

    /// A description in one line.
    fn about(&self) -> &'static str;

    /// The size of its board.
    fn size(&self) -> BoardSize;

    /// Its rule books; the first is the default.
    fn rule_books(&self) -> &'static [RuleBook];

    /// The letter that stands for a player in the protocol's colour line.
    fn colour_letter(&self, player: usize) -> char;

    /// A game that begins in the usual position.
    fn start(&'static self, rules: RuleBook) -> Box<dyn Board>;

    /// A game that begins in the position of these rows, the last row of the board first, with `player` to move.
    ///
    /// # Errors
    /// When no game can reach such a position, with the reason.
    fn set_up(
        &'static self,
        rows: &[String],
        player: usize,
        rules: RuleBook,
    ) -> Result<Box<dyn Board>, PositionError>;

    /// The owner of the piece that a letter of the rows stands for, and its Unicode symbol. `None` if the letter stands
    /// for no piece.
    fn symbol(&self, letter: u8) -> Option<(usize, char)>;

    /// Whether pieces can stand on this square.
    fn is_playing_square(&self, cell: Cell) -> bool;

    /// A square in the notation of this game's moves: `A1`, or `a1`.
    fn square_name(&self, cell: Cell) -> String;

    /// The built-in search of this game, with a transposition table of this many mebibytes.
    fn searcher(&self, mebibytes: usize) -> Box<dyn Searcher>;

    /// The number of move sequences of length `depth` from this board.
    ///
    /// # Panics
    /// When the board is another game's.
    fn perft(&self, board: &dyn Board, depth: u32) -> u64;

    /// A built-in bot of this game, to be called in this process.
    fn player(&self, spec: &PlayerSpec) -> Box<dyn BoardPlayer>;

    /// Lets a built-in bot speak the line protocol on standard input and output until the end of input.
    fn converse(&self, spec: &PlayerSpec) -> ExitCode;

    /// The text of a network of this game in a file, which `crownhead train fit` writes.
    ///
    /// # Errors
    /// With a sentence that names the file, when it cannot be read or has no network of this game.
    fn read_network(&self, file: &Path) -> Result<Arc<str>, String>;

    /// What a network of this game sees of a position; `None` if the game has no networks.
    ///
    /// # Panics
    /// When the board is another game's.
    fn network_inputs(&self, board: &dyn Board) -> Option<NetworkInputs>;

    /// Plays the legal moves of these numbers from the start, and calls `visit` with each before it is played. Whether
    /// there are moves of these numbers.
    fn replay(&self, rules: &RuleBook, moves: &[u8], visit: &mut dyn FnMut(Replayed)) -> bool;

    /// The rule book called `name`, or the default one without a name.
    ///
    /// # Errors
    /// For an unknown name; the message lists the known ones.
    fn rules(&self, name: Option<&str>) -> Result<RuleBook, String> {
        let mut books = self.rule_books().iter();
        let found = books.find(|book| name.is_none_or(|name| book.name == name));
        found.copied().ok_or_else(|| {
            let (game, name) = (self.name(), name.unwrap_or_default());
            let known: Vec<&str> = self.rule_books().iter().map(|book| book.name).collect();
            let known = known.join(" or ");
            format!("{game} has no rule book `{name}`; expected {known}")
        })
    }
}

/// Games are the same if their names are.
impl PartialEq for dyn BoardGame {
    fn eq(&self, other: &dyn BoardGame) -> bool {
        self.name() == other.name()
    }
}

impl Eq for dyn BoardGame {}

/// A running game: the position on the table, and the moves that led to it. Players are numbered from 0.
pub trait Board: Debug + Send + Sync {
    /// The game.
    fn game(&self) -> &'static dyn BoardGame;

    /// The rule book in force.
    fn rules(&self) -> &RuleBook;

    /// Another board in the same state.
    fn duplicate(&self) -> Box<dyn Board>;

    /// The names of the players' sides.
    fn player_names(&self) -> Vec<&'static str>;

    /// Whose turn it is.
    fn mover(&self) -> usize;

    /// The position, the last row of the board first; a full stop is an empty square.
    fn rows(&self) -> Vec<String>;

    /// The names of the legal moves, all different; none if the board has decided the game.
    fn legal_moves(&self) -> Vec<String>;

    /// The name of the legal move that `text` means, in upper or lower case.
    fn find_move(&self, text: &str) -> Option<String>;

    /// The squares that a legal move touches, from where the piece stood to where it ends.
    fn squares_of(&self, name: &str) -> Vec<Cell>;

    /// Why `text` names no legal move.
    fn refusal(&self, text: &str) -> Refusal;

    /// What a person should know about the position in addition to the board, such as "white is in check".
    fn note(&self) -> Option<String>;

    /// The turn as the protocol's text: the board, the number of moves, the moves.
    fn turn_text(&self) -> String;

    /// Plays the legal move of this name, in upper or lower case, and drops the moves that could be redone. `false` if
    /// there is no such move.
    fn play(&mut self, name: &str) -> bool;

    /// Takes back the last turn. `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Replays a turn that was taken back. `false` if there is none.
    fn redo(&mut self) -> bool;

    /// The number of the next turn, from 1.
    fn turn(&self) -> u32;

    /// The number of the turn as people count: all moves of a player until another is to move are one turn.
    fn whole_turn(&self) -> u32;

    /// How many of the last turns, in a row, were without a capture.
    fn turns_without_capture(&self) -> u32;

    /// How many of the last turns, in a row, were reversible moves.
    fn turns_since_zeroing(&self) -> u32;

    /// The names of the moves so far, oldest first.
    fn moves(&self) -> Vec<String>;

    /// The squares of the last move.
    fn last_move(&self) -> Vec<Cell>;

    /// How the game has ended, or `None` while it continues.
    fn result(&self) -> Option<Ended>;

    /// The board itself, for a caller that knows its game.
    fn as_any(&self) -> &dyn Any;

    /// The board before turn `number`, or the board as it is now if that is earlier.
    fn before(&self, number: u32) -> Box<dyn Board> {
        let mut board = self.duplicate();
        while board.turn() > number && board.undo() {}
        board
    }

    /// The letter that stands for the player on move in the protocol's colour line.
    fn mover_letter(&self) -> char {
        self.game().colour_letter(self.mover())
    }

    /// The name of the side to move.
    fn mover_name(&self) -> &'static str {
        self.player_names()[self.mover()]
    }
}

/// A search of one game. Its transposition table lasts until it is cleared.
pub trait Searcher: Send {
    /// Searches a board to `depth` at most; `None` when the game is over on it.
    ///
    /// `stop` is called at least every few thousand nodes, with their number.
    ///
    /// # Panics
    /// When the board is another game's.
    fn search(
        &mut self,
        subject: &Subject<'_>,
        depth: u32,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Found>;

    /// Forgets all earlier searches.
    fn clear(&mut self);
}

/// A built-in bot with all that it needs to know.
#[derive(Clone, Debug)]
pub enum PlayerSpec {
    /// Any legal move, by chance that follows from the seed.
    Random {
        /// The seed.
        seed: u64,
    },
    /// The most captures, ties broken by chance that follows from the seed.
    Greedy {
        /// The seed.
        seed: u64,
    },
    /// The search.
    AlphaBeta {
        /// The rule book in force.
        rules: RuleBook,
        /// What ends the search of a turn.
        limits: SearchLimits,
        /// The text of the network to evaluate by, of the same game, instead of the built-in one.
        network: Option<Arc<str>>,
    },
}

/// A move as [`BoardGame::replay`] comes to it.
#[derive(Debug)]
pub struct Replayed {
    /// What a network sees of the position before it.
    pub inputs: Option<NetworkInputs>,
    /// Whose move it is.
    pub mover: usize,
    /// How many legal moves there are.
    pub legal_moves: usize,
    /// Whether the move captures nothing, and the opponent threatens to capture nothing.
    pub is_quiet: bool,
}

/// A built-in bot, called in this process.
pub trait BoardPlayer {
    /// The name of the move to play on this board, on which the game continues. The turn has started at `started`.
    fn choose(&mut self, board: &dyn Board, started: Instant) -> String;

    /// What the player has to say about its last choice.
    fn remark(&self) -> Option<&str>;
}

/// A question to a search.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The board, with the turns that were played on it.
    pub board: &'a dyn Board,
    /// The names of the moves to choose from; all legal ones if it is empty.
    pub root_moves: &'a [String],
    /// Whether a repeated position of the game is a draw.
    pub knows_past: bool,
}

impl<'a> Subject<'a> {
    /// The position on this board, without its history.
    pub fn new(board: &'a dyn Board) -> Subject<'a> {
        Subject {
            board,
            root_moves: &[],
            knows_past: false,
        }
    }
}

/// The result of a search, with moves by their names.
pub type Found = Report<String>;

/// How a game has ended by its rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    /// Each player's points. With two players: 1 for a win, 0 for a loss and ½ for a draw.
    pub scores: Vec<f64>,
    /// The rule that ended it.
    pub ending: Ending,
    /// The same as a sentence, without its full stop.
    pub reason: String,
}

/// The player with more points than every other; `None` in a draw.
pub fn winner(scores: &[f64]) -> Option<usize> {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut first = (0..scores.len()).filter(|&player| scores[player] == best);
    first.next().filter(|_| first.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::winner;

    #[test]
    fn the_winner_has_more_than_every_other() {
        assert_eq!(winner(&[1.0, 0.0]), Some(0));
        assert_eq!(winner(&[0.5, 0.5]), None);
        assert_eq!(winner(&[3.0, 7.0, 7.0]), None);
        assert_eq!(winner(&[3.0, 7.0, -1.0]), Some(1));
    }
}
