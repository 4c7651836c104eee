//! A player's end of the line protocol, on any pair of streams.

use crate::player::{Player, Turn};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::protocol::{self, Reader, Request};
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

/// No line of the protocol is this long, in bytes; the rest of one that is would be read as another line.
const LONGEST_LINE: u64 = 4096;

/// Plays until the end of input: reads turns from `input`, answers each on `output`.
///
/// The clock of a turn starts with its first line. Should the referee's moves not be the ones this library
/// knows for the board it shows, that is said on `log`, and the first move of the referee's list is played:
/// the referee is right.
///
/// # Errors
/// When the input is not the protocol, or a stream fails.
pub fn converse<G: Notation>(
    player: &mut dyn Player<G>,
    mut input: impl BufRead,
    mut output: impl Write,
    mut log: impl Write,
) -> Result<(), ConversationError> {
    let mut reader = Reader::new();
    let mut side = Side::Black;
    let mut began = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok(());
        }
        let now = Instant::now();
        match reader.push(&String::from_utf8_lossy(&line))? {
            None => {
                began.get_or_insert(now);
            }
            Some(Request::Colour(colour)) => side = colour,
            Some(Request::Turn(turn)) => {
                let reply = answer(player, side, &turn, began.take().unwrap_or(now), &mut log)?;
                writeln!(output, "{reply}")?;
                output.flush()?;
                if let Some(remark) = player.remark() {
                    writeln!(log, "{remark}")?;
                }
            }
        }
    }
}

fn answer<G: Notation>(
    player: &mut dyn Player<G>,
    side: Side,
    turn: &protocol::Turn,
    began: Instant,
    log: &mut impl Write,
) -> Result<String, ConversationError> {
    let Some(first) = turn.moves.first() else {
        return Err(ConversationError::NoMoves);
    };
    match understand::<G>(turn, side) {
        Ok((position, moves)) => {
            let chosen = player.choose(&Turn {
                position: &position,
                moves: &moves,
                began,
            });
            // The reply is spelled as the referee spells it.
            let place = moves.iter().position(|&mv| mv == chosen);
            Ok(turn.moves[place.expect("a player names a move of the turn")].clone())
        }
        Err(reason) => {
            writeln!(log, "{reason}; playing the first move of the list")?;
            Ok(first.clone())
        }
    }
}

/// The position of a turn and its moves, in the order of the referee's list; or why the turn is not one
/// that this library knows.
fn understand<G: Notation>(turn: &protocol::Turn, side: Side) -> Result<(G, Vec<G::Move>), String> {
    let position = G::from_rows(&turn.rows, side).map_err(|error| error.to_string())?;
    let mut moves = Vec::with_capacity(turn.moves.len());
    for name in &turn.moves {
        let known = position.parse_move(name);
        moves.push(known.map_err(|_| format!("{name:?} is listed, but not legal on that board"))?);
    }
    let mut missing = None;
    position.each_move(|mv| {
        if !moves.contains(&mv) {
            missing = Some(mv);
        }
    });
    match missing {
        Some(mv) => Err(format!(
            "{} is legal, but not listed",
            position.move_name(mv)
        )),
        None => Ok((position, moves)),
    }
}

/// Why a conversation could not go on.
#[derive(Debug)]
pub enum ConversationError {
    /// The other end does not speak the protocol.
    Protocol(protocol::ProtocolError),
    /// A turn came with no move to choose from.
    NoMoves,
    /// A stream failed.
    Stream(io::Error),
}

impl fmt::Display for ConversationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConversationError::Protocol(error) => write!(f, "{error}"),
            ConversationError::NoMoves => {
                f.write_str("a turn without a legal move; expected at least one")
            }
            ConversationError::Stream(error) => write!(f, "the conversation broke off: {error}"),
        }
    }
}

impl std::error::Error for ConversationError {}

impl From<protocol::ProtocolError> for ConversationError {
    fn from(error: protocol::ProtocolError) -> ConversationError {
        ConversationError::Protocol(error)
    }
}

impl From<io::Error> for ConversationError {
    fn from(error: io::Error) -> ConversationError {
        ConversationError::Stream(error)
    }
}
