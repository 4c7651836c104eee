//! `crownhead show`: one position, drawn.

use super::options::{DrawingOptions, board_of};
use super::output::write_json;
use super::recorded::{position_json, write_position};
use crate::draw;
use crate::failure::Failure;
use clap::Args;
use crownhead_bots::options::game_parser;
use crownhead_bots::{BoardGame, games};
use crownhead_record::position_text;
use std::io::Write;

/// Draw one position, with its legal moves
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead show --fen W:W18,K32:B11,K15
  crownhead show --fen W:W18,K32:B11,K15 --protocol | ./my_bot",
    after_long_help = "\
More examples:
  crownhead show --game everchess --fen '8/2p5/3P4/1p6/8/8/5P2/8 w'"
)]
pub(super) struct Show {
    /// Game of the position
    #[arg(long, value_name = "NAME", default_value = games::usual().name(), value_parser = game_parser())]
    game: &'static dyn BoardGame,
    /// Position: FEN of draughts, or the rows and the side to move [default: the start]
    ///
    /// Rows start with the last one and have / between them, such as '8/2p5/3P4/1p6/8/8/5P2/8 w'.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Print what a bot would be sent, including the colour line
    #[arg(long)]
    protocol: bool,
    /// Print the position as one JSON object
    #[arg(long, conflicts_with = "protocol")]
    json: bool,
    #[command(flatten)]
    drawing: DrawingOptions,
}

impl Show {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let drawing = self.drawing.apply();
        let rules = self.game.rule_books()[0];
        let board = board_of(self.fen.as_deref(), self.game, rules)?;
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
        Ok(writeln!(out, "FEN {}", position_text(board))?)
    }
}
