//! A program with games of one's own: all of this one, for exactly these games.

use crownhead::Evaluate;
use crownhead::network::Inputs;
use crownhead_bots::{BoardGame, BoardPosition, GameOf, games};
use crownhead_train::weights_file::{FittedGame, LIBRARY_GAMES};
use std::fmt::Debug;
use std::process::ExitCode;
use std::sync::OnceLock;

/// A game of one's own; [`games!`](crate::games) makes them.
#[derive(Clone, Copy, Debug)]
pub struct OwnGame {
    game: &'static dyn BoardGame,
    fitted: Option<FittedGame>,
}

impl OwnGame {
    /// The game of these positions, searched by this evaluation.
    pub const fn new<G, E>() -> OwnGame
    where
        G: BoardPosition,
        E: Evaluate<G> + Default + Debug + Send + 'static,
    {
        OwnGame {
            game: const { &GameOf::<G, E>::NEW },
            fitted: None,
        }
    }

    /// The same, with so many words of [inputs](Inputs) for `train fit`.
    pub const fn fitted<const WORDS: usize, G, E>() -> OwnGame
    where
        G: BoardPosition + Inputs<WORDS>,
        E: Evaluate<G> + Default + Debug + Send + 'static,
    {
        OwnGame {
            fitted: Some(FittedGame::new::<WORDS, G, E>()),
            ..OwnGame::new::<G, E>()
        }
    }
}

/// The games of a program of one's own, for [`main_with`]: their types, after a colon the
/// [evaluation](crownhead::Evaluate) that a search of the game uses, and after a semicolon how many words of
/// [inputs](crownhead::network::Inputs) a network of the game has, to be fitted by `train fit`. Without an evaluation a
/// search sees wins and losses alone.
///
/// ```
/// use crownhead::games::checkers::{Checkers, Learned};
/// use crownhead::games::chess::{Chess, PieceSquares};
/// use crownhead::games::everchess::EverChess;
///
/// let games = crownhead_cli::games![Chess: PieceSquares, EverChess, Checkers: Learned; 2];
/// assert_eq!(games.len(), 3);
/// ```
#[macro_export]
macro_rules! games {
    (@ $game:ty) => {
        $crate::OwnGame::new::<$game, $crate::NoEvaluation>()
    };
    (@ $game:ty, $evaluation:ty) => {
        $crate::OwnGame::new::<$game, $evaluation>()
    };
    (@ $game:ty, $evaluation:ty, $words:literal) => {
        $crate::OwnGame::fitted::<$words, $game, $evaluation>()
    };
    ($($game:ty $(: $evaluation:ty $(; $words:literal)?)?),+ $(,)?) => {
        ::std::vec![$($crate::games!(@ $game $(, $evaluation $(, $words)?)?)),+]
    };
}

static FITTED: OnceLock<Vec<FittedGame>> = OnceLock::new();

/// Runs the program with exactly these [`games!`](crate::games), the first being the default, on the arguments of this
/// process: the `main` of a program of one's own.
///
/// # Panics
/// When there is no game.
pub fn main_with(games: Vec<OwnGame>) -> ExitCode {
    let fitted = games.iter().filter_map(|game| game.fitted).collect();
    FITTED.set(fitted).expect("the games are set once");
    games::set(games.iter().map(|game| game.game).collect());
    crate::main()
}

/// The games that a network can be fitted to.
pub(crate) fn fitted() -> &'static [FittedGame] {
    FITTED.get().map_or(LIBRARY_GAMES, Vec::as_slice)
}

/// What the library is called where this program's games are.
pub(crate) fn library() -> &'static str {
    FITTED.get().map_or("crate", |_| "crownhead")
}
