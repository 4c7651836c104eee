//! The course of a game, and whether a referee comes to the same result when it is given the same seed and answers.
//!
//! Compares whom it asks, who fails, and the scores. Leaves out what bots are sent and what is shown: [`check`](crate::check)
//! compares these too.

use crate::{ExternalReferee, RefereeError, Step};
use crownhead_record::openings::Opening;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a referee was given in a game, and the result.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Course {
    /// The opening, and with it the seed.
    pub(crate) opening: Opening,
    /// Its questions.
    pub(crate) turns: Vec<Turn>,
    /// The players that have failed, according to the referee.
    pub(crate) failed: Vec<usize>,
    /// The scores, if it ended the game.
    pub(crate) scores: Option<Vec<f64>>,
}

/// A question to a player.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Turn {
    /// Who was asked.
    pub(crate) player: usize,
    /// The lines of the answer and the time that it took; none if the player had failed.
    pub(crate) answer: Option<(Vec<Vec<u8>>, Duration)>,
}

impl Course {
    /// Takes in a step of the referee.
    pub(crate) fn hear(&mut self, step: &Step) {
        let errors = match step {
            Step::Asked(request) => {
                let (player, answer) = (request.player, None);
                self.turns.push(Turn { player, answer });
                &request.errors
            }
            Step::Over(ended) => {
                self.scores = Some(ended.scores.clone());
                &ended.errors
            }
        };
        self.failed.extend(errors.iter().map(|(player, _)| player));
    }

    /// Takes in the answer to the last question.
    pub(crate) fn answer(&mut self, lines: &[Vec<u8>], took: Duration) {
        if let Some(turn) = self.turns.last_mut() {
            turn.answer = Some((lines.to_vec(), took));
        }
    }
}

impl ExternalReferee {
    /// Starts it once more on these cores, and gives it the seed and the answers of a game that it has ended.
    ///
    /// # Errors
    /// With [`RefereeError::Protocol`] when it comes to another result. Otherwise when it cannot be started, or is
    /// interrupted.
    pub fn repeat(
        &self,
        course: &Course,
        cores: &[usize],
        interrupted: &AtomicBool,
    ) -> Result<(), RefereeError> {
        let mut process = self.start(cores)?;
        process.begin(&course.opening);
        let mut turns = course.turns.iter();
        let seen = loop {
            match process.next(interrupted) {
                Ok(Step::Over(_)) if process.course == *course => return Ok(()),
                Ok(Step::Over(ended)) => break format!("`{}`", listed(&ended.scores)),
                Ok(Step::Asked(request)) => match turns.next() {
                    Some(turn) if turn.player == request.player => match &turn.answer {
                        Some((lines, took)) => process.answer(lines, *took),
                        None => drop(process.give_up()),
                    },
                    _ => break format!("another question in turn {}", process.course.turns.len()),
                },
                Err(RefereeError::Protocol { problem, .. }) => {
                    let seen = problem.split("; expected").next().unwrap_or_default();
                    break format!("it {seen}");
                }
                Err(error) => return Err(error),
            }
        };
        let scores = course.scores.as_deref().map(listed).unwrap_or_default();
        Err(RefereeError::Protocol {
            name: self.name.clone(),
            problem: format!(
                "gives two results for the same seed and answers: first the scores `{scores}`, then {seen}; expected one \
                 result, with all chance taken from the seed"
            ),
        })
    }
}

fn listed(scores: &[f64]) -> String {
    let scores = scores.iter().map(f64::to_string);
    scores.collect::<Vec<_>>().join(" ")
}
