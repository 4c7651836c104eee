//! Which game of which file.

use crate::failure::{Failure, about, usage};
use clap::Args;
use crownhead_bots::games::ListedGame;
use crownhead_record::input::read_old_text;
use crownhead_record::{GameRecord, ReadError, RecordedGame, is_pdn, read_games, read_pdn};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The game of a record that stands in this file.
pub(crate) fn recorded_game<'a>(
    record: &'a GameRecord,
    file: &Path,
) -> Result<RecordedGame<'a>, Failure> {
    let file = file.display();
    let unknown = || about(&file)(format!("no game is called `{}`", record.game));
    let game = ListedGame::find(&record.game).ok_or_else(unknown)?.object();
    let subject = format!("{file}: game {}", record.number);
    RecordedGame::new(record, game).map_err(about(subject))
}

/// A game that is meant.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameInFile {
    /// A file that `match --record` wrote, or one in PDN
    pub(crate) file: PathBuf,
    /// The number of the game in it [default: the first]
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<u64>,
}

impl GameInFile {
    /// The game.
    pub(crate) fn find(&self) -> Result<GameRecord, Failure> {
        find_game(&self.file, self.game)
    }
}

/// The game of this number in a file, or the first.
pub(crate) fn find_game(path: &Path, wanted: Option<u64>) -> Result<GameRecord, Failure> {
    let mut numbers = Vec::new();
    for game in games(path, &mut String::new())? {
        match game {
            Ok(game) if wanted.is_none_or(|wanted| wanted == game.number) => return Ok(game),
            Ok(game) => numbers.push(game.number),
            // Where a game is asked for by its number, one that cannot be read does not hide the others.
            Err(bad) if bad.number == wanted => return Err(about(path.display())(bad.reason)),
            Err(bad) => {
                bad.skip(path)?;
                numbers.extend(bad.number);
            }
        }
    }
    let path = path.display();
    let range = numbers.iter().min().zip(numbers.iter().max());
    Err(usage(match (wanted, range) {
        (Some(wanted), Some((first, last))) if first == last => {
            format!("{path} has no game {wanted}; it has {first}")
        }
        (Some(wanted), Some((first, last))) => {
            let count = numbers.len();
            format!("{path} has no game {wanted}; it has {count}, from {first} to {last}")
        }
        _ => format!("{path} holds no game"),
    }))
}

/// Hands all games of the file that can be read to `visit`; others are told of as warnings.
pub(super) fn each_game(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for game in games(path, &mut String::new())? {
        match game {
            Ok(game) => visit(game)?,
            Err(bad) => bad.skip(path)?,
        }
    }
    Ok(())
}

/// A game that cannot be read.
struct BadGame {
    /// Its number, where that is known.
    number: Option<u64>,
    reason: String,
    ends_file: bool,
}

impl BadGame {
    /// Tells of the game, if what comes after it can be read.
    fn skip(&self, path: &Path) -> Result<(), Failure> {
        let (path, reason) = (path.display(), &self.reason);
        if self.ends_file {
            return Err(about(path)(reason));
        }
        anstream::eprintln!("warning: {path}: {reason}");
        Ok(())
    }
}

/// The games of a file, which is read as they are; PDN is kept in `text`.
fn games<'a>(
    path: &Path,
    text: &'a mut String,
) -> Result<Box<dyn Iterator<Item = Result<GameRecord, BadGame>> + 'a>, Failure> {
    let unreadable = about(path.display());
    if is_pdn(path) {
        *text = read_old_text(path).map_err(unreadable)?;
        let games = (1..).zip(read_pdn(text));
        return Ok(Box::new(games.map(|(number, game)| {
            game.map_err(|error| BadGame {
                number: Some(number),
                reason: error.to_string(),
                ends_file: false,
            })
        })));
    }
    let file = File::open(path).map_err(&unreadable)?;
    if file.metadata().is_ok_and(|file| file.is_dir()) {
        let problem = std::io::Error::other("it is a folder; expected a file of games");
        return Err(unreadable(problem));
    }
    let games = read_games(BufReader::new(file));
    Ok(Box::new(games.map(|game| {
        game.map_err(|error| BadGame {
            number: None,
            reason: error.to_string(),
            ends_file: !matches!(error, ReadError::Record { .. }),
        })
    })))
}
