//! A game of a search with itself, from a random opening that leaves it about even.

use super::data::{TrainingGame, TrainingTurn};
use crownhead::board::Side;
use crownhead::evaluate::Evaluate;
use crownhead::game::Game;
use crownhead::position::{Outcome, Position};
use crownhead::rules::RuleBook;
use crownhead::search::{
    MAX_PLY, NodeLimit, PROVEN, Parameters, Report, Root, TranspositionTable, search,
};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

/// How games of self-play are played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlay {
    /// Positions to look at in a turn, up to a thousand more.
    pub nodes: u64,
    /// The fewest and the most random turns of an opening.
    pub opening: (u32, u32),
    /// The highest score, for either side, of the position after the opening, in hundredths of a man.
    pub balance: i16,
    /// The share of moves after the opening that are random.
    pub random: f64,
    /// After so many turns without a capture a game is drawn.
    pub draw_after: u32,
    /// A game is broken off when so many pieces have been captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_captured: Option<u32>,
}

/// Enough for the nodes of a game, and quick to clear.
const TABLE_MEBIBYTES: usize = 4;

/// Plays games, one after the other.
pub struct Player<'a, E> {
    rules: &'a RuleBook,
    evaluation: &'a E,
    settings: SelfPlay,
    parameters: Parameters,
    table: TranspositionTable,
}

impl<'a, E> Player<'a, E> {
    /// A player that judges positions by `evaluation`.
    pub fn new(rules: &'a RuleBook, evaluation: &'a E, settings: SelfPlay) -> Player<'a, E> {
        Player {
            rules,
            evaluation,
            settings,
            parameters: Parameters::default(),
            table: TranspositionTable::new(TABLE_MEBIBYTES),
        }
    }

    /// The game that follows from `seed`.
    pub fn play<G: Position>(&mut self, seed: u64) -> TrainingGame
    where
        E: Evaluate<G>,
    {
        let mut rng = Pcg64::seed_from_u64(seed);
        let mut course = self.opening::<G>(&mut rng);
        let result = loop {
            if let Some(outcome) = self.outcome(&course.game) {
                break Some(outcome);
            }
            let most = self.settings.until_captured;
            if most.is_some_and(|most| course.captured >= most) {
                break None;
            }
            let moves = course.game.position().legal_moves();
            if moves.len() == 1 {
                course.play(&moves, 0, None);
            } else if rng.random_bool(self.settings.random) {
                course.play(&moves, rng.random_range(0..moves.len()), None);
            } else {
                let report = self.think(&course.game);
                let side = course.game.position().side_to_move();
                if report.score.abs() >= PROVEN {
                    break Some(Outcome::Win(if report.score > 0 {
                        side
                    } else {
                        side.opponent()
                    }));
                }
                let best = report.best();
                let index = moves.iter().position(|&mv| mv == best);
                let index = index.expect("a search chooses a legal move");
                course.play(&moves, index, Some(report.score as i16));
            }
        };
        TrainingGame {
            turns: course.turns,
            result,
            check: course.check,
        }
    }

    /// Random moves until the game is about even after them.
    fn opening<G: Position>(&mut self, rng: &mut Pcg64) -> UnderWay<G>
    where
        E: Evaluate<G>,
    {
        let (fewest, most) = self.settings.opening;
        loop {
            let mut course = UnderWay::<G>::new(*self.rules);
            for _ in 0..rng.random_range(fewest..=most) {
                let moves = course.game.position().legal_moves();
                let Some(&mv) = moves.choose(rng) else { break };
                let index = moves.iter().position(|&legal| legal == mv);
                course.play(&moves, index.expect("chosen from these"), None);
            }
            self.table.clear();
            if course.game.result().is_none()
                && self.think(&course.game).score.abs() <= i32::from(self.settings.balance)
            {
                return course;
            }
        }
    }

    /// How the game stands by the rules, by a position that is there for the third time, or by its length without
    /// a capture.
    fn outcome<G: Position>(&self, game: &Game<G>) -> Option<Outcome> {
        let by_rules = game.result().map(|(outcome, _)| outcome);
        by_rules.or_else(|| {
            let now = game.position();
            // Nothing comes back from before a capture.
            let since = game.turns_without_capture() as usize + 1;
            let times = game.positions().rev().take(since).filter(|&one| one == now);
            (times.count() >= 3 || game.turns_without_capture() >= self.settings.draw_after)
                .then_some(Outcome::Draw)
        })
    }

    fn think<G: Position>(&mut self, game: &Game<G>) -> Report<G::Move>
    where
        E: Evaluate<G>,
    {
        let past: Vec<u64> = game.positions().map(Position::hash).collect();
        let root = Root {
            past: &past[..past.len() - 1],
            turns: game.turn() - 1,
            turns_without_capture: game.turns_without_capture(),
            ..Root::new(game.position(), self.rules, self.evaluation)
        };
        let mut stop = NodeLimit {
            nodes: self.settings.nodes,
        };
        search(&root, &self.parameters, &mut self.table, MAX_PLY, &mut stop)
            .expect("the game goes on")
    }
}

/// A game under way, with what is kept of it.
struct UnderWay<G: Position> {
    game: Game<G>,
    turns: Vec<TrainingTurn>,
    check: u16,
    /// How many pieces have been captured.
    captured: u32,
}

impl<G: Position> UnderWay<G> {
    fn new(rules: RuleBook) -> UnderWay<G> {
        UnderWay {
            game: Game::new(rules),
            turns: Vec::new(),
            check: 0,
            captured: 0,
        }
    }

    /// Plays the legal move number `index`.
    fn play(&mut self, moves: &[G::Move], index: usize, score: Option<i16>) {
        self.check = self.check.wrapping_add(moves.len() as u16);
        let index_byte = u8::try_from(index).expect("no position has more than 256 moves");
        self.turns.push(TrainingTurn {
            index: index_byte,
            score,
        });
        self.captured += self.game.position().captures(moves[index]);
        self.game.play(moves[index]).expect("a legal move");
    }
}

/// The points of `side` for this outcome: 1, ½ or 0.
pub fn points(outcome: Outcome, side: Side) -> f32 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f32::from(u8::from(winner == side)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::replay;
    use crownhead::games::checkers::{Checkers, Learned, rules};
    use crownhead::games::everchess::{self, EverChess};

    const SETTINGS: SelfPlay = SelfPlay {
        nodes: 1,
        opening: (2, 6),
        balance: 100,
        random: 0.2,
        draw_after: 20,
        until_captured: None,
    };

    fn games() -> Vec<TrainingGame> {
        let mut player = Player::new(&rules::CONTEST, &Learned, SETTINGS);
        (0..10).map(|seed| player.play::<Checkers>(seed)).collect()
    }

    #[test]
    fn a_game_follows_from_its_seed_whatever_was_played_before() {
        let mut player = Player::new(&rules::CONTEST, &Learned, SETTINGS);
        let alone = player.play::<Checkers>(7);
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
        let mut player = Player::new(&rules::CONTEST, &Learned, settings);
        let mut broken_off = 0;
        for (seed, whole) in games().into_iter().enumerate() {
            let game = player.play::<Checkers>(seed as u64);
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
        let game = Player::new(rules, &everchess::Learned, SETTINGS).play::<EverChess>(1);
        let mut turns = 0;
        replay::<EverChess>(&game, 0, rules, |_, _, _, _| turns += 1).unwrap();
        assert_eq!(turns, game.turns.len());
    }
}
