//! A game of a search against itself, from a random opening that is about even.

use super::data::{SelfPlay, TrainingGame, TrainingTurn};
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

/// Plays games, one after the other.
pub(crate) struct GameGenerator<'a> {
    game: &'static dyn BoardGame,
    rules: &'a RuleBook,
    settings: SelfPlay,
    searcher: Box<dyn Searcher>,
}

impl<'a> GameGenerator<'a> {
    /// A player of this game.
    pub(crate) fn new(
        game: &'static dyn BoardGame,
        rules: &'a RuleBook,
        settings: SelfPlay,
    ) -> GameGenerator<'a> {
        GameGenerator {
            game,
            rules,
            settings,
            searcher: game.searcher(TABLE_MEBIBYTES),
        }
    }

    /// The game that follows from `seed`.
    pub(crate) fn play(&mut self, seed: u64) -> TrainingGame {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut game = self.opening(&mut rng);
        let result = loop {
            if let Some(outcome) = self.outcome(&game) {
                break Some(outcome);
            }
            let most = self.settings.until_captured;
            if most.is_some_and(|most| game.captured() >= most) {
                break None;
            }
            let moves = game.board.legal_moves();
            if moves.len() == 1 {
                game.play(&moves, 0, None);
            } else if rng.random_bool(self.settings.random) {
                game.play(&moves, rng.random_range(0..moves.len()), None);
            } else {
                let found = self.think(game.board.as_ref());
                let mover = Side::BOTH[game.board.mover()];
                if found.score.abs() >= PROVEN {
                    break Some(Outcome::Win(if found.score > 0 {
                        mover
                    } else {
                        mover.opponent()
                    }));
                }
                let index = moves.iter().position(|name| *name == found.best());
                let index = index.expect("a search chooses a legal move");
                game.play(&moves, index, Some(found.score as i16));
            }
        };
        TrainingGame {
            result,
            ..game.record
        }
    }

    /// Random moves until the game is about even after them.
    fn opening(&mut self, rng: &mut Pcg64) -> SelfPlayGame {
        let (fewest, most) = self.settings.opening;
        loop {
            let mut game = SelfPlayGame::new(self.game.start(*self.rules));
            for _ in 0..rng.random_range(fewest..=most) {
                let moves = game.board.legal_moves();
                let indexes: Vec<usize> = (0..moves.len()).collect();
                let Some(&index) = indexes.choose(rng) else {
                    break;
                };
                game.play(&moves, index, None);
            }
            self.searcher.clear();
            if game.board.result().is_none()
                && self.think(game.board.as_ref()).score.abs() <= i32::from(self.settings.balance)
            {
                return game;
            }
        }
    }

    /// The result by the rules, by a position that occurs for the third time, or by the number of turns without a
    /// capture.
    fn outcome(&self, game: &SelfPlayGame) -> Option<Outcome> {
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
        (times >= 3 || without_capture >= self.settings.draw_after).then_some(Outcome::Draw)
    }

    fn think(&mut self, board: &dyn Board) -> Found {
        let subject = Subject {
            knows_past: true,
            ..Subject::new(board)
        };
        let most = self.settings.nodes;
        let mut stop = |nodes| nodes >= most;
        let found = (self.searcher).search(&subject, MAX_PLY, &mut stop, &mut |_, _| {});
        found.expect("the game goes on")
    }
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

    /// How many pieces have been captured.
    fn captured(&self) -> u32 {
        let pieces = |(rows, _): &(Vec<String>, usize)| {
            let letters = rows.iter().flat_map(|row| row.bytes());
            letters.filter(|&letter| letter != b'.').count() as u32
        };
        let last = self.positions.len() - 1;
        pieces(&self.positions[0]) - pieces(&self.positions[last])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::replay;
    use crownhead::games::checkers::{Checkers, rules};
    use crownhead::games::everchess::{self, EverChess};
    use crownhead::position::Position;
    use crownhead_bots::{CHECKERS, EVERCHESS};

    const SETTINGS: SelfPlay = SelfPlay {
        nodes: 1,
        opening: (2, 6),
        balance: 100,
        random: 0.2,
        draw_after: 20,
        until_captured: None,
    };

    fn games() -> Vec<TrainingGame> {
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, SETTINGS);
        (0..10).map(|seed| player.play(seed)).collect()
    }

    #[test]
    fn a_game_follows_from_its_seed_whatever_was_played_before() {
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, SETTINGS);
        let alone = player.play(7);
        assert_eq!(games()[7], alone);
        assert_ne!(games()[6], alone);
    }

    #[test]
    fn a_game_replays_to_where_it_was_searched() {
        for (number, game) in games().iter().enumerate() {
            let (mut openings, mut searched, mut at_random) = (0, 0, 0);
            replay::<Checkers>(game, number as u64, &rules::CONTEST, |_, turn, _, only| {
                match turn.score {
                    Some(_) => searched += 1,
                    None if searched == 0 => openings += 1,
                    None => at_random += usize::from(!only),
                }
                assert!(!only || turn.score.is_none());
            })
            .unwrap();
            assert!(openings >= 2, "an opening of two turns at least");
            assert!(searched + at_random > 0);
        }
    }

    #[test]
    fn a_game_is_broken_off_when_so_many_pieces_are_captured_and_then_has_no_result() {
        let settings = SelfPlay {
            until_captured: Some(6),
            ..SETTINGS
        };
        let mut player = GameGenerator::new(CHECKERS, &rules::CONTEST, settings);
        let mut broken_off = 0;
        for (seed, whole) in games().into_iter().enumerate() {
            let game = player.play(seed as u64);
            let mut captured = Vec::new();
            replay::<Checkers>(&game, 0, &rules::CONTEST, |position, _, mv, _| {
                captured.push(position.captures(mv));
            })
            .unwrap();
            let before_the_last = captured[..captured.len() - 1].iter().sum::<u32>();
            assert!(before_the_last < 6);
            assert_eq!(game.turns, whole.turns[..game.turns.len()]);
            if captured.iter().sum::<u32>() >= 6 {
                assert_eq!(game.result, None);
                broken_off += 1;
            } else {
                assert_eq!(game.result, whole.result);
            }
        }
        assert!(broken_off > 5, "{broken_off} of 10 games");
    }

    #[test]
    fn a_game_whose_moves_are_counted_otherwise_is_refused() {
        let mut game = games().remove(0);
        game.check ^= 1;
        let error = replay::<Checkers>(&game, 3, &rules::CONTEST, |_, _, _, _| ()).unwrap_err();
        assert!(error.to_string().starts_with("game 3 does not follow"));
    }

    #[test]
    fn games_in_which_a_side_moves_twice_are_played_too() {
        let rules = &everchess::rules::STANDARD;
        let game = GameGenerator::new(EVERCHESS, rules, SETTINGS).play(1);
        let mut turns = 0;
        replay::<EverChess>(&game, 0, rules, |_, _, _, _| turns += 1).unwrap();
        assert_eq!(turns, game.turns.len());
    }
}
