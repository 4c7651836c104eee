//! Finds out what is wrong with a referee, by playing it against itself.
//!
//! The players are built in: they give random legal answers, or answers that no bot should give. [`check`] returns the
//! findings. Each has what was seen, what was expected, and a way out. Starts no bot, and prints nothing.

mod game;
mod odd;
mod repeat;
mod sample;

use crate::{ExternalReferee, RefereeError};
use game::{Broken, Game, Subject};
use std::sync::atomic::AtomicBool;

pub use sample::Sample;

/// How a referee is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CheckOptions {
    /// How many games of random legal answers are played.
    pub games: u64,
    /// How many of them are played at once.
    pub threads: usize,
}

/// The result of a check.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckReport {
    /// The findings, faults first.
    pub findings: Vec<Finding>,
    /// The games of random legal answers; `None` if no legal answers are listed or the first game broke.
    pub sample: Option<Sample>,
}

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Whether the referee cannot judge games as it is. Otherwise the finding is only a note.
    pub is_fault: bool,
    /// What it is about.
    pub problem: String,
    /// What the referee did.
    pub seen: String,
    /// What it should have done.
    pub expected: String,
    /// What can be done about it.
    pub way_out: String,
}

impl CheckReport {
    /// Whether no fault was found.
    pub fn is_sound(&self) -> bool {
        !self.findings.iter().any(|finding| finding.is_fault)
    }
}

impl Finding {
    fn fault(
        problem: impl Into<String>,
        seen: impl Into<String>,
        expected: &str,
        way_out: &str,
    ) -> Finding {
        Finding {
            is_fault: true,
            problem: problem.into(),
            seen: seen.into(),
            expected: expected.into(),
            way_out: way_out.into(),
        }
    }

    fn note(problem: &str, seen: &str, expected: &str, way_out: &str) -> Finding {
        Finding {
            is_fault: false,
            ..Finding::fault(problem, seen, expected, way_out)
        }
    }

    /// A referee that does not speak, or breaks its protocol.
    pub fn unspeakable(error: &RefereeError) -> Finding {
        Finding::fault(
            "it does not speak",
            error.to_string(),
            "`###Input PLAYER` and lines, then `###Output PLAYER LINES`, after `###Seed N` and `###Start PLAYERS`",
            "flush the output after each line; docs/guide/reference/referee-protocol.md explains the lines, and `crownhead \
             referee new` writes a referee that speaks them",
        )
    }

    /// A game that breaks though all answers are the check's own.
    fn broken(broken: &Broken, seed: u64) -> Finding {
        Finding::fault(
            "a game of its own answers does not come to its end",
            format!(
                "seed {seed}, after {} answers: {}",
                broken.turns, broken.error
            ),
            "`###End` with each player once, after any answers",
            "the same game can be played again: send the referee `###Seed` with this number; \
             docs/guide/reference/referee-protocol.md explains it",
        )
    }
}

/// Checks a referee that does not start the bots itself. After each game of random answers, `played` is called with
/// their number.
///
/// # Errors
/// When it is interrupted. That the referee fails is a finding.
pub fn check(
    referee: &ExternalReferee,
    options: CheckOptions,
    interrupted: &AtomicBool,
    played: &mut (dyn FnMut(u64) + Send),
) -> Result<CheckReport, RefereeError> {
    let subject = Subject {
        referee,
        interrupted,
    };
    let game = match subject.play_at_random(1)? {
        Ok(game) => game,
        Err(broken) => {
            return Ok(CheckReport {
                findings: vec![Finding::broken(&broken, 1)],
                sample: None,
            });
        }
    };
    let lists_legal = game.turns.iter().any(|turn| !turn.legal.is_empty());
    let mut findings = Vec::from_iter(repeat::check_repeated(&subject)?);
    findings.extend(odd::check_odd_answers(&subject, &game)?);
    findings.extend(missing(&subject, &game, lists_legal));
    let sample = match lists_legal {
        true => {
            let (sample, found) = sample::play_many(&subject, options, played)?;
            findings.extend(found);
            Some(sample)
        }
        false => None,
    };
    findings.sort_by_key(|finding| !finding.is_fault);
    Ok(CheckReport { findings, sample })
}

/// The optional lines that the referee does not use.
fn missing(subject: &Subject<'_>, game: &Game, lists_legal: bool) -> Vec<Finding> {
    let mut findings = Vec::new();
    if subject.hears_of_failures() {
        return findings;
    }
    if !lists_legal {
        findings.push(Finding::note(
            "it lists no legal answers, and so no games of random answers were played",
            "no `###Legal`",
            "`###Legal` and one legal answer a line before each `###Output`",
            "with them `random` plays the game, openings of random answers exist, and this check sees more; else play \
             a bot of yours against itself: `crownhead match BOT BOT --referee COMMAND`",
        ));
    }
    let frames = game.turns.iter().map(|turn| &turn.frame);
    let mut frames = frames.chain(game.ended.iter().map(|ended| &ended.frame));
    if frames.all(|frame| frame.show.is_empty()) {
        findings.push(Finding::note(
            "it shows no board",
            "no `###Show`",
            "`###Show` and the board, as text or SVG",
            "with it `replay` and the page show each turn; without it they show what the bots were sent",
        ));
    }
    findings
}
