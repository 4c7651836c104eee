//! Which bots shall not go on playing: those that lose by faults of their own, and those with which games come to
//! nothing.

use super::roster::Roster;
use crate::store::StoredPair;
use crate::table::Termination;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The games at a bot's beginning of which one must be without a fault.
const FIRST: usize = 5;
/// The games of which no more than half may be lost by a fault.
const LAST: usize = 20;
/// Pairs of a bot before its void ones say anything.
const ENOUGH_PAIRS: u64 = 20;
/// How much more of a bot's pairs may be void than of the ladder's middle bot's.
const MOST_VOID: f64 = 0.05;

/// How the bots of a ladder have behaved, since they were enabled last.
#[derive(Clone, Default, Debug)]
pub(super) struct Conduct {
    /// The pairs that do not count, by bot: all up to that one.
    enabled: HashMap<String, u64>,
    /// By the numbers of a [`Roster`].
    bots: HashMap<usize, Behaviour>,
}

#[derive(Clone, Default, Debug)]
struct Behaviour {
    /// The fault of each of the first games, if it had one.
    first: Vec<Option<Termination>>,
    /// The same of the last games.
    last: VecDeque<Option<Termination>>,
    pairs: u64,
    void: u64,
}

impl Conduct {
    /// Of bots that were enabled after these pairs.
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
            behaviour.pairs += 1;
            behaviour.void += u64::from(pair.games.is_none());
            for game in pair.games.iter().flatten() {
                let is_fault = game.is_fault_of(&entrant.bot);
                behaviour.note(is_fault.then_some(game.termination));
            }
        }
    }

    /// Why the bot of this number shall not go on, if it shall not.
    pub(super) fn objection(&self, number: usize) -> Option<String> {
        let behaviour = self.bots.get(&number)?;
        behaviour.faulty().or_else(|| self.voiding(behaviour))
    }

    fn voiding(&self, behaviour: &Behaviour) -> Option<String> {
        let mut shares: Vec<f64> = self.bots.values().map(Behaviour::void_share).collect();
        shares.sort_by(f64::total_cmp);
        let (middle, own) = (shares[shares.len() / 2], behaviour.void_share());
        let is_out = behaviour.pairs >= ENOUGH_PAIRS && own > middle + MOST_VOID;
        is_out.then(|| {
            format!(
                "{} of its {} pairs are void, {:.0} %; of the ladder's middle bot it is {:.0} %",
                behaviour.void,
                behaviour.pairs,
                100.0 * own,
                100.0 * middle
            )
        })
    }
}

impl Behaviour {
    fn note(&mut self, fault: Option<Termination>) {
        if self.first.len() < FIRST {
            self.first.push(fault);
        }
        self.last.push_back(fault);
        if self.last.len() > LAST {
            self.last.pop_front();
        }
    }

    fn faulty(&self) -> Option<String> {
        let first: Vec<Termination> = self.first.iter().copied().flatten().collect();
        if first.len() == FIRST {
            return Some(format!(
                "lost its first {FIRST} games by {}",
                counted(&first)
            ));
        }
        let last: Vec<Termination> = self.last.iter().copied().flatten().collect();
        (2 * last.len() > LAST).then(|| {
            format!(
                "lost {} of its last {LAST} games by {}",
                last.len(),
                counted(&last)
            )
        })
    }

    fn void_share(&self) -> f64 {
        self.void as f64 / self.pairs.max(1) as f64
    }
}

/// "faults: 4 crash, 1 timeout".
fn counted(faults: &[Termination]) -> String {
    let mut counts: BTreeMap<Termination, usize> = BTreeMap::new();
    for fault in faults {
        *counts.entry(*fault).or_default() += 1;
    }
    let counts = counts
        .iter()
        .map(|(fault, count)| format!("{count} {fault}"));
    format!("faults: {}", counts.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::Config;
    use crate::record::RecordedResult;
    use crate::store::{Entrant, PairKey, StoredGame, UNKNOWN_VERSION};
    use crownhead::games::checkers::Checkers;
    use std::time::Duration;

    const BOTS: &str = "[[bot]]\nname = \"a\"\ncommand = \"random\"\n\
        [[bot]]\nname = \"b\"\ncommand = \"random\"\n[[bot]]\nname = \"c\"\ncommand = \"random\"";

    fn roster() -> Roster {
        Roster::new(&Config::parse::<Checkers>(BOTS).unwrap(), &[])
    }

    /// A pair of these bots: the first loses both games, so; void without an ending.
    fn pair(one: &str, other: &str, number: u64, ending: Option<Termination>) -> StoredPair {
        let entrant = |name: &str| Entrant {
            bot: name.into(),
            version: UNKNOWN_VERSION.into(),
        };
        let game = |black: &str, result| StoredGame {
            black: black.into(),
            result,
            termination: ending.unwrap_or(Termination::NoMoves),
            times: [Duration::ZERO; 2],
        };
        let games = [
            game(one, RecordedResult::White),
            game(other, RecordedResult::Black),
        ];
        StoredPair {
            key: PairKey::new(&entrant(one), &entrant(other), number),
            finished: number,
            games: ending.map(|_| games),
        }
    }

    fn objections(pairs: &[StoredPair], enabled: &[(String, u64)]) -> [Option<String>; 3] {
        let (mut conduct, mut roster) = (Conduct::new(enabled.to_vec()), roster());
        for pair in pairs {
            conduct.add(&mut roster, pair);
        }
        [0, 1, 2].map(|number| conduct.objection(number))
    }

    #[test]
    fn a_bot_that_loses_its_first_five_games_by_faults_shall_not_go_on() {
        let crash = |number| pair("a", "b", number, Some(Termination::Crash));
        let pairs: Vec<StoredPair> = (1..=3).map(crash).collect();
        assert_eq!(objections(&pairs[..2], &[]), [None, None, None]);
        let told = "lost its first 5 games by faults: 5 crash".to_string();
        assert_eq!(objections(&pairs, &[]), [Some(told), None, None]);
        let lost = pair("a", "b", 9, Some(Termination::NoMoves));
        assert_eq!(
            objections(&[&[lost][..], &pairs].concat(), &[]),
            [None, None, None]
        );
    }

    #[test]
    fn a_bot_that_loses_most_of_its_last_twenty_games_by_faults_shall_not_go_on() {
        let game = |number, ending| pair("a", "b", number, Some(ending));
        let mut pairs: Vec<_> = (1..=9)
            .map(|number| game(number, Termination::NoMoves))
            .collect();
        pairs.extend((10..=14).map(|number| game(number, Termination::Timeout)));
        assert_eq!(objections(&pairs, &[])[0], None, "ten of twenty");
        pairs.push(game(15, Termination::Timeout));
        let told = "lost 12 of its last 20 games by faults: 12 timeout";
        assert_eq!(objections(&pairs, &[])[0].as_deref(), Some(told));
        let enabled = [("a".to_string(), 12)];
        assert_eq!(
            objections(&pairs, &enabled)[0].as_deref(),
            Some("lost its first 5 games by faults: 5 timeout")
        );
        assert_eq!(objections(&pairs, &[("a".to_string(), 13)])[0], None);
    }

    #[test]
    fn a_bot_with_more_void_pairs_than_the_others_shall_not_go_on() {
        let mut pairs = Vec::new();
        for number in 0..30 {
            let void = (number % 10 != 0).then_some(Termination::NoMoves);
            pairs.push(pair("a", "b", 3 * number + 1, void));
            pairs.push(pair("b", "c", 3 * number + 2, Some(Termination::NoMoves)));
            pairs.push(pair("a", "c", 3 * number + 3, void));
        }
        let [a, b, c] = objections(&pairs, &[]);
        assert_eq!(
            (a, b, c),
            (None, None, None),
            "no more than 5 % above the middle"
        );
        pairs.extend((100..108).map(|number| {
            let other = if number % 2 == 0 { "b" } else { "c" };
            pair("a", other, number, None)
        }));
        let told = "14 of its 68 pairs are void, 21 %; of the ladder's middle bot it is 11 %";
        assert_eq!(objections(&pairs, &[]), [Some(told.into()), None, None]);
    }
}
