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
mod tests {
    use super::*;
    use crate::Config;
    use crate::store::{Entrant, PairKey, UNKNOWN_VERSION};
    use crate::tests::{game, summary};

    fn bots() -> [String; 2] {
        ["anna", "bert"].map(String::from)
    }

    /// A pair whose second game ended so, with these scores.
    fn pair(termination: Termination, scores: Option<[f64; 2]>) -> Vec<GameRecord> {
        let mut games = vec![
            game(1, "anna", "bert", [1.0, 0.0]),
            game(2, "bert", "anna", [1.0, 0.0]),
        ];
        games[1].termination = termination;
        games[1].scores = scores.map(Into::into);
        games[1].reason = "as told".into();
        games
    }

    #[test]
    fn a_pair_is_named_by_its_two_bots_and_a_round_by_all() {
        assert_eq!(describe(&bots()), "a pair of anna and bert");
        let round = ["anna", "bert", "carl"];
        assert_eq!(describe(&round), "a round of anna, bert and carl");
    }

    fn told(replay: Option<MustReplay>) -> Option<String> {
        match replay? {
            MustReplay::Because(told) => Some(told.unwrap_or_default()),
            MustReplay::RefereeFailed(told) => Some(told),
            MustReplay::NotStarting { name, reason } => Some(format!("{name} {reason}")),
        }
    }

    #[test]
    fn a_pair_of_games_that_count_is_not_played_again_whatever_ended_them() {
        let mut policy = Policy::default();
        for how in [
            Termination::NoMoves,
            Termination::Crash,
            Termination::Timeout,
        ] {
            let games = pair(how, Some([0.0, 1.0]));
            assert!(policy.must_replay(&bots(), &games).is_none());
        }
        // A suspect game is void for its own reason.
        let mut games = pair(Termination::Timeout, None);
        games[1].suspect = true;
        assert!(policy.must_replay(&bots(), &games).is_none());
    }

    #[test]
    fn a_bot_that_does_not_start_three_times_in_a_row_is_told_by_its_name() {
        let mut policy = Policy::default();
        // In the second game, bert is black and anna is white. The loser did not start.
        let failing = |loser: usize| {
            let scores = [
                f64::from(u8::from(loser != 0)),
                f64::from(u8::from(loser != 1)),
            ];
            pair(Termination::CannotStart, Some(scores))
        };
        let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
        for loser in [0, 0, 1] {
            assert_eq!(replay(&failing(loser)).as_deref(), Some(""), "not told yet");
        }
        // A game that both bots started ends the series.
        assert_eq!(replay(&pair(Termination::NoMoves, Some([1.0, 0.0]))), None);
        for _ in 0..2 {
            assert_eq!(replay(&failing(0)).as_deref(), Some(""));
        }
        let third = replay(&failing(0));
        let reason = "bert could not start 3 times in a row: as told";
        assert_eq!(third.as_deref(), Some(reason));
        policy.bots.disabled = vec![("bert".into(), String::new())];
        let known = told(policy.must_replay(&bots(), &failing(0)));
        assert_eq!(known.as_deref(), Some(""), "nothing that was told before");
    }

    #[test]
    fn a_pair_that_the_referee_spoils_is_played_again_and_ends_the_run_at_the_third_time() {
        let mut policy = Policy::default();
        let spoilt = pair(Termination::RefereeFault, None);
        let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
        let again = Some("a pair is played again: as told");
        assert_eq!(
            [0; 2].map(|_| replay(&spoilt)),
            [again.map(String::from), again.map(String::from)]
        );
        assert_eq!(replay(&pair(Termination::NoMoves, Some([1.0, 0.0]))), None);
        assert_eq!(
            [0; 2].map(|_| replay(&spoilt)),
            [again.map(String::from), again.map(String::from)]
        );
        let third = "the referee spoiled a pair of bert and anna 3 times in a row: as told";
        assert_eq!(replay(&spoilt).as_deref(), Some(third));
    }

    #[test]
    fn an_external_referee_that_fails_in_every_game_of_three_seeds_ends_the_run() {
        let mut policy = Policy::default();
        let spoilt = |seed: u64| {
            let mut games = pair(Termination::RefereeFault, None);
            let referee =
                serde_json::json!({"command": "r", "protocol": "lines", "hash": "", "seed": seed});
            for game in &mut games {
                game.referee = serde_json::from_value(referee.clone()).unwrap();
                game.scores = None;
                game.reason = "as told".into();
            }
            games
        };
        let judged = pair(Termination::NoMoves, Some([0.0, 1.0]));
        let mut replay = |games: &[GameRecord]| told(policy.must_replay(&bots(), games));
        for seed in [1, 1, 2, 2] {
            let again = replay(&spoilt(seed));
            assert!(again.is_none_or(|told| told.starts_with("a pair is played again")));
        }
        assert_eq!(replay(&judged), None);
        for seed in [3, 4] {
            replay(&spoilt(seed));
        }
        let ended = "the referee failed in every game of 3 seeds in a row: as told";
        assert_eq!(replay(&spoilt(5)).as_deref(), Some(ended));
    }

    #[test]
    fn an_external_referee_that_spoils_a_pair_three_times_leaves_it_void() {
        let mut policy = Policy::default();
        let mut spoilt = pair(Termination::RefereeFault, None);
        let referee =
            serde_json::json!({"command": "r", "protocol": "lines", "hash": "", "seed": 1});
        spoilt[1].referee = serde_json::from_value(referee).unwrap();
        for _ in 0..4 {
            for _ in 0..2 {
                assert!(policy.must_replay(&bots(), &spoilt).is_some());
            }
            assert!(policy.must_replay(&bots(), &spoilt).is_none());
        }
        let void = |games: &[GameRecord]| {
            let games = games.to_vec();
            reason_for_void(&PlayedPair {
                games,
                replaced: Vec::new(),
                interrupted: false,
            })
        };
        assert_eq!(void(&spoilt).as_deref(), Some("as told"));
        spoilt[1].referee = None;
        assert_eq!(void(&spoilt), None, "it is played again");
        spoilt[1].suspect = true;
        assert_eq!(void(&spoilt).as_deref(), Some("as told"));
        assert_eq!(
            void(&pair(Termination::CannotStart, Some([0.0, 1.0]))),
            None
        );
        assert_eq!(void(&pair(Termination::NoMoves, Some([0.0, 1.0]))), None);
    }

    /// A pair whose two games `a` loses in these ways; void without games.
    fn lost_pair(number: u64, games: Option<[Termination; 2]>) -> StoredPair {
        let entrant = |bot: &str| Entrant {
            bot: bot.into(),
            version: UNKNOWN_VERSION.into(),
        };
        let game = |termination| summary(&["a", "b"], &[0.0, 1.0], termination);
        StoredPair {
            number,
            key: PairKey::new(["a", "b"].map(entrant).into(), number),
            finished: number,
            games: games.map(|games| games.map(game).into()),
        }
    }

    /// The reason to disable `a` after these pairs, if it was enabled after pair `since`.
    fn reason(pairs: &[Option<[Termination; 2]>], since: u64) -> Option<String> {
        let bot = |name| format!("[[bot]]\nname = \"{name}\"\ncommand = \"random\"\n");
        let config = Config::parse(&["a", "b"].map(bot).concat()).unwrap();
        let mut roster = Roster::new(&config, &[]);
        let mut conduct = Conduct::new(vec![("a".into(), since)]);
        for (number, games) in (1..).zip(pairs) {
            conduct.add(&mut roster, &lost_pair(number, *games));
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
