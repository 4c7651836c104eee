//! `crownhead show`: one position, drawn.

use super::Failure;
use super::options::{DrawingOptions, parse_fen};
use super::recorded::position_json;
use crate::draw;
use clap::Args;
use crownhead::explain::Explain;
use crownhead::games::checkers::{Checkers, rules};
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};
use crownhead_record::turn_text;
use std::io::Write;

/// Draw one position of checkers, with its legal moves
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead show --fen W:W18,K32:B11,K15
  crownhead show --fen W:W18,K32:B11,K15 --protocol | ./my_bot")]
pub(super) struct Show {
    /// The position as FEN of draughts [default: the start]
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
        let rules = &rules::CONTEST;
        let position = match &self.fen {
            Some(fen) => parse_fen(fen)?,
            None => Checkers::start(rules),
        };
        let mover = rules.side_name(position.side_to_move());
        let mut out = anstream::stdout().lock();
        if self.protocol {
            let colour = Checkers::side_letter(position.side_to_move());
            write!(out, "{colour}\n{}", turn_text(&position))?;
            return Ok(());
        }
        if self.json {
            serde_json::to_writer_pretty(&mut out, &position_json(&position))?;
            writeln!(out)?;
            return Ok(());
        }
        write!(out, "{}", draw::board(&position, rules, &[], drawing))?;
        match position.outcome(rules) {
            Some(outcome) => {
                let result = match outcome {
                    Outcome::Win(side) => format!("{} has won", rules.side_name(side)),
                    Outcome::Draw => "a draw".into(),
                };
                writeln!(out, "{}: {result}", position.describe_no_moves(rules))?;
            }
            None => {
                let names: Vec<String> = position
                    .legal_moves()
                    .iter()
                    .map(|&mv| position.move_name(mv))
                    .collect();
                writeln!(out, "{mover} to move: {}", names.join(" "))?;
            }
        }
        writeln!(out, "FEN {}", position.to_fen())?;
        Ok(())
    }
}
