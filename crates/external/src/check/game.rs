//! One game of a referee with built-in players, turn by turn. Leaves out what is right or wrong in it.

use crate::{Ended, ExternalReferee, RefereeError, Request, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::seed::Purpose;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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

/// A question and its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub(super) request: Request,
    pub(super) reply: Reply,
}

/// A played game.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) turns: Vec<Turn>,
    /// How it ended; `None` if it was abandoned.
    pub(super) ended: Option<Ended>,
    /// The time from the start of the process until its first line.
    pub(super) start: Duration,
    /// The total time that the referee took after the answers.
    pub(super) own_time: Duration,
}

/// A game that did not end, because of the referee.
#[derive(Debug)]
pub(super) struct Broken {
    /// How many answers it had.
    pub(super) turns: usize,
    pub(super) error: RefereeError,
}

impl Subject<'_> {
    /// Plays the game of this seed; `reply` acts for all players.
    pub(super) fn play(
        &self,
        seed: u64,
        mut reply: impl FnMut(&Request, &[Turn]) -> Reply,
    ) -> Result<Game, Broken> {
        let mut turns = Vec::new();
        let played = self.play_turns(seed, &mut turns, &mut reply);
        match played {
            Ok((ended, start, own_time)) => Ok(Game {
                turns,
                ended,
                start,
                own_time,
            }),
            Err(error) => Err(Broken {
                turns: turns.len(),
                error,
            }),
        }
    }

    fn play_turns(
        &self,
        seed: u64,
        turns: &mut Vec<Turn>,
        reply: &mut dyn FnMut(&Request, &[Turn]) -> Reply,
    ) -> Result<(Option<Ended>, Duration, Duration), RefereeError> {
        let mut asked_at = Instant::now();
        let mut process = self.referee.start(&[])?;
        process.begin(seed)?;
        let mut step = process.next(self.interrupted)?;
        let start = asked_at.elapsed();
        let mut own_time = Duration::ZERO;
        loop {
            let request = match step {
                Step::Over(ended) => return Ok((Some(ended), start, own_time)),
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
            asked_at = Instant::now();
            let goes_on = match &reply {
                Reply::Lines(lines) => {
                    process.answer(lines, Duration::ZERO);
                    true
                }
                Reply::Leaves => process.give_up(),
                Reply::Stop => false,
            };
            turns.push(Turn { request, reply });
            if !goes_on {
                return Ok((None, start, own_time));
            }
            step = process.next_within(self.interrupted, SILENCE)?;
            own_time += asked_at.elapsed();
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
        let asked = self.turns.iter().flat_map(|turn| &turn.request.errors);
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
