//! Which game of which file.

use super::super::{Failure, about};
use crate::input::read_text;
use crate::record::{GameRecord, ReadError, read_games, read_pdn};
use clap::Args;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// A game that is meant.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct GameInFile {
    /// A file that `match --record` wrote, or one in PDN
    pub(in crate::cli) file: PathBuf,
    /// The number of the game in it [default: the first]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) game: Option<u64>,
}

impl GameInFile {
    /// The game.
    pub(in crate::cli) fn find(&self) -> Result<GameRecord, Failure> {
        let path = self.file.display();
        if self.is_pdn() {
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
            numbers.push(game.number.to_string());
        }
        Err(self.not_there(&numbers))
    }

    fn find_in_pdn(&self) -> Result<GameRecord, Failure> {
        let path = self.file.display();
        let text = read_text(&self.file).map_err(about(&path))?;
        let games = read_pdn(&text).map_err(about(&path))?;
        let numbers: Vec<String> = games.iter().map(|game| game.number.to_string()).collect();
        games
            .into_iter()
            .find(|game| self.game.is_none_or(|wanted| wanted == game.number))
            .ok_or_else(|| self.not_there(&numbers))
    }

    fn not_there(&self, numbers: &[String]) -> Failure {
        let path = self.file.display();
        Failure::Usage(match self.game {
            Some(wanted) if !numbers.is_empty() => {
                format!("{path} has no game {wanted}; it has {}", numbers.join(", "))
            }
            _ => format!("{path} holds no game"),
        })
    }

    /// Hands all games of the file that can be read to `visit`; others are told of as warnings.
    pub(in crate::cli) fn each(
        &self,
        mut visit: impl FnMut(GameRecord) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let path = self.file.display();
        if self.is_pdn() {
            let text = read_text(&self.file).map_err(about(&path))?;
            let games = read_pdn(&text).map_err(about(&path))?;
            return games.into_iter().try_for_each(visit);
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

    fn is_pdn(&self) -> bool {
        let kind = self.file.extension();
        kind.is_some_and(|kind| kind == "pdn")
    }
}
