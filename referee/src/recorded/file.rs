//! Which game of which file.

use crate::failure::{Failure, about};
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
    let game = ListedGame::find(&record.game);
    let unknown = || about(&file)(format!("no game is called `{}`", record.game));
    let game = game.ok_or_else(unknown)?.object();
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
        let path = self.file.display();
        if is_pdn(&self.file) {
            return self.find_in_pdn();
        }
        let file = File::open(&self.file).map_err(about(&path))?;
        if file.metadata().is_ok_and(|file| file.is_dir()) {
            return Err(about(&path)("it is a folder; expected a file of games"));
        }
        let mut numbers = Vec::new();
        for game in read_games(BufReader::new(file)) {
            let game = match game {
                Ok(game) => game,
                // One broken line does not hide the other games.
                Err(error @ ReadError::Record { .. }) if self.game.is_some() => {
                    anstream::eprintln!("warning: {path}: {error}");
                    continue;
                }
                Err(error) => return Err(about(&path)(error)),
            };
            if self.game.is_none_or(|wanted| wanted == game.number) {
                return Ok(game);
            }
            numbers.push(game.number);
        }
        Err(self.not_there(&numbers))
    }

    fn find_in_pdn(&self) -> Result<GameRecord, Failure> {
        let path = self.file.display();
        let text = read_old_text(&self.file).map_err(about(&path))?;
        let mut count = 0;
        for (number, game) in (1..).zip(read_pdn(&text)) {
            count = number;
            match game {
                Ok(game) if self.game.is_none_or(|wanted| wanted == number) => return Ok(game),
                Ok(_) => {}
                Err(error) if self.game == Some(number) => return Err(about(&path)(error)),
                // One bad game does not hide the others.
                Err(error) => anstream::eprintln!("warning: {path}: {error}"),
            }
        }
        Err(self.not_there(&(1..=count).collect::<Vec<_>>()))
    }

    fn not_there(&self, numbers: &[u64]) -> Failure {
        let path = self.file.display();
        let range = numbers.iter().min().zip(numbers.iter().max());
        Failure::Usage(match (self.game, range) {
            (Some(wanted), Some((first, last))) if first == last => {
                format!("{path} has no game {wanted}; it has {first}")
            }
            (Some(wanted), Some((first, last))) => {
                let count = numbers.len();
                format!("{path} has no game {wanted}; it has {count}, from {first} to {last}")
            }
            _ => format!("{path} holds no game"),
        })
    }

    /// Hands all games of the file that can be read to `visit`; others are told of as warnings.
    pub(crate) fn each(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = self.file.display();
        if is_pdn(&self.file) {
            let text = read_old_text(&self.file).map_err(about(&path))?;
            for game in read_pdn(&text) {
                match game {
                    Ok(game) => visit(game)?,
                    Err(error) => anstream::eprintln!("warning: {path}: {error}"),
                }
            }
            return Ok(());
        }
        let file = File::open(&self.file).map_err(about(&path))?;
        for game in read_games(BufReader::new(file)) {
            match game {
                Ok(game) => visit(game)?,
                Err(error @ ReadError::Record { .. }) => {
                    anstream::eprintln!("warning: {path}: {error}");
                }
                Err(error) => return Err(about(&path)(error)),
            }
        }
        Ok(())
    }
}
