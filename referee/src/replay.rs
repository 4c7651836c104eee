//! `crownhead replay`: shows a recorded game turn by turn, or one of its turns.

use super::filter::GameFilter;
use super::options::DrawingOptions;
use super::output::write_json;
use super::output_file::OutputPath;
use super::progress::{Progress, note};
use super::recorded::{View, find_game, player, winner_of, write_list};
use super::table::{left, right, stdout_screen, table};
use crate::draw::Drawing;
use crate::failure::{Failure, usage};
use clap::Args;
use crownhead_arena::game_analysis::{GameAnalysis, Judgement};
use crownhead_arena::headings::OUTPUT;
use crownhead_record::numbers::counted;
use crownhead_record::{GameRecord, RecordedGame, fen};
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Step through a recorded game, or list the games of a file
#[derive(Debug, Args)]
#[command(
    before_help = "\
Examples:
  crownhead replay games.jsonl --number 3
  crownhead replay games.jsonl --list",
    after_long_help = "\
More examples:
  crownhead replay night --number 117 --fault
  crownhead replay games.jsonl --list --bot mine --result lost
  crownhead replay games.jsonl --number 3 --blunder
  crownhead replay games.jsonl --number 3 --turn 12 --protocol | ./my_bot

On a terminal, Enter shows the next turn, b goes back, a number goes to that turn, e to the end, and q quits. If input or output is not a terminal, the whole game is printed, or the turn that \
an option names. Turns are counted from 1, including those of the opening.

Exit status: 0 the game was shown; 1 it could not be written; 2 the file is no record of games, or has no such game."
)]
pub(super) struct Replay {
    /// Ladder folder, file of `match --record`, or PDN file
    file: PathBuf,
    /// Number of the game [default: the first]
    #[arg(long, short, alias = "game", value_name = "N")]
    number: Option<u64>,
    /// List the games: number, bots, result, turns, how each ended
    #[arg(long, conflicts_with_all = ["number", "turn", "fault", "blunder", "protocol", "fen"])]
    list: bool,
    #[command(flatten)]
    filter: GameFilter,
    /// Show turn N
    #[arg(long, value_name = "N", group = "which", help_heading = TURN)]
    turn: Option<usize>,
    /// Show the turn that lost the game by a fault, or the last turn
    #[arg(long, group = "which", help_heading = TURN)]
    fault: bool,
    /// List the mistakes of both bots, with better moves that the built-in bot found
    ///
    /// It also shows how often each bot found the best move. With --protocol or --fen, it means the turn of the loser's
    /// worst mistake.
    #[arg(long, group = "which", help_heading = TURN)]
    blunder: bool,
    /// Print what the bot was sent, from the start of the game to the turn
    #[arg(long, group = "form", help_heading = OUTPUT)]
    protocol: bool,
    /// Print the position of the turn as FEN
    #[arg(long, group = "form", help_heading = OUTPUT)]
    fen: bool,
    /// Print JSON: the game, the turn, with --list all games, with --blunder mistakes
    #[arg(long, group = "form", help_heading = OUTPUT)]
    json: bool,
    /// Write the game as one HTML page that needs no server (`-`: standard output)
    #[arg(long, value_name = "FILE.html", group = "form", help_heading = OUTPUT)]
    html: Option<PathBuf>,
    /// Replace the file of --html if it exists
    #[arg(long, short, requires = "html", help_heading = OUTPUT)]
    force: bool,
    #[command(flatten)]
    drawing: DrawingOptions,
}

/// The heading of the options that say which turn is meant.
const TURN: &str = "Which turn";

impl Replay {
    pub(super) fn run(&self) -> Result<(), Failure> {
        self.filter.expect_bot_of_result()?;
        if self.list {
            let mut out = anstream::stdout().lock();
            return write_list(&self.file, &self.filter, self.json, &mut out);
        }
        if self.filter != GameFilter::default() {
            return Err(usage(
                "conditions on games, such as --bot, select those of a list: add --list",
            ));
        }
        let record = find_game(&self.file, self.number)?;
        if let Some(path) = &self.html {
            return self.write_page(&record, path);
        }
        self.show(&record)
    }

    fn write_page(&self, record: &GameRecord, path: &std::path::Path) -> Result<(), Failure> {
        let file = OutputPath::new(path, self.force)?;
        let subject = format!("{}: game {}", self.file.display(), record.number);
        // A game that cannot be analysed is still shown.
        let view = View::new(record, &self.file, Drawing::default()).ok();
        let recorded = view.and_then(|view| view.board);
        let analysis = recorded.map(|recorded| analyse(&recorded));
        let page = crownhead_web::single_file(record, analysis);
        file.write(&page.map_err(crate::failure::about(subject))?)
    }

    fn show(&self, record: &GameRecord) -> Result<(), Failure> {
        let game = View::new(record, &self.file, self.drawing.apply())?;
        if self.blunder && !(self.protocol || self.fen) {
            return self.list_mistakes(game.on_board("--blunder")?);
        }
        let number = self.turn_number(&game, record)?;
        let at = number.unwrap_or_else(|| game.of_interest());
        let mut out = anstream::stdout().lock();
        if self.protocol {
            write!(out, "{}", game.requests(at)?.concat())?;
        } else if self.fen {
            let board = game.on_board("--fen")?.before(at);
            let game = board.game().name();
            let refused = || usage(format_args!("FEN is for checkers; this is {game}"));
            writeln!(out, "{}", fen(board.as_ref()).ok_or_else(refused)?)?;
        } else if self.json {
            match number {
                Some(number) => write_json(&mut out, &game.turn_json(number)?)?,
                None => write_json(&mut out, record)?,
            }
        } else if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            game.step(number, &mut out)?;
        } else if let Some(number) = number {
            game.write_turn(number, &mut out)?;
        } else {
            game.write_all(&mut out)?;
        }
        Ok(())
    }

    /// The number of the turn that the options name.
    fn turn_number(&self, game: &View<'_>, record: &GameRecord) -> Result<Option<usize>, Failure> {
        if let Some(number) = self.turn {
            let (game, last) = (record.number, record.opening.len() + record.turns.len());
            if !(1..=last).contains(&number) {
                return Err(usage(format_args!(
                    "--turn {number}: game {game} has turns 1 to {last}"
                )));
            }
            return Ok(Some(number));
        }
        if self.fault {
            if record.fault_turn().is_none() {
                let game = record.number;
                note(format_args!(
                    "no bot lost game {game} by a fault; this is its last turn"
                ));
            }
            return Ok(Some(game.of_interest()));
        }
        if !self.blunder {
            return Ok(None);
        }
        let analysis = analyse(game.on_board("--blunder")?);
        let none = || usage("--blunder: the built-in bot found no mistake of the loser");
        // If no one lost, that of either player.
        let loser_of = winner_of(record).flatten();
        let worst = analysis.gravest(loser_of).ok_or_else(none)?;
        Ok(Some(worst.turn))
    }

    /// Lists the mistakes of both players with the better moves, and how often each found the best move.
    fn list_mistakes(&self, recorded: &RecordedGame<'_>) -> Result<(), Failure> {
        let (analysis, record) = (analyse(recorded), recorded.record());
        let mut out = anstream::stdout().lock();
        if self.json {
            return Ok(write_json(&mut out, &analysis)?);
        }
        let columns = [
            right("turn"),
            left("player"),
            left("move"),
            left("judgement"),
            right("before"),
            right("after"),
            left("better"),
        ];
        let rows = analysis.mistakes.iter().map(|mistake| {
            [
                mistake.turn.to_string(),
                player(record, mistake.player),
                mistake.played.clone(),
                mistake.judgement.name().into(),
                mistake.before.clone(),
                mistake.after.clone(),
                mistake.better.join(" "),
            ]
        });
        match analysis.mistakes.is_empty() {
            true => writeln!(out, "The built-in bot found no mistake.")?,
            false => write!(out, "{}", table(&columns, rows, stdout_screen()))?,
        }
        for (place, best) in analysis.best.iter().enumerate() {
            let count =
                |judgement: Judgement| counted(analysis.count(place, judgement), judgement.name());
            let judged = [
                Judgement::Inaccuracy,
                Judgement::Mistake,
                Judgement::Blunder,
            ]
            .map(count);
            writeln!(
                out,
                "{}: found the best move in {} of {} with a choice; {}",
                player(record, place),
                best.found,
                counted(best.of, "turn"),
                judged.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Analyses a game, and shows the progress.
fn analyse(recorded: &RecordedGame<'_>) -> GameAnalysis {
    let mut progress: Option<Progress> = None;
    let analysis = GameAnalysis::new(recorded, |done, all| {
        let progress = progress.get_or_insert_with(|| Progress::new("positions", Some(all as u64)));
        progress.show(done as u64, || "searching for mistakes".into());
        true
    });
    if let Some(progress) = progress {
        progress.finish();
    }
    analysis.expect("it was not cancelled")
}
