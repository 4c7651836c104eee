//! What is known of a game that a bot has lost by its own fault, put together for the sentence that finds its mistake.

use super::trial::{Finding, Trial};
use crate::diagnosis::{Diagnosis, FailedTurn, Probe};
use crate::judge::TimeLimits;
use crate::record::{TurnRecord, turn_text};
use crate::seat::{Finished, Process};
use crate::settings::GameSettings;
use crate::table::Termination;
use crownhead::game::Game;
use crownhead::notation::Notation;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A game at its end, and what is left of the bot that was asked last.
pub(super) struct Evidence<'a, G: Notation> {
    pub(super) game: &'a Game<G>,
    pub(super) turns: &'a [TurnRecord],
    pub(super) colour_line: char,
    pub(super) finished: &'a Finished,
    pub(super) probe: Probe,
    pub(super) limits: TimeLimits,
    pub(super) termination: Termination,
}

impl<G: Notation> Evidence<'_, G> {
    /// What is to be added to the reason of a fault; nothing for other ends. `start` starts the bot anew, for games
    /// that are not rated.
    pub(super) fn explain(
        &self,
        settings: &GameSettings,
        start: impl FnMut() -> Process,
    ) -> String {
        let by_bot = [
            Termination::Timeout,
            Termination::Crash,
            Termination::OutOfMemory,
            Termination::Exit,
            Termination::IllegalReply,
            Termination::UnreadableReply,
        ];
        let Some(last) = self
            .turns
            .last()
            .filter(|_| by_bot.contains(&self.termination))
        else {
            return String::new();
        };
        // The turns that the bot was asked, each by its place among all that were asked.
        let asked: Vec<usize> = (0..self.turns.len())
            .filter(|&at| self.turns[at].side == last.side)
            .collect();
        let own_turn = asked.len();
        let opening = self.game.turn() as usize - self.turns.len();
        let positions: Vec<&G> = self.game.positions().collect();
        let turn = |own: usize| turn_text(positions[opening + asked[own - 1]]);
        let text = |own: usize| match own {
            1 => format!("{}\n{}", self.colour_line, turn(own)),
            _ => turn(own),
        };
        let sent = text(own_turn);
        let sent_before = (own_turn > 1).then(|| text(own_turn - 1));
        let stderr = [&last.stderr.kept[..], &self.finished.stderr_after.kept].concat();
        let first_words = match own_turn {
            1 => &self.finished.stderr_before.kept[..],
            _ => &[],
        };
        let failed = FailedTurn {
            termination: self.termination,
            limit: self.limits.of(own_turn),
            spent: self.finished.spent.last().copied(),
            own_turn,
            sent: &sent,
            sent_before: sent_before.as_deref(),
            reply: last.reply.as_deref(),
            facts: &self.finished.last_turn,
            probe: &self.probe,
            stderr: &[first_words, &stderr].concat(),
        };
        let Diagnosis {
            headline,
            mut causes,
            hint,
        } = failed.diagnose();
        let mut found = Finding::Nothing;
        // A bot that has closed its input reads nothing, in whatever order.
        let reads =
            self.finished.last_turn.unread.is_some() || self.termination != Termination::Timeout;
        if own_turn > 1 && causes.is_empty() && reads && take_one(settings) {
            let mut trial = Trial {
                start,
                colour_line: self.colour_line,
                before: &turn(own_turn - 1),
                turn: &sent,
                own_turn,
                limits: self.limits_of_trial(),
            };
            found = trial.find();
        }
        match found {
            Finding::Mistake(mistake) => causes.push(mistake),
            Finding::AnswersAlone if causes.is_empty() && hint.is_none() => causes.push(
                "asked this turn alone, it answers: what it kept of its turns before, or left unread, leads it astray"
                    .into(),
            ),
            _ if causes.is_empty() => causes.extend(hint),
            _ => {}
        }
        let headline = headline.map(|headline| format!(": {headline}"));
        let mut told = headline.unwrap_or_default();
        for cause in causes {
            told += ". ";
            told.extend(cause.chars().next().map(|first| first.to_ascii_uppercase()));
            told += cause.get(1..).unwrap_or_default();
        }
        told
    }
}

impl<G: Notation> Evidence<'_, G> {
    /// How long the bot is waited for when its turns are put to it again: not much longer than it needed in the game,
    /// for some of the ways in which they are put leave it waiting for more.
    fn limits_of_trial(&self) -> TimeLimits {
        let spent = self.finished.spent.iter().rev().skip(1);
        let longest = spent.map(|spent| spent.wall).max().unwrap_or_default();
        let enough = 2 * longest + Duration::from_millis(300);
        TimeLimits {
            first_turn: self.limits.first_turn.min(enough),
            turn: self.limits.turn.min(enough),
        }
    }
}

/// Whether one more failure of the run may be looked into.
fn take_one(settings: &GameSettings) -> bool {
    let order = Ordering::Relaxed;
    let less = |left: u32| left.checked_sub(1);
    settings.trials.fetch_update(order, order, less).is_ok()
}
