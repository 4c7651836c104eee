//! Playing one game that an external referee knows.
//!
//! The referee says who is sent what and how long it may think; the bots run here, in their sandboxes and by our clock.
//! It learns that a bot failed, and continues without that one or ends. Leaves out what it says
//! ([`crownhead_external`]) and the verdict (`external_verdict`).

use super::external_verdict::{Failure, refusals, verdict};
use super::game::{GameSetup, Over, end_all};
use super::own_answers::OwnAnswers;
use crate::contest::External;
use crate::seat::Process;
use crate::table::{Fault, TimedReply, Verdict};
use crownhead_external::{Ended, RefereeError, RefereeProcess, Request, Step};
use crownhead_record::judge::TimeLimits;
use crownhead_record::{Frame, Termination, TurnRecord};
use std::process::Command;
use std::time::Duration;

/// The most steps of a game: a referee that asks for more asks for ever.
const MOST_STEPS: u32 = 20_000;

/// A game under way.
struct ExternalGame<'a> {
    setup: &'a GameSetup<'a>,
    seats: Vec<Process>,
    turns: Vec<TurnRecord>,
    frames: Vec<Frame>,
    /// What each player was sent since it was asked last, without being asked.
    told: Vec<String>,
    /// What Crownhead itself answers.
    own: OwnAnswers,
    /// The legal answers of each player's last turn, where the referee lists them.
    legal: Vec<Vec<String>>,
    failures: Vec<Failure>,
    /// The players that the referee says have failed, and why.
    errors: Vec<(usize, String)>,
    /// How many more bytes of what is said in them are kept.
    bytes_left: usize,
}

/// The most bytes of frames and turns that the record of a game holds, less than a record may have.
const MOST_BYTES: usize = 24 << 20;

impl GameSetup<'_> {
    /// Plays it to its end, and ends the bots.
    pub(super) fn play_external(&self, external: &External, commands: &mut [Command]) -> Over {
        let cores = self.cores.referee();
        // It loads while the bots start: no clock runs yet.
        let seed = self.spec.opening.seed.unwrap_or_default();
        let started = external.take(&cores);
        let mut game = ExternalGame {
            setup: self,
            seats: self.start_all(commands),
            turns: Vec::new(),
            frames: Vec::new(),
            told: vec![String::new(); commands.len()],
            own: OwnAnswers::of(self),
            legal: vec![Vec::new(); commands.len()],
            failures: Vec::new(),
            errors: Vec::new(),
            bytes_left: MOST_BYTES,
        };
        if self.cores.spare.is_some() {
            external.prepare(&cores);
        }
        let ended = started.and_then(|mut referee| game.play(&mut referee, seed));
        if self.cores.spare.is_none() {
            // This game's clocks have stopped.
            external.prepare(&cores);
        }
        let ExternalGame {
            seats,
            mut turns,
            frames,
            mut failures,
            errors,
            legal,
            ..
        } = game;
        let limits = self.limits_of(&turns);
        let finished = end_all(seats, &mut turns, limits);
        let mut record = external.record(seed);
        record.frames = frames;
        let names: Vec<&str> = (0..commands.len())
            .map(|player| self.bot(player).spec.name.as_str())
            .collect();
        let mut verdict = match ended {
            Err(error) => Verdict {
                scores: None,
                termination: Termination::RefereeFault,
                reason: error.to_string(),
            },
            Ok(ended) => {
                if let Some(ended) = ended {
                    (record.scores, record.metadata) = (ended.scores, ended.metadata);
                    (record.input, record.reason) = (ended.input, ended.reason);
                }
                let has_failed = |player| failures.iter().any(|failure| failure.player == player);
                let mut refused = refusals(&errors, &record.scores, &turns, &record.frames, &legal);
                refused.retain(|failure| !has_failed(failure.player));
                failures.append(&mut refused);
                failures.sort_by_key(|failure| failure.turn);
                record.failed = failures.iter().map(Failure::record).collect();
                let said = record.reason.as_deref();
                verdict(&names, &failures, &record.scores, said)
            }
        };
        let is_judged = verdict.scores.is_some();
        if let Some(first) = failures.first().filter(|_| is_judged) {
            let turns = &turns[..=first.turn];
            self.diagnose(None, turns, &finished, &mut verdict, commands);
        }
        // The place of each depends on all that failed.
        let mut failed = failures.iter();
        let is_doubtful = failed.any(|failure| finished[failure.player].doubtful);
        Over {
            verdict,
            is_suspect: is_doubtful && is_judged,
            turns,
            limits,
            referee: Some(record),
            finished,
        }
    }

    /// The limits of a first turn and of a later one, as the referee set them in this game.
    fn limits_of(&self, turns: &[TurnRecord]) -> TimeLimits {
        let own = self.settings.limits;
        let limits = || turns.iter().filter_map(|turn| turn.limit);
        TimeLimits {
            first_turn: limits().max().unwrap_or(own.first_turn),
            turn: limits().min().unwrap_or(own.turn),
        }
    }
}

impl ExternalGame<'_> {
    /// Plays until the referee ends the game; `None` if it cannot continue after a bot's failure.
    fn play(
        &mut self,
        referee: &mut RefereeProcess,
        seed: u64,
    ) -> Result<Option<Ended>, RefereeError> {
        referee.begin(seed)?;
        for _ in 0..MOST_STEPS {
            match referee.next(self.setup.interrupted)? {
                Step::Over(ended) => {
                    self.add(ended.frame.clone());
                    self.take_errors(&ended.errors)?;
                    if !self.turns.is_empty()
                        && self.turns.iter().all(|turn| turn.opening.is_some())
                    {
                        return Err(self.own.over_within_the_opening());
                    }
                    return Ok(Some(ended));
                }
                Step::Asked(request) => {
                    self.add(request.frame.clone());
                    self.take_errors(&request.errors)?;
                    if !self.ask(&request, referee)? {
                        return Ok(None);
                    }
                }
            }
        }
        Err(RefereeError::Protocol {
            name: self.setup.settings.contest.name().into(),
            problem: format!("asked for more than {MOST_STEPS} answers in one game"),
        })
    }

    /// Takes what the referee says of players that have failed.
    ///
    /// # Errors
    /// When it refuses what Crownhead itself has answered by its list.
    fn take_errors(&mut self, errors: &[(usize, String)]) -> Result<(), RefereeError> {
        for (player, why) in errors {
            let Some(last) = self.turns.iter().rfind(|turn| turn.player == *player) else {
                continue;
            };
            let by_random = last
                .reply
                .as_ref()
                .filter(|_| self.own.random[*player].is_some());
            if let Some(answer) = last.opening.as_ref().or(by_random) {
                return Err(self.own.refused(answer, why));
            }
        }
        self.errors.extend_from_slice(errors);
        Ok(())
    }

    /// Asks a bot. Returns whether the game continues.
    fn ask(
        &mut self,
        request: &Request,
        referee: &mut RefereeProcess,
    ) -> Result<bool, RefereeError> {
        let player = request.player;
        if self.failures.iter().any(|failure| failure.player == player) {
            return Ok(referee.give_up());
        }
        if request.lines == 0 {
            self.seats[player].tell(&request.input);
            self.told[player] += &request.input;
            referee.answer(&[], Duration::ZERO);
            return Ok(true);
        }
        let own_turn = 1 + self
            .turns
            .iter()
            .filter(|turn| turn.player == player)
            .count();
        let limit = request.limit;
        let limit = limit.unwrap_or_else(|| self.setup.settings.limits.of(own_turn));
        let opening = self.own.of_opening(self.turns.len(), request)?;
        let answer = match self.own.of_random(self.turns.len(), request)? {
            Some(answer) => TimedReply::of_move(answer, Duration::ZERO),
            None => self.seats[player].put(&request.input, request.lines, limit),
        };
        self.legal[player].clone_from(&request.legal);
        let sent = std::mem::take(&mut self.told[player]) + &request.input;
        let sent = Some(sent).filter(|sent| self.has_room(sent.len()));
        self.turns.push(TurnRecord {
            sent,
            lines: request.lines,
            limit: request.limit,
            opening: opening.clone(),
            ..answer.record(player)
        });
        match answer.reply {
            Ok(reply) => {
                let reply = opening.map_or(reply, String::into_bytes);
                let lines: Vec<Vec<u8>> =
                    reply.split(|&byte| byte == b'\n').map(Vec::from).collect();
                referee.answer(&lines, answer.time);
                Ok(true)
            }
            Err(Fault::Interrupted) => Err(RefereeError::Interrupted),
            Err(fault) => {
                self.end(player, &request.input);
                self.failures.push(Failure {
                    player,
                    turn: self.turns.len() - 1,
                    fault,
                });
                Ok(referee.give_up())
            }
        }
    }

    /// Keeps what the referee says, if the record has room for it.
    fn add(&mut self, frame: Frame) {
        let lines = frame.summary.iter().chain(&frame.tooltips);
        let size = frame.view.len() + frame.show.len() + lines.map(String::len).sum::<usize>();
        if frame != Frame::default() && self.has_room(size) {
            let turn = self.turns.len();
            self.frames.push(Frame { turn, ..frame });
        }
    }

    /// Looks at what a bot does that has failed, and ends it: it takes no core of those that play on.
    fn end(&mut self, player: usize, input: &str) {
        let seat = &mut self.seats[player];
        seat.probe(input);
        seat.close_stdin();
        seat.begin_end();
    }

    /// Whether the record has room for this many more bytes. They then count as used.
    fn has_room(&mut self, size: usize) -> bool {
        let left = self.bytes_left.checked_sub(size);
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }
}
