//! The policy of a run: which bots may play, which pairs are played again, and which are void.

use super::conduct::Conduct;
use crate::store::BotStates;
use crownhead_arena::runner::{PlayedPair, VoidCause};
use crownhead_record::{GameRecord, Termination};
use std::collections::{BTreeSet, HashMap};

/// The times in a row that a bot may fail to start, or the referee spoil a pair.
pub(super) const PATIENCE: u32 = 3;

/// What a run knows of the faults of bots and of its own.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// Which bots are disabled, and when others were enabled.
    pub(super) bots: BotStates,
    /// Those that this run alone does not play any more.
    pub(super) stopped: BTreeSet<String>,
    pub(super) conduct: Conduct,
    /// How often in a row bots did not start.
    pub(super) not_started: HashMap<String, u32>,
    /// How often in a row a pair between two bots was spoiled by the referee.
    pub(super) referee_faults: HashMap<[String; 2], u32>,
}

/// Why a pair is played again.
pub(super) enum MustReplay {
    /// For what is said here; nothing where that was told before.
    Because(Option<String>),
    /// The referee, such as a bot's sandbox, has spoiled pairs of these bots so many times in a row.
    RefereeFailed { times: u32, told: String },
    /// A bot has failed to start too often, and is not to play any more.
    NotStarting { name: String, reason: String },
}

impl Policy {
    /// Why a pair says nothing and is played again, if that is so.
    pub(super) fn must_replay(
        &mut self,
        bots: &[String; 2],
        games: &[GameRecord],
    ) -> Option<MustReplay> {
        if let Some(game) = games.iter().find(|game| game.has_failed_start()) {
            let is_first = game
                .place_of(&bots[0])
                .and_then(|player| game.fault_of(player))
                == Some(Termination::CannotStart);
            let name = &bots[usize::from(!is_first)];
            return Some(self.count_failed_start(name, &game.reason));
        }
        for bot in bots {
            self.not_started.remove(bot);
        }
        // One that is suspect says why itself.
        let failed = |game: &&GameRecord| game.scores.is_none() && !game.suspect;
        let Some(game) = games.iter().find(failed) else {
            self.referee_faults.remove(bots);
            return None;
        };
        let times = self.referee_faults.entry(bots.clone()).or_default();
        *times += 1;
        if *times >= PATIENCE {
            // The same seed makes it fail each time: the pair is void, and the ladder goes on.
            if game.referee.is_some() {
                self.referee_faults.remove(bots);
                return None;
            }
            let [black, white] = [0, 1].map(|player| &game.players[player].name);
            let (times, reason) = (*times, &game.reason);
            let told = format!(
                "the referee spoiled a pair of {black} and {white} {times} times in a row: {reason}"
            );
            return Some(MustReplay::RefereeFailed { times, told });
        }
        let told = format!("a pair is played again: {}", game.reason);
        Some(MustReplay::Because(Some(told)))
    }

    fn count_failed_start(&mut self, name: &str, why: &str) -> MustReplay {
        let times = self.not_started.entry(name.into()).or_default();
        *times += 1;
        if self.bots.is_disabled(name) {
            MustReplay::Because(None)
        } else if *times < PATIENCE {
            MustReplay::Because(Some(format!("{name} did not start: {why}")))
        } else {
            MustReplay::NotStarting {
                name: name.into(),
                reason: format!("could not start {PATIENCE} times in a row: {why}"),
            }
        }
    }
}

/// Why a pair is void that is not played again, if it is.
pub(super) fn reason_for_void(pair: &PlayedPair) -> Option<String> {
    let is_external = |game: &GameRecord| game.referee.is_some();
    let void = pair.void().filter(|void| match void.cause {
        VoidCause::Starved => true,
        VoidCause::RefereeFault => is_external(void.game),
        VoidCause::DidNotStart => false,
    });
    void.map(|void| void.game.reason.clone())
}
