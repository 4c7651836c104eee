//! `crownhead chess`: checks and shows a two-player game of chess from a file of moves.

use crate::failure::Failure;
use clap::Args;
use crownhead::games::chess::{Chess, rules};
use crownhead::rules::{LengthRules, RuleBook};
use crownhead_bots::{Board, CHESS, PositionBoard, winner};
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::{MoveLine, next_move};
use serde_json::json;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// Check a game of chess in a file of moves such as e2e4, one a line
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead chess moves.txt
  crownhead chess moves.txt --strict --json",
    after_long_help = "\
This is chess without castling, promotion and en passant. White's pieces are upper case and move first. A bad move is \
reported with its line and the reason, and the same player stays on move. Blank lines are skipped. Case does not matter: \
`E2E4` is `e2e4`.

Exit status: 0 the file was read to its end; 1 --strict met a bad line; 2 the file cannot be read."
)]
pub(super) struct ChessFile {
    /// File of moves (`-`: standard input)
    file: PathBuf,
    /// Stop at the first bad line
    #[arg(long)]
    strict: bool,
    /// Print one JSON object for each move instead of boards
    #[arg(long)]
    json: bool,
}

/// The two-player rules without a limit on turns: a file is read to its end, however long the game in it is.
const RULES: RuleBook = RuleBook {
    length: LengthRules::UNLIMITED,
    ..rules::TWO_PLAYER
};

impl ChessFile {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut lines = LineReader::new(self.open()?, LONGEST_TYPED_LINE);
        let mut board = CHESS.start(RULES);
        let mut out = io::stdout().lock();
        if !self.json {
            write_board(board.as_ref(), &mut out)?;
        }
        // Also when the game is over, the file is read to its end, and every move in it refused.
        loop {
            let line = next_move(&mut lines, board.as_ref());
            match line.map_err(|error| self.unreadable(error))? {
                None => return Ok(out.flush()?),
                Some(MoveLine::Legal(name)) => {
                    let mover = board.mover_name();
                    board.play(&name);
                    self.write_move(lines.line(), mover, &name, board.as_ref(), &mut out)?;
                }
                Some(bad) => {
                    self.write_bad_line(lines.line(), &bad, &mut out)?;
                    if self.strict {
                        out.flush()?;
                        return Err(Failure::Silent);
                    }
                }
            }
        }
    }

    fn open(&self) -> Result<Box<dyn BufRead>, Failure> {
        if self.file == Path::new("-") {
            return Ok(Box::new(io::stdin().lock()));
        }
        let unreadable = |error| self.unreadable(error);
        let file = File::open(&self.file).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            let problem = io::Error::other("it is a folder; expected a file of moves");
            return Err(self.unreadable(problem));
        }
        Ok(Box::new(BufReader::new(file)))
    }

    fn unreadable(&self, error: io::Error) -> Failure {
        let from_input = self.file == Path::new("-");
        let name = self.file.display().to_string();
        let name = if from_input { "standard input" } else { &name };
        Failure::Usage(format!("{name}: {error}"))
    }

    /// The board after a legal move, and what has become of the game.
    fn write_move(
        &self,
        line: usize,
        mover: &str,
        name: &str,
        board: &dyn Board,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let check = PositionBoard::<Chess>::of(board)
            .game()
            .position()
            .in_check();
        let won = board.result().map(|ended| winner(&ended.scores));
        if self.json {
            let object = json!({
                "line": line,
                "move": name,
                "side": mover,
                "legal": true,
                "check": check,
                "end": won.map(|won| if won.is_some() { "checkmate" } else { "stalemate" }),
                "board": board.rows(),
            });
            return writeln!(out, "{object}");
        }
        writeln!(out, "\n{}. {mover} {name}", board.turn() - 1)?;
        write_board(board, out)?;
        if check {
            writeln!(out, "in check")?;
        }
        match won {
            None => Ok(()),
            Some(None) => writeln!(out, "stalemate: a draw"),
            Some(Some(player)) => {
                writeln!(out, "checkmate: {} has won", RULES.side_names[player])
            }
        }
    }

    fn write_bad_line(&self, line: usize, bad: &MoveLine, out: &mut impl Write) -> io::Result<()> {
        let (key, text, reason) = match bad {
            MoveLine::Legal(_) => return Ok(()),
            MoveLine::Illegal { text, reason } => ("move", text, reason.as_str()),
            MoveLine::NoMove(text) => ("text", text, "no move"),
        };
        if self.json {
            let object = json!({"line": line, key: text, "legal": false, "reason": reason});
            return writeln!(out, "{object}");
        }
        match key {
            "move" => writeln!(out, "line {line}: {text}: {reason}"),
            // What stands there is not repeated: it might read like a line of ours.
            _ => {
                let told = "that is no move; a move is two squares, such as e2e4";
                writeln!(out, "line {line}: {told}")
            }
        }
    }
}

/// The board with coordinates, row 8 on top: white upper case, black lower case.
fn write_board(board: &dyn Board, out: &mut impl Write) -> io::Result<()> {
    for (row, line) in (1..=8).rev().zip(board.rows()) {
        let letters: String = line.chars().flat_map(|letter| [' ', letter]).collect();
        writeln!(out, "{row}{letters}")?;
    }
    writeln!(out, "  a b c d e f g h")
}
