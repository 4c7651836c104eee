//! Decides which bots to disable: those that lose more games by their own faults than chance explains.
//!
//! The test is sequential, because games are examined as they are stored, any number of times. The hypothesis is that
//! each game is lost by a fault with a probability of at most [`TOLERATED`], whatever happened before. The alternative
//! is that from some game on this probability is [`FAULTY`]. The evidence is a mixture over that game, the change
//! point: weights that sum to 1 times the likelihood ratios of the games since. Its expectation never exceeds 1, so by
//! Ville's inequality (J. Ville 1939, *Étude critique de la notion de collectif*) the probability that it ever reaches
//! *c* is at most 1/*c*. Mixtures over change points keep this property: J. Shin, A. Ramdas & A. Rinaldo 2022,
//! "E-detectors: a nonparametric framework for sequential change detection".
//!
//! Void pairs are no evidence, because the machine makes games void. A game that a bot makes void again and again is
//! judged as a timeout elsewhere, and counts here as one.

use super::roster::Roster;
use crate::store::StoredPair;
use crownhead_record::Termination;
use std::collections::{BTreeMap, HashMap};

/// The share of games that a bot may lose by faults.
const TOLERATED: f64 = 1.0 / 5.0;
/// The share of the alternative.
const FAULTY: f64 = 3.0 / 5.0;
/// The chance that a ladder ever disables a bot within the tolerated share. It is divided equally among the bots.
const FALSE_ALARM: f64 = 0.01;
/// Evidence is capped here, so that it stays finite.
const MOST_EVIDENCE: f64 = 1e300;

/// The conduct of a ladder's bots since they were last enabled.
#[derive(Clone, Default, Debug)]
pub(super) struct Conduct {
    /// For each bot, the last pair that does not count.
    enabled: HashMap<String, u64>,
    /// Indexed by the numbers of a [`Roster`].
    bots: HashMap<usize, Behaviour>,
}

impl Conduct {
    /// For bots that were enabled after these pairs.
    pub(super) fn new(enabled: Vec<(String, u64)>) -> Conduct {
        Conduct {
            enabled: enabled.into_iter().collect(),
            bots: HashMap::new(),
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
            let behaviour = self.bots.entry(number).or_default();
            for game in pair.games.iter().flatten() {
                let is_fault = game.is_fault_of(&entrant.bot);
                behaviour.note(is_fault.then_some(game.termination));
            }
        }
    }

    /// The reason to disable the bot of this number, in a ladder of this many bots.
    pub(super) fn reason_to_disable(&self, number: usize, bots: usize) -> Option<String> {
        let behaviour = self.bots.get(&number)?;
        let is_proven = behaviour.evidence >= bots as f64 / FALSE_ALARM;
        is_proven.then(|| behaviour.describe())
    }
}

/// The test of one bot.
#[derive(Clone, Default, Debug)]
struct Behaviour {
    games: u64,
    /// The sum over all change points.
    evidence: f64,
    /// The greatest term of that sum, with the games since its change point and the faults among them: the strongest
    /// evidence.
    greatest: f64,
    lately: u64,
    faults: BTreeMap<Termination, u64>,
}

impl Behaviour {
    /// Counts a game, with the fault that lost it, if any.
    fn note(&mut self, fault: Option<Termination>) {
        self.games += 1;
        let games = self.games as f64;
        let weight = 1.0 / (games * (games + 1.0));
        if weight > self.greatest {
            self.greatest = weight;
            self.lately = 0;
            self.faults.clear();
        }
        let ratio = match fault {
            Some(_) => FAULTY / TOLERATED,
            None => (1.0 - FAULTY) / (1.0 - TOLERATED),
        };
        self.evidence = ((self.evidence + weight) * ratio).min(MOST_EVIDENCE);
        self.greatest = (self.greatest * ratio).min(MOST_EVIDENCE);
        self.lately += 1;
        if let Some(fault) = fault {
            *self.faults.entry(fault).or_default() += 1;
        }
    }

    /// "lost 14 of its last 20 games by faults: 9 crash, 5 timeout".
    fn describe(&self) -> String {
        let lost: u64 = self.faults.values().sum();
        let counts = self.faults.iter();
        let counts: Vec<String> = counts
            .map(|(fault, count)| format!("{count} {fault}"))
            .collect();
        let (lately, counts) = (self.lately, counts.join(", "));
        format!("lost {lost} of its last {lately} games by faults: {counts}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::store::{Entrant, PairKey, StoredGame, UNKNOWN_VERSION};
    use crownhead_record::RecordedResult;
    use crownhead_record::seed::Purpose;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;
    use std::time::Duration;

    const SEED: u64 = 1;
    /// The bots of the ladders here.
    const BOTS: usize = 16;

    fn name(bot: usize) -> String {
        format!("bot{bot}")
    }

    fn roster() -> Roster {
        let bot = |bot| format!("[[bot]]\nname = \"{}\"\ncommand = \"random\"\n", name(bot));
        let bots: String = (0..BOTS).map(bot).collect();
        Roster::new(&Config::parse(&bots).unwrap(), &[])
    }

    /// A pair of these bots. One of them loses each game, in this way.
    fn pair(bots: [usize; 2], number: u64, games: Option<[(usize, Termination); 2]>) -> StoredPair {
        let entrant = |bot| Entrant {
            bot: name(bot),
            version: UNKNOWN_VERSION.into(),
        };
        let game = |black: usize, (loser, termination): (usize, Termination)| StoredGame {
            black: name(black),
            result: if loser == black {
                RecordedResult::White
            } else {
                RecordedResult::Black
            },
            termination,
            times: [Duration::ZERO; 2],
        };
        let [one, other] = bots;
        StoredPair {
            key: PairKey::new(&entrant(one), &entrant(other), number),
            finished: number,
            games: games.map(|[first, second]| [game(one, first), game(other, second)]),
        }
    }

    fn rng(number: u64) -> Pcg64 {
        Pcg64::seed_from_u64(Purpose::Schedule { number }.seed(SEED))
    }

    /// Whether a ladder disables any of its bots if each loses this share of its games by faults.
    fn disables(faults: f64, void: f64, rng: &mut Pcg64) -> bool {
        let (mut conduct, mut roster) = (Conduct::default(), roster());
        let mut pairs = 0;
        for _ in 0..25 {
            for one in 0..BOTS {
                for other in one + 1..BOTS {
                    pairs += 1;
                    let mut game = |_| match rng.random_range(0.0..1.0) / faults {
                        ..1.0 => (one, Termination::Crash),
                        ..2.0 => (other, Termination::Timeout),
                        _ => (one, Termination::NoMoves),
                    };
                    let games = [0, 1].map(&mut game);
                    let games = (!rng.random_bool(void)).then_some(games);
                    conduct.add(&mut roster, &pair([one, other], pairs, games));
                    let mut both = [one, other].into_iter();
                    if both.any(|bot| conduct.reason_to_disable(bot, BOTS).is_some()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    #[test]
    fn at_most_one_of_a_hundred_ladders_disables_a_bot_that_fails_as_often_as_is_tolerated() {
        for (faults, void) in [(0.1, 0.1), (TOLERATED, 0.0)] {
            let ladders = (0..200).filter(|&number| disables(faults, void, &mut rng(number)));
            let disabling = ladders.count();
            assert!(disabling <= 2, "{disabling} of 200 ladders, {faults}");
        }
    }

    /// After how many games a bot is disabled that loses this share by faults after these first games.
    fn games_until_disabled(sound: u64, share: f64, rng: &mut Pcg64) -> u64 {
        let mut conduct = Conduct::default();
        let behaviour = conduct.bots.entry(0).or_default();
        (0..sound).for_each(|_| behaviour.note(None));
        for games in 1.. {
            let crashes = rng.random_bool(share).then_some(Termination::Crash);
            conduct.bots.entry(0).or_default().note(crashes);
            if conduct.reason_to_disable(0, BOTS).is_some() {
                return games;
            }
        }
        unreachable!("there are more games than anybody plays")
    }

    #[test]
    fn a_bot_that_fails_is_disabled_soon_also_after_two_thousand_sound_games() {
        assert_eq!(games_until_disabled(0, 1.0, &mut rng(0)), 8);
        assert_eq!(games_until_disabled(2000, 1.0, &mut rng(0)), 20);
        let games = (0..200).map(|number| games_until_disabled(0, 0.6, &mut rng(number)));
        let mut games: Vec<u64> = games.collect();
        games.sort_unstable();
        assert!(games[100] <= 30 && games[160] <= 40, "{games:?}");
    }

    fn reason(pairs: &[StoredPair], enabled: &[(String, u64)]) -> Option<String> {
        let (mut conduct, mut roster) = (Conduct::new(enabled.to_vec()), roster());
        for pair in pairs {
            conduct.add(&mut roster, pair);
        }
        assert_eq!(conduct.reason_to_disable(1, BOTS), None, "it won them all");
        conduct.reason_to_disable(0, BOTS)
    }

    #[test]
    fn the_reason_counts_the_games_since_the_faults_began() {
        let lost = |number, how| pair([0, 1], number, Some([(0, how), (0, how)]));
        let mut pairs: Vec<StoredPair> = (1..=30)
            .map(|number| lost(number, Termination::NoMoves))
            .collect();
        pairs.extend((31..=36).map(|number| lost(number, Termination::Timeout)));
        pairs.push(lost(37, Termination::NoMoves));
        pairs.extend((38..=40).map(|number| lost(number, Termination::Crash)));
        assert_eq!(reason(&pairs[..35], &[]), None);
        let told = "lost 18 of its last 20 games by faults: 12 timeout, 6 crash";
        assert_eq!(reason(&pairs, &[]).as_deref(), Some(told));
    }

    #[test]
    fn what_a_bot_did_before_it_was_enabled_does_not_count() {
        let crashed = |number| {
            let game = (0, Termination::Crash);
            pair([0, 1], number, Some([game, game]))
        };
        let pairs: Vec<StoredPair> = (1..=8).map(crashed).collect();
        let enabled = |after| [(name(0), after)];
        let told = "lost 8 of its last 8 games by faults: 8 crash";
        assert_eq!(reason(&pairs, &enabled(4)).as_deref(), Some(told));
        assert_eq!(reason(&pairs, &enabled(5)), None);
    }
}
