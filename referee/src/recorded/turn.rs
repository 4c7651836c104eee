//! Parts of a turn as people see them: a position, an answer, a referee's words.

use super::super::words::{stats_in_words, write_stderr};
use crate::draw::{self, Drawing};
use crownhead_bots::Board;
use crownhead_record::numbers::{show_limit, show_time};
use crownhead_record::text::printable;
use crownhead_record::{GameRecord, TurnRecord, position_text};
use serde_json::{Value, json};
use std::io::{self, Write};

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
    match turn.reply.as_deref() {
        None => writeln!(out, "{who} did not answer; {time} went by")?,
        Some(reply) if reply.contains('\n') => {
            writeln!(out, "{who} answered in {time}{compared}")?;
            write_lines(reply, out)?;
        }
        Some(reply) => writeln!(out, "{who} answered `{reply}` in {time}{compared}")?,
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
pub(super) fn write_lines(text: &str, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut lines = text.lines();
    lines.try_for_each(|line| writeln!(out, "  {}", printable(line)))
}

/// The referee's view of the game after this turn, if it has one: text, or where to see the picture.
pub(super) fn write_referees_view(
    record: &GameRecord,
    number: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
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
