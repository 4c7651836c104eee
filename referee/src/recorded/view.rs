//! A recorded game on the screen, turn by turn.

use super::super::words::{stats_in_words, write_stderr};
use super::list::{player, winner_of};
use super::mistakes::{analyse, gravest, write_mistakes};
use crate::draw::{self, Drawing};
use crate::failure::Failure;
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::numbers::show_time;
use crownhead_record::{GameRecord, RecordedGame};
use std::io::Write;

/// A game that can be shown turn by turn.
pub(crate) trait Shown {
    /// The number of the last turn that can be shown; 0 is the start.
    fn last(&self) -> usize;
    /// The turn that people look for first.
    fn of_interest(&self) -> usize;
    /// Writes the list of mistakes and returns the turn of the worst; or writes why there is none, and returns `None`.
    fn worst(&self, out: &mut dyn Write) -> Result<Option<usize>, Failure>;
    /// Writes who plays what.
    fn title(&self, out: &mut dyn Write) -> Result<(), Failure>;
    /// Writes how the game stands after this turn, and the turn itself.
    fn turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure>;
    /// Writes how it ended.
    fn verdict(&self, out: &mut dyn Write) -> Result<(), Failure>;
}

/// The commands between turns.
const HELP: &str = "\
Enter   the next turn
b       back
12      to turn 12
f       to the turn that lost by a fault, or the last one
w       to the gravest mistake, after a list of all, as the built-in bot sees them (it searches for a while)
e       to the end
q       quit
";

/// Shows every turn and the verdict.
pub(crate) fn show_all(game: &dyn Shown, out: &mut dyn Write) -> Result<(), Failure> {
    game.title(out)?;
    (0..=game.last()).try_for_each(|number| game.turn(number, out))?;
    game.verdict(out)
}

/// Shows the turns that a person asks for, beginning with this one.
pub(crate) fn step(
    game: &dyn Shown,
    first: Option<usize>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    game.title(out)?;
    let mut at = first.unwrap_or(0).min(game.last());
    game.turn(at, out)?;
    let mut lines = LineReader::new(std::io::stdin().lock(), LONGEST_TYPED_LINE);
    loop {
        if at == game.last() {
            game.verdict(out)?;
        }
        write!(out, "Enter next, b back, e end, q quit, ? help: ")?;
        out.flush()?;
        let Some(line) = lines.next_line()? else {
            return Ok(());
        };
        match String::from_utf8_lossy(&line).trim() {
            "" | "n" if at == game.last() => return Ok(()),
            "" | "n" => at += 1,
            "b" => at = at.saturating_sub(1),
            "e" => at = game.last(),
            "q" | "quit" => return Ok(()),
            "f" => at = game.of_interest().min(game.last()),
            "w" => match game.worst(out)? {
                Some(number) => at = number,
                None => continue,
            },
            "?" | "help" => {
                write!(out, "{HELP}")?;
                continue;
            }
            other => match other.parse() {
                Ok(number) if (1..=game.last()).contains(&number) => at = number,
                _ => {
                    writeln!(
                        out,
                        "`{other}` is not a command or a turn; ? shows the commands"
                    )?;
                    continue;
                }
            },
        }
        game.turn(at, out)?;
    }
}

/// A game on a board.
pub(crate) struct BoardView<'a> {
    recorded: &'a RecordedGame<'a>,
    record: &'a GameRecord,
    drawing: Drawing,
}

impl<'a> BoardView<'a> {
    pub(crate) fn new(recorded: &'a RecordedGame<'a>, drawing: Drawing) -> BoardView<'a> {
        BoardView {
            record: recorded.record(),
            recorded,
            drawing,
        }
    }
}

impl Shown for BoardView<'_> {
    fn last(&self) -> usize {
        self.recorded.before(usize::MAX).turn() as usize - 1
    }

    fn of_interest(&self) -> usize {
        self.recorded.of_interest()
    }

    fn worst(&self, out: &mut dyn Write) -> Result<Option<usize>, Failure> {
        let analysis = analyse(self.recorded);
        write_mistakes(&analysis, self.record, out)?;
        Ok(gravest(&analysis, self.record).map(|mistake| mistake.turn))
    }

    fn title(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let board = self.recorded.before(1);
        let rules = board.rules();
        let first = rules.moves_first;
        let [one, other] = [first, first.opponent()].map(|side| player(self.record, side.index()));
        let (number, rules, game) = (self.record.number, rules.name, board.game().name());
        Ok(writeln!(
            out,
            "Game {number}: {one} against {other}, {rules} {game}\n"
        )?)
    }

    /// The position on the table and the move that led to it.
    fn turn(&self, number: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let board = self.recorded.before(number + 1);
        let whole = self.recorded.before(usize::MAX);
        // If some turn has several moves, turns and moves have different numbers.
        let numbers_moves = whole.whole_turn() != whole.turn();
        if let Some(name) = board.moves().last() {
            let before = board.before(board.turn() - 1);
            let mover = before.mover_name();
            let turn_is_over = board.mover() != before.mover();
            let mut told = (board.whole_turn() - u32::from(turn_is_over)).to_string();
            if numbers_moves {
                told += &format!(", move {number}");
            }
            let turn = self
                .recorded
                .place(number)
                .map(|place| &self.record.turns[place]);
            let how = match turn {
                None => " as the opening has it".into(),
                // A game from elsewhere may have no times.
                Some(turn) if turn.time.is_zero() => String::new(),
                Some(turn) => format!(" in {}", show_time(turn.time)),
            };
            writeln!(out, "Turn {told}: {mover} played {name}{how}")?;
            if let Some(turn) = turn {
                if !turn.said.is_empty() {
                    writeln!(out, "stats: {}", stats_in_words(&turn.said))?;
                }
                write_stderr(&turn.stderr, out)?;
            }
        }
        let picture = draw::board(board.as_ref(), &board.last_move(), self.drawing);
        Ok(writeln!(out, "{picture}")?)
    }

    fn verdict(&self, out: &mut dyn Write) -> Result<(), Failure> {
        if let Some(at) = self.record.fault_turn() {
            write_stderr(&self.record.turns[at].stderr, out)?;
        }
        let result = match winner_of(self.record) {
            None => "No result: ".into(),
            Some(Some(winner)) => format!("{} won: ", player(self.record, winner)),
            // The reason says so itself.
            Some(None) => String::new(),
        };
        Ok(writeln!(out, "{result}{}", self.record.reason)?)
    }
}
