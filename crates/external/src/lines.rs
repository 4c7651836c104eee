//! Lines such as `###Input 0` and `###Output 0 1`: what referees of contests before 2018 speak with brutaltester, by its
//! option `-o` (`OldGameThread.java` and `PlayerStats.java` of dreignier/cg-brutaltester).
//!
//! To the referee: `###Seed N`, `###Start n`, and the lines that bots answer. From it: `###Input i` and lines for player
//! i, `###Output i k` for k lines of its answer, `###Error i text`, and `###End` with the players, best first; `12` is a
//! tie of the players 1 and 2. It knows no limits of time and no views, has ranks for scores, and no player can leave its
//! game.

use crate::engine::one_line;
use crate::process::{Line, Process, Wait, shown};
use crate::{Ended, RefereeError, Request, Step};
use crownhead_record::Frame;

/// The most players of a game: the last line names each of them by one digit.
pub(crate) const MOST_PLAYERS: usize = 10;

/// How much a player may be sent until it is asked, in bytes.
const INPUT_SIZE: usize = 100 << 10;

/// How much may be said until a player is asked or the game is over, in bytes.
const STEP_SIZE: usize = 1 << 20;

/// How many lines may be asked for at once.
const LINES: usize = 10_000;

/// What it may say.
const EXPECTED: &str =
    "one of `###Input PLAYER`, `###Output PLAYER LINES`, `###Error PLAYER TEXT`, `###End PLAYERS`";

/// The game of one referee.
#[derive(Debug)]
pub(crate) struct Lines {
    /// What each player is to be sent when it is asked.
    inputs: Vec<String>,
    /// The players that the referee said to have failed.
    errors: Vec<(usize, String)>,
}

/// What a line tells.
#[derive(PartialEq, Eq, Debug)]
enum Command<'a> {
    Input(usize),
    Output(usize, usize),
    Error(usize, &'a str),
    End(Vec<&'a str>),
    /// A line for the player that was named last.
    Text(&'a str),
}

impl Lines {
    pub(crate) fn new(players: usize) -> Lines {
        Lines {
            inputs: vec![String::new(); players],
            errors: Vec::new(),
        }
    }

    /// Begins the game of this seed.
    pub(crate) fn begin(&self, process: &mut Process, seed: u64) {
        let players = self.inputs.len();
        process.send(format!("###Seed {seed}\n###Start {players}\n").as_bytes());
    }

    /// The next step of its game. Inputs of several players may come before the outputs: each player is sent its own
    /// when it is asked, so that no bot begins before its clock does.
    pub(crate) fn next(
        &mut self,
        process: &mut Process,
        wait: &mut Wait<'_>,
    ) -> Result<Step, RefereeError> {
        let mut room = STEP_SIZE;
        let mut recipient = None;
        loop {
            let line = match process.line(room, wait, EXPECTED)? {
                Line::Whole(line) => line,
                Line::TooLong => return Err(process.problem(too_much(STEP_SIZE))),
                Line::Ended => return Err(process.ended(EXPECTED)),
            };
            room = room.saturating_sub(line.len() + 1);
            let line = String::from_utf8_lossy(&line);
            let unknown =
                || process.problem(format!("said `{}`; expected {EXPECTED}", shown(&line)));
            match read(&line, self.inputs.len()).ok_or_else(unknown)? {
                Command::Input(player) => recipient = Some(player),
                Command::Text(text) => {
                    let input = &mut self.inputs[recipient.ok_or_else(unknown)?];
                    *input += text;
                    input.push('\n');
                    if input.len() > INPUT_SIZE {
                        return Err(process.problem(too_much(INPUT_SIZE)));
                    }
                }
                Command::Error(player, text) => self.errors.push((player, text.into())),
                Command::Output(player, lines) => {
                    return Ok(Step::Asked(Request {
                        frame: Frame::default(),
                        player,
                        input: std::mem::take(&mut self.inputs[player]),
                        lines,
                        limit: None,
                        errors: std::mem::take(&mut self.errors),
                    }));
                }
                Command::End(places) => {
                    let scores = scores(&places, self.inputs.len()).ok_or_else(unknown)?;
                    return Ok(Step::Over(Ended {
                        frame: Frame::default(),
                        scores,
                        metadata: Vec::new(),
                        input: Vec::new(),
                        errors: std::mem::take(&mut self.errors),
                    }));
                }
            }
        }
    }

    /// Gives it a player's answer.
    pub(crate) fn answer(&self, process: &mut Process, lines: &[Vec<u8>]) {
        let lines: String = lines.iter().map(|line| one_line(line) + "\n").collect();
        process.send(lines.as_bytes());
    }
}

fn too_much(most: usize) -> String {
    let most = most >> 10;
    format!(
        "said more than {most} KiB at once; expected to be asked for an answer, or the end, before"
    )
}

/// What a line tells in a game of so many players, if it is understood.
fn read(line: &str, players: usize) -> Option<Command<'_>> {
    let Some(command) = line.strip_prefix("###") else {
        return Some(Command::Text(line));
    };
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    let player = |text: &str| text.parse().ok().filter(|&player: &usize| player < players);
    match name {
        "Input" => Some(Command::Input(player(rest.trim_end())?)),
        "Output" => {
            let (asked, lines) = rest.trim_end().split_once(' ')?;
            let lines = lines.parse().ok().filter(|&lines| lines <= LINES)?;
            Some(Command::Output(player(asked)?, lines))
        }
        "Error" => {
            let (failed, text) = rest.split_once(' ').unwrap_or((rest, ""));
            Some(Command::Error(player(failed)?, text))
        }
        "End" => Some(Command::End(rest.split_whitespace().collect())),
        _ => None,
    }
}

/// Whether a line is one that such a referee says, whatever its players are called.
pub(crate) fn is_known(line: &str) -> bool {
    line.starts_with("###") && read(line, MOST_PLAYERS).is_some()
}

/// The scores by players: how many are placed behind, those of a tie counted for each of them. `None` where a player is
/// missing, unknown, or named twice.
fn scores(places: &[&str], players: usize) -> Option<Vec<f64>> {
    let mut scores = vec![None; players];
    let mut before = 0;
    for tied in places {
        let score = players.checked_sub(before + 1)?;
        for digit in tied.chars() {
            let player = scores.get_mut(digit.to_digit(10)? as usize)?;
            if player.replace(score as f64).is_some() {
                return None;
            }
        }
        before += tied.len();
    }
    scores.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_names_each_player_once_and_ties_by_one_word() {
        assert_eq!(scores(&["0", "12"], 3), Some(vec![2.0, 1.0, 1.0]));
        assert_eq!(scores(&["10"], 2), Some(vec![1.0, 1.0]));
        assert_eq!(scores(&["31", "02"], 4), Some(vec![1.0, 3.0, 1.0, 3.0]));
        for wrong in [
            &["0"][..],
            &["0", "0"],
            &["0", "2"],
            &["01", "1"],
            &["a", "1"],
            &[],
        ] {
            assert_eq!(scores(wrong, 2), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_line_with_a_player_that_is_none_is_not_understood() {
        assert_eq!(read("###Output 1 2", 2), Some(Command::Output(1, 2)));
        assert_eq!(
            read("###Error 0 is late", 2),
            Some(Command::Error(0, "is late"))
        );
        for wrong in [
            "###Input 2",
            "###Input",
            "###Output 0",
            "###Output 0 x",
            "###News",
            "###",
        ] {
            assert_eq!(read(wrong, 2), None, "{wrong}");
        }
    }
}
