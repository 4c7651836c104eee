//! Turns a record into its game, move by move.

use super::{GameRecord, StartRecord};
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame};

impl GameRecord {
    /// The game as it was played: opening and legal replies.
    ///
    /// # Errors
    /// When the record is of another game, or a move in it is not legal.
    pub fn rebuild(&self, game: &'static dyn BoardGame) -> Result<Box<dyn Board>, RebuildError> {
        if self.game != game.name() {
            return Err(RebuildError(format!(
                "the record is of the game `{}`, which this command does not show",
                self.game
            )));
        }
        let rules = game.rules(Some(&self.rules));
        let mut rules = rules.map_err(|_| {
            let name = &self.rules;
            RebuildError(format!(
                "the record names the rule book `{name}`, which this program does not know"
            ))
        })?;
        if self.players.len() != rules.side_names.len() {
            return Err(RebuildError(format!(
                "the record is of a game of {} players; expected two",
                self.players.len()
            )));
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
        Some(start) => game
            .set_up(&start.rows, start.player, rules)
            .map_err(|error| {
                RebuildError(format!(
                    "the record begins in a position that cannot be: {error}"
                ))
            })?,
        None => game.start(rules),
    };
    for text in moves {
        if !board.play(text) {
            return Err(RebuildError(format!(
                "turn {} of the record is `{text}`, which is no legal move there",
                board.turn()
            )));
        }
    }
    Ok(board)
}

/// Why a record cannot be turned into a game, in words for people.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RebuildError(String);
