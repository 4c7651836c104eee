//! A recorded game on the screen: whole, or turn by turn.

use super::list::{player, winner_of};
use super::view::{View, write_answer, write_printed, write_referees_words};
use crate::draw;
use crate::failure::Failure;
use crownhead_record::input::{LONGEST_TYPED_LINE, LineReader};
use crownhead_record::numbers::show_time;
use crownhead_record::text::printable;
use crownhead_record::{GameRecord, RecordedGame};
use std::io::{self, Write};

impl View<'_> {
    /// The number of the last turn that can be shown; 0 is the start.
    fn last(&self) -> usize {
        match &self.board {
            Some(recorded) => recorded.before(usize::MAX).turn() as usize - 1,
            None => self.record.turns.len(),
        }
    }

    /// Writes every turn and the verdict.
    pub(crate) fn write_all(&self, out: &mut dyn Write) -> Result<(), Failure> {
        self.title(out)?;
        (0..=self.last()).try_for_each(|number| self.after(number, out))?;
        Ok(self.verdict(out)?)
    }

    /// Shows the turns that a person asks for, beginning with this one.
    pub(crate) fn step(&self, first: Option<usize>, out: &mut dyn Write) -> Result<(), Failure> {
        self.title(out)?;
        let last = self.last();
        let mut at = first.unwrap_or(0).min(last);
        let mut lines = LineReader::new(std::io::stdin().lock(), LONGEST_TYPED_LINE);
        loop {
            self.after(at, out)?;
            if at == last {
                self.verdict(out)?;
            }
            at = loop {
                write!(
                    out,
                    "Enter next, b back, a number that turn, e end, q quit: "
                )?;
                out.flush()?;
                let Some(line) = lines.next_line()? else {
                    return Ok(());
                };
                match String::from_utf8_lossy(&line).trim() {
                    "" if at == last => return Ok(()),
                    "q" | "quit" => return Ok(()),
                    "" => break at + 1,
                    "b" => break at.saturating_sub(1),
                    "e" => break last,
                    other => match other.parse() {
                        Ok(number) if (1..=last).contains(&number) => break number,
                        _ => writeln!(out, "`{other}` is not a command or a turn")?,
                    },
                }
            };
        }
    }

    /// Writes who plays what.
    fn title(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.record;
        let mut players: Vec<usize> = (0..record.players.len()).collect();
        if let Some(recorded) = &self.board {
            players.rotate_left(recorded.before(1).rules().moves_first.index());
        }
        let players = players.into_iter().map(|place| player(record, place));
        let players = players.collect::<Vec<_>>().join(" against ");
        let GameRecord {
            number,
            game,
            rules,
            ..
        } = record;
        let played = match &record.referee {
            None => format!("{rules} {game}"),
            Some(referee) if rules.is_empty() => format!("{game}, seed {}", referee.seed),
            Some(referee) => format!("{game}, {rules}, seed {}", referee.seed),
        };
        writeln!(out, "Game {number}: {players}, {played}")?;
        if let Some(site) = &record.site {
            let id = site.game.map(|id| format!(" (game {id})"));
            let told = match site.problem() {
                None => "played again with the same result".into(),
                Some(problem) => printable(problem),
            };
            writeln!(out, "From the site{}: {told}", id.unwrap_or_default())?;
        }
        writeln!(out)
    }

    /// Writes this turn, and how the game stands after it.
    fn after(&self, number: usize, out: &mut dyn Write) -> io::Result<()> {
        match &self.board {
            Some(recorded) => self.after_move(recorded, number, out),
            None => {
                if let Some(turn) = number.checked_sub(1).map(|place| &self.record.turns[place]) {
                    let player = player(self.record, turn.player);
                    write_answer(&format!("Turn {number}: {player}"), turn, "", out)?;
                }
                write_referees_words(self.record, number, out)
            }
        }
    }

    /// The move of this number, and the position that it led to.
    fn after_move(
        &self,
        recorded: &RecordedGame<'_>,
        number: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let board = recorded.before(number + 1);
        if let Some(name) = board.moves().last() {
            let before = board.before(board.turn() - 1);
            let mover = before.mover_name();
            let turn_is_over = board.mover() != before.mover();
            let mut told = (board.whole_turn() - u32::from(turn_is_over)).to_string();
            // If some turn has several moves, turns and moves have different numbers.
            let whole = recorded.before(usize::MAX);
            if whole.whole_turn() != whole.turn() {
                told += &format!(", move {number}");
            }
            let turn = recorded
                .place(number)
                .map(|place| &self.record.turns[place]);
            let how = match turn {
                None => " as the opening has it".into(),
                // A game from elsewhere may have no times.
                Some(turn) if turn.time.is_zero() => String::new(),
                Some(turn) => format!(" in {}", show_time(turn.time)),
            };
            writeln!(out, "Turn {told}: {mover} played {name}{how}")?;
            turn.map_or(Ok(()), |turn| write_printed(turn, out))?;
        }
        let picture = draw::board(board.as_ref(), &board.last_move(), self.drawing);
        writeln!(out, "{picture}")
    }

    /// Writes how the game ended.
    fn verdict(&self, out: &mut dyn Write) -> io::Result<()> {
        let record = self.record;
        let lost = record.fault_turn();
        let Some(referee) = &record.referee else {
            lost.map_or(Ok(()), |place| write_printed(&record.turns[place], out))?;
            let result = match winner_of(record) {
                None => "No result: ".into(),
                Some(Some(winner)) => format!("{} won: ", player(record, winner)),
                // The reason says so itself.
                Some(None) => String::new(),
            };
            return writeln!(out, "{result}{}", record.reason);
        };
        let scores = record.players.iter().zip(&referee.scores);
        let scores: Vec<String> = scores
            .map(|(player, score)| format!("{} {score}", player.name))
            .collect();
        if !scores.is_empty() {
            writeln!(out, "\nScores: {}", scores.join(", "))?;
        }
        if let Some(reason) = &referee.reason {
            writeln!(out, "The referee says: {}", printable(reason))?;
        }
        if record.scores.is_none() {
            write!(out, "No result: ")?;
        }
        if lost.is_some() || scores.is_empty() {
            writeln!(out, "{}", record.reason)?;
        }
        Ok(())
    }
}
