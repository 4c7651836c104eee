//! Which game of which file or ladder.

use crate::failure::{Failure, usage};
use crate::progress::tell;
use crownhead_arena::runner::replay_site_file;
use crownhead_ladder::Folder;
use crownhead_ladder::store::{Store, StoredPair};
use crownhead_record::input::read_text;
use crownhead_record::site::{SiteError, is_site_file};
use crownhead_record::system_error::{OfFile, describe};
use crownhead_record::{GameRecord, ReadError, is_pdn, read_game, read_games, read_pdn};
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

/// The game of this number in a file or a ladder, or the first.
pub(crate) fn find_game(path: &Path, wanted: Option<u64>) -> Result<GameRecord, Failure> {
    if path.is_dir() {
        return game_of_ladder(path, wanted);
    }
    let mut numbers = Vec::new();
    for game in games(path)? {
        match game {
            Ok(game) if wanted.is_none_or(|wanted| wanted == game.number) => return Ok(game),
            Ok(game) => numbers.push(game.number),
            // It may be the game that is asked for.
            Err(error) if wanted.is_none() => return Err(unreadable(path, error)),
            Err(ReadError::Pdn(error)) if wanted == Some(error.game) => {
                return Err(unreadable(path, error.into()));
            }
            Err(error) => skip(path, error, numbers.is_empty())?,
        }
    }
    Err(no_such_game(path, wanted, &numbers))
}

/// The same in a ladder's folder.
fn game_of_ladder(path: &Path, wanted: Option<u64>) -> Result<GameRecord, Failure> {
    let store = store_of(path)?;
    let game = match wanted {
        Some(number) => {
            let line = store.record(number)?;
            let game = line.map(|line| read_game(1, line.as_bytes())).transpose();
            game.map_err(|error| unreadable(path, error))?
        }
        None => store.records().next().transpose()?,
    };
    if let Some(game) = game {
        return Ok(game);
    }
    let pairs = store.pairs(0)?;
    let games = pairs.iter().flat_map(StoredPair::rated);
    let numbers: Vec<u64> = games.map(|game| game.number).collect();
    Err(no_such_game(path, wanted, &numbers))
}

/// Warns if others could read the connection to a ladder's database.
pub(crate) fn warn_of_store(folder: &Folder) -> Result<(), Failure> {
    if let Some(address) = folder.database().map_err(usage)?
        && let Some(warning) = address.warning()
    {
        anstream::eprintln!("warning: {}: {warning}", address.url());
    }
    Ok(())
}

/// Hands all rated games of a ladder to `visit`.
///
/// # Errors
/// When one cannot be read, after all others.
pub(crate) fn each_stored(
    store: &Store,
    mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut unreadable = None;
    for record in store.records() {
        match record {
            Ok(game) => visit(game)?,
            Err(error) => unreadable = unreadable.or(Some(error)),
        }
    }
    unreadable.map_or(Ok(()), |error| Err(error.into()))
}

/// The games of a ladder.
fn store_of(path: &Path) -> Result<Store, Failure> {
    let folder = Folder::open(path).map_err(usage)?;
    warn_of_store(&folder)?;
    Ok(folder.read_store()?)
}

/// The refusal where there is no game of this number, or none at all.
fn no_such_game(path: &Path, wanted: Option<u64>, numbers: &[u64]) -> Failure {
    let path = path.display();
    let range = numbers.iter().min().zip(numbers.iter().max());
    usage(match (wanted, range) {
        (Some(wanted), Some((first, last))) if first == last => {
            format!("`{path}` has no game {wanted}. It has game {first}")
        }
        (Some(wanted), Some((first, last))) => {
            let count = numbers.len();
            format!("`{path}` has no game {wanted}. It has {count} games, {first} to {last}")
        }
        _ => format!("`{path}` holds no game"),
    })
}

/// Hands all games of a file or a ladder to `visit`. Warns of those of a file that cannot be read.
///
/// # Errors
/// When the file's first game cannot be read, too: then it may be no file of games.
pub(crate) fn each_game(
    path: &Path,
    mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if path.is_dir() {
        return each_stored(&store_of(path)?, visit);
    }
    for (place, game) in games(path)?.enumerate() {
        match game {
            Ok(game) => visit(game)?,
            Err(error) => skip(path, error, place == 0)?,
        }
    }
    Ok(())
}

/// Skips a game with a warning; fails if the file itself cannot be read, or if this is its first game.
fn skip(path: &Path, error: ReadError, is_first: bool) -> Result<(), Failure> {
    let is_game = matches!(
        error,
        ReadError::Record { .. } | ReadError::Pdn(_) | ReadError::Site(SiteError::Game { .. })
    );
    if is_first || !is_game {
        return Err(unreadable(path, error));
    }
    tell(format_args!("warning: {}: {error}", path.display()));
    Ok(())
}

/// What holds games.
const EXPECTED: &str = "Expected what `match --record` writes, PDN in a file named .pdn, games of the site, or a ladder's folder";

/// The refusal of a file in which no game can be read.
fn unreadable(path: &Path, error: ReadError) -> Failure {
    let file = path.display();
    match error {
        ReadError::File(error) => {
            let is_missing = error.kind() == ErrorKind::NotFound;
            let told = describe(path, &error);
            usage(match is_missing && !told.ends_with('?') {
                true => format!("{told}. {EXPECTED}"),
                false => told,
            })
        }
        ReadError::Record { .. } => usage(format_args!("`{file}`: {error}. {EXPECTED}")),
        error => usage(format_args!("`{file}`: {error}")),
    }
}

/// The games of a file, in order.
fn games(path: &Path) -> Result<Box<dyn Iterator<Item = Result<GameRecord, ReadError>>>, Failure> {
    if is_pdn(path) {
        let text = read_text(path).of_file(path).map_err(usage)?;
        let games = read_pdn(&text).map(|game| game.map_err(ReadError::from));
        return Ok(Box::new(games.collect::<Vec<_>>().into_iter()));
    }
    let unopened = |error| unreadable(path, ReadError::File(error));
    if is_site_file(path).map_err(unopened)? {
        return Ok(Box::new(replay_site_file(path).map_err(unopened)?));
    }
    let file = File::open(path).map_err(unopened)?;
    Ok(Box::new(read_games(BufReader::new(file))))
}
