//! A game of a search against itself, from a random opening that is about even.

use super::data::{TrainingGame, TrainingTurn};
use crownhead::board::Side;
use crownhead::position::Outcome;
use crownhead::rules::RuleBook;
use crownhead::search::{MAX_PLY, PROVEN};
use crownhead_bots::{Board, BoardGame, Found, Searcher, Subject, winner};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Enough for the nodes of a game, and quick to clear.
const TABLE_MEBIBYTES: usize = 4;

/// The random turns of an opening.
const OPENING: std::ops::RangeInclusive<u32> = 4..=14;
/// The highest score, for either side, of the position after the opening, in hundredths of a man.
const BALANCE: i32 = 150;
/// The share of moves after the opening that are random.
const RANDOM: f64 = 0.01;
/// A game is drawn after this many turns without a capture.
const DRAW_AFTER: u32 = 50;

/// Plays games, one after the other.
pub(crate) struct GameGenerator<'a> {
    game: &'static dyn BoardGame,
    rules: &'a RuleBook,
    nodes: u64,
    searcher: Box<dyn Searcher>,
}

impl<'a> GameGenerator<'a> {
    /// A player of this game.
    pub(crate) fn new(
        game: &'static dyn BoardGame,
        rules: &'a RuleBook,
        nodes: u64,
    ) -> GameGenerator<'a> {
        GameGenerator {
            game,
            rules,
            nodes,
            searcher: game.searcher(TABLE_MEBIBYTES),
        }
    }

    /// The game that follows from `seed`.
    pub(crate) fn play(&mut self, seed: u64) -> TrainingGame {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut game = self.opening(&mut rng);
        let result = loop {
            if let Some(outcome) = outcome(&game) {
                break outcome;
            }
            let moves = game.board.legal_moves();
            if moves.len() == 1 {
                game.play(&moves, 0, None);
            } else if rng.random_bool(RANDOM) {
                game.play(&moves, rng.random_range(0..moves.len()), None);
            } else {
                let found = self.think(game.board.as_ref());
                let mover = Side::BOTH[game.board.mover()];
                if found.score.abs() >= PROVEN {
                    break Outcome::Win(match found.score {
                        1.. => mover,
                        _ => mover.opponent(),
                    });
                }
                let index = moves.iter().position(|name| *name == found.best());
                let index = index.expect("a search chooses a legal move");
                game.play(&moves, index, Some(found.score as i16));
            }
        };
        TrainingGame {
            result: Some(result),
            ..game.record
        }
    }

    /// Random moves until the game is about even after them.
    fn opening(&mut self, rng: &mut Pcg64) -> SelfPlayGame {
        loop {
            let mut game = SelfPlayGame::new(self.game.start(*self.rules));
            for _ in 0..rng.random_range(OPENING) {
                let moves = game.board.legal_moves();
                let indexes: Vec<usize> = (0..moves.len()).collect();
                let Some(&index) = indexes.choose(rng) else {
                    break;
                };
                game.play(&moves, index, None);
            }
            self.searcher.clear();
            if game.board.result().is_none()
                && self.think(game.board.as_ref()).score.abs() <= BALANCE
            {
                return game;
            }
        }
    }

    fn think(&mut self, board: &dyn Board) -> Found {
        let subject = Subject {
            knows_past: true,
            ..Subject::new(board)
        };
        let most = self.nodes;
        let mut stop = |nodes| nodes >= most;
        let found = (self.searcher).search(&subject, MAX_PLY, &mut stop);
        found.expect("the game goes on")
    }
}

/// The result by the rules, by a position that occurs for the third time, or by the number of turns without a
/// capture.
fn outcome(game: &SelfPlayGame) -> Option<Outcome> {
    if let Some(ended) = game.board.result() {
        let won = winner(&ended.scores).map(|player| Outcome::Win(Side::BOTH[player]));
        return Some(won.unwrap_or(Outcome::Draw));
    }
    let without_capture = game.board.turns_without_capture();
    // No position from before a capture can come back.
    let since = without_capture as usize + 1;
    let now = game.positions.last();
    let times = game.positions.iter().rev().take(since);
    let times = times.filter(|&one| Some(one) == now).count();
    (times >= 3 || without_capture >= DRAW_AFTER).then_some(Outcome::Draw)
}

/// A game in progress, with its record so far.
struct SelfPlayGame {
    board: Box<dyn Board>,
    /// The rows and the mover of each position so far.
    positions: Vec<(Vec<String>, usize)>,
    record: TrainingGame,
}

impl SelfPlayGame {
    fn new(board: Box<dyn Board>) -> SelfPlayGame {
        SelfPlayGame {
            positions: vec![(board.rows(), board.mover())],
            board,
            record: TrainingGame::default(),
        }
    }

    /// Plays the legal move number `index`.
    fn play(&mut self, moves: &[String], index: usize, score: Option<i16>) {
        let record = &mut self.record;
        record.check = record.check.wrapping_add(moves.len() as u16);
        record.turns.push(TrainingTurn {
            index: u8::try_from(index).expect("no position has more than 256 moves"),
            score,
        });
        assert!(self.board.play(&moves[index]), "a legal move");
        self.positions.push((self.board.rows(), self.board.mover()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::replay;
    use crownhead::games::checkers::rules;
    use crownhead::games::everchess;
    use crownhead_bots::{CHECKERS, EVERCHESS};

    fn games() -> Vec<TrainingGame> {
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, 1);
        (0..10).map(|seed| player.play(seed)).collect()
    }

    #[test]
    fn a_game_follows_from_its_seed_whatever_was_played_before() {
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, 1);
        let alone = player.play(7);
        assert_eq!(games()[7], alone);
        assert_ne!(games()[6], alone);
    }

    #[test]
    fn a_game_replays_to_where_it_was_searched() {
        for (number, game) in (0..).zip(games()) {
            let (mut openings, mut searched) = (0, 0);
            replay(
                &game,
                number,
                CHECKERS,
                &rules::CONTEST,
                |turn, position| {
                    match turn.score {
                        Some(_) => searched += 1,
                        None if searched == 0 => openings += 1,
                        None => (),
                    }
                    assert!(position.legal_moves > 1 || turn.score.is_none());
                },
            )
            .unwrap();
            assert!(openings >= *OPENING.start() && searched > 0);
        }
    }

    #[test]
    fn a_game_whose_moves_are_counted_otherwise_is_refused() {
        let mut game = games().remove(0);
        game.check ^= 1;
        let error = replay(&game, 3, CHECKERS, &rules::CONTEST, |_, _| ()).unwrap_err();
        assert!(error.to_string().starts_with("game 3 does not follow"));
    }

    #[test]
    fn games_in_which_a_side_moves_twice_are_played_too() {
        let rules = &everchess::rules::STANDARD;
        let game = GameGenerator::new(EVERCHESS, rules, 1).play(1);
        let mut turns = 0;
        replay(&game, 0, EVERCHESS, rules, |_, _| turns += 1).unwrap();
        assert_eq!(turns, game.turns.len());
    }
}
