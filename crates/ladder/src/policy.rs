//! The policy of a run: which bots may play, which pairs to play again, and which are void.

use super::roster::Roster;
use crate::store::{BotStates, StoredPair};
use crownhead_arena::runner::{PlayedPair, VoidCause};
use crownhead_record::{GameRecord, Termination};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// How many times in a row a bot may fail to start, or the referee may spoil a pair.
const PATIENCE: u32 = 3;

/// What a run knows about its own faults and those of bots.
#[derive(Debug, Default)]
pub(super) struct Policy {
    /// Which bots are disabled, and when others were enabled.
    pub(super) bots: BotStates,
    /// The bots that only this run has stopped playing.
    pub(super) stopped: BTreeSet<String>,
    pub(super) conduct: Conduct,
    /// How often in a row bots did not start.
    pub(super) not_started: HashMap<String, u32>,
    /// How often in a row a pair between these bots was spoiled by the referee.
    pub(super) referee_faults: HashMap<Vec<String>, u32>,
    /// The seeds of which an external referee has spoiled every game, since the last game that it judged.
    pub(super) spoiled_seeds: BTreeSet<i64>,
}

/// Why a pair is played again.
pub(super) enum MustReplay {
    /// For this reason; none if it is not reported, or was before.
    Because(Option<String>),
    /// The referee, such as a bot's sandbox, fails again and again, as this says.
    RefereeFailed(String),
    /// A bot has failed to start too often, and must stop playing.
    NotStarting { name: String, reason: String },
}

impl Policy {
    /// The reason to play a pair again, if it gives no result.
    pub(super) fn must_replay(
        &mut self,
        bots: &[String],
        games: &[GameRecord],
    ) -> Option<MustReplay> {
        if let Some(game) = games.iter().find(|game| game.has_failed_start()) {
            let fault = |name: &str| game.place_of(name).and_then(|player| game.fault_of(player));
            let mut bots = bots.iter();
            let failed = bots.find(|name| fault(name) == Some(Termination::CannotStart));
            let name = failed.map(String::as_str).unwrap_or_default();
            return Some(self.count_failed_start(name, &game.reason));
        }
        for bot in bots {
            self.not_started.remove(bot);
        }
        // A suspect game has its own reason.
        let failed = |game: &&GameRecord| game.scores.is_none() && !game.suspect;
        let all_failed = games.iter().all(|game| failed(&game));
        if !all_failed {
            self.spoiled_seeds.clear();
        }
        let Some(game) = games.iter().find(failed) else {
            self.referee_faults.remove(bots);
            return None;
        };
        let why = &game.reason;
        let seed = game.referee.as_ref().map(|referee| referee.seed);
        self.spoiled_seeds.extend(seed.filter(|_| all_failed));
        if self.spoiled_seeds.len() >= PATIENCE as usize {
            let told =
                format!("the referee failed in every game of {PATIENCE} seeds in a row: {why}");
            return Some(MustReplay::RefereeFailed(told));
        }
        let times = self.referee_faults.entry(bots.to_vec()).or_default();
        *times += 1;
        if *times >= PATIENCE {
            // This seed makes the referee fail each time. The pair is void, and the ladder continues.
            if game.referee.is_some() {
                self.referee_faults.remove(bots);
                return None;
            }
            let names = game.players.iter().map(|player| &*player.name);
            let pair = describe(&names.collect::<Vec<_>>());
            let told = format!("the referee spoiled {pair} {times} times in a row: {why}");
            return Some(MustReplay::RefereeFailed(told));
        }
        let told = format!("a {} is played again: {why}", word(bots.len()));
        Some(MustReplay::Because(Some(told)))
    }

    fn count_failed_start(&mut self, name: &str, why: &str) -> MustReplay {
        let times = self.not_started.entry(name.into()).or_default();
        *times += 1;
        if self.bots.is_disabled(name) || *times < PATIENCE {
            MustReplay::Because(None)
        } else {
            MustReplay::NotStarting {
                name: name.into(),
                reason: format!("could not start {PATIENCE} times in a row: {why}"),
            }
        }
    }
}

/// `a pair of anna and bert`; of more bots `a round of anna, bert and carl`.
pub(super) fn describe(bots: &[impl AsRef<str>]) -> String {
    let mut names: Vec<&str> = bots.iter().map(AsRef::as_ref).collect();
    let last = names.pop().unwrap_or_default();
    format!("a {} of {} and {last}", word(bots.len()), names.join(", "))
}

/// What games of so many players are played in.
fn word(players: usize) -> &'static str {
    if players == 2 { "pair" } else { "round" }
}

/// The reason why a pair is void without being played again, if it is.
pub(super) fn reason_for_void(pair: &PlayedPair) -> Option<String> {
    let is_external = |game: &GameRecord| game.referee.is_some();
    let void = pair.void().filter(|(cause, game)| match cause {
        VoidCause::Starved => true,
        VoidCause::RefereeFault => is_external(game),
        VoidCause::DidNotStart => false,
    });
    void.map(|(_, game)| game.reason.clone())
}

/// How many games of a bot are looked at.
const GAMES: usize = 20;
/// As many of them as a bot may not lose by faults.
const FAULTS: u64 = 15;

/// The conduct of a ladder's bots since they were last enabled. It disables those that lost [`FAULTS`] of their last
/// [`GAMES`] games by their own faults. A bot that loses a fifth of its games by faults gets there once in five million
/// games. Void pairs are no evidence, because the machine makes games void. A game that a bot makes void again and again
/// is judged as a timeout elsewhere, and counts here as one.
#[derive(Clone, Default, Debug)]
pub(super) struct Conduct {
    /// For each bot, the last pair that does not count.
    enabled: HashMap<String, u64>,
    /// The faults that lost the last games, by the numbers of a [`Roster`].
    games: HashMap<usize, VecDeque<Option<Termination>>>,
}

impl Conduct {
    /// For bots that were enabled after these pairs.
    pub(super) fn new(enabled: Vec<(String, u64)>) -> Conduct {
        Conduct {
            enabled: enabled.into_iter().collect(),
            games: HashMap::new(),
        }
    }

    /// Counts a pair.
    pub(super) fn add(&mut self, roster: &mut Roster, pair: &StoredPair) {
        for entrant in &pair.key.bots {
            let since = self.enabled.get(&entrant.bot).copied().unwrap_or(0);
            let Some(number) = roster.number_of(entrant) else {
                continue;
            };
            if pair.finished <= since {
                continue;
            }
            let games = self.games.entry(number).or_default();
            for game in pair.rated() {
                let seat = game.seat_of(&entrant.bot);
                games.push_back(seat.and_then(|seat| game.fault_of(seat)));
                if games.len() > GAMES {
                    games.pop_front();
                }
            }
        }
    }

    /// The reason to disable the bot of this number: "lost 15 of its last 20 games by faults: 5 timeout, 10 crash".
    pub(super) fn reason_to_disable(&self, number: usize) -> Option<String> {
        let games = self.games.get(&number)?;
        let mut faults: BTreeMap<Termination, u64> = BTreeMap::new();
        for fault in games.iter().flatten() {
            *faults.entry(*fault).or_default() += 1;
        }
        let lost: u64 = faults.values().sum();
        let counts = faults
            .iter()
            .map(|(fault, count)| format!("{count} {fault}"));
        let counts: Vec<String> = counts.collect();
        (lost >= FAULTS).then(|| {
            let (last, counts) = (games.len(), counts.join(", "));
            format!("lost {lost} of its last {last} games by faults: {counts}")
        })
    }
}

#[cfg(test)]
mod tests;
