//! The bot's end of the line protocol, on any pair of streams.

use crate::{Player, PlayerTurn};
use crownhead::board::Side;
use crownhead::notation::Notation;
use crownhead::protocol::{Request, RequestReader, TurnRequest};
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

/// At most this many bytes of a line are read, so that no input exhausts memory. Lines of the protocol are far shorter.
const LONGEST_LINE: u64 = 4096;

/// Speaks the line protocol on standard input and output until the end of input.
///
/// The exit status is 1, with a line on standard error, for input that breaks the protocol.
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
            // A closed standard error leaves no place to report to.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until the end of input: reads turns from `input` and answers each on `output` with a listed move.
///
/// The clock of a turn starts with its first line. The referee's list decides what is legal: where it differs from this
/// library's legal moves, that is reported on `log`, and the player chooses among the listed moves that are legal here
/// too; if there are none, the first of the list is played.
///
/// # Errors
/// When the input breaks the protocol, with [`InvalidData`](io::ErrorKind::InvalidData), or a stream fails.
pub fn converse<G: Notation>(
    player: &mut dyn Player<G>,
    mut input: impl BufRead,
    mut output: impl Write,
    log: impl Write,
) -> io::Result<()> {
    let mut reader = RequestReader::new(G::SIZE, Side::BOTH.map(G::side_letter));
    let mut bot = Bot {
        player,
        side: Side::Black,
        log,
    };
    let mut started = None;
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
        match reader
            .push(&String::from_utf8_lossy(&line))
            .map_err(invalid)?
        {
            None => {
                started.get_or_insert(now);
            }
            Some(Request::Colour(colour)) => bot.side = colour,
            Some(Request::Turn(turn)) => {
                let reply = bot.answer(&turn, started.take().unwrap_or(now))?;
                writeln!(output, "{reply}")?;
                output.flush()?;
            }
        }
    }
}

/// Moves by their names in the list.
type Listed<'t, M> = Vec<(&'t str, M)>;

/// A player with its side.
struct Bot<'a, G: Notation, L> {
    player: &'a mut dyn Player<G>,
    side: Side,
    log: L,
}

impl<G: Notation, L: Write> Bot<'_, G, L> {
    /// The listed move that the player chooses.
    fn answer<'t>(&mut self, turn: &'t TurnRequest, started: Instant) -> io::Result<&'t str> {
        let Some(first) = turn.moves.first() else {
            return Err(invalid(
                "a turn without a legal move; expected at least one",
            ));
        };
        let Some((position, listed)) = self.read(turn) else {
            self.say(format_args!(
                "no listed move makes sense here; playing the first, {first}"
            ));
            return Ok(first);
        };
        let (names, moves): (Vec<&str>, Vec<G::Move>) = listed.into_iter().unzip();
        let chosen = self.player.choose(&PlayerTurn {
            position: &position,
            moves: &moves,
            started,
        });
        if let Some(remark) = self.player.remark().map(str::to_string) {
            self.say(format_args!("{remark}"));
        }
        // A player may search beyond `moves` and choose one that is not listed.
        let index = moves.iter().position(|&mv| mv == chosen);
        Ok(names[index.unwrap_or(0)])
    }

    /// The position, and of the list the moves that are legal here too, by their names; `None` if there are none.
    fn read<'t>(&mut self, turn: &'t TurnRequest) -> Option<(G, Listed<'t, G::Move>)> {
        let position = G::from_rows(&turn.rows, self.side).ok()?;
        let legal = position.legal_moves().into_iter();
        let legal: Vec<(String, G::Move)> = legal.map(|mv| (position.move_name(mv), mv)).collect();
        let known = |name: &'t String| {
            let mut legal = legal.iter();
            let known = legal.find(|(own, _)| own.eq_ignore_ascii_case(name));
            known.map(|&(_, mv)| (name.as_str(), mv))
        };
        let both: Listed<'t, G::Move> = turn.moves.iter().filter_map(known).collect();
        if both.is_empty() {
            return None;
        }
        if (both.len(), both.len()) != (legal.len(), turn.moves.len()) {
            self.say(format_args!(
                "the list is not what this bot takes for legal: {} moves here, {} listed; \
                 choosing from the {} that both have",
                legal.len(),
                turn.moves.len(),
                both.len()
            ));
        }
        Some((position, both))
    }

    /// Writes a line to the log. A log that cannot be written must not end the game.
    fn say(&mut self, text: fmt::Arguments<'_>) {
        let _ = writeln!(self.log, "{text}");
    }
}

/// The error of input that breaks the protocol.
fn invalid(reason: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.to_string())
}
