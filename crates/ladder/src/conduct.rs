//! Decides which bots to disable: those that lost [`FAULTS`] of their last [`GAMES`] games by their own faults.
//!
//! A bot that loses a fifth of its games by faults gets there once in five million games. Void pairs are no evidence,
//! because the machine makes games void. A game that a bot makes void again and again is judged as a timeout elsewhere,
//! and counts here as one.

use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::Termination;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// How many games of a bot are looked at.
const GAMES: usize = 20;
/// As many of them as a bot may not lose by faults.
const FAULTS: u64 = 15;

/// The conduct of a ladder's bots since they were last enabled.
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
        for entrant in [&pair.key.first, &pair.key.second] {
            let since = self.enabled.get(&entrant.bot).copied().unwrap_or(0);
            let Some(number) = roster.number_of(entrant) else {
                continue;
            };
            if pair.finished <= since {
                continue;
            }
            let games = self.games.entry(number).or_default();
            for game in pair.games.iter().flatten() {
                let is_fault = game.is_fault_of(&entrant.bot);
                games.push_back(is_fault.then_some(game.termination));
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
mod tests {
    use super::*;
    use crate::Config;
    use crate::store::{Entrant, PairKey, StoredGame, UNKNOWN_VERSION};
    use crownhead_record::RecordedResult;
    use std::time::Duration;

    /// A pair whose two games `a` loses in these ways; void without games.
    fn pair(number: u64, games: Option<[Termination; 2]>) -> StoredPair {
        let entrant = |bot: &str| Entrant {
            bot: bot.into(),
            version: UNKNOWN_VERSION.into(),
        };
        let game = |termination| StoredGame {
            black: "a".into(),
            result: RecordedResult::White,
            termination,
            times: [Duration::ZERO; 2],
        };
        StoredPair {
            key: PairKey::new(&entrant("a"), &entrant("b"), number),
            finished: number,
            games: games.map(|games| games.map(game)),
        }
    }

    /// The reason to disable `a` after these pairs, if it was enabled after pair `since`.
    fn reason(pairs: &[Option<[Termination; 2]>], since: u64) -> Option<String> {
        let bot = |name| format!("[[bot]]\nname = \"{name}\"\ncommand = \"random\"\n");
        let config = Config::parse(&["a", "b"].map(bot).concat()).unwrap();
        let mut roster = Roster::new(&config, &[]);
        let mut conduct = Conduct::new(vec![("a".into(), since)]);
        for (number, games) in (1..).zip(pairs) {
            conduct.add(&mut roster, &pair(number, *games));
        }
        assert_eq!(conduct.reason_to_disable(1), None, "it won them all");
        conduct.reason_to_disable(0)
    }

    const SOUND: Option<[Termination; 2]> = Some([Termination::NoMoves; 2]);
    const CRASHED: Option<[Termination; 2]> = Some([Termination::Crash; 2]);

    #[test]
    fn a_bot_is_disabled_once_it_has_lost_15_of_its_last_20_games_by_faults() {
        let one_crash = Some([Termination::NoMoves, Termination::Crash]);
        let timeouts = Some([Termination::Timeout; 2]);
        let many = |sound: usize, faults: &[_]| [&vec![SOUND; sound][..], faults].concat();
        assert_eq!(reason(&many(100, &[CRASHED; 7]), 0), None);
        let told = "lost 15 of its last 20 games by faults: 4 timeout, 11 crash";
        let mixed = [
            one_crash, CRASHED, CRASHED, CRASHED, CRASHED, CRASHED, timeouts, timeouts,
        ];
        assert_eq!(reason(&many(100, &mixed), 0).as_deref(), Some(told));
        let told = "lost 16 of its last 16 games by faults: 16 crash";
        assert_eq!(reason(&[CRASHED; 8], 0).as_deref(), Some(told));
        let recovered = [&[CRASHED; 7][..], &[SOUND; 3], &[CRASHED; 3]].concat();
        assert_eq!(reason(&recovered, 0), None);
    }

    #[test]
    fn void_pairs_and_pairs_before_a_bot_was_enabled_do_not_count() {
        let with_void = [&[CRASHED; 7][..], &[None; 9], &[CRASHED; 1]].concat();
        assert!(reason(&with_void, 0).is_some());
        assert_eq!(reason(&[CRASHED; 9], 2), None);
        assert!(reason(&[CRASHED; 9], 1).is_some());
    }
}
