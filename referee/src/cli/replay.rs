//! `crownhead replay`: a recorded game, turn by turn.

use super::options::{DrawingOptions, show_time};
use super::{Failure, about};
use crate::draw::{self, Drawing};
use crate::input::{LONGEST_TYPED_LINE, LineReader, read_text};
use crate::record::{GameRecord, ReadError, read_games, read_pdn};
use crate::serve::{View, single_file};
use clap::Args;
use crownhead::board::Side;
use crownhead::game::Game;
use crownhead::notation::Notation;
use crownhead_bots::games::{GameName, GameVisitor, Played};
use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Step through a recorded game with the board drawn
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  crownhead match alphabeta greedy --record games.jsonl
  crownhead replay games.jsonl --game 3

On a terminal, Enter shows the next turn, b goes back, e goes to the end and q quits. Where input \
or output is no terminal, the whole game is printed.

Exit status: 0 when the game was shown, 1 when it could not be written, 2 when the file is no record of \
games or has none of that number.")]
pub(super) struct Replay {
    /// A file that `match --record` wrote, or one in PDN
    file: PathBuf,
    /// The number of the game in it [default: the first]
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// Write the game to this new file as a page that needs nothing else, to open in a browser or to send
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    #[command(flatten)]
    drawing: DrawingOptions,
}

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        struct ShowRecord<'a>(&'a Replay, GameRecord);
        impl GameVisitor for ShowRecord<'_> {
            type Output = Result<(), Failure>;
            fn run<G: Played>(self) -> Result<(), Failure> {
                self.0.show::<G>(&self.1)
            }
        }
        let record = self.find()?;
        if let Some(path) = &self.html {
            return self.write_page(&record, path);
        }
        let game = GameName::find(&record.game).ok_or_else(|| {
            about(self.file.display())(format!("no game is called `{}`", record.game))
        })?;
        game.choose(ShowRecord(self, record))
    }

    fn write_page(&self, record: &GameRecord, path: &Path) -> Result<(), Failure> {
        let subject = format!("{}: game {}", self.file.display(), record.number);
        let view = View::of_record(record.number, record).map_err(about(subject))?;
        let mut file = File::create_new(path).map_err(about(path.display()))?;
        file.write_all(single_file(&view).as_bytes())?;
        Ok(())
    }

    fn show<G: Notation>(&self, record: &GameRecord) -> Result<(), Failure> {
        let drawing = self.drawing.apply();
        let number = record.number;
        let subject = format!("{}: game {number}", self.file.display());
        let game = record.rebuild::<G>().map_err(about(subject))?;
        let mut show = ReplayView {
            record,
            numbers_moves: game.whole_turn() != game.turn(),
            game,
            drawing,
            out: anstream::stdout().lock(),
        };
        let interactive = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if interactive { show.step() } else { show.all() }
    }

    fn find(&self) -> Result<GameRecord, Failure> {
        let path = self.file.display();
        if self
            .file
            .extension()
            .is_some_and(|extension| extension == "pdn")
        {
            return self.find_in_pdn();
        }
        let file = File::open(&self.file).map_err(about(&path))?;
        if file.metadata().is_ok_and(|file| file.is_dir()) {
            return Err(about(&path)("it is a folder; expected a file of games"));
        }
        let mut numbers = Vec::new();
        for game in read_games(BufReader::new(file)) {
            let game = match game {
                Ok(game) => game,
                // One broken line does not hide the other games.
                Err(error @ ReadError::Record { .. }) if self.game.is_some() => {
                    anstream::eprintln!("warning: {path}: {error}");
                    continue;
                }
                Err(error) => return Err(about(&path)(error)),
            };
            if self.game.is_none_or(|wanted| wanted == game.number) {
                return Ok(game);
            }
            numbers.push(game.number.to_string());
        }
        Err(self.not_there(&numbers))
    }

    fn find_in_pdn(&self) -> Result<GameRecord, Failure> {
        let path = self.file.display();
        let text = read_text(&self.file).map_err(about(&path))?;
        let games = read_pdn(&text).map_err(about(&path))?;
        let numbers: Vec<String> = games.iter().map(|game| game.number.to_string()).collect();
        games
            .into_iter()
            .find(|game| self.game.is_none_or(|wanted| wanted == game.number))
            .ok_or_else(|| self.not_there(&numbers))
    }

    fn not_there(&self, numbers: &[String]) -> Failure {
        let path = self.file.display();
        Failure::Usage(match self.game {
            Some(wanted) if !numbers.is_empty() => {
                format!("{path} has no game {wanted}; it has {}", numbers.join(", "))
            }
            _ => format!("{path} holds no game"),
        })
    }
}

struct ReplayView<'a, G: Notation, W> {
    record: &'a GameRecord,
    /// Whether some turn has several moves, so that turns and moves have different numbers.
    numbers_moves: bool,
    /// The game, gone back to the turn that is shown.
    game: Game<G>,
    drawing: Drawing,
    out: W,
}

impl<G: Notation, W: Write> ReplayView<'_, G, W> {
    fn all(&mut self) -> Result<(), Failure> {
        self.rewind();
        self.title()?;
        self.turn()?;
        while self.game.redo() {
            self.turn()?;
        }
        self.verdict()
    }

    fn step(&mut self) -> Result<(), Failure> {
        self.rewind();
        self.title()?;
        self.turn()?;
        let mut lines = LineReader::new(std::io::stdin().lock(), LONGEST_TYPED_LINE);
        loop {
            let at_end = !self.game.redo();
            if at_end {
                self.verdict()?;
            } else {
                self.game.undo();
            }
            write!(self.out, "Enter next, b back, e end, q quit: ")?;
            self.out.flush()?;
            let Some(line) = lines.next_line()? else {
                return Ok(());
            };
            match String::from_utf8_lossy(&line).trim() {
                "" | "n" => {
                    if !self.game.redo() {
                        return Ok(());
                    }
                }
                "b" => drop(self.game.undo()),
                "e" => while self.game.redo() {},
                "q" => return Ok(()),
                other => {
                    writeln!(self.out, "`{other}` is no command here")?;
                    continue;
                }
            }
            self.turn()?;
        }
    }

    fn rewind(&mut self) {
        while self.game.undo() {}
    }

    fn title(&mut self) -> Result<(), Failure> {
        let rules = *self.game.rules();
        let player = |side: Side| {
            format!(
                "{} ({})",
                self.record.player(side).name,
                rules.side_name(side)
            )
        };
        writeln!(
            self.out,
            "Game {}: {} against {}, {} {}\n",
            self.record.number,
            player(rules.moves_first),
            player(rules.moves_first.opponent()),
            rules.name,
            G::NAME
        )?;
        Ok(())
    }

    /// The position on the table and the move that led to it.
    fn turn(&mut self) -> Result<(), Failure> {
        let game = &self.game;
        let played = game.turn() as usize - 1;
        let mut marked = Vec::new();
        if let Some(mv) = game.last_move() {
            marked = game.position().move_squares(mv);
            let before = game.positions().nth_back(1).expect("a move was played");
            let name = before.move_name(mv);
            let side = before.side_to_move();
            let mover = game.rules().side_name(side);
            let turn_is_over = game.position().side_to_move() != side;
            let mut number = (game.whole_turn() - u32::from(turn_is_over)).to_string();
            if self.numbers_moves {
                number.push_str(&format!(", move {played}"));
            }
            let how = match played.checked_sub(self.record.opening.len() + 1) {
                // A game from elsewhere may not tell.
                Some(asked) if self.record.turns[asked].time.is_zero() => String::new(),
                Some(asked) => format!(" in {}", show_time(self.record.turns[asked].time)),
                None => " as the opening has it".into(),
            };
            writeln!(self.out, "Turn {number}: {mover} played {name}{how}")?;
        }
        writeln!(
            self.out,
            "{}",
            draw::board(game.position(), game.rules(), &marked, self.drawing)
        )?;
        Ok(())
    }

    fn verdict(&mut self) -> Result<(), Failure> {
        let rules = self.game.rules();
        let result = match self.record.result {
            None => "No result".into(),
            Some(result) => match Side::BOTH
                .into_iter()
                .find(|&side| result.points(side) == 1.0)
            {
                Some(side) => {
                    format!(
                        "{} ({}) won",
                        self.record.player(side).name,
                        rules.side_name(side)
                    )
                }
                // The reason says so itself.
                None => {
                    writeln!(self.out, "{}", self.record.reason)?;
                    return Ok(());
                }
            },
        };
        writeln!(self.out, "{result}: {}", self.record.reason)?;
        Ok(())
    }
}
