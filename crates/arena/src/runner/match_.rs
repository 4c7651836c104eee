//! A match: games between two bots, or every two of several, in their order, several at once; where games have more
//! players, every three of several, and so on.
//!
//! What is played is a pure function of the plan and the number of a game.

use super::cores::{Cores, GamePlacement};
use super::live::LiveRun;
use super::pair::play_counted;
use super::pool::{JobSource, Poll, work};
use super::spec::{GameSpec, Participant};
use crate::settings::GameSettings;
use crownhead_record::openings::Openings;
use crownhead_record::seed::Purpose;
use crownhead_record::{GameRecord, Termination};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A match between two bots, or of each of several against each other.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The bots, under different names, as many as a game has players at least.
    pub bots: Vec<Participant>,
    /// How each game is played.
    pub settings: GameSettings,
    /// How many games every group of bots plays: two, or as many as a game has players.
    pub games: u64,
    /// Where games begin; the same for the games of a round.
    pub openings: Openings,
    /// How many games are played at once.
    pub concurrency: usize,
}

impl MatchPlan {
    /// The groups of bots that play each other, by their places: two, or as many as a game has players.
    pub fn fields(&self) -> Vec<Vec<usize>> {
        let mut fields = vec![Vec::new()];
        for _ in 0..self.players() {
            let longer = |field: &Vec<usize>| {
                let next = field.last().map_or(0, |last| last + 1);
                let field = field.clone();
                (next..self.bots.len()).map(move |bot| [&field[..], &[bot]].concat())
            };
            fields = fields.iter().flat_map(longer).collect();
        }
        fields
    }

    fn players(&self) -> usize {
        self.settings.contest.players()
    }

    /// How many games are played in all.
    pub fn all_games(&self) -> u64 {
        self.games * self.fields().len() as u64
    }

    /// Round `number`, from 0, and who plays it: of two players games `2 number + 1` and `2 number + 2`. Fields take
    /// turns. `None` when no random opening of the wanted length could be found.
    pub fn round(&self, number: u64) -> Option<(Vec<usize>, Vec<GameSpec>)> {
        let mut fields = self.fields();
        let count = fields.len() as u64;
        let (round, bots) = (
            number / count,
            fields.swap_remove((number % count) as usize),
        );
        let names: Vec<&str> = bots.iter().map(|&bot| &*self.bots[bot].spec.name).collect();
        let opening = match count {
            1 => self.openings.get(round)?,
            _ => self.openings.between(&names, round)?,
        };
        let first = self.players() as u64 * number + 1;
        let purpose = |game, bot| Purpose::MatchBot {
            game: first + game,
            bot,
        };
        let specs = GameSpec::round(&self.settings, round, first, &opening, purpose);
        Some((bots, specs))
    }

    /// The numbers of the games: the last round of each field has fewer where the games are no whole rounds.
    fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let (players, fields) = (self.players() as u64, self.fields().len() as u64);
        let whole = self.games / players * fields;
        let rest = self.games % players;
        let last = (whole..whole + fields)
            .flat_map(move |round| (1..=rest).map(move |game| players * round + game));
        (1..=players * whole).chain(last)
    }

    /// Game `number`, from 1, and who plays it; `None` as for its [round](MatchPlan::round).
    pub fn game(&self, number: u64) -> Option<(Vec<usize>, GameSpec)> {
        let players = self.players() as u64;
        let (round, place) = ((number - 1) / players, (number - 1) % players);
        let (bots, games) = self.round(round)?;
        Some((bots, games.into_iter().nth(place as usize)?))
    }

    /// The record of game `number` before it is played; `None` as for its [round](MatchPlan::round).
    pub fn header(&self, number: u64) -> Option<GameRecord> {
        let (bots, spec) = self.game(number)?;
        let bots: Vec<&Participant> = bots.iter().map(|&bot| &self.bots[bot]).collect();
        Some(spec.header(&self.settings, &bots))
    }

    /// Plays what `source` gives out, several games at once: `play` gets the bots by their places, and on
    /// which cores.
    pub(super) fn work<S: JobSource>(
        &self,
        source: &mut S,
        play: impl Fn(&[Participant], GamePlacement<'_>, S::Job) -> S::Result + Sync,
    ) -> Result<(), S::Error> {
        let cores = Cores::take(self.concurrency, &self.settings.contest);
        work(self.concurrency, false, source, |place, job| {
            play(&self.bots, cores.of(place), job)
        })
    }
}

/// The games in a row that the referee may spoil before a match ends.
pub(super) const MOST_SPOILED: usize = 3;

/// Plays the whole match, except the games of these numbers, which were `played` earlier. Hands each game to `finished`
/// as soon as it is over, on the calling thread, and shows it to `watch` before. Returns whether the referee has spoiled
/// three games in a row: it would fail in the others too, and the match ends with those that are under way.
///
/// Games come in the order in which they end. Once `interrupted` is set, no game starts, and those under way are not
/// played to their end.
pub fn run_match(
    plan: &MatchPlan,
    played: &BTreeSet<u64>,
    interrupted: &Arc<AtomicBool>,
    watch: Option<&LiveRun>,
    finished: impl FnMut(GameRecord),
) -> bool {
    let mut games = MatchGames {
        plan,
        numbers: plan.numbers().filter(|number| !played.contains(number)),
        interrupted,
        spoiled: 0,
        finished,
    };
    let Ok(()) = plan.work(
        &mut games,
        |participants, cores, (bots, spec): (Vec<usize>, GameSpec)| {
            let bots: Vec<&Participant> = bots.iter().map(|&bot| &participants[bot]).collect();
            play_counted(&plan.settings, &bots, &spec, cores, interrupted, watch)
        },
    );
    games.spoiled >= MOST_SPOILED
}

/// The games of a match in their order.
struct MatchGames<'a, N, F> {
    plan: &'a MatchPlan,
    numbers: N,
    interrupted: &'a AtomicBool,
    /// How many games in a row the referee has spoiled.
    spoiled: usize,
    finished: F,
}

impl<N: Iterator<Item = u64>, F: FnMut(GameRecord)> JobSource for MatchGames<'_, N, F> {
    type Job = (Vec<usize>, GameSpec);
    type Result = Vec<GameRecord>;
    type Error = Infallible;

    fn next(&mut self) -> Result<Poll<Self::Job>, Infallible> {
        if self.interrupted.load(Ordering::Relaxed) || self.spoiled >= MOST_SPOILED {
            return Ok(Poll::Finished);
        }
        let game = self
            .numbers
            .next()
            .and_then(|number| self.plan.game(number));
        Ok(game.map_or(Poll::Finished, Poll::Ready))
    }

    fn done(&mut self, games: Vec<Vec<GameRecord>>) -> Result<(), Infallible> {
        for game in games.into_iter().flatten() {
            if self.spoiled < MOST_SPOILED {
                self.spoiled = match game.termination {
                    Termination::RefereeFault => self.spoiled + 1,
                    _ => 0,
                };
            }
            (self.finished)(game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Contest;
    use crate::seat::BotSpec;
    use crownhead::games::checkers::rules;
    use crownhead::rules::RuleBook;
    use crownhead_bots::games;
    use crownhead_record::openings::Source;
    use std::path::Path;

    fn plan(rules: RuleBook) -> MatchPlan {
        let bot = |words| BotSpec::parse(words).unwrap().into();
        let game = games::usual();
        MatchPlan {
            bots: vec![bot("random"), bot("greedy")],
            settings: GameSettings::new(Contest::Board { game, rules }, "crownhead"),
            games: 4,
            openings: Openings::load(&Source::Random(3), Path::new(""), game, &rules, 1).unwrap(),
            concurrency: 1,
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_colours_swapped() {
        let plan = plan(rules::CONTEST);
        let games: Vec<GameSpec> = (1..=4).map(|n| plan.game(n).unwrap().1).collect();
        assert_eq!(
            games.iter().map(|game| game.seats[0]).collect::<Vec<_>>(),
            [0, 1, 0, 1]
        );
        assert_eq!(games[0].opening, games[1].opening);
        assert_eq!(games[2].opening, games[3].opening);
        assert_ne!(games[0].opening, games[2].opening);
        assert_ne!(games[0].bot_seeds, games[1].bot_seeds);
        assert_ne!(games[0].bot_seeds[0], games[0].bot_seeds[1]);
    }

    #[test]
    fn the_first_bot_moves_first_in_the_first_game_whichever_colour_that_is() {
        let plan = plan(rules::CLASSROOM);
        assert_eq!(plan.game(1).unwrap().1.seats, [1, 0]);
    }

    /// The games that a plan gives out.
    fn given_out(plan: &MatchPlan) -> Vec<(Vec<usize>, u64)> {
        let finished = drop;
        let mut games = MatchGames {
            plan,
            numbers: plan.numbers(),
            interrupted: &AtomicBool::new(false),
            spoiled: 0,
            finished,
        };
        let next = || match games.next() {
            Ok(Poll::Ready((bots, spec))) => Some((bots, spec.number)),
            _ => None,
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn every_two_of_several_bots_take_turns_and_have_openings_of_their_own() {
        let mut plan = plan(rules::CONTEST);
        plan.bots.push(BotSpec::parse("alphabeta").unwrap().into());
        let bots: Vec<Vec<usize>> = given_out(&plan).into_iter().map(|game| game.0).collect();
        let round = [[0, 1], [0, 1], [0, 2], [0, 2], [1, 2], [1, 2]];
        assert_eq!(bots, [round, round].concat());
        let opening = |number| plan.round(number).unwrap().1[0].opening.clone();
        assert_ne!(opening(0), opening(1));
        assert_ne!(opening(0), opening(3));
    }

    #[test]
    fn the_last_pair_of_an_odd_number_of_games_has_one() {
        let mut plan = plan(rules::CONTEST);
        plan.games = 3;
        let numbers =
            |plan: &MatchPlan| -> Vec<u64> { given_out(plan).iter().map(|game| game.1).collect() };
        assert_eq!(numbers(&plan), [1, 2, 3]);
        plan.bots.push(BotSpec::parse("alphabeta").unwrap().into());
        assert_eq!(numbers(&plan), [1, 2, 3, 4, 5, 6, 7, 9, 11]);
        assert_eq!(plan.all_games(), 9);
    }
}
