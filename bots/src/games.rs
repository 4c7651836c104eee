//! The list of games, and what each gives its built-in bots.
//!
//! A game is picked by its name here, as an object ([`ListedGame`]); nothing else knows the list. A program
//! of one's own replaces it by [`set_games`], before it reads its arguments.

use crate::networks::{self, NetworkWeights};
use crate::players::{BoardPlayer, PlayerSpec, PositionPlayer};
use clap::builder::PossibleValue;
use clap::ValueEnum;
use crownhead::evaluate::Evaluate;
use crownhead::games::checkers::{self, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};
use crownhead::network::Inputs;
use crownhead_board::{BoardPosition, GameRules, Rules};
use crownhead_contest::conversation::converse_on_standard_streams;
use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The games of Crownhead, the default first. Another one takes a line.
static GAMES: [ListedGame; 3] = [
    ListedGame::with_networks::<4, 8, Checkers, checkers::Learned>(),
    ListedGame::with_networks::<2, 8, EverChess, everchess::Learned>(),
    ListedGame::with_networks::<12, 8, Chess, chess::Learned>(),
];

static OWN_GAMES: OnceLock<Vec<ListedGame>> = OnceLock::new();

/// Replaces the list of games, before anything is looked up in it: for a program with games of its own.
///
/// # Panics
/// When it has been called before, or there is no game.
pub fn set_games(games: Vec<ListedGame>) {
    assert!(!games.is_empty(), "expected a game");
    OWN_GAMES.set(games).expect("the list of games is set once");
}

/// Says why weights are no network of a game, if they are none.
type NetworkCheck = fn(&NetworkWeights) -> Result<(), String>;

/// A game of the list, by its name on the command line and in files.
#[derive(Clone, Copy)]
pub struct ListedGame {
    rules: &'static dyn GameRules,
    player: fn(&PlayerSpec) -> Box<dyn BoardPlayer>,
    converse: fn(&PlayerSpec) -> ExitCode,
    /// Sees that weights are a network of this game, where networks have inputs for it.
    check: Option<NetworkCheck>,
}

impl ListedGame {
    /// The game of these positions, searched by this evaluation.
    pub const fn new<G, E>() -> ListedGame
    where
        G: BoardPosition,
        E: Evaluate<G> + Default + fmt::Debug + Send + 'static,
    {
        ListedGame {
            rules: const { &Rules::<G, E>::NEW },
            player: |spec| Box::new(PositionPlayer(spec.player::<G, E>())),
            converse: |spec| converse_on_standard_streams(&mut *spec.player::<G, E>()),
            check: None,
        }
    }

    /// The same of positions that a network of `WORDS` times 64 inputs and `BUCKETS` buckets can evaluate: its search
    /// plays by networks in files, too.
    pub const fn with_networks<const WORDS: usize, const BUCKETS: usize, G, E>() -> ListedGame
    where
        G: BoardPosition + Inputs<WORDS> + 'static,
        E: Evaluate<G> + Default + fmt::Debug + Send + 'static,
    {
        const { assert!(G::BUCKETS == BUCKETS) }
        ListedGame {
            player: |spec| {
                let player = spec.player_by_network::<WORDS, BUCKETS, G, E>();
                Box::new(PositionPlayer(player))
            },
            converse: |spec| {
                let mut player = spec.player_by_network::<WORDS, BUCKETS, G, E>();
                converse_on_standard_streams(&mut *player)
            },
            check: Some(|weights| networks::check::<WORDS, BUCKETS, G>(weights)),
            ..ListedGame::new::<G, E>()
        }
    }

    /// The weights of a network of this game in a file, such as the module that `crownhead train export` writes.
    ///
    /// # Errors
    /// With a sentence that names the file, when it cannot be read or has no network of this game.
    pub fn read_network(self, file: &Path) -> Result<NetworkWeights, String> {
        let in_file = |problem: String| format!("`{}`: {problem}", file.display());
        let Some(check) = self.check else {
            return Err(in_file(format!(
                "there are no networks for {}",
                self.name()
            )));
        };
        let weights = NetworkWeights::read(file).map_err(in_file)?;
        check(&weights)
            .map_err(|problem| in_file(format!("no network for {}: {problem}", self.name())))?;
        Ok(weights)
    }

    /// A player of this game, to be called in this process.
    pub fn player(self, spec: &PlayerSpec) -> Box<dyn BoardPlayer> {
        (self.player)(spec)
    }

    /// Lets a player speak the line protocol on standard input and output until the end of input.
    pub fn converse(self, spec: &PlayerSpec) -> ExitCode {
        (self.converse)(spec)
    }

    /// All games, the default first.
    pub fn all() -> &'static [ListedGame] {
        OWN_GAMES.get().map_or(&GAMES[..], Vec::as_slice)
    }

    /// All games as objects, the default first.
    pub fn objects() -> Vec<&'static dyn GameRules> {
        ListedGame::all().iter().map(|game| game.rules).collect()
    }

    /// The game of this name.
    pub fn find(name: &str) -> Option<ListedGame> {
        let mut games = ListedGame::all().iter();
        games.find(|game| game.name() == name).copied()
    }

    /// The game itself.
    pub fn object(self) -> &'static dyn GameRules {
        self.rules
    }
}

impl Deref for ListedGame {
    type Target = dyn GameRules;

    fn deref(&self) -> &(dyn GameRules + 'static) {
        self.rules
    }
}

impl Default for ListedGame {
    /// The first of the list.
    fn default() -> ListedGame {
        ListedGame::all()[0]
    }
}

impl PartialEq for ListedGame {
    fn eq(&self, other: &ListedGame) -> bool {
        self.name() == other.name()
    }
}

impl Eq for ListedGame {}

impl fmt::Debug for ListedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ValueEnum for ListedGame {
    fn value_variants<'a>() -> &'a [ListedGame] {
        ListedGame::all()
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(self.about()))
    }
}

#[cfg(test)]
mod tests {
    use super::ListedGame;

    #[test]
    fn a_game_is_found_by_its_name() {
        for &game in ListedGame::all() {
            assert_eq!(ListedGame::find(game.name()), Some(game));
        }
        assert_eq!(ListedGame::default().name(), "checkers");
        assert_eq!(ListedGame::find("go"), None);
    }
}
