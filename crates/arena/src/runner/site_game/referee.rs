//! A game that an external referee plays again.

use super::super::transcript::Transcript;
use super::frames::Frames;
use super::timeout;
use crate::contest::{Contest, External};
use crate::table::TimedReply;
use crownhead_external::{Ended, RefereeError, RefereeProcess, Request, Step};
use crownhead_record::openings::Opening;
use crownhead_record::site::SiteGame;
use crownhead_record::{Frame, GameRecord, PlayerRecord, Termination};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A game that an external referee plays again.
struct ThroughReferee<'a> {
    frames: Frames<'a>,
    said: Transcript,
}

pub(super) fn through_referee<'a>(
    contest: &Contest,
    external: &External,
    site: &'a SiteGame,
    interrupted: &AtomicBool,
) -> Result<(GameRecord, Frames<'a>, Option<String>), RefereeError> {
    let mut referee = external.take(&[])?;
    // The next one loads while this game is played.
    external.prepare(&[]);
    let opening = Opening {
        seed: site.seed,
        parameters: site.parameters.clone(),
        ..Opening::default()
    };
    referee.begin(&opening);
    let mut game = ThroughReferee {
        frames: Frames::of(site),
        said: Transcript::new(contest.name(), site.players.len()),
    };
    let ended = game.play(&mut referee, interrupted);
    if matches!(ended, Err(RefereeError::Interrupted)) {
        return Err(RefereeError::Interrupted);
    }
    let failed = ended.as_ref().err().map(RefereeError::to_string);
    let is_over = matches!(ended, Ok(Some(_)));
    let ThroughReferee {
        mut frames,
        mut said,
    } = game;
    let mut record = external.record(&opening);
    let names: Vec<&str> = site.players.iter().map(String::as_str).collect();
    let mut verdict = said.conclude(&names, ended, &mut record);
    if is_over {
        frames.compare_end(Some(&record.scores), &record.scores);
    } else if failed.is_none() {
        (verdict.scores, verdict.termination) = (None, Termination::Abandoned);
        verdict.reason = "the file does not go on as the referee does".into();
    }
    let side = |player: usize| PlayerRecord::new(&contest.side_name(player), names[player], "");
    let game = GameRecord {
        players: (0..names.len()).map(side).collect(),
        referee: Some(record),
        turns: said.turns,
        scores: verdict.scores,
        termination: verdict.termination,
        reason: verdict.reason,
        ..GameRecord::new(contest.name(), contest.rules_name(), Vec::new())
    };
    Ok((game, frames, failed))
}

impl ThroughReferee<'_> {
    /// Plays until the referee ends the game; `None` where the file has no answer to its question.
    fn play(
        &mut self,
        referee: &mut RefereeProcess,
        interrupted: &AtomicBool,
    ) -> Result<Option<Ended>, RefereeError> {
        loop {
            match referee.next(interrupted)? {
                Step::Over(mut ended) => {
                    self.hear(std::mem::take(&mut ended.frame), &ended.errors)?;
                    return Ok(Some(ended));
                }
                Step::Asked(mut request) => {
                    self.hear(std::mem::take(&mut request.frame), &request.errors)?;
                    if !self.answer(&request, referee) {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// Takes in what the referee says, and compares it with what the file has in this place.
    fn hear(&mut self, frame: Frame, errors: &[(usize, String)]) -> Result<(), RefereeError> {
        self.frames.compare(&frame);
        self.said.errors.extend_from_slice(errors);
        self.said.hear(frame)
    }

    /// Gives it the recorded answer. Returns whether the game goes on.
    fn answer(&mut self, request: &Request, referee: &mut RefereeProcess) -> bool {
        let player = request.player;
        if self.said.has_failed(player) {
            return referee.give_up();
        }
        if request.lines == 0 {
            self.frames.pass_over(player);
            self.said.tell(request);
            referee.answer(&[], Duration::ZERO);
            return true;
        }
        let Some(frame) = self.frames.answer_of(player) else {
            return false;
        };
        let lines = frame.stdout.iter().flat_map(|text| text.lines());
        let lines: Vec<Vec<u8>> = lines.take(request.lines).map(Vec::from).collect();
        let reply = match lines.len() < request.lines {
            true => Err(timeout(request.limit.unwrap_or_default())),
            false => Ok(lines.join(&b'\n')),
        };
        let time = Duration::ZERO;
        let reply = TimedReply { reply, time };
        self.said.answered(request, None, &reply);
        match reply.reply {
            Ok(_) => {
                referee.answer(&lines, time);
                true
            }
            Err(fault) => {
                self.said.fail(player, fault);
                referee.give_up()
            }
        }
    }
}
