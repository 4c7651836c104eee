//! One game of a referee with players that live here, turn by turn. Leaves out what is right or wrong in it.

use crate::{Ended, ExternalReferee, RefereeError, Request, Step};
use crownhead_record::RefereeProtocol;
use crownhead_record::seed::Purpose;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long a referee may be silent within a game: it has no bots to wait for.
const SILENCE: Duration = Duration::from_secs(10);

/// The most answers of a game: a referee that asks for more asks for ever.
const MOST_TURNS: usize = 20_000;

/// The referee that is checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) referee: &'a ExternalReferee,
    pub(super) interrupted: &'a AtomicBool,
}

/// What a player does that is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Reply {
    /// It answers these lines.
    Lines(Vec<Vec<u8>>),
    /// It crashes, or does not answer in time.
    Leaves,
    /// Enough was seen: the game is left.
    Stop,
}

/// What was asked, and what was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    pub(super) request: Request,
    pub(super) reply: Reply,
}

/// A game as it was played.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) turns: Vec<Turn>,
    /// How it ended: `None` where it was left.
    pub(super) ended: Option<Ended>,
    /// From the start of the process until its first word.
    pub(super) start: Duration,
    /// What the referee took after the answers, all in all.
    pub(super) own_time: Duration,
}

/// A game that did not come to its end by the referee's fault.
#[derive(Debug)]
pub(super) struct Broken {
    /// How many answers it had.
    pub(super) turns: usize,
    pub(super) error: RefereeError,
}

impl Subject<'_> {
    /// Plays the game of this seed; `reply` is all its players.
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

    /// Whether it can be told of a player that answers no more.
    pub(super) fn hears_of_failures(&self) -> bool {
        self.referee.protocol() == RefereeProtocol::Engine
    }

    pub(super) fn players(&self) -> usize {
        self.referee.options().players
    }
}

impl Game {
    /// The players that the referee said to have failed, and why.
    pub(super) fn errors(&self) -> impl Iterator<Item = &(usize, String)> {
        let asked = self.turns.iter().flat_map(|turn| &turn.request.errors);
        asked.chain(self.ended.iter().flat_map(|ended| &ended.errors))
    }
}

/// A legal answer by chance, which follows from the seed and the turn; where none is listed, one that says nothing.
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
