//! One turn of a recorded game, or one position: for people, and as JSON.

use super::super::words::{stats_in_words, write_stderr};
use super::list::player;
use super::view::View;
use crate::draw::{self, Drawing};
use crate::failure::Failure;
use crownhead_bots::Board;
use crownhead_record::numbers::{show_limit, show_time};
use crownhead_record::text::printable;
use crownhead_record::{GameRecord, TurnRecord, position_text};
use serde_json::{Value, json};
use std::io::{self, Write};

impl View<'_> {
    /// One turn with what the bot was sent: a position, or the referee's lines. Turns are counted from 1, including
    /// those of the opening.
    ///
    /// # Errors
    /// If a referee's game has no such turn.
    pub(crate) fn write_turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let record = self.record;
        let turn = match &self.board {
            Some(recorded) => {
                let board = recorded.before(number);
                let mover = player(record, board.mover());
                writeln!(
                    out,
                    "Game {}, turn {number}: {mover} to move",
                    record.number
                )?;
                write_position(board.as_ref(), self.drawing, out)?;
                let Some(place) = recorded.place(number) else {
                    return Ok(writeln!(out, "The opening has its move.")?);
                };
                &record.turns[place]
            }
            None => {
                let turn = &record.turns[self.place(number)?];
                let player = player(record, turn.player);
                writeln!(
                    out,
                    "Game {}, turn {number}: {player} was sent\n",
                    record.number
                )?;
                write_lines(turn.sent.as_deref().unwrap_or_default(), out)?;
                writeln!(out)?;
                self.write_referees_view(number - 1, out)?;
                turn
            }
        };
        write_answer("It", turn, out)?;
        self.write_referees_words(number, out)?;
        if self.lost_by(turn) {
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
            let turn = &record.turns[place];
            if let Value::Object(turn) = json!(turn) {
                all.extend(turn);
            }
            if self.lost_by(turn) {
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

    /// Whether the game was lost by a fault in this turn.
    fn lost_by(&self, turn: &TurnRecord) -> bool {
        let lost = self
            .record
            .fault_turn()
            .map(|place| &self.record.turns[place]);
        lost.is_some_and(|lost| std::ptr::eq(lost, turn))
    }

    /// The referee's view of the game after this turn, if it has one: text, or where to see the picture.
    pub(super) fn write_referees_view(&self, number: usize, out: &mut dyn Write) -> io::Result<()> {
        let frames = self
            .record
            .referee
            .iter()
            .flat_map(|referee| &referee.frames);
        let shown = frames.filter(|frame| frame.turn <= number && !frame.show.is_empty());
        let Some(frame) = shown.last() else {
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
        &self,
        number: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.write_referees_view(number, out)?;
        let frames = self
            .record
            .referee
            .iter()
            .flat_map(|referee| &referee.frames);
        let frames = frames.filter(|frame| frame.turn == number);
        for line in frames.flat_map(|frame| &frame.summary) {
            let line = summary(self.record, line);
            if !line.is_empty() {
                writeln!(out, "referee: {line}")?;
            }
        }
        Ok(())
    }
}

/// What the bot replied, how fast, and what it printed.
pub(super) fn write_answer(who: &str, turn: &TurnRecord, out: &mut dyn Write) -> io::Result<()> {
    let part = |time: Option<_>, show: fn(_) -> String, before: &str| {
        time.map_or(String::new(), |time| format!("{before} {}", show(time)))
    };
    let time = show_time(turn.time) + &part(turn.limit, show_limit, " of");
    let time = time + &part(turn.work, show_time, ", worked");
    match turn.reply.as_deref() {
        None => writeln!(out, "{who} did not answer; {time} went by")?,
        Some(reply) if reply.contains('\n') => {
            writeln!(out, "{who} answered in {time}")?;
            write_lines(reply, out)?;
        }
        Some(reply) => writeln!(out, "{who} answered `{reply}` in {time}")?,
    }
    if let Some(opening) = &turn.opening {
        writeln!(out, "The referee was given the opening's answer instead:")?;
        write_lines(opening, out)?;
    }
    write_printed(turn, out)
}

/// The stats of a turn, and its standard error.
pub(super) fn write_printed(turn: &TurnRecord, out: &mut dyn Write) -> io::Result<()> {
    if !turn.said.is_empty() {
        writeln!(out, "stats: {}", stats_in_words(&turn.said))?;
    }
    write_stderr(&turn.stderr, out)
}

fn write_lines(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = text.lines();
    lines.try_for_each(|line| writeln!(out, "  {}", printable(line)))
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
