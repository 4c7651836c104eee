//! A recorded game on the screen, turn by turn.

use super::super::words::{listed, write_stderr};
use super::list::winner_of;
use crate::draw::{self, Drawing};
use crate::failure::Failure;
use crownhead_arena::worth::worst_turn;
use crownhead_board::Board;
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::text::show_time;
use crownhead_record::{GameRecord, PlayerRecord, RecordedGame};
use std::io::Write;

/// A game that is shown.
pub(crate) struct ReplayView<'a, W> {
    recorded: RecordedGame<'a>,
    record: &'a GameRecord,
    /// Whether some turn has several moves, so that turns and moves have different numbers.
    numbers_moves: bool,
    /// The game, gone back to the turn that is shown.
    board: Box<dyn Board>,
    drawing: Drawing,
    out: W,
}

/// What can be typed between turns.
const HELP: &str = "\
Enter   the next turn
b       back
12      to turn 12
f       to the turn that lost by a fault, or the last one
w       to the turn after which the evaluation fell most, as the built-in bot sees it (it searches for a moment)
e       to the end
q       quit
";

impl<'a, W: Write> ReplayView<'a, W> {
    /// This game, on `out`.
    pub(crate) fn new(recorded: RecordedGame<'a>, drawing: Drawing, out: W) -> Self {
        let board = recorded.before(usize::MAX);
        ReplayView {
            record: recorded.record(),
            recorded,
            numbers_moves: board.whole_turn() != board.turn(),
            board,
            drawing,
            out,
        }
    }

    /// Shows every turn and the verdict.
    pub(crate) fn all(&mut self) -> Result<(), Failure> {
        self.rewind();
        self.title()?;
        self.turn()?;
        while self.board.redo() {
            self.turn()?;
        }
        self.verdict()
    }

    /// Shows turn by turn what a person asks for, first that of this number.
    pub(crate) fn step(&mut self, first: Option<usize>) -> Result<(), Failure> {
        self.rewind();
        self.title()?;
        first.into_iter().for_each(|number| self.go_to(number));
        self.turn()?;
        let mut lines = LineReader::new(std::io::stdin().lock(), LONGEST_TYPED_LINE);
        loop {
            let at_end = !self.board.redo();
            if at_end {
                self.verdict()?;
            } else {
                self.board.undo();
            }
            write!(self.out, "Enter next, b back, e end, q quit, ? help: ")?;
            self.out.flush()?;
            let Some(line) = lines.next_line()? else {
                return Ok(());
            };
            match String::from_utf8_lossy(&line).trim() {
                "" | "n" => {
                    if !self.board.redo() {
                        return Ok(());
                    }
                }
                "b" => drop(self.board.undo()),
                "e" => while self.board.redo() {},
                "q" => return Ok(()),
                "f" => self.go_to(self.recorded.of_interest()),
                "w" => match worst_turn(&self.recorded) {
                    Some(worst) => {
                        writeln!(self.out, "{}", worst.describe())?;
                        self.go_to(worst.number);
                    }
                    None => {
                        writeln!(self.out, "The evaluation never fell.")?;
                        continue;
                    }
                },
                "?" => {
                    write!(self.out, "{HELP}")?;
                    continue;
                }
                other => match other.parse() {
                    Ok(number) if (1..self.turns()).contains(&number) => self.go_to(number),
                    _ => {
                        writeln!(
                            self.out,
                            "`{other}` is no command or turn here; ? lists them"
                        )?;
                        continue;
                    }
                },
            }
            self.turn()?;
        }
    }

    /// One more than the last turn that was played.
    fn turns(&self) -> usize {
        self.recorded.before(usize::MAX).turn() as usize
    }

    /// To the position after turn `number`, or after the last one that was played.
    fn go_to(&mut self, number: usize) {
        self.rewind();
        while (self.board.turn() as usize) <= number && self.board.redo() {}
    }

    fn rewind(&mut self) {
        while self.board.undo() {}
    }

    fn title(&mut self) -> Result<(), Failure> {
        let rules = self.board.rules();
        let first = rules.moves_first;
        let [one, other] = [first, first.opponent()].map(|side| self.player(side.index()));
        let (number, rules, game) = (self.record.number, rules.name, self.board.game().name());
        Ok(writeln!(
            self.out,
            "Game {number}: {one} against {other}, {rules} {game}\n"
        )?)
    }

    /// A player's name and colour.
    fn player(&self, player: usize) -> String {
        let PlayerRecord { name, side, .. } = &self.record.players[player];
        format!("{name} ({side})")
    }

    /// The position on the table and the move that led to it.
    fn turn(&mut self) -> Result<(), Failure> {
        let board = self.board.as_ref();
        let played = board.turn() as usize - 1;
        if let Some(name) = board.moves().last() {
            let before = board.before(board.turn() - 1);
            let mover = before.mover_name();
            let turn_is_over = board.mover() != before.mover();
            let mut number = (board.whole_turn() - u32::from(turn_is_over)).to_string();
            if self.numbers_moves {
                number += &format!(", move {played}");
            }
            let turn = self
                .recorded
                .place(played)
                .map(|place| &self.record.turns[place]);
            let how = match turn {
                None => " as the opening has it".into(),
                // A game from elsewhere may have no times.
                Some(turn) if turn.time.is_zero() => String::new(),
                Some(turn) => format!(" in {}", show_time(turn.time)),
            };
            writeln!(self.out, "Turn {number}: {mover} played {name}{how}")?;
            if let Some(turn) = turn {
                if !turn.said.is_empty() {
                    writeln!(self.out, "said {}", listed(&turn.said))?;
                }
                write_stderr(&turn.stderr, &mut self.out)?;
            }
        }
        let picture = draw::board(board, &board.last_move(), self.drawing);
        Ok(writeln!(self.out, "{picture}")?)
    }

    fn verdict(&mut self) -> Result<(), Failure> {
        if let Some(at) = self.record.fault_turn() {
            write_stderr(&self.record.turns[at].stderr, &mut self.out)?;
        }
        let result = match winner_of(self.record) {
            None => "No result: ".into(),
            Some(Some(player)) => format!("{} won: ", self.player(player)),
            // The reason says so itself.
            Some(None) => String::new(),
        };
        Ok(writeln!(self.out, "{result}{}", self.record.reason)?)
    }
}
