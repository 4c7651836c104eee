//! Playing one game that an external referee knows.
//!
//! The referee says who is sent what and how long it may think; the bots run here, in their sandboxes and by our clock.
//! It learns that a bot failed, and continues without that one or ends. Leaves out what it says
//! ([`crownhead_external`]) and the verdict (`external_verdict`).

use super::game::{GameSetup, Over, end_all};
use super::own_answers::OwnAnswers;
use super::transcript::Transcript;
use crate::contest::External;
use crate::seat::Process;
use crate::table::{Fault, TimedReply};
use crownhead_external::{Ended, RefereeError, RefereeProcess, Request, Step};
use crownhead_record::TurnRecord;
use crownhead_record::judge::TimeLimits;
use crownhead_record::openings::Opening;
use std::process::Command;
use std::time::Duration;

/// A game under way.
struct ExternalGame<'a> {
    setup: &'a GameSetup<'a>,
    seats: Vec<Process>,
    said: Transcript,
    /// What Crownhead itself answers.
    own: OwnAnswers,
}

impl GameSetup<'_> {
    /// Plays it to its end, and ends the bots.
    pub(super) fn play_external(&self, external: &External, commands: &mut [Command]) -> Over {
        let cores = self.cores.referee();
        // It loads while the bots start: no clock runs yet.
        let opening = &self.spec.opening;
        let started = external.take(&cores);
        let mut game = ExternalGame {
            setup: self,
            seats: self.start_all(commands),
            said: Transcript::new(&external.referee.name, commands.len()),
            own: OwnAnswers::of(self),
        };
        if self.cores.spare.is_some() {
            external.prepare(&cores);
        }
        let ended = started.and_then(|mut referee| {
            let ended = game.play(&mut referee, opening)?;
            Ok(ended.map(|ended| (ended, referee.into_course())))
        });
        if self.cores.spare.is_none() {
            // This game's clocks have stopped.
            external.prepare(&cores);
        }
        let ExternalGame {
            seats, mut said, ..
        } = game;
        let limits = self.limits_of(&said.turns);
        let finished = end_all(seats, &mut said.turns, limits);
        let mut record = external.record(opening);
        let names: Vec<&str> = (0..commands.len())
            .map(|player| self.bot(player).spec.name.as_str())
            .collect();
        let ended = ended.and_then(|ended| {
            let Some((ended, course)) = ended else {
                return Ok(None);
            };
            if self.settings.repeats {
                external.repeat(&course, &cores, self.interrupted)?;
            }
            Ok(Some(ended))
        });
        let mut verdict = said.conclude(&names, ended, &mut record);
        let Transcript {
            turns, failures, ..
        } = said;
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
        opening: &Opening,
    ) -> Result<Option<Ended>, RefereeError> {
        referee.begin(opening);
        loop {
            match referee.next(self.setup.interrupted)? {
                Step::Over(mut ended) => {
                    self.said.hear(std::mem::take(&mut ended.frame))?;
                    self.take_errors(&ended.errors)?;
                    let mut turns = self.said.turns.iter();
                    let opening_only = turns.all(|turn| turn.opening.is_some());
                    if opening_only && !self.said.turns.is_empty() {
                        return Err(self.own.over_within_the_opening());
                    }
                    return Ok(Some(ended));
                }
                Step::Asked(mut request) => {
                    self.said.hear(std::mem::take(&mut request.frame))?;
                    self.take_errors(&request.errors)?;
                    if !self.ask(&request, referee)? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Takes what the referee says of players that have failed.
    ///
    /// # Errors
    /// When it refuses what Crownhead itself has answered by its list.
    fn take_errors(&mut self, errors: &[(usize, String)]) -> Result<(), RefereeError> {
        for (player, why) in errors {
            let Some(last) = self.said.turns.iter().rfind(|turn| turn.player == *player) else {
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
        self.said.errors.extend_from_slice(errors);
        Ok(())
    }

    /// Asks a bot. Returns whether the game continues.
    fn ask(
        &mut self,
        request: &Request,
        referee: &mut RefereeProcess,
    ) -> Result<bool, RefereeError> {
        let player = request.player;
        if self.said.has_failed(player) {
            return Ok(referee.give_up());
        }
        if request.lines == 0 {
            self.seats[player].tell(&request.input);
            self.said.tell(request);
            referee.answer(&[], Duration::ZERO);
            return Ok(true);
        }
        let turns = self.said.turns.iter();
        let own_turn = 1 + turns.filter(|turn| turn.player == player).count();
        let limit = request.limit;
        let limit = limit.unwrap_or_else(|| self.setup.settings.limits.of(own_turn));
        let opening = self.own.of_opening(self.said.turns.len(), request)?;
        let answer = match self.own.of_random(self.said.turns.len(), request)? {
            Some(answer) => TimedReply::of_move(answer, Duration::ZERO),
            None => self.seats[player].put(&request.input, request.lines, limit),
        };
        self.said.answered(request, opening.clone(), &answer);
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
                self.said.fail(player, fault);
                Ok(referee.give_up())
            }
        }
    }

    /// Looks at what a bot does that has failed, and ends it: it takes no core of those that play on.
    fn end(&mut self, player: usize, input: &str) {
        let seat = &mut self.seats[player];
        seat.probe(input);
        seat.close_stdin();
        seat.begin_end();
    }
}
