//! Answers that Crownhead itself gives an external referee: those of the built-in `random`, and those of an opening of
//! random answers. Each is one of those that the referee lists as legal.

use super::game::GameSetup;
use super::spec::random_by_list;
use crownhead_external::{RefereeError, Request};
use crownhead_record::seed::{Purpose, one_of};
use crownhead_record::text::{excerpt, printable};

/// Who answers by chance in a game, and when.
pub(super) struct OwnAnswers {
    /// What the referee is called.
    referee: String,
    /// The seed of the game, from which those of the opening follow: they are the same in all games of a round.
    seed: u64,
    /// How many answers are the opening's.
    opening: usize,
    /// The seeds of the players that are `random`.
    pub(super) random: Vec<Option<u64>>,
}

impl OwnAnswers {
    pub(super) fn of(setup: &GameSetup<'_>) -> OwnAnswers {
        let contest = &setup.settings.contest;
        let random = |player: usize| {
            let options = random_by_list(contest, &setup.bot(player).spec)?;
            let seed = setup.spec.bot_seeds[setup.spec.seats[player]];
            Some(options.seed.unwrap_or(seed))
        };
        let opening = &setup.spec.opening;
        OwnAnswers {
            referee: contest.name().into(),
            seed: opening.seed.unwrap_or_default().cast_unsigned(),
            opening: opening.random_answers as usize,
            random: (0..contest.players()).map(random).collect(),
        }
    }

    /// What `random` answers in the turn of this number, from 0, if that is the player asked.
    ///
    /// # Errors
    /// When the referee lists no legal answers.
    pub(super) fn of_random(
        &self,
        turn: usize,
        request: &Request,
    ) -> Result<Option<String>, RefereeError> {
        let Some(seed) = self.random[request.player] else {
            return Ok(None);
        };
        let purpose = Purpose::Turn {
            side: request.player as u64,
            turn: turn as u64,
        };
        self.choose(purpose.seed(seed), request, "`random` answers")
    }

    /// What the referee is given in the turn of this number, from 0, in place of what the bot answers, if that is one of
    /// the opening.
    ///
    /// # Errors
    /// When the referee lists no legal answers.
    pub(super) fn of_opening(
        &self,
        turn: usize,
        request: &Request,
    ) -> Result<Option<String>, RefereeError> {
        if turn >= self.opening {
            return Ok(None);
        }
        let purpose = Purpose::OpeningAnswer { turn: turn as u64 };
        self.choose(purpose.seed(self.seed), request, "an opening is made of")
    }

    fn choose(
        &self,
        seed: u64,
        request: &Request,
        what_for: &str,
    ) -> Result<Option<String>, RefereeError> {
        let Some(chosen) = one_of(seed, &request.legal) else {
            return Err(self.problem(format!(
                "asked player {} without `###Legal`; expected it before `###Output`, with the legal answers that {what_for}",
                request.player
            )));
        };
        Ok(Some(chosen.clone()))
    }

    /// The error that the referee refused what Crownhead itself has answered for this player.
    pub(super) fn refused(&self, answer: &str, why: &str) -> RefereeError {
        let (answer, why) = (excerpt(&answer.replace('\n', "\\n")), printable(why));
        self.problem(format!(
            "refused `{answer}`, which it had listed as legal: {why}"
        ))
    }

    /// The error that the game was over before a bot's answer was used.
    pub(super) fn over_within_the_opening(&self) -> RefereeError {
        self.problem(format!(
            "ended the game within its opening of {} random answers; expected a shorter opening",
            self.opening
        ))
    }

    fn problem(&self, problem: String) -> RefereeError {
        RefereeError::Protocol {
            name: self.referee.clone(),
            problem,
        }
    }
}
