//! Files of training games: a line of JSON that says how they were played, then one compact record for each game.
//!
//! A game is its moves, each as its number among the legal ones, with the score that the search gave. A record is
//!
//! ```text
//! turns  u16    how many
//! result u8     0 the first side ([`Side::Black`]) won, 1 drawn, 2 the second side won, 3 none
//! check  u16    the number of legal moves in all positions, added up
//! turns x { move u8, score i16 }
//! ```
//!
//! with the lower byte first. A reader replays the games (`replay`). The check fails if the rules now list the moves in
//! another order.

use crownhead::board::Side;
use crownhead::position::Outcome;
use crownhead::rules::RuleBook;
use crownhead_bots::{BoardGame, Replayed};
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::system_error::describe;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The layout of the records that this program writes and reads.
pub(crate) const FORMAT: u32 = 1;

/// How the games of a file were played; the first line of the file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The layout of the records.
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// The rule book's name.
    pub rules: String,
    /// The nodes of a search to a fixed depth: another search or evaluation has another.
    pub signature: u64,
    /// Chooses openings and random moves.
    pub seed: u64,
    /// Positions searched in a turn; up to a thousand more. Older files have it elsewhere.
    #[serde(default)]
    pub nodes: u64,
}

/// One turn of a training game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingTurn {
    /// The number of the move among the legal ones.
    pub index: u8,
    /// The score of the search for the side to move. `None` if there was no search, because the move was the only one
    /// or a random one.
    pub score: Option<i16>,
}

/// A game from its start, opening included.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TrainingGame {
    /// Its turns.
    pub turns: Vec<TrainingTurn>,
    /// Its result; older programs also broke games off without one.
    pub result: Option<Outcome>,
    /// The number of legal moves in all positions a turn was played in, added up.
    pub check: u16,
}

const NOT_SEARCHED: i16 = i16::MIN;
const RECORD_HEAD: usize = 5;
const TURN: usize = 3;

/// The results by their numbers in a record.
const RESULTS: [Option<Outcome>; 4] = [
    Some(Outcome::Win(Side::Black)),
    Some(Outcome::Draw),
    Some(Outcome::Win(Side::White)),
    None,
];

impl TrainingGame {
    /// The record of this game.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let turns = u16::try_from(self.turns.len()).expect("a game has fewer than 65,536 turns");
        let result = RESULTS.iter().position(|result| *result == self.result);
        let mut bytes = turns.to_le_bytes().to_vec();
        bytes.push(result.expect("every result has a number") as u8);
        bytes.extend(self.check.to_le_bytes());
        for turn in &self.turns {
            bytes.push(turn.index);
            bytes.extend(turn.score.unwrap_or(NOT_SEARCHED).to_le_bytes());
        }
        bytes
    }

    /// Reads the record of a game; `None` at the end of the file, or if the last record is incomplete.
    fn read(file: &mut impl Read) -> Result<Option<TrainingGame>, DataError> {
        let mut head = [0; RECORD_HEAD];
        if !fill(file, &mut head)? {
            return Ok(None);
        }
        let mut bytes = vec![0; TURN * usize::from(u16::from_le_bytes([head[0], head[1]]))];
        if !fill(file, &mut bytes)? {
            return Ok(None);
        }
        let result = RESULTS.get(usize::from(head[2]));
        let result = result.ok_or_else(|| {
            DataError::Content(format!(
                "a record has the result {}; expected 0, 1 or 2: the file is damaged",
                head[2]
            ))
        })?;
        let turns = bytes.chunks_exact(TURN).map(|turn| {
            let score = i16::from_le_bytes([turn[1], turn[2]]);
            TrainingTurn {
                index: turn[0],
                score: (score != NOT_SEARCHED).then_some(score),
            }
        });
        Ok(Some(TrainingGame {
            turns: turns.collect(),
            result: *result,
            check: u16::from_le_bytes([head[3], head[4]]),
        }))
    }
}

/// Fills `bytes`, or reports that the file ends too early.
fn fill(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Why a file of training games cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    /// The file failed.
    #[error(transparent)]
    File(#[from] io::Error),
    /// What is wrong with its content.
    #[error("{0}")]
    Content(String),
}

impl DataError {
    /// The same with the name of the file, for people.
    pub(crate) fn of_file(&self, file: &Path) -> String {
        match self {
            DataError::File(error) => describe(file, error),
            DataError::Content(problem) => format!("`{}`: {problem}", file.display()),
        }
    }
}

/// The games of a file, in order.
pub(crate) struct Games<R> {
    /// How they were played.
    pub(crate) header: Header,
    file: R,
}

impl<R: BufRead> Games<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// When it does not belong to a file of training games.
    pub(crate) fn new(mut file: R) -> Result<Games<R>, DataError> {
        let line = LineReader::new(&mut file, LONGEST_TYPED_LINE).next_line()?;
        let line = line.unwrap_or_default();
        let header: Header = serde_json::from_slice(&line).map_err(|_| {
            DataError::Content(
                "it is no file of training games; expected what `crownhead train games` writes"
                    .into(),
            )
        })?;
        if header.format != FORMAT {
            return Err(DataError::Content(format!(
                "the records have layout {}; this program reads {FORMAT}",
                header.format
            )));
        }
        Ok(Games { header, file })
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<TrainingGame, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        TrainingGame::read(&mut self.file).transpose()
    }
}

/// Calls `visit` with each turn of a game, and the position before it.
///
/// # Errors
/// When the moves are not legal, or their check fails; `number` is the game's in its file.
pub(crate) fn replay(
    played: &TrainingGame,
    number: u64,
    game: &dyn BoardGame,
    rules: &RuleBook,
    mut visit: impl FnMut(TrainingTurn, Replayed),
) -> Result<(), DataError> {
    let moves: Vec<u8> = played.turns.iter().map(|turn| turn.index).collect();
    let mut turns = played.turns.iter();
    let mut check = 0u16;
    let legal = game.replay(rules, &moves, &mut |position| {
        check = check.wrapping_add(position.legal_moves as u16);
        visit(*turns.next().expect("a turn for each move"), position);
    });
    if legal && check == played.check {
        Ok(())
    } else {
        Err(DataError::Content(format!(
            "game {number} does not follow the rules that this program has: its moves are counted otherwise"
        )))
    }
}

/// Opens the file of games at `path` to append to it, or creates it, and returns how many games it has. An incomplete
/// record, which a killed program leaves behind, is cut off.
///
/// # Errors
/// When the file fails, or has games that were played differently.
pub(crate) fn open_to_append(path: &Path, header: &Header) -> Result<(File, u64), DataError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    let mut file = options.open(path)?;
    let asked = serde_json::to_string(header).expect("a header is JSON");
    let (mut games, mut end) = (0, asked.len() + 1);
    if file.metadata()?.len() == 0 {
        writeln!(file, "{asked}")?;
    } else {
        let mut there = Games::new(BufReader::new(&mut file))?;
        if there.header != *header {
            let there = serde_json::to_string(&there.header).expect("a header is JSON");
            return Err(DataError::Content(format!(
                "the file has games played otherwise:\n  there:     {there}\n  asked for: {asked}"
            )));
        }
        for game in &mut there {
            end += game?.to_bytes().len();
            games += 1;
        }
        file.set_len(end as u64)?;
    }
    file.seek(SeekFrom::Start(end as u64))?;
    Ok((file, games))
}
