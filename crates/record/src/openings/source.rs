//! Decides which openings a run plays, and in which order.

use super::{Opening, balanced, ballots, random, read_openings, read_seeds};
use crate::RefereeProtocol;
use crate::seed::{Purpose, shuffled};
use crownhead::games::checkers::Checkers;
use crownhead::notation::Notation;
use crownhead::rules::RuleBook;
use crownhead_bots::BoardGame;
use std::path::{Path, PathBuf, is_separator};

/// Where openings come from, as a person names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The ballots of tournament checkers.
    Ballots,
    /// This many random moves; 0 for the starting position.
    Random(u32),
    /// This many random moves that leave the game about even.
    Balanced(u32),
    /// A file of FENs, one on each line, or of games in PDN.
    File(PathBuf),
    /// Seeds for an external referee: random, or consecutive from this one.
    Seeds(Option<i64>),
}

impl std::fmt::Display for Source {
    /// The text that is read back as this source.
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
            _ if text.contains('.') || text.contains(is_separator) => Ok(Source::File(text.into())),
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

/// A source has no openings: why, in words for people.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SourceError(String);

/// How many bits fewer than 64 a random seed of a referee has. People type it, and it must fit into Java's `int`, which
/// some referees read.
const SPARE_BITS: u32 = 33;

/// Openings numbered without end, the same on every machine.
#[derive(Clone, Debug)]
pub struct Openings {
    /// `None` for seeds.
    game: Option<(&'static dyn BoardGame, RuleBook)>,
    seed: u64,
    source: Source,
    /// Empty for random ones and seeds.
    list: Vec<Opening>,
}

impl Openings {
    /// Seeds for an external referee with this protocol: random, or consecutive if the source names the first. Random
    /// moves are legal answers in games of such seeds.
    ///
    /// # Errors
    /// When the source has other openings, or random ones for a referee that lists no legal answers.
    pub fn seeds(
        source: &Source,
        folder: &Path,
        seed: u64,
        protocol: RefereeProtocol,
    ) -> Result<Openings, SourceError> {
        let why = match source {
            Source::Seeds(_) | Source::File(_) => None,
            Source::Random(1..) if protocol == RefereeProtocol::Lines => None,
            Source::Random(1..) => Some(
                "random answers are taken from those that a referee lists with `###Legal`, and this one does not speak \
                 `lines`; expected `seeds`",
            ),
            _ => Some(
                "expected `seeds`, `seeds 1` or a file of such games, for seeds are the openings of games with a --referee, or \
                 `random K` where it says `###Legal`",
            ),
        };
        if let Some(why) = why {
            return Err(SourceError(format!("openings `{source}`: {why}")));
        }
        let list = match source {
            Source::File(path) => read_seeds(&folder.join(path)).map_err(SourceError)?,
            _ => Vec::new(),
        };
        Ok(Openings {
            game: None,
            seed,
            source: source.clone(),
            list,
        })
    }

    /// Their source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The openings of a game from this source; a file's path is relative to `folder`.
    ///
    /// # Errors
    /// When the source has no openings for this game and rule book, with the reason.
    pub fn load(
        source: &Source,
        folder: &Path,
        game: &'static dyn BoardGame,
        rules: &RuleBook,
        seed: u64,
    ) -> Result<Openings, SourceError> {
        let of_checkers = |what| match game.name() {
            Checkers::NAME => Ok(()),
            game => Err(SourceError(format!(
                "{what} are openings of checkers; {game} has `random K` and `random K balanced`"
            ))),
        };
        let list = match source {
            Source::Random(plies) | Source::Balanced(plies) => {
                random(game, rules, *plies, 0).ok_or_else(|| {
                    SourceError(format!(
                        "random {plies}: no game lasts that long; a dozen is plenty"
                    ))
                })?;
                Vec::new()
            }
            Source::Seeds(_) => {
                return Err(SourceError(format!(
                    "openings `{source}`: seeds are the openings of games with a --referee"
                )));
            }
            Source::Ballots => {
                of_checkers("ballots")?;
                ballots(rules)
            }
            Source::File(path) => {
                of_checkers("a file's positions")?;
                let path = folder.join(path);
                read_openings(&path, game, rules).map_err(SourceError)?
            }
        };
        let openings = Openings {
            game: Some((game, *rules)),
            seed,
            source: source.clone(),
            list,
        };
        match openings.get(0) {
            Some(_) => Ok(openings),
            None => Err(SourceError(format!(
                "{source}: no such opening leaves the game about even; expected fewer moves, such as 6"
            ))),
        }
    }

    /// Opening `number`, from 0.
    ///
    /// The order of a list follows from the seed. At the end of the list, it is used again in another order. `None` if
    /// no random opening could be found.
    pub fn get(&self, number: u64) -> Option<Opening> {
        self.of_seed(self.seed, number)
    }

    /// Opening `number`, from 0, for bots that also play others. If all pairings had the same openings, an opening that
    /// suits one bot would count again and again, and the games would not be independent. If a first seed is named,
    /// their seeds follow from it.
    pub fn between(&self, bots: &[&str], number: u64) -> Option<Opening> {
        let purpose = match *bots {
            [one, other] => Purpose::Pairing { bots: [one, other] },
            _ => Purpose::Field { bots },
        };
        match self.source {
            Source::Seeds(Some(first)) => {
                Some(by_chance(purpose.seed(first.cast_unsigned()), number))
            }
            _ => self.of_seed(purpose.seed(self.seed), number),
        }
    }

    fn of_seed(&self, seed: u64, number: u64) -> Option<Opening> {
        match &self.source {
            &Source::Random(plies) | &Source::Balanced(plies) => match &self.game {
                Some((game, rules)) => {
                    let seed = Purpose::Opening { number }.seed(seed);
                    match self.source {
                        Source::Balanced(_) => balanced(*game, rules, plies, seed),
                        _ => random(*game, rules, plies, seed),
                    }
                }
                None => Some(Opening {
                    random_answers: plies,
                    ..by_chance(seed, number)
                }),
            },
            Source::Seeds(Some(first)) => Some(of_seed(first.wrapping_add_unsigned(number))),
            Source::Seeds(None) => Some(by_chance(seed, number)),
            Source::Ballots | Source::File(_) => {
                let count = self.list.len();
                let (round, place) = (number / count as u64, number % count as u64);
                let seed = Purpose::Opening { number: round }.seed(seed);
                let order = shuffled(seed, count);
                Some(self.list[order[place as usize]].clone())
            }
        }
    }
}

/// The opening with this seed of a referee.
fn of_seed(seed: i64) -> Opening {
    Opening {
        seed: Some(seed),
        ..Opening::default()
    }
}

/// Game `number`, from 0, of an external referee, among those that follow from `seed`.
fn by_chance(seed: u64, number: u64) -> Opening {
    of_seed((Purpose::Opening { number }.seed(seed) >> SPARE_BITS).cast_signed())
}

#[cfg(test)]
mod tests;
