//! What an external referee and its players say in a game, and the verdict on it. Leaves out who answers.

use super::external_verdict::{Failure, refusals, verdict};
use crate::table::{Fault, TimedReply, Verdict};
use crownhead_external::{Ended, RefereeError, Request};
use crownhead_record::{Frame, RefereeRecord, Termination, TurnRecord};

/// The most steps of a game: a referee that asks for more asks for ever.
const MOST_STEPS: u32 = 20_000;

/// The most bytes of frames and turns that the record of a game holds, less than a record may have.
const MOST_BYTES: usize = 24 << 20;

/// A game under way.
pub(super) struct Transcript {
    /// What the referee is called.
    referee: String,
    pub(super) turns: Vec<TurnRecord>,
    pub(super) failures: Vec<Failure>,
    frames: Vec<Frame>,
    /// What each player was sent since it was asked last, without being asked.
    told: Vec<String>,
    /// The legal answers of each player's last turn, where the referee lists them.
    legal: Vec<Vec<String>>,
    /// The players that the referee says have failed, and why.
    pub(super) errors: Vec<(usize, String)>,
    steps_left: u32,
    /// How many more bytes of what is said in them are kept.
    bytes_left: usize,
}

impl Transcript {
    pub(super) fn new(referee: &str, players: usize) -> Transcript {
        Transcript {
            referee: referee.into(),
            turns: Vec::new(),
            failures: Vec::new(),
            frames: Vec::new(),
            told: vec![String::new(); players],
            legal: vec![Vec::new(); players],
            errors: Vec::new(),
            steps_left: MOST_STEPS,
            bytes_left: MOST_BYTES,
        }
    }

    /// Whether the record has room for this many more bytes. They then count as used.
    fn has_room(&mut self, size: usize) -> bool {
        let left = self.bytes_left.checked_sub(size);
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }

    /// Takes in what the referee says in a step.
    ///
    /// # Errors
    /// When there are too many of them.
    pub(super) fn hear(&mut self, frame: Frame) -> Result<(), RefereeError> {
        let lines = frame.summary.iter().chain(&frame.tooltips);
        let size = frame.view.len() + frame.show.len() + lines.map(String::len).sum::<usize>();
        if frame != Frame::default() && self.has_room(size) {
            let turn = self.turns.len();
            self.frames.push(Frame { turn, ..frame });
        }
        let left = self.steps_left.checked_sub(1);
        self.steps_left = left.ok_or_else(|| RefereeError::Protocol {
            name: self.referee.clone(),
            problem: format!("asked for more than {MOST_STEPS} answers in one game"),
        })?;
        Ok(())
    }

    /// Takes in what a player is sent that does not answer.
    pub(super) fn tell(&mut self, request: &Request) {
        self.told[request.player] += &request.input;
    }

    /// Takes in a player's answer, in whose place the referee may be given that of the opening.
    pub(super) fn answered(
        &mut self,
        request: &Request,
        opening: Option<String>,
        answer: &TimedReply,
    ) {
        let player = request.player;
        self.legal[player].clone_from(&request.legal);
        let sent = std::mem::take(&mut self.told[player]) + &request.input;
        let sent = Some(sent).filter(|sent| self.has_room(sent.len()));
        self.turns.push(TurnRecord {
            sent,
            lines: request.lines,
            limit: request.limit,
            opening,
            ..answer.record(player)
        });
    }

    /// Takes in that the player that answered last has failed.
    pub(super) fn fail(&mut self, player: usize, fault: Fault) {
        let turn = self.turns.len() - 1;
        self.failures.push(Failure {
            player,
            turn,
            fault,
        });
    }

    pub(super) fn has_failed(&self, player: usize) -> bool {
        self.failures.iter().any(|failure| failure.player == player)
    }

    /// The verdict on a game between players of these names, which ended so: `None` if it could not go on after a failure.
    /// What the referee said goes into the record.
    pub(super) fn conclude(
        &mut self,
        names: &[&str],
        ended: Result<Option<Ended>, RefereeError>,
        record: &mut RefereeRecord,
    ) -> Verdict {
        record.frames = std::mem::take(&mut self.frames);
        match ended {
            Err(error) => {
                return Verdict {
                    scores: None,
                    termination: Termination::RefereeFault,
                    reason: error.to_string(),
                };
            }
            Ok(None) => {}
            Ok(Some(ended)) => {
                (record.scores, record.metadata) = (ended.scores, ended.metadata);
                (record.input, record.reason) = (ended.input, ended.reason);
            }
        }
        let (scores, frames) = (&record.scores, &record.frames);
        let mut refused = refusals(&self.errors, scores, &self.turns, frames, &self.legal);
        refused.retain(|failure| !self.has_failed(failure.player));
        self.failures.append(&mut refused);
        self.failures.sort_by_key(|failure| failure.turn);
        record.failed = self.failures.iter().map(Failure::record).collect();
        verdict(
            names,
            &self.failures,
            &record.scores,
            record.reason.as_deref(),
        )
    }
}
