//! Openings: random legal ones, also balanced, the ballots of tournaments, or a file. They are the same on every
//! machine.
//!
//! An [`Opening`] is text, as records are: it knows the names of moves, and is played on a
//! [`Board`].

mod ballots;
mod file;
mod random;
mod source;

use crate::{GameRecord, RebuildError, StartRecord, replay};
use crownhead::rules::RuleBook;
use crownhead_bots::{Board, BoardGame};
use std::collections::BTreeMap;

pub use ballots::ballots;
use file::{read_openings, read_seeds};
use random::balanced;
pub use random::random;
pub use source::{Openings, Source, SourceError};

/// The start of a game, up to the position in which the first bot is asked. For an external referee's game, its seed.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Opening {
    /// The position in which it begins, if not the usual one.
    pub start: Option<StartRecord>,
    /// The names of the moves from that position.
    pub moves: Vec<String>,
    /// The seed that an external referee is given.
    pub seed: Option<i64>,
    /// What else it is given, such as the number of a map.
    pub parameters: BTreeMap<String, String>,
    /// How many of the first answers to that referee are random legal ones, whatever the bots answer.
    pub random_answers: u32,
}

impl Opening {
    /// The game with the opening played.
    ///
    /// # Errors
    /// When the opening is not legal in this game under these rules, with the reason.
    pub fn rebuild(
        &self,
        game: &'static dyn BoardGame,
        rules: &RuleBook,
    ) -> Result<Box<dyn Board>, RebuildError> {
        let moves = self.moves.iter().map(String::as_str);
        replay(game, self.start.as_ref(), moves, *rules)
    }

    /// The whole of a recorded game as an opening.
    pub fn of_record(game: &GameRecord) -> Opening {
        let replies = game.turns.iter().filter_map(|turn| turn.reply.clone());
        Opening {
            start: game.start.clone(),
            moves: game.opening.iter().cloned().chain(replies).collect(),
            ..Opening::default()
        }
    }

    /// The opening of a game that an external referee has judged; `None` for another game. The league is its own.
    pub fn of_referee(game: &GameRecord) -> Option<Opening> {
        let referee = game.referee.as_ref()?;
        let mut parameters = referee.parameters.clone();
        parameters.remove("league");
        Some(Opening {
            seed: Some(referee.seed),
            parameters,
            ..Opening::default()
        })
    }

    /// The opening that was played on this board, from the usual position.
    pub fn of(board: &dyn Board) -> Opening {
        Opening {
            moves: board.moves(),
            ..Opening::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::played;
    use crownhead::games::checkers::rules;
    use crownhead_bots::CHECKERS;

    #[test]
    fn a_recorded_game_is_an_opening_with_its_first_position_and_all_its_moves() {
        let mut record = played(&["B4C5", "D6B4"]);
        let opening = Opening::of_record(&record);
        assert_eq!(opening.moves, ["A3B4", "B6A5", "B4C5", "D6B4"]);
        assert_eq!(opening.start, None);
        let board = opening.rebuild(CHECKERS, &rules::CONTEST).unwrap();
        assert_eq!(Opening::of(board.as_ref()), opening);
        record.start = Some(StartRecord::of(board.as_ref()));
        assert_eq!(Opening::of_record(&record).start, record.start);
    }
}
