//! Turns that a person gives as lines of the protocol, in whichever game they are.

use crownhead::board::Side;
use crownhead::notation::PositionError;
use crownhead::protocol::{ProtocolError, Request, RequestReader, TurnRequest};
use crownhead_bots::{Board, BoardGame, games};
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use std::collections::BTreeSet;
use std::io::{self, BufRead};

/// Turns of one game, of which the last is asked about.
#[derive(Debug)]
pub struct GivenTurns {
    /// The position of the last turn.
    pub board: Box<dyn Board>,
    /// Each turn as it was given, the first with its colour line if there was one.
    pub requests: Vec<String>,
    /// Whether the moves given in the last turn are those of its position.
    has_its_moves: bool,
}

/// Why lines are no turns.
#[derive(Debug, thiserror::Error)]
pub enum GivenTurnsError {
    /// They cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// They are not of the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
    /// No turn among them is complete.
    #[error(
        "expected a turn of the protocol: a colour line, the rows of the board, the number of moves and the moves (or \
         name a file of games, or --fen)"
    )]
    NoTurn,
    /// The rows of the last turn are no position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// The turns that `input` holds: in the first game of the list in which the last turn's position has the moves that are
/// given, or else in the first.
///
/// # Errors
/// When there is no turn in it.
pub fn read_turns(input: impl BufRead) -> Result<GivenTurns, GivenTurnsError> {
    let mut input = LineReader::new(input, LONGEST_TYPED_LINE);
    let games = games::all().iter();
    let mut readings: Vec<_> = games.map(|&game| Reading::of(game)).collect();
    // What breaks the protocol of every game is not read to its end.
    while readings.iter().any(|reading| reading.problem.is_none()) {
        let Some(line) = input.next_line()? else {
            break;
        };
        let line = String::from_utf8_lossy(&line);
        readings.iter_mut().for_each(|reading| reading.push(&line));
    }
    let mut turns: Vec<_> = readings.into_iter().map(Reading::finish).collect();
    let has_its_moves =
        |turns: &Result<GivenTurns, _>| turns.as_ref().is_ok_and(|turns| turns.has_its_moves);
    let chosen = turns.iter().position(has_its_moves);
    turns.swap_remove(chosen.unwrap_or_default())
}

/// The lines, read as turns of one game.
struct Reading {
    game: &'static dyn BoardGame,
    reader: RequestReader,
    side: Side,
    requests: Vec<String>,
    /// The lines of the request under way.
    request: String,
    last: Option<TurnRequest>,
    /// Why it cannot be of this game.
    problem: Option<ProtocolError>,
}

impl Reading {
    fn of(game: &'static dyn BoardGame) -> Reading {
        Reading {
            game,
            reader: game.request_reader(),
            side: Side::Black,
            requests: Vec::new(),
            request: String::new(),
            last: None,
            problem: None,
        }
    }

    fn push(&mut self, line: &str) {
        if self.problem.is_some() {
            return;
        }
        self.request += line.trim_end();
        self.request.push('\n');
        match self.reader.push(line) {
            Ok(None) => {}
            Ok(Some(Request::Colour(colour))) => self.side = colour,
            Ok(Some(Request::Turn(turn))) => {
                self.last = Some(turn);
                self.requests.push(std::mem::take(&mut self.request));
            }
            Err(problem) => self.problem = Some(problem),
        }
    }

    fn finish(self) -> Result<GivenTurns, GivenTurnsError> {
        self.problem.map_or(Ok(()), Err)?;
        let turn = self.last.ok_or(GivenTurnsError::NoTurn)?;
        let rows: Vec<String> = turn.rows.lines().map(String::from).collect();
        let rules = self.game.rule_books()[0];
        let board = self.game.set_up(&rows, self.side.index(), rules)?;
        let given: BTreeSet<_> = turn
            .moves
            .iter()
            .map(|name| board.find_move(name))
            .collect();
        let has_its_moves = given == board.legal_moves().into_iter().map(Some).collect();
        Ok(GivenTurns {
            board,
            requests: self.requests,
            has_its_moves,
        })
    }
}
