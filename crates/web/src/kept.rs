//! The games played in the browser: a file of records, to which each game is added when it ends. Nothing in it is
//! replaced. Other files are refused. The first game creates the file.

use anyhow::{Context, bail};
use crownhead_record::input::LONGEST_RECORD;
use crownhead_record::{GameRecord, Termination, read_games};
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// The games, and their file.
#[derive(Debug)]
pub(super) struct KeptGames {
    path: PathBuf,
    /// The temporary file, removed with the server, if none was named.
    _passing: Option<NamedTempFile>,
    lines: Mutex<Lines>,
}

/// The part of the file that has been read.
#[derive(Default, Debug)]
struct Lines {
    games: Vec<KeptGame>,
    offset: u64,
}

/// A game in the list.
#[derive(Clone, Debug, Serialize)]
pub(super) struct KeptGame {
    /// Its number in the file.
    id: u64,
    #[serde(skip)]
    place: u64,
    game: String,
    rules: String,
    /// The game's names of the sides.
    sides: Vec<String>,
    /// The names of those who played, in the order of sides.
    players: Vec<String>,
    /// The side that has won, or `draw`.
    result: Option<String>,
    termination: Termination,
    turns: usize,
}

impl KeptGames {
    /// The games in the file at `path`, which may not exist yet. Without a path, in a file that lasts as long as the
    /// server.
    ///
    /// # Errors
    /// When the file cannot be read, or holds something else.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<KeptGames> {
        let passing = path.is_none().then(NamedTempFile::new).transpose()?;
        let passing_path = passing.as_ref().map(NamedTempFile::path);
        let path = path.or(passing_path).unwrap_or(Path::new("")).to_path_buf();
        let games = KeptGames {
            path,
            _passing: passing,
            lines: Mutex::default(),
        };
        let lines = games.read().with_context(|| {
            let path = games.path.display();
            format!("{path}, the file for games played in the browser")
        })?;
        drop(lines);
        Ok(games)
    }

    /// Reads what was added, by this server or another.
    fn read(&self) -> anyhow::Result<MutexGuard<'_, Lines>> {
        let mut read = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = match File::open(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(read),
            file => file?,
        };
        file.seek(SeekFrom::Start(read.offset))?;
        let mut lines = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let longest = LONGEST_RECORD as u64 + 1;
            let length = lines.by_ref().take(longest).read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                return Ok(read);
            }
            let id = read.games.len() as u64 + 1;
            let game = read_games(&line[..]).next().and_then(Result::ok);
            let Some(game) = game.filter(|_| line.ends_with(b"\n")) else {
                bail!(
                    "line {id} is not a game record; expected one JSON object a line, or name another file"
                );
            };
            let place = read.offset;
            read.games.push(KeptGame::of(&game, id, place));
            read.offset += length;
        }
    }

    /// Adds a game, and returns its number.
    ///
    /// # Errors
    /// When the file cannot be written to.
    pub(super) fn add(&self, mut game: GameRecord) -> anyhow::Result<u64> {
        // Held until the game is written, so that each game has its own number.
        let read = self.read()?;
        game.number = read.games.len() as u64 + 1;
        let line = serde_json::to_string(&game)? + "\n";
        let mut options = OpenOptions::new();
        let mut file = options.append(true).create(true).open(&self.path)?;
        file.write_all(line.as_bytes())?;
        Ok(game.number)
    }

    /// The games, the newest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn list(&self) -> anyhow::Result<Vec<KeptGame>> {
        Ok(self.read()?.games.iter().rev().cloned().collect())
    }

    /// The record of a game and its line, if there is one of this number.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn game(&self, id: u64) -> anyhow::Result<Option<(GameRecord, String)>> {
        let read = self.read()?;
        let mut games = read.games.iter();
        let Some(place) = games.find(|game| game.id == id).map(|game| game.place) else {
            return Ok(None);
        };
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(place))?;
        let mut line = String::new();
        BufReader::new(file)
            .take(LONGEST_RECORD as u64)
            .read_line(&mut line)?;
        let record = read_games(line.as_bytes())
            .next()
            .context("the file has changed")??;
        Ok(Some((record, line.trim_end().into())))
    }
}

impl KeptGame {
    fn of(game: &GameRecord, id: u64, place: u64) -> KeptGame {
        KeptGame {
            id,
            place,
            game: game.game.clone(),
            rules: game.rules.clone(),
            sides: game
                .players
                .iter()
                .map(|player| player.side.clone())
                .collect(),
            players: game
                .players
                .iter()
                .map(|player| player.name.clone())
                .collect(),
            result: game.result_word().map(String::from),
            termination: game.termination,
            turns: game.opening.len() + game.turns.len(),
        }
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn record(name: &str) -> GameRecord {
        let record = serde_json::json!({
            "version": crownhead_record::VERSION, "game": "checkers", "rules": "contest", "profile": "strict",
            "clock": "wall", "number": 1, "seed": 0,
            "players": [{"side": "black", "name": name, "command": ""}, {"side": "red", "name": "b", "command": ""}],
            "limits": {"first_turn_us": 1, "turn_us": 1}, "max_turns": null, "opening": ["A3B4", "B6A5"],
            "turns": [{"player": 0, "reply": "C3D4", "us": 5}],
            "scores": null, "termination": "abandoned", "reason": "left",
        });
        serde_json::from_value(record).unwrap()
    }

    #[test]
    fn games_are_added_to_what_is_there_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("played.jsonl");
        let games = KeptGames::open(Some(&path)).unwrap();
        assert!(
            !path.exists(),
            "a server that nobody plays on leaves no file"
        );
        assert_eq!(games.add(record("one")).unwrap(), 1);
        let other = KeptGames::open(Some(&path)).unwrap();
        assert_eq!(other.add(record("two")).unwrap(), 2);
        assert_eq!(games.add(record("three")).unwrap(), 3);
        let listed: Vec<String> = games
            .list()
            .unwrap()
            .iter()
            .map(|game| game.players[0].clone())
            .collect();
        assert_eq!(listed, ["three", "two", "one"]);
        let (second, line) = games.game(2).unwrap().unwrap();
        assert_eq!((second.number, second.players[0].name.as_str()), (2, "two"));
        assert_eq!(
            fs::read_to_string(&path).unwrap().lines().nth(1),
            Some(line.as_str())
        );
        assert!(games.game(4).unwrap().is_none());
        let shown = serde_json::to_value(games.list().unwrap()).unwrap();
        assert_eq!(shown[1]["id"], 2);
        assert_eq!(shown[1]["turns"], 3, "two of them the opening's");
    }

    #[test]
    fn a_file_of_something_else_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        for text in [
            "my notes\n".to_string(),
            serde_json::to_string(&record("cut")).unwrap(),
        ] {
            fs::write(&path, &text).unwrap();
            let refused = KeptGames::open(Some(&path)).unwrap_err();
            assert!(
                format!("{refused:#}").contains("line 1 is not a game record"),
                "{refused:#}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        // Something exists there, but cannot be read.
        let below = path.join("played.jsonl");
        let refused = KeptGames::open(Some(&below)).unwrap_err().to_string();
        assert!(
            refused.starts_with(&below.display().to_string()),
            "{refused}"
        );
    }
}
