//! `crownhead chess`: a two-player game of chess from a file of moves, validated and shown.

use super::Failure;
use clap::Args;
use crownhead::game::Game;
use crownhead::games::chess::{Chess, rules};
use crownhead::notation::Notation;
use crownhead::position::{Outcome, Position};
use crownhead::rules::{LengthRules, RuleBook};
use crownhead_arena::seat::{BadLine, MoveFile, MoveReader, Reported};
use crownhead_arena::table::{self, Observer, Policy, Verdict};
use crownhead_record::judge::TimeLimits;
use serde_json::json;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
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
            Failure::Usage(match from_input {
                true => format!("standard input: {error}"),
                false => format!("{name}: {error}"),
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
                Reported::Stop
            } else {
                Reported::GoOn
            }
        };
        let file = RefCell::new(MoveFile::new(input, on_bad_line));
        let mut game = Game::<Chess>::new(RULES);
        page.board(game.position());
        let verdict = {
            let (mut black, mut white) = (MoveReader::new(&file), MoveReader::new(&file));
            let mut policy = Policy::strict(TimeLimits::default());
            let mut shown = Shown {
                page: &page,
                file: &file,
            };
            table::play(&mut game, [&mut black, &mut white], &mut policy, &mut shown)
        };
        page.end(&verdict, game.position());
        // The game may be over; the file is still read to its end, and every move in it refused.
        while file.borrow_mut().next_move(&game).is_some() {}
        page.finish()?;
        let mut file = file.into_inner();
        if let Some(error) = file.take_failure() {
            return Err(unreadable(error));
        }
        if file.was_stopped() && self.strict {
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
    fn board(&self, position: &Chess) {
        if self.json {
            return;
        }
        let mut text = String::new();
        for (row, line) in (1..=8).rev().zip(position.rows().lines()) {
            text.push_str(&row.to_string());
            for letter in line.chars() {
                text.extend([' ', letter]);
            }
            text.push('\n');
        }
        text.push_str("  a b c d e f g h\n");
        self.say(&text);
    }

    fn good_move(&self, line: usize, game: &Game<Chess>, before: &Chess) {
        let position = game.position();
        let mv = game.last_move().expect("a move was played");
        if !self.json {
            let mover = game.rules().side_name(before.side_to_move());
            self.say(&format!(
                "\n{}. {mover} {}\n",
                game.turn() - 1,
                before.move_name(mv)
            ));
            self.board(position);
            if position.in_check() {
                self.say("in check\n");
            }
            return;
        }
        let board: Vec<String> = position.rows().lines().map(str::to_string).collect();
        self.object(json!({
            "line": line,
            "move": before.move_name(mv),
            "side": game.rules().side_name(before.side_to_move()),
            "legal": true,
            "check": position.in_check(),
            "end": end_of(position),
            "board": board,
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
    fn end(&self, verdict: &Verdict, position: &Chess) {
        if self.json {
            return;
        }
        match (end_of(position), verdict.result) {
            (Some("checkmate"), Some(Outcome::Win(side))) => {
                self.say(&format!("checkmate: {} has won\n", RULES.side_name(side)));
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
fn end_of(position: &Chess) -> Option<&'static str> {
    position.outcome(&RULES).map(|outcome| {
        if outcome == Outcome::Draw {
            "stalemate"
        } else {
            "checkmate"
        }
    })
}

/// Shows each good move on the page.
struct Shown<'p, 'a, W> {
    page: &'p Page<W>,
    file: &'p RefCell<MoveFile<'a>>,
}

impl<W: Write> Observer<Chess> for Shown<'_, '_, W> {
    fn played(&mut self, game: &Game<Chess>) {
        let before = game.positions().nth_back(1).expect("a move was played");
        self.page.good_move(self.file.borrow().line(), game, before);
    }
}
