//! `crownhead show`: one position, drawn.

use super::options::{DrawingOptions, parse_fen};
use super::output::write_json;
use super::recorded::{position_json, write_position};
use crate::draw;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_board::CHECKERS;
use crownhead_bots::games::ListedGame;
use crownhead_record::fen;
use std::io::Write;

/// Draw one position, with its legal moves
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead show --fen W:W18,K32:B11,K15
  crownhead show --fen W:W18,K32:B11,K15 --protocol | ./my_bot")]
pub(super) struct Show {
    /// The game
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    game: ListedGame,
    /// The position of checkers as FEN of draughts [default: the start]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Print it as a bot would be sent it, with the colour line
    #[arg(long)]
    protocol: bool,
    /// Print it as one JSON object
    #[arg(long, conflicts_with = "protocol")]
    json: bool,
    #[command(flatten)]
    drawing: DrawingOptions,
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let drawing = self.drawing.apply();
        let board = match &self.fen {
            Some(fen) if self.game.name() == CHECKERS.name() => parse_fen(fen)?,
            Some(_) => return Err(usage("--fen is for checkers alone")),
            None => self.game.object().start(self.game.rule_books()[0]),
        };
        let board = board.as_ref();
        let mut out = anstream::stdout().lock();
        if self.protocol {
            let (colour, turn) = (board.mover_letter(), board.turn_text());
            return Ok(write!(out, "{colour}\n{turn}")?);
        }
        if self.json {
            return Ok(write_json(&mut out, &position_json(board))?);
        }
        match board.result() {
            None => write_position(board, drawing, &mut out)?,
            Some(ended) => {
                let picture = draw::board(board, &[], drawing);
                writeln!(out, "{picture}{}", ended.reason)?;
            }
        }
        match fen(board) {
            Some(fen) => Ok(writeln!(out, "FEN {fen}")?),
            None => Ok(()),
        }
    }
}
