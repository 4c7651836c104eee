//! A program with games of one's own: all of this one, for exactly these games.

use crownhead_bots::{BoardGame, games};
use std::process::ExitCode;

/// The games of a program of one's own, for [`main_with`]: their types, and after a colon the
/// [evaluation](crownhead::Evaluate) that a search of the game uses. Without one a search sees wins and losses alone.
///
/// ```
/// use crownhead::games::checkers::Checkers;
/// use crownhead::games::everchess::EverChess;
/// use crownhead::network::Network;
///
/// let games = crownhead_cli::games![EverChess, Checkers: Network<Checkers>];
/// assert_eq!(games.len(), 2);
/// ```
#[macro_export]
macro_rules! games {
    (@ $game:ty) => {
        $crate::games!(@ $game, $crate::NoEvaluation)
    };
    (@ $game:ty, $evaluation:ty) => {
        const { &$crate::GameOf::<$game, $evaluation>::NEW as &'static dyn $crate::BoardGame }
    };
    ($($game:ty $(: $evaluation:ty)?),+ $(,)?) => {
        ::std::vec![$($crate::games!(@ $game $(, $evaluation)?)),+]
    };
}

/// Runs the program with exactly these [`games!`](crate::games), the first being the default, on the arguments of this
/// process: the `main` of a program of one's own.
///
/// # Panics
/// When there is no game.
pub fn main_with(games: Vec<&'static dyn BoardGame>) -> ExitCode {
    games::set(games);
    crate::main()
}
