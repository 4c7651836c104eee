//! Playing one game of an external referee that starts the bots itself.
//!
//! In place of each bot it is given a command of Crownhead's own, `crownhead seat SOCKET`, which relays what it is sent.
//! The bots run here, in their sandboxes and by our clock. Leaves out how turns are relayed (`external_relay`), what the
//! referee says of the game ([`RefereeRun`]) and the verdict (`external_verdict`).

use super::external_game::ExternalGame;
use super::external_relay::Relay;
use super::seat_sockets::SeatSockets;
use crate::table::{ExitKind, Fault};
use crownhead_external::{Ended, ExternalReferee, Judged, RefereeError, RefereeRun};
use crownhead_record::Frame;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A referee that was started, and the sockets of the players in its game.
pub(super) struct SeatedReferee {
    run: RefereeRun,
    sockets: SeatSockets,
    name: String,
}

impl SeatedReferee {
    /// Starts a game of this seed. `crownhead` is this program.
    pub(super) fn start(
        referee: &ExternalReferee,
        seed: u64,
        crownhead: &Path,
        cores: &[usize],
    ) -> Result<SeatedReferee, RefereeError> {
        let name = referee.name().to_string();
        let io = |error| RefereeError::Io {
            name: name.clone(),
            error,
        };
        let sockets = SeatSockets::open(crownhead, referee.options().players).map_err(io)?;
        let run = referee.run(seed, &sockets.commands().map_err(io)?, cores)?;
        Ok(SeatedReferee { run, sockets, name })
    }
}

impl ExternalGame<'_> {
    /// Plays until the referee ends the game; `None` where it gave no scores after a bot's failure.
    pub(super) fn play_seated(
        &mut self,
        referee: SeatedReferee,
    ) -> Result<Option<Ended>, RefereeError> {
        let SeatedReferee { run, sockets, name } = referee;
        let failed = |error| RefereeError::Io {
            name: name.clone(),
            error,
        };
        let (over, alarm) = UnixStream::pair().map_err(failed)?;
        let (_folder, links) = sockets.into_links();
        let mut relay = Relay::new(self, links, name.clone());
        let given_up = AtomicBool::new(false);
        let judged = std::thread::scope(|scope| {
            let judge = scope.spawn(|| {
                let judged = run.finish(&given_up, Duration::MAX);
                drop(alarm);
                judged
            });
            let relayed = relay.until(&over);
            given_up.store(relayed.is_err(), Ordering::Relaxed);
            let panicked = |_| {
                Err(failed(io::Error::other(
                    "the thread that waits for it failed",
                )))
            };
            let judged = judge.join().unwrap_or_else(panicked);
            relayed.and(judged)
        });
        relay.end(judged)
    }
}

impl Relay<'_, '_> {
    /// What the game comes to, by what the referee says of it.
    fn end(mut self, judged: Result<Judged, RefereeError>) -> Result<Option<Ended>, RefereeError> {
        let scores = judged.as_ref().map_or(&[][..], |judged| &judged.scores);
        let has_score = |player: usize| scores.get(player).is_some_and(|&score| score >= 0.0);
        // One that knows when the game is over may end by itself.
        let ended_well = Fault::Ended(ExitKind::Code(0));
        for (player, fault) in self.take_left() {
            if fault != ended_well || !has_score(player) {
                self.fail(player, fault);
            }
        }
        match judged {
            Ok(_) if self.unseated().is_some() => {
                let number = self.unseated().unwrap_or_default();
                Err(self.problem(format!(
                    "gave scores, and has not started the command of `-p{number}`; expected it to start one for each player"
                )))
            }
            Ok(judged) => Ok(Some(self.ended(judged))),
            Err(RefereeError::Interrupted) => Err(RefereeError::Interrupted),
            Err(_) if !self.game.failures.is_empty() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn ended(&mut self, judged: Judged) -> Ended {
        let remark = |player: usize| {
            let of = |remark: &String| {
                let (own, text) = remark.split_once(' ')?;
                (own.parse() == Ok(player)).then(|| (player, text.to_string()))
            };
            let is_out = judged.scores[player] < 0.0;
            let remarks = judged.frames.iter().flat_map(|frame| &frame.tooltips);
            remarks.filter_map(of).next_back().filter(|_| is_out)
        };
        let errors = (0..judged.scores.len()).filter_map(remark).collect();
        // Of which turns they tell is not known: they stand at the end.
        judged
            .frames
            .into_iter()
            .for_each(|frame| self.game.add(frame));
        Ended {
            frame: Frame::default(),
            scores: judged.scores,
            reason: None,
            metadata: judged.metadata,
            input: judged.input,
            errors,
        }
    }
}
