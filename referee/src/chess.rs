//! `crownhead chess`: a two-player game of chess from a file of moves, validated and shown.

use crate::failure::Failure;
use clap::Args;
use crownhead::games::chess::{Chess, rules};
use crownhead::rules::{LengthRules, RuleBook};
use crownhead_arena::seat::{BadLine, MoveFile, MoveReader};
use crownhead_arena::table::{self, Observer, Policy, Verdict};
use crownhead_board::{Board, CHESS, PositionBoard};
use crownhead_record::judge::TimeLimits;
use serde_json::json;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Play a game of chess from a file of moves such as e2e4, one a line
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  crownhead chess examples/chess/legal.txt

Chess without castling, promotion and en passant. White's pieces are upper case and move first. A bad \
move is told with its line and the reason, and the same player stays on move; a blank line is passed \
over.

Exit status: 0 when the file was read to its end, 1 when --strict met a bad line, 2 when the file \
cannot be read.")]
pub(super) struct ChessFile {
    /// The file of moves; - reads standard input
    file: PathBuf,
    /// Stop at the first bad line
    #[arg(long)]
    strict: bool,
    /// Print one JSON object a move instead of boards
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
        let from_input = self.file == Path::new("-");
        let unreadable = |error: io::Error| {
            let name = self.file.display();
            Failure::Usage(if from_input {
                format!("standard input: {error}")
            } else {
                format!("{name}: {error}")
            })
        };
        let input: Box<dyn BufRead> = if from_input {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(&self.file).map_err(unreadable)?;
            if file.metadata().map_err(unreadable)?.is_dir() {
                return Err(Failure::Usage(format!(
                    "{}: it is a folder; expected a file of moves",
                    self.file.display()
                )));
            }
            Box::new(BufReader::new(file))
        };
        let page = Page {
            json: self.json,
            out: RefCell::new(io::stdout().lock()),
            failure: RefCell::new(None),
        };
        let on_bad_line = |line: usize, bad: BadLine| {
            page.bad_line(line, &bad);
            if self.strict || page.failure.borrow().is_some() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let file = RefCell::new(MoveFile::new(input, on_bad_line));
        let mut board = CHESS.start(RULES);
        page.board(board.as_ref());
        let verdict = {
            let (mut black, mut white) = (MoveReader(&file), MoveReader(&file));
            let mut policy = Policy::strict(TimeLimits::default());
            let mut shown = Shown {
                page: &page,
                file: &file,
            };
            table::play(
                board.as_mut(),
                &mut [&mut black, &mut white],
                &mut policy,
                &mut shown,
            )
        };
        page.end(&verdict, board.as_ref());
        // The game may be over; the file is still read to its end, and every move in it refused.
        while file.borrow_mut().next_move(board.as_ref()).is_some() {}
        page.finish()?;
        let file = file.into_inner();
        if let Some(error) = file.failure {
            return Err(unreadable(error));
        }
        if file.stopped && self.strict {
            return Err(Failure::Silent);
        }
        Ok(())
    }
}

/// What is printed: boards and sentences, or JSON.
struct Page<W> {
    json: bool,
    out: RefCell<W>,
    /// Why nothing more can be printed.
    failure: RefCell<Option<io::Error>>,
}

impl<W: Write> Page<W> {
    fn say(&self, text: &str) {
        let mut failure = self.failure.borrow_mut();
        if failure.is_none() {
            *failure = self.out.borrow_mut().write_all(text.as_bytes()).err();
        }
    }

    fn finish(&self) -> io::Result<()> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.out.borrow_mut().flush(),
        }
    }

    /// The board with coordinates, row 8 on top: white upper case, black lower case.
    fn board(&self, board: &dyn Board) {
        if self.json {
            return;
        }
        let mut text = String::new();
        for (row, line) in (1..=8).rev().zip(board.rows()) {
            text.push_str(&row.to_string());
            for letter in line.chars() {
                text.extend([' ', letter]);
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h\n");
        self.say(&text);
    }

    fn good_move(&self, line: usize, board: &dyn Board) {
        let mut before = board.duplicate();
        before.undo();
        let (mover, moves) = (before.mover_name(), board.moves());
        let name = moves.last().expect("a move was played");
        if !self.json {
            self.say(&format!("\n{}. {mover} {name}\n", board.turn() - 1));
            self.board(board);
            if in_check(board) {
                self.say("in check\n");
            }
            return;
        }
        self.object(json!({
            "line": line,
            "move": name,
            "side": mover,
            "legal": true,
            "check": in_check(board),
            "end": end_of(board),
            "board": board.rows(),
        }));
    }

    fn bad_line(&self, line: usize, bad: &BadLine) {
        match (bad, self.json) {
            (BadLine::Illegal { text, reason }, false) => {
                self.say(&format!("line {line}: {text}: {reason}\n"));
            }
            // What stands there is not repeated: it might read like a line of ours.
            (BadLine::NoMove { .. }, false) => self.say(&format!(
                "line {line}: that is no move; a move is two squares, such as e2e4\n"
            )),
            (BadLine::Illegal { text, reason }, true) => self.object(json!({
                "line": line, "move": text, "legal": false, "reason": reason,
            })),
            (BadLine::NoMove { text }, true) => self.object(json!({
                "line": line, "text": text, "legal": false, "reason": "no move",
            })),
        }
    }

    /// Mate and stalemate. That a file ends before the game does is nothing to tell.
    fn end(&self, verdict: &Verdict, board: &dyn Board) {
        if self.json {
            return;
        }
        match (end_of(board), verdict.winner()) {
            (Some("checkmate"), Some(player)) => {
                let winner = RULES.side_names[player];
                self.say(&format!("checkmate: {winner} has won\n"));
            }
            (Some(_), _) => self.say("stalemate: a draw\n"),
            (None, _) => {}
        }
    }

    fn object(&self, object: serde_json::Value) {
        self.say(&format!("{object}\n"));
    }
}

/// How the game has ended on the board, if it has.
fn end_of(board: &dyn Board) -> Option<&'static str> {
    let ended = board.result()?;
    let is_draw = ended.scores[0] == ended.scores[1];
    Some(if is_draw { "stalemate" } else { "checkmate" })
}

fn in_check(board: &dyn Board) -> bool {
    let game = PositionBoard::<Chess>::of(board).game();
    game.position().in_check()
}

/// Shows each good move on the page.
struct Shown<'p, 'a, W> {
    page: &'p Page<W>,
    file: &'p RefCell<MoveFile<'a>>,
}

impl<W: Write> Observer for Shown<'_, '_, W> {
    fn played(&mut self, board: &dyn Board) {
        self.page.good_move(self.file.borrow().line(), board);
    }
}
