//! One game of a referee with built-in players, turn by turn. Leaves out what is right or wrong in it.

use crate::{Ended, ExternalReferee, RefereeError, Request, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::seed::Purpose;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long a referee may be silent within a game: it has no bots to wait for.
const SILENCE: Duration = Duration::from_secs(10);

/// The most answers of a game: a referee that asks for more never ends.
const MOST_TURNS: usize = 20_000;

/// The referee that is checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) referee: &'a ExternalReferee,
    pub(super) interrupted: &'a AtomicBool,
}

/// A player's reaction to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// It answers these lines.
    Lines(Vec<Vec<u8>>),
    /// It crashes, or does not answer in time.
    Leaves,
    /// Enough is known: the game is abandoned.
    Stop,
}

/// A played game.
#[derive(PartialEq, Debug)]
pub(super) struct Game {
    /// What was asked.
    pub(super) turns: Vec<Request>,
    /// How it ended; `None` if it was abandoned.
    pub(super) ended: Option<Ended>,
}

/// A game that did not end, because of the referee.
#[derive(Debug)]
pub(super) struct Broken {
    /// How many answers it had.
    pub(super) turns: usize,
    pub(super) error: RefereeError,
}

impl Subject<'_> {
    /// Plays the game of this seed; `reply` acts for all players, and is told the questions before.
    ///
    /// # Errors
    /// When it is interrupted.
    pub(super) fn play(
        &self,
        seed: u64,
        mut reply: impl FnMut(&Request, &[Request]) -> Reply,
    ) -> Result<Result<Game, Broken>, RefereeError> {
        let mut turns = Vec::new();
        match self.play_turns(seed, &mut turns, &mut reply) {
            Ok(ended) => Ok(Ok(Game { turns, ended })),
            Err(RefereeError::Interrupted) => Err(RefereeError::Interrupted),
            Err(error) => Ok(Err(Broken {
                turns: turns.len(),
                error,
            })),
        }
    }

    /// Plays the game of this seed by random legal answers.
    ///
    /// # Errors
    /// When it is interrupted.
    pub(super) fn play_at_random(&self, seed: u64) -> Result<Result<Game, Broken>, RefereeError> {
        self.play(seed, |request, turns| {
            any_answer(request, seed, turns.len())
        })
    }

    fn play_turns(
        &self,
        seed: u64,
        turns: &mut Vec<Request>,
        reply: &mut dyn FnMut(&Request, &[Request]) -> Reply,
    ) -> Result<Option<Ended>, RefereeError> {
        let mut process = self.referee.start(&[])?;
        process.begin(seed)?;
        let mut step = process.next(self.interrupted)?;
        loop {
            let request = match step {
                Step::Over(ended) => return Ok(Some(ended)),
                Step::Asked(request) => request,
            };
            if turns.len() == MOST_TURNS {
                return Err(RefereeError::Protocol {
                    name: self.referee.name().into(),
                    problem: format!("asked for more than {MOST_TURNS} answers; expected an end"),
                });
            }
            let reply = match request.lines {
                0 => Reply::Lines(Vec::new()),
                _ => reply(&request, turns),
            };
            turns.push(request);
            let goes_on = match reply {
                Reply::Lines(lines) => {
                    process.answer(&lines, Duration::ZERO);
                    true
                }
                Reply::Leaves => process.give_up(),
                Reply::Stop => false,
            };
            if !goes_on {
                return Ok(None);
            }
            step = process.next_within(self.interrupted, SILENCE)?;
        }
    }

    /// Whether the protocol can report a player that no longer answers.
    pub(super) fn hears_of_failures(&self) -> bool {
        self.referee.protocol() == RefereeProtocol::Engine
    }

    pub(super) fn players(&self) -> usize {
        self.referee.options().players
    }
}

impl Game {
    /// The players that have failed, according to the referee, and why.
    pub(super) fn errors(&self) -> impl Iterator<Item = &(usize, String)> {
        let asked = self.turns.iter().flat_map(|turn| &turn.errors);
        asked.chain(self.ended.iter().flat_map(|ended| &ended.errors))
    }
}

/// A random legal answer, which follows from the seed and the turn. If none is listed, an answer without meaning.
pub(super) fn any_answer(request: &Request, seed: u64, turn: usize) -> Reply {
    let side = request.player as u64;
    let turn = turn as u64;
    let chance = Purpose::Turn { side, turn }.seed(seed);
    let count = request.legal.len() as u64;
    let chosen = chance
        .checked_rem(count)
        .and_then(|index| request.legal.get(index as usize));
    let lines = match chosen {
        Some(answer) => answer.split('\n').map(Vec::from).collect(),
        None => vec![b"?".to_vec(); request.lines],
    };
    Reply::Lines(lines)
}
