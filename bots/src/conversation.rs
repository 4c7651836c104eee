//! A player's end of the line protocol, on any pair of streams.

use crate::orientation::{Orientation, Reading};
use crate::player::{Player, Turn};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::protocol::{self, Reader, Request};
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

/// No line of the protocol is this long, in bytes; the rest of one that is would be read as another line.
const LONGEST_LINE: u64 = 4096;

/// Speaks the line protocol on standard input and output until the end of input.
///
/// The status is 1, with a line on standard error, when the input is not the protocol.
pub fn converse_on_standard_streams<G: Notation>(player: &mut dyn Player<G>) -> ExitCode {
    let talk = converse(
        player,
        io::stdin().lock(),
        io::stdout().lock(),
        io::stderr(),
    );
    match talk {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when this fails too.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until the end of input: reads turns from `input`, answers each on `output` with one of the listed
/// moves.
///
/// The clock of a turn starts with its first line. The referee is right: where its list and this library's
/// legal moves differ, the board is read in every [`Orientation`] until they are the same. If they never
/// are, that is said on `log`, and the player chooses from those listed moves that this library understands;
/// where it understands none, the first of the list is played.
///
/// # Errors
/// When the input is not the protocol, or a stream fails.
pub fn converse<G: Notation>(
    player: &mut dyn Player<G>,
    mut input: impl BufRead,
    mut output: impl Write,
    log: impl Write,
) -> Result<(), ConversationError> {
    let mut reader = Reader::new();
    let mut seat = Seat {
        player,
        side: Side::Black,
        orientation: Orientation::default(),
        log,
    };
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
            Some(Request::Colour(colour)) => seat.side = colour,
            Some(Request::Turn(turn)) => {
                let reply = seat.answer(&turn, began.take().unwrap_or(now))?;
                writeln!(output, "{reply}")?;
                output.flush()?;
            }
        }
    }
}

/// A player at a table, and how it sees the board.
struct Seat<'a, G: Notation, L> {
    player: &'a mut dyn Player<G>,
    side: Side,
    orientation: Orientation,
    log: L,
}

impl<G: Notation, L: Write> Seat<'_, G, L> {
    /// The listed move to play.
    fn answer<'t>(
        &mut self,
        turn: &'t protocol::Turn,
        began: Instant,
    ) -> Result<&'t str, ConversationError> {
        let Some(first) = turn.moves.first() else {
            return Err(ConversationError::NoMoves);
        };
        let Some(reading) = Reading::<G>::find(turn, self.side, self.orientation) else {
            self.say(format_args!(
                "no listed move makes sense here; playing the first, {first}"
            ));
            return Ok(first);
        };
        self.compare(&reading, turn);
        let chosen = self.player.choose(&Turn {
            position: &reading.position,
            moves: &reading.moves,
            began,
        });
        if let Some(remark) = self.player.remark().map(str::to_string) {
            self.say(format_args!("{remark}"));
        }
        // A player that searches more than the listed moves may choose one that is not.
        let index = reading.moves.iter().position(|&mv| mv == chosen);
        Ok(&turn.moves[reading.places[index.unwrap_or(0)]])
    }

    /// Says how the reading differs from what was expected, if it does.
    fn compare(&mut self, reading: &Reading<G>, turn: &protocol::Turn) {
        if !reading.agrees {
            self.say(format_args!(
                "the list is not what this bot takes for legal: {} moves here, {} listed; \
                 choosing from the {} that both have",
                reading.position.count_moves(),
                turn.moves.len(),
                reading.moves.len()
            ));
        }
        if reading.orientation != self.orientation {
            self.say(format_args!(
                "reading the board with {}",
                reading.orientation
            ));
        }
        if reading.agrees {
            self.orientation = reading.orientation;
        }
    }

    /// A line for people. A log that cannot be written to is no reason to lose the game.
    fn say(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.log, "{text}");
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
            ConversationError::Stream(error) => {
                write!(f, "the conversation broke off: {error}")
            }
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
