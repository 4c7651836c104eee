//! Which openings a run plays, and in which order.

use super::{FileError, Opening, balanced, ballots, random, read_openings};
use crate::RefereeProtocol;
use crate::seed::Purpose;
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_board::GameRules;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use std::path::{Path, PathBuf};

/// Where openings come from, as a person names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The ballots of tournament checkers.
    Ballots,
    /// So many random moves; none for the starting position.
    Random(u32),
    /// So many random moves that leave the game about even.
    Balanced(u32),
    /// A file of FENs, one a line, or games in PDN.
    File(PathBuf),
    /// Seeds for an external referee, by chance or in turn from this one.
    Seeds(Option<u64>),
}

impl std::fmt::Display for Source {
    /// As it is read.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Ballots => f.write_str("ballots"),
            Source::Random(0) => f.write_str("none"),
            Source::Random(plies) => write!(f, "random {plies}"),
            Source::Balanced(plies) => write!(f, "random {plies} balanced"),
            Source::File(path) => path.display().fmt(f),
            Source::Seeds(None) => f.write_str("seeds"),
            Source::Seeds(Some(first)) => write!(f, "seeds {first}"),
        }
    }
}

impl std::str::FromStr for Source {
    type Err = String;

    /// `ballots`, `random 6`, `random 6 balanced`, `none`, `seeds`, `seeds 1`, or a file's path with a dot or a slash in
    /// it.
    fn from_str(text: &str) -> Result<Source, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["ballots"] => Ok(Source::Ballots),
            ["none"] => Ok(Source::Random(0)),
            ["random", plies] => number_of_moves(plies).map(Source::Random),
            ["random", plies, "balanced"] => number_of_moves(plies).map(Source::Balanced),
            ["seeds"] => Ok(Source::Seeds(None)),
            ["seeds", first] => match first.parse() {
                Ok(first) => Ok(Source::Seeds(Some(first))),
                Err(_) => Err(format!(
                    "`{first}` is no seed; expected a number, for example `seeds 1`"
                )),
            },
            _ if text.contains(['.', '/']) => Ok(Source::File(text.into())),
            _ => Err(format!(
                "`{text}` names no openings; expected `ballots`, `random 6`, `random 6 balanced`, `none`, a file such as \
                 `openings.fen`, or with a --referee `seeds` or `seeds 1`"
            )),
        }
    }
}

fn number_of_moves(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is no number of moves; expected, for example, `random 6`"))
}

/// Openings cannot be had from their source.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// Only checkers has openings of this kind.
    #[error("{what} are openings of checkers; {game} has `random K` and `random K balanced`")]
    Game {
        /// The kind.
        what: &'static str,
        /// The game.
        game: &'static str,
    },
    /// No game lasts that long.
    #[error("random {0}: no game lasts that long; a dozen is plenty")]
    Length(u32),
    /// No opening of that length leaves the game even.
    #[error(
        "random {0} balanced: no such opening leaves the game about even; expected fewer moves, such as 6"
    )]
    NoneBalanced(u32),
    /// Only an external referee plays seeds.
    #[error("openings `{0}`: seeds are the openings of games with a --referee")]
    Seeds(String),
    /// An external referee has no such openings.
    #[error(
        "openings `{0}`: expected `seeds` or `seeds 1`, for seeds are the openings of games with a --referee, or `random K` \
         where it says `###Legal`"
    )]
    External(String),
    /// An external referee cannot list legal answers.
    #[error(
        "openings `{0}`: random answers are taken from those that a referee lists with `###Legal`, and this one does not \
         speak `lines`; expected `seeds`"
    )]
    NoLegal(String),
    /// The file cannot be used.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        error: FileError,
    },
}

/// A seed of a referee by chance has so many bits fewer than 64: people type it, and it is to be one of Java's `int`, which
/// some referees read.
const SPARE_BITS: u32 = 33;

/// Openings numbered without end, the same on every machine.
#[derive(Clone, Debug)]
pub struct Openings {
    /// `None` for seeds.
    game: Option<(&'static dyn GameRules, RuleBook)>,
    seed: u64,
    source: Source,
    /// Empty for random ones and seeds.
    list: Vec<Opening>,
    /// What is wrong with the games of the file that are left out.
    left_out: Vec<String>,
}

impl Openings {
    /// Every game begins at the start.
    pub fn none(game: &'static dyn GameRules, rules: &RuleBook) -> Openings {
        Openings::random(0, game, rules, 0)
    }

    /// So many random moves, different ones for each number.
    pub fn random(
        plies: u32,
        game: &'static dyn GameRules,
        rules: &RuleBook,
        seed: u64,
    ) -> Openings {
        Openings::made(Source::Random(plies), game, rules, seed)
    }

    /// Openings that are made when they are asked for.
    fn made(source: Source, game: &'static dyn GameRules, rules: &RuleBook, seed: u64) -> Openings {
        Openings {
            game: Some((game, *rules)),
            seed,
            source,
            list: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Seeds for an external referee that speaks so: by chance, or in turn if the source names the first; random moves are
    /// legal answers to games of such seeds.
    ///
    /// # Errors
    /// When the source has other openings, or random ones for a referee that lists no legal answers.
    pub fn seeds(
        source: &Source,
        seed: u64,
        protocol: RefereeProtocol,
    ) -> Result<Openings, SourceError> {
        match source {
            Source::Seeds(_) => {}
            Source::Random(1..) if protocol == RefereeProtocol::Lines => {}
            Source::Random(1..) => return Err(SourceError::NoLegal(source.to_string())),
            _ => return Err(SourceError::External(source.to_string())),
        }
        Ok(Openings {
            game: None,
            seed,
            source: source.clone(),
            list: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Where they come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What is wrong with the games of a file in PDN that are left out.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The openings of a game from this source; a file's path is relative to `folder`.
    ///
    /// # Errors
    /// When the source has no openings for this game and rule book, with the reason.
    pub fn load(
        source: &Source,
        folder: &Path,
        game: &'static dyn GameRules,
        rules: &RuleBook,
        seed: u64,
    ) -> Result<Openings, SourceError> {
        let of_checkers = |what| match game.name() {
            Checkers::NAME => Ok(()),
            game => Err(SourceError::Game { what, game }),
        };
        let mut left_out = Vec::new();
        let list = match source {
            &Source::Random(plies) => {
                random(game, rules, plies, 0).ok_or(SourceError::Length(plies))?;
                return Ok(Openings::random(plies, game, rules, seed));
            }
            &Source::Balanced(plies) => {
                random(game, rules, plies, 0).ok_or(SourceError::Length(plies))?;
                balanced(game, rules, plies, 0).ok_or(SourceError::NoneBalanced(plies))?;
                return Ok(Openings::made(source.clone(), game, rules, seed));
            }
            Source::Seeds(_) => return Err(SourceError::Seeds(source.to_string())),
            Source::Ballots => {
                of_checkers("ballots")?;
                ballots(rules)
            }
            Source::File(path) => {
                of_checkers("a file's positions")?;
                let path = folder.join(path);
                let file = |error| SourceError::File {
                    path: path.clone(),
                    error,
                };
                let (list, bad) = read_openings(&path, game, rules).map_err(file)?;
                left_out = bad
                    .into_iter()
                    .map(|error| file(error).to_string())
                    .collect();
                list
            }
        };
        Ok(Openings {
            game: Some((game, *rules)),
            seed,
            source: source.clone(),
            list,
            left_out,
        })
    }

    /// Opening `number`, from 0.
    ///
    /// A list is gone through in an order that follows from the seed, and again in another when it is at its
    /// end. `None` when no random opening could be found.
    pub fn get(&self, number: u64) -> Option<Opening> {
        self.of_seed(self.seed, number)
    }

    /// Opening `number`, from 0, of bots that have others to play too: were it the same for all, an opening that suits one of
    /// them would count again and again, and their games would not be independent. Where a first seed is named, those of
    /// such bots follow from it.
    pub fn between(&self, bots: &[&str], number: u64) -> Option<Opening> {
        let purpose = match *bots {
            [one, other] => Purpose::Pairing { bots: [one, other] },
            _ => Purpose::Field { bots },
        };
        match self.source {
            Source::Seeds(Some(first)) => Some(by_chance(purpose.seed(first), number)),
            _ => self.of_seed(purpose.seed(self.seed), number),
        }
    }

    fn of_seed(&self, seed: u64, number: u64) -> Option<Opening> {
        match &self.source {
            &Source::Random(plies) => match &self.game {
                Some((game, rules)) => {
                    random(*game, rules, plies, Purpose::Opening { number }.seed(seed))
                }
                None => Some(Opening {
                    random_answers: plies,
                    ..by_chance(seed, number)
                }),
            },
            Source::Balanced(plies) => {
                let (game, rules) = self.game.as_ref()?;
                balanced(*game, rules, *plies, Purpose::Opening { number }.seed(seed))
            }
            Source::Seeds(Some(first)) => Some(of_seed(first.wrapping_add(number))),
            Source::Seeds(None) => Some(by_chance(seed, number)),
            Source::Ballots | Source::File(_) => {
                let count = self.list.len();
                let (round, place) = (number / count as u64, number % count as u64);
                let mut order: Vec<usize> = (0..count).collect();
                let seed = Purpose::Opening { number: round }.seed(seed);
                order.shuffle(&mut Pcg64::seed_from_u64(seed));
                Some(self.list[order[place as usize]].clone())
            }
        }
    }
}

/// The game of this seed of a referee.
fn of_seed(seed: u64) -> Opening {
    Opening {
        seed: Some(seed),
        ..Opening::default()
    }
}

/// A game of an external referee, from 0, of those that follow from `seed`.
fn by_chance(seed: u64, number: u64) -> Opening {
    of_seed(Purpose::Opening { number }.seed(seed) >> SPARE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::tests::CHECKERS;
    use crownhead::games::checkers::rules;
    use std::collections::HashSet;

    fn load(source: &str, seed: u64) -> Openings {
        let source = source.parse().unwrap();
        Openings::load(&source, Path::new(""), &CHECKERS, &rules::CONTEST, seed).unwrap()
    }

    #[test]
    fn openings_are_named_by_a_word_a_length_or_a_file() {
        assert_eq!("ballots".parse(), Ok(Source::Ballots));
        assert_eq!("random 6".parse(), Ok(Source::Random(6)));
        assert_eq!("random 6 balanced".parse(), Ok(Source::Balanced(6)));
        assert_eq!("my.fen".parse(), Ok(Source::File("my.fen".into())));
        let refused = "balots".parse::<Source>().unwrap_err();
        assert!(
            refused.contains("expected `ballots`, `random 6`"),
            "{refused}"
        );
        assert_eq!("seeds".parse(), Ok(Source::Seeds(None)));
        assert_eq!("seeds 7".parse(), Ok(Source::Seeds(Some(7))));
        assert!("seeds seven".parse::<Source>().is_err());
        assert!("random six".parse::<Source>().is_err());
        assert!("random 6 even".parse::<Source>().is_err());
        for text in ["ballots", "random 6", "random 6 balanced", "none", "my.fen"] {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_external_referee_has_seeds_and_random_answers_where_it_lists_legal_ones() {
        use RefereeProtocol::{Command, Engine, Lines};
        let load = |text: &str, protocol| Openings::seeds(&text.parse().unwrap(), 1, protocol);
        for protocol in [Engine, Lines, Command] {
            let opening = load("seeds 7", protocol).unwrap().get(2).unwrap();
            assert_eq!((opening.seed, opening.random_answers), (Some(9), 0));
        }
        let random = load("random 4", Lines).unwrap();
        let [first, again, second] = [0, 0, 1].map(|number| random.get(number).unwrap());
        assert_eq!((first.random_answers, &first), (4, &again));
        assert_ne!(first.seed, second.seed);
        // Positive integers of 32 bits, which referees in Java read.
        let seeds = load("seeds", Engine).unwrap();
        let seeds: Vec<u64> = (0..50)
            .map(|number| seeds.get(number).unwrap().seed.unwrap())
            .collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 31), "{seeds:?}");
        assert!(seeds.iter().any(|&seed| seed > 1 << 30), "{seeds:?}");
        for (text, protocol, sentence) in [
            (
                "random 4",
                Engine,
                "does not speak `lines`; expected `seeds`",
            ),
            (
                "random 4",
                Command,
                "does not speak `lines`; expected `seeds`",
            ),
            ("random 4 balanced", Lines, "expected `seeds` or `seeds 1`"),
            ("none", Lines, "expected `seeds` or `seeds 1`"),
            ("ballots", Lines, "expected `seeds` or `seeds 1`"),
        ] {
            let refused = load(text, protocol).unwrap_err().to_string();
            assert!(refused.contains(sentence), "{text}: {refused}");
        }
    }

    #[test]
    fn every_ballot_comes_once_before_any_comes_again() {
        let ballots = load("ballots", 1);
        let get = |number| ballots.get(number).unwrap();
        let first: HashSet<_> = (0..156).map(get).collect();
        let second: HashSet<_> = (156..312).map(get).collect();
        assert_eq!(first.len(), 156);
        assert!(first == second);
        assert!((0..156).any(|number| get(number) != get(number + 156)));
    }

    #[test]
    fn each_pairing_has_an_order_of_its_own_in_which_every_opening_comes_once() {
        let ballots = load("ballots", 1);
        let order = |bots: [&str; 2]| -> Vec<_> {
            (0..156)
                .map(|number| ballots.between(&bots, number))
                .collect()
        };
        let [one, other] = [["a", "b"], ["a", "c"]].map(order);
        assert_ne!(one, other);
        assert_eq!(one.iter().collect::<HashSet<_>>().len(), 156);
        assert_eq!(order(["b", "a"]), one);
    }

    #[test]
    fn bots_that_have_others_to_play_have_seeds_of_their_own_that_follow_from_the_first_named() {
        let seeds = |text: &str| Openings::seeds(&text.parse().unwrap(), 1, RefereeProtocol::Lines);
        let (named, other) = (seeds("seeds 7").unwrap(), seeds("seeds 8").unwrap());
        let of = |openings: &Openings, bots: &[&str]| openings.between(bots, 0).unwrap().seed;
        assert_ne!(of(&named, &["a", "b"]), of(&named, &["a", "c"]));
        assert_eq!(of(&named, &["a", "b"]), of(&named, &["b", "a"]));
        assert_ne!(of(&named, &["a", "b"]), of(&other, &["a", "b"]));
        assert_ne!(of(&named, &["a", "b"]), Some(7));
        // The seeds of records that there are.
        let two = Purpose::Pairing { bots: ["a", "b"] }.seed(7);
        assert_eq!(of(&named, &["a", "b"]), by_chance(two, 0).seed);
        let three = Purpose::Field {
            bots: &["a", "b", "c"],
        }
        .seed(7);
        assert_eq!(of(&named, &["a", "b", "c"]), by_chance(three, 0).seed);
    }

    #[test]
    fn the_same_seed_gives_the_same_openings_and_another_seed_others() {
        for source in ["ballots", "random 5", "random 5 balanced"] {
            let list = |seed| -> Vec<_> {
                let openings = load(source, seed);
                (0..8).map(|number| openings.get(number)).collect()
            };
            assert_eq!(list(1), list(1));
            assert_ne!(list(1), list(2));
        }
    }

    #[test]
    fn the_games_of_a_pdn_file_are_openings() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("my.pdn"),
            "1. 11-15 23-19 *\n1. 9-14 *\n",
        )
        .unwrap();
        let load = |name: &str| {
            let source = name.parse().unwrap();
            Openings::load(&source, folder.path(), &CHECKERS, &rules::CONTEST, 1)
        };
        let openings = load("my.pdn").unwrap();
        let moves: HashSet<Vec<String>> = (0..2)
            .map(|number| openings.get(number).unwrap().moves)
            .collect();
        assert!(
            moves.contains(&vec!["C3D4".to_string(), "D6C5".into()]),
            "{moves:?}"
        );
        let some = "1. 11-15 23-20 *\n1. 9-14 *\n";
        std::fs::write(folder.path().join("my.PDN"), some).unwrap();
        let openings = load("my.PDN").unwrap();
        assert_eq!(openings.list.len(), 1);
        let left_out = openings.left_out().join("\n");
        assert!(
            left_out.contains("my.PDN: game 1: line 1, column 10: "),
            "{left_out}"
        );
        std::fs::write(folder.path().join("my.pdn"), "1. 11-15 23-20 *\n").unwrap();
        let error = load("my.pdn").unwrap_err().to_string();
        assert!(
            error.contains("my.pdn: game 1: line 1, column 10: "),
            "{error}"
        );
        std::fs::write(folder.path().join("my.pdn"), "\n").unwrap();
        let error = load("my.pdn").unwrap_err().to_string();
        assert!(
            error.contains("my.pdn: the file holds no opening"),
            "{error}"
        );
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("my.fen"), "B:W21-32:B1-12\nnonsense\n").unwrap();
        let source = "my.fen".parse().unwrap();
        let error = Openings::load(&source, folder.path(), &CHECKERS, &rules::CONTEST, 1)
            .unwrap_err()
            .to_string();
        assert!(error.contains("my.fen: line 2: "), "{error}");
        let error = Openings::load(
            &Source::Random(900),
            folder.path(),
            &CHECKERS,
            &rules::CONTEST,
            1,
        );
        assert!(
            error
                .unwrap_err()
                .to_string()
                .contains("no game lasts that long")
        );
    }
}
