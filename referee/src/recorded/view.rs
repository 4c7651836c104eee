//! A recorded game as people look at it, and one of its turns: its position, the answer, a referee's words.

use super::list::player;
use crate::draw::{self, Drawing};
use crate::failure::{Failure, about, usage};
use crate::words::{stats_in_words, write_stderr};
use crownhead_bots::{Board, games};
use crownhead_record::numbers::{show_limit, show_time};
use crownhead_record::text::printable;
use crownhead_record::{GameRecord, RecordedGame, TurnRecord, position_text};
use serde_json::{Value, json};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// Refuses an option that needs a board.
pub(crate) fn has_no_board(option: impl Display) -> Failure {
    usage(format_args!(
        "{option} needs a board, and this game is known to its referee alone"
    ))
}

/// A recorded game as people look at it.
pub(crate) struct View<'a> {
    pub(super) record: &'a GameRecord,
    /// `None` if an external referee alone knows the game.
    pub(crate) board: Option<RecordedGame<'a>>,
    pub(super) drawing: Drawing,
}

impl<'a> View<'a> {
    /// The game of this record, which stands in this file.
    ///
    /// # Errors
    /// If no game has this name, or its moves cannot be played.
    pub(crate) fn new(
        record: &'a GameRecord,
        file: &Path,
        drawing: Drawing,
    ) -> Result<View<'a>, Failure> {
        let (shown, number) = (file.display(), record.number);
        let board = match &record.referee {
            Some(_) => None,
            None => {
                let name = &record.game;
                let unknown = || usage(format_args!("`{shown}`: there is no game called `{name}`"));
                let game = games::find(name).ok_or_else(unknown)?;
                let subject = format!("`{shown}`: game {number}");
                Some(RecordedGame::new(record, game).map_err(about(subject))?)
            }
        };
        Ok(View {
            record,
            board,
            drawing,
        })
    }

    /// The game on its board, which an option needs.
    ///
    /// # Errors
    /// If an external referee alone knows the game.
    pub(crate) fn on_board(&self, option: &str) -> Result<&RecordedGame<'a>, Failure> {
        self.board.as_ref().ok_or_else(|| has_no_board(option))
    }

    /// The place in the record of the turn with this number.
    ///
    /// # Errors
    /// If no bot was asked in such a turn.
    pub(crate) fn place(&self, number: usize) -> Result<usize, Failure> {
        let GameRecord {
            number: game,
            opening,
            turns,
            ..
        } = self.record;
        let place = number.checked_sub(opening.len() + 1);
        place.filter(|&place| place < turns.len()).ok_or_else(|| {
            let (first, last) = (opening.len() + 1, opening.len() + turns.len());
            usage(format_args!(
                "--turn {number}: the bots of game {game} were asked in turns {first} to {last}"
            ))
        })
    }

    /// The turn that people look for first: that of a fault, or the last one.
    pub(crate) fn of_interest(&self) -> usize {
        match &self.board {
            Some(recorded) => recorded.of_interest(),
            None => self.record.decisive_turn().map_or(1, |place| place + 1),
        }
    }

    /// What the bot that was asked in this turn was sent, each of its turns from the start of the game to it.
    ///
    /// # Errors
    /// If no bot was asked in it.
    pub(crate) fn requests(&self, number: usize) -> Result<Vec<String>, Failure> {
        let place = self.place(number)?;
        if let Some(recorded) = &self.board {
            return Ok(recorded.requests(number));
        }
        let turns = &self.record.turns[..=place];
        let own = turns
            .iter()
            .filter(|turn| turn.player == turns[place].player);
        Ok(own
            .map(|turn| turn.sent.clone().unwrap_or_default())
            .collect())
    }

    /// One turn with what the bot was sent: a position, or the referee's lines. Turns are counted from 1, including
    /// those of the opening.
    ///
    /// # Errors
    /// If a referee's game has no such turn.
    pub(crate) fn write_turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let (record, game) = (self.record, self.record.number);
        let place = match &self.board {
            Some(recorded) => {
                let board = recorded.before(number);
                let mover = player(record, board.mover());
                writeln!(out, "Game {game}, turn {number}: {mover} to move")?;
                write_position(board.as_ref(), self.drawing, out)?;
                let Some(place) = recorded.place(number) else {
                    return Ok(writeln!(out, "The opening has its move.")?);
                };
                place
            }
            None => {
                let place = self.place(number)?;
                let turn = &record.turns[place];
                let player = player(record, turn.player);
                writeln!(out, "Game {game}, turn {number}: {player} was sent\n")?;
                write_lines(turn.sent.as_deref().unwrap_or_default(), out)?;
                writeln!(out)?;
                write_referees_view(record, number - 1, out)?;
                place
            }
        };
        write_answer("It", &record.turns[place], "", out)?;
        write_referees_words(record, number, out)?;
        if record.fault_turn() == Some(place) {
            writeln!(out, "{}", record.reason)?;
        }
        Ok(())
    }

    /// The same as programs read it; of a board game with the rows and the moves.
    ///
    /// # Errors
    /// If a referee's game has no such turn.
    pub(crate) fn turn_json(&self, number: usize) -> Result<Value, Failure> {
        let record = self.record;
        let board = self.board.as_ref().map(|recorded| recorded.before(number));
        let mut value = board.as_deref().map_or(json!({}), position_json);
        let place = match &self.board {
            Some(recorded) => recorded.place(number),
            None => Some(self.place(number)?),
        };
        if let (Some(place), Some(all)) = (place, value.as_object_mut()) {
            if let Value::Object(turn) = json!(record.turns[place]) {
                all.extend(turn);
            }
            if record.fault_turn() == Some(place) {
                all.insert("termination".into(), json!(record.termination));
                all.insert("reason".into(), json!(record.reason));
            }
        }
        if let Some(board) = board {
            value["player"] = json!(record.players[board.mover()].name);
        }
        value["game"] = json!(record.number);
        value["turn"] = json!(number);
        Ok(value)
    }
}

/// What the bot replied, how fast, and what it printed. `compared` ends the line of the reply.
pub(crate) fn write_answer(
    who: &str,
    turn: &TurnRecord,
    compared: &str,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    let part = |time: Option<_>, show: fn(_) -> String, before: &str| {
        time.map_or(String::new(), |time| format!("{before} {}", show(time)))
    };
    let time = show_time(turn.time) + &part(turn.limit, show_limit, " of");
    let time = time + &part(turn.work, show_time, ", worked");
    // A game from elsewhere has no times.
    let unless_zero = |told: String| {
        if turn.time.is_zero() {
            String::new()
        } else {
            told
        }
    };
    let within = unless_zero(format!(" in {time}"));
    match turn.reply.as_deref() {
        None => {
            let waited = unless_zero(format!("; {time} went by"));
            writeln!(out, "{who} did not answer{waited}")?;
        }
        Some(reply) if reply.contains('\n') => {
            writeln!(out, "{who} answered{within}{compared}")?;
            write_lines(reply, out)?;
        }
        Some(reply) => writeln!(out, "{who} answered `{reply}`{within}{compared}")?,
    }
    if let Some(opening) = &turn.opening {
        writeln!(out, "The referee was given the opening's answer instead:")?;
        write_lines(opening, out)?;
    }
    write_printed(turn, out)
}

/// The stats of a turn, and its standard error.
pub(super) fn write_printed(turn: &TurnRecord, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    if !turn.said.is_empty() {
        writeln!(out, "stats: {}", stats_in_words(&turn.said))?;
    }
    write_stderr(&turn.stderr, out)
}

/// Lines that a person reads, indented.
fn write_lines(text: &str, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut lines = text.lines();
    lines.try_for_each(|line| writeln!(out, "  {}", printable(line)))
}

/// The referee's view of the game after this turn, if it has one: text, or where to see the picture.
fn write_referees_view(record: &GameRecord, number: usize, out: &mut dyn Write) -> io::Result<()> {
    let frames = record.referee.iter().flat_map(|referee| &referee.frames);
    let mut shown = frames.filter(|frame| frame.turn <= number && !frame.show.is_empty());
    let Some(frame) = shown.next_back() else {
        return Ok(());
    };
    if frame.is_svg() {
        let told = "(the referee shows a picture, which the page of `crownhead serve` has)";
        return writeln!(out, "{told}\n");
    }
    for line in frame.show.lines() {
        writeln!(out, "{}", printable(line))?;
    }
    writeln!(out)
}

/// The referee's view after this turn, and its messages until the next one.
pub(super) fn write_referees_words(
    record: &GameRecord,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_referees_view(record, number, out)?;
    let frames = record.referee.iter().flat_map(|referee| &referee.frames);
    let frames = frames.filter(|frame| frame.turn == number);
    for line in frames.flat_map(|frame| &frame.summary) {
        let line = summary(record, line);
        if !line.is_empty() {
            writeln!(out, "referee: {line}")?;
        }
    }
    Ok(())
}

/// A line of a referee's summary without its colours (`¤RED¤` to `§RED§`), and with names for `$0` and so on (the engine's
/// `GameManager` and its viewer, 4.5).
fn summary(record: &GameRecord, line: &str) -> String {
    let is_colour = |part: &&str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_uppercase());
    let parts = line.split(['¤', '§']).filter(|part| !is_colour(part));
    let mut text: String = parts.collect();
    for (place, player) in record.players.iter().enumerate().rev() {
        text = text.replace(&format!("${place}"), &player.name);
    }
    printable(text.trim())
}

/// Writes a board and its legal moves.
pub(crate) fn write_position(
    board: &dyn Board,
    drawing: Drawing,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    write!(out, "{}", draw::board(board, &[], drawing))?;
    let moves = board.legal_moves().join(" ");
    writeln!(out, "{} to move: {moves}", board.mover_name())
}

/// A position as JSON: its rows, who is to move, the legal moves, and the text that `--fen` reads.
pub(crate) fn position_json(board: &dyn Board) -> Value {
    json!({
        "rows": board.rows(),
        "side": board.mover_name(),
        "colour": board.mover_letter(),
        "moves": board.legal_moves(),
        "fen": position_text(board),
    })
}
