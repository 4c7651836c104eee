//! Turns a record into its game, move by move.

use super::{GameRecord, StartRecord};
use crownhead::notation::PositionError;
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame};

impl GameRecord {
    /// The game as it was played: opening and legal replies.
    ///
    /// # Errors
    /// When the record is of another game, or a move in it is not legal.
    pub fn rebuild(&self, game: &'static dyn BoardGame) -> Result<Box<dyn Board>, RebuildError> {
        if self.game != game.name() {
            return Err(RebuildError::Game(self.game.clone()));
        }
        let rules = game.rules(Some(&self.rules));
        let mut rules = rules.map_err(|_| RebuildError::Rules(self.rules.clone()))?;
        if self.players.len() != rules.side_names.len() {
            return Err(RebuildError::Players(self.players.len()));
        }
        rules.length.max_turns = self.max_turns;
        let replies = self.turns.iter().filter_map(|turn| turn.reply.as_deref());
        let moves = self.opening.iter().map(String::as_str).chain(replies);
        let mut moves: Vec<&str> = moves.map(str::trim_end).collect();
        // The last reply may have lost the game.
        let replied = self.turns.last().is_some_and(|turn| turn.reply.is_some());
        let doubtful = if replied && !self.termination.is_regular() {
            moves.pop()
        } else {
            None
        };
        let mut board = replay(game, self.start.as_ref(), moves, rules)?;
        if let Some(text) = doubtful {
            board.play(text);
        }
        Ok(board)
    }
}

/// The game from `start`, or else from the usual position, after these moves.
pub(crate) fn replay<'a>(
    game: &'static dyn BoardGame,
    start: Option<&StartRecord>,
    moves: impl IntoIterator<Item = &'a str>,
    rules: RuleBook,
) -> Result<Box<dyn Board>, RebuildError> {
    let mut board = match start {
        Some(start) => game.set_up(&start.rows, start.player, rules)?,
        None => game.start(rules),
    };
    for text in moves {
        if !board.play(text) {
            return Err(RebuildError::Move {
                turn: board.turn(),
                text: text.into(),
            });
        }
    }
    Ok(board)
}

/// A record cannot be turned into a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RebuildError {
    /// It is of another game.
    #[error("the record is of the game `{0}`, which this command does not show")]
    Game(String),
    /// Its rule book is not known.
    #[error("the record names the rule book `{0}`, which this program does not know")]
    Rules(String),
    /// It has too many players.
    #[error("the record is of a game of {0} players; expected two")]
    Players(usize),
    /// Its first position is not one of the game.
    #[error("the record begins in a position that cannot be: {0}")]
    Start(#[from] PositionError),
    /// A move in it is not legal.
    #[error("turn {turn} of the record is `{text}`, which is no legal move there")]
    Move {
        /// The number of the turn.
        turn: u32,
        /// The move.
        text: String,
    },
}
