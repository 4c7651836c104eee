//! The `lines` protocol, such as `###Input 0` and `###Output 0 1`. Referees of contests before 2018 speak it with
//! brutaltester's option `-o` (`OldGameThread.java` and `PlayerStats.java` of dreignier/cg-brutaltester).
//!
//! `docs/guide/reference/referee-protocol.md` describes every line. In this protocol, no player can leave the game.
//!
//! Crownhead adds optional commands: `###Limit`, `###Show`, `###Legal`, `###Score` and `###Reason`.

mod command;

pub(crate) use command::MOST_PLAYERS;

use crate::engine::one_line;
use crate::process::{Process, Wait, shown, too_much};
use crate::{Ended, RefereeError, Request, Step};
use command::{COMMANDS, Command, read};
use crownhead_record::Frame;
use std::time::Duration;

/// The most bytes of a player's input, of a shown board, and of the legal answers.
const TEXT_SIZE: usize = 100 << 10;

/// The most bytes until a player is asked or the game is over.
pub(crate) const STEP_SIZE: usize = 1 << 20;

/// The game of one referee.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The input of each player for its next question.
    inputs: Vec<String>,
    /// The final score of each player, if the referee gave it.
    scores: Vec<Option<f64>>,
    /// Which players have failed, according to the referee.
    has_failed: Vec<bool>,
    /// Why the game ended, if the referee said so.
    reason: Option<String>,
}

/// The commands since the last question.
#[derive(Default)]
struct Said {
    /// The block that the next line belongs to.
    block: Block,
    errors: Vec<(usize, String)>,
    limit: Option<Duration>,
    show: String,
    /// The lines of `###Legal`, if there was one.
    legal: Option<String>,
}

/// The block that lines without `###` belong to.
#[derive(Clone, Copy, Default)]
enum Block {
    #[default]
    Nothing,
    Input(usize),
    Show,
    Legal,
}

impl Lines {
    pub(crate) fn new(players: usize) -> Lines {
        Lines {
            inputs: vec![String::new(); players],
            scores: vec![None; players],
            has_failed: vec![false; players],
            reason: None,
        }
    }

    /// Begins the game of this seed.
    pub(crate) fn begin(&self, process: &mut Process, seed: i64) {
        let players = self.inputs.len();
        process.send(format!("###Seed {seed}\n###Start {players}\n").as_bytes());
    }

    /// The next step of its game. Inputs of several players may come before the outputs. Each player is sent its input
    /// when it is asked, so that no bot starts before its clock.
    pub(crate) fn next(
        &mut self,
        process: &mut Process,
        wait: &mut Wait<'_>,
    ) -> Result<Step, RefereeError> {
        let mut said = Said::default();
        loop {
            let line = process.line(wait, COMMANDS)?;
            let step = self.take(&line, &mut said);
            if let Some(step) = step.map_err(|problem| process.problem(problem))? {
                return Ok(step);
            }
        }
    }

    /// Takes a line, and returns the step that it completes, if any.
    ///
    /// # Errors
    /// When the line is not valid or contradicts the game: the line, and what was expected.
    fn take(&mut self, line: &str, said: &mut Said) -> Result<Option<Step>, String> {
        let unknown = |expected: &str| format!("said `{}`; expected {expected}", shown(line));
        let command = read(line, self.inputs.len()).map_err(|expected| unknown(&expected))?;
        match command {
            Command::Text(text) => {
                let block = self.block(said).ok_or_else(|| unknown(COMMANDS))?;
                *block += text;
                block.push('\n');
                return match block.len() > TEXT_SIZE {
                    true => Err(too_much(TEXT_SIZE)),
                    false => Ok(None),
                };
            }
            Command::Output(player, lines) => {
                return self.request(player, lines, said).map(Some);
            }
            Command::End(places) => return self.ended(&places, said, line).map(Some),
            Command::Input(player) => said.block = Block::Input(player),
            Command::Show => {
                said.block = Block::Show;
                said.show.clear();
            }
            Command::Legal => {
                said.block = Block::Legal;
                said.legal = Some(String::new());
            }
            Command::Error(player, text) => {
                self.has_failed[player] = true;
                said.errors.push((player, text.into()));
            }
            Command::Limit(limit) => said.limit = Some(limit),
            Command::Score(player, score) => self.scores[player] = Some(score),
            Command::Reason(text) => self.reason = Some(shown(text)),
        }
        // Any command ends the shown board and the legal answers; a player's input continues.
        let begins_block = matches!(command, Command::Show | Command::Legal);
        if !begins_block && !matches!(said.block, Block::Input(_)) {
            said.block = Block::Nothing;
        }
        Ok(None)
    }

    /// The text that the next line belongs to, if any.
    fn block<'a>(&'a mut self, said: &'a mut Said) -> Option<&'a mut String> {
        match said.block {
            Block::Nothing => None,
            Block::Input(player) => Some(&mut self.inputs[player]),
            Block::Show => Some(&mut said.show),
            Block::Legal => said.legal.as_mut(),
        }
    }

    /// The question of `###Output`.
    fn request(&mut self, player: usize, lines: usize, said: &mut Said) -> Result<Step, String> {
        let said = std::mem::take(said);
        let legal = said.legal.map_or(Ok(Vec::new()), |legal| {
            let listed: Vec<&str> = legal.lines().collect();
            if lines == 0 || listed.is_empty() || !listed.len().is_multiple_of(lines) {
                return Err(format!(
                    "said `###Legal` with {} lines before `###Output {player} {lines}`; expected at least one answer \
                     and, for each, as many lines as the output has",
                    listed.len()
                ));
            }
            Ok(listed.chunks(lines).map(|lines| lines.join("\n")).collect())
        });
        Ok(Step::Asked(Request {
            frame: frame(said.show),
            player,
            input: std::mem::take(&mut self.inputs[player]),
            lines,
            limit: said.limit,
            legal: legal?,
            errors: said.errors,
        }))
    }

    /// How the game ended, by `###End`.
    fn ended(&mut self, places: &[&str], said: &mut Said, line: &str) -> Result<Step, String> {
        let players = self.inputs.len();
        let by_places = by_places(places, players).ok_or_else(|| {
            format!(
                "said `{}`; expected `###End` with each player from 0 to {} once, best first, and those of a tie in one \
                 word, such as `01`",
                shown(line),
                players - 1
            )
        })?;
        let said = std::mem::take(said);
        Ok(Step::Over(Ended {
            frame: frame(said.show),
            scores: scores(by_places, &self.scores, &self.has_failed)?,
            reason: self.reason.take().filter(|reason| !reason.is_empty()),
            metadata: Vec::new(),
            input: Vec::new(),
            errors: said.errors,
        }))
    }

    /// Gives it a player's answer.
    pub(crate) fn answer(&self, process: &mut Process, lines: &[Vec<u8>]) {
        let lines: String = lines.iter().map(|line| one_line(line) + "\n").collect();
        process.send(lines.as_bytes());
    }
}

fn frame(show: String) -> Frame {
    Frame {
        show,
        ..Frame::default()
    }
}

/// The scores by players if the referee gives none: the number of players placed behind. `None` if a player is missing,
/// unknown, or named twice.
fn by_places(places: &[&str], players: usize) -> Option<Vec<f64>> {
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

/// The referee's scores, if it gave one for every player, or else those by places. Players that have failed are behind
/// the others, whatever their score.
///
/// # Errors
/// When places and scores contradict each other.
fn scores(
    by_places: Vec<f64>,
    said: &[Option<f64>],
    has_failed: &[bool],
) -> Result<Vec<f64>, String> {
    let Some(said) = said.iter().copied().collect::<Option<Vec<f64>>>() else {
        return Ok(by_places);
    };
    let judged: Vec<usize> = (0..said.len())
        .filter(|&player| !has_failed[player])
        .collect();
    for &one in &judged {
        for &other in &judged {
            let is_better = by_places[one] > by_places[other];
            if is_better != (said[one] > said[other]) {
                let relation = if is_better { "before" } else { "not before" };
                return Err(format!(
                    "placed player {one} {relation} player {other}, and gave them the scores {} and {}; expected a \
                     higher score for a better place, and the same for a tie",
                    said[one], said[other]
                ));
            }
        }
    }
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_protocol_s_page_is_a_game() {
        let text = include_str!("../../../../docs/guide/reference/referee-protocol.md");
        let (_, example) = text.split_once("```referee\n").unwrap();
        let (example, _) = example.split_once("```").unwrap();
        let (mut lines, mut said) = (Lines::new(2), Said::default());
        let told = example.lines().filter_map(|line| line.strip_prefix("< "));
        let steps: Vec<Step> = told
            .filter_map(|line| lines.take(line, &mut said).unwrap())
            .collect();
        let [Step::Asked(first), Step::Asked(second), Step::Over(ended)] = &steps[..] else {
            panic!("{steps:?}");
        };
        assert_eq!(first.frame.show, ". . .\n. . .\n. . .\n");
        assert_eq!((first.player, first.input.as_str()), (0, "0\n"));
        assert_eq!(first.limit, Some(Duration::from_millis(100)));
        assert_eq!(first.legal, ["A1", "B2"]);
        assert_eq!((second.limit, second.legal.len()), (None, 0));
        assert_eq!(ended.errors, [(1, "C9 is not on the board".into())]);
        assert_eq!(ended.scores, [3.0, 0.0]);
        let reason = "player 1 has left the board";
        assert_eq!(ended.reason.as_deref(), Some(reason));
    }

    #[test]
    fn the_end_names_each_player_once_and_ties_by_one_word() {
        assert_eq!(by_places(&["0", "12"], 3), Some(vec![2.0, 1.0, 1.0]));
        assert_eq!(by_places(&["10"], 2), Some(vec![1.0, 1.0]));
        assert_eq!(by_places(&["31", "02"], 4), Some(vec![1.0, 3.0, 1.0, 3.0]));
        for wrong in [
            &["0"][..],
            &["0", "0"],
            &["0", "2"],
            &["01", "1"],
            &["a", "1"],
            &[],
        ] {
            assert_eq!(by_places(wrong, 2), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_scores_are_those_that_were_said_of_every_player() {
        let scores = |said: &[Option<f64>]| scores(vec![0.0, 1.0], said, &[false; 2]).unwrap();
        assert_eq!(scores(&[Some(12.0), Some(20.5)]), [12.0, 20.5]);
        assert_eq!(scores(&[Some(12.0), None]), [0.0, 1.0]);
    }

    #[test]
    fn scores_and_places_that_contradict_each_other_are_refused() {
        let scores = |places: [f64; 2], said: [f64; 2], failed: [bool; 2]| {
            scores(places.into(), &said.map(Some), &failed)
        };
        assert!(scores([1.0, 1.0], [7.0, 7.0], [false; 2]).is_ok());
        for (places, said, sentence) in [
            (
                [1.0, 0.0],
                [3.0, 5.0],
                "placed player 0 before player 1, and gave them the scores 3 and 5; expected a higher score",
            ),
            (
                [1.0, 0.0],
                [5.0, 5.0],
                "placed player 0 before player 1, and gave them the scores 5 and 5",
            ),
            (
                [1.0, 1.0],
                [5.0, 3.0],
                "placed player 0 not before player 1, and gave them the scores 5 and 3",
            ),
        ] {
            let refused = scores(places, said, [false; 2]).unwrap_err();
            assert!(refused.starts_with(sentence), "{refused}");
        }
        assert!(
            scores([1.0, 0.0], [3.0, 5.0], [false, true]).is_ok(),
            "one that has failed is last whatever its score"
        );
    }
}
