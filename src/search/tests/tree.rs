//! A game that is a bare tree, so that a test can say what each line of play is worth.

use crate::board::Side;
use crate::evaluate::Evaluate;
use crate::hash::fold;
use crate::position::Position;
use crate::rules::RuleBook;

/// The moves so far; there are always [`Tree::MOVES`], the sides alternate, and nothing ends the game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tree {
    pub(super) line: Vec<u8>,
    /// What [`Position::is_threatened`] answers, all over the tree.
    pub(super) threatened: bool,
}

impl Tree {
    pub(super) const MOVES: u8 = 6;
}

impl Position for Tree {
    type Move = u8;

    fn start(_rules: &RuleBook) -> Tree {
        Tree::default()
    }

    fn side_to_move(&self) -> Side {
        Side::BOTH[self.line.len() % 2]
    }

    fn each_move(&self, visit: impl FnMut(u8)) {
        (0..Tree::MOVES).for_each(visit);
    }

    fn play_unchecked(&self, mv: u8) -> Tree {
        let mut line = self.line.clone();
        line.push(mv);
        Tree { line, ..*self }
    }

    fn hash(&self) -> u64 {
        let step = |hash, &mv| fold(hash, u64::from(mv) + 1);
        self.line.iter().fold(0x1234_5678_9abc_def0, step)
    }

    fn is_threatened(&self) -> bool {
        self.threatened
    }

    fn history_index(mv: u8) -> u16 {
        u16::from(mv)
    }
}

/// A game in which each side has one move for ever, and that takes something or does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OneWay {
    pub(super) played: u32,
    pub(super) captures: bool,
}

impl Position for OneWay {
    type Move = u8;

    fn start(_rules: &RuleBook) -> OneWay {
        OneWay {
            played: 0,
            captures: false,
        }
    }

    fn side_to_move(&self) -> Side {
        Side::BOTH[self.played as usize % 2]
    }

    fn each_move(&self, mut visit: impl FnMut(u8)) {
        visit(0);
    }

    fn captures(&self, _mv: u8) -> u32 {
        u32::from(self.captures)
    }

    fn play_unchecked(&self, _mv: u8) -> OneWay {
        let played = self.played + 1;
        OneWay { played, ..*self }
    }

    fn hash(&self) -> u64 {
        fold(0x1234_5678_9abc_def0, u64::from(self.played) + 1)
    }
}

impl Evaluate<OneWay> for i32 {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, _position: &OneWay) -> i32 {
        *self
    }
}

/// An evaluation given as a function from lines to their worth for the side that moves first.
pub(super) struct Worth<F>(pub(super) F);

impl<F: Fn(&[u8]) -> i32> Evaluate<Tree> for Worth<F> {
    type Accumulator = ();

    fn accumulator(&self) {}

    fn evaluate(&self, position: &Tree) -> i32 {
        let worth = (self.0)(&position.line);
        match position.side_to_move() {
            Side::Black => worth,
            Side::White => -worth,
        }
    }
}

/// The most that one move changes a [`drifting`] worth.
pub(super) const DRIFT: i32 = 20;

/// A pseudo-random worth that no move changes by more than [`DRIFT`].
pub(super) fn drifting(seed: u64) -> impl Fn(&[u8]) -> i32 {
    move |line| {
        let mut hash = seed;
        line.iter().fold(0, |worth, &mv| {
            hash = fold(hash, u64::from(mv) + 7);
            worth + (hash >> 33) as i32 % (2 * DRIFT + 1) - DRIFT
        })
    }
}

/// The score of `position`, `depth` plies deep, without any pruning.
pub(super) fn minimax(position: &Tree, evaluation: &impl Evaluate<Tree>, depth: u32) -> i32 {
    if depth == 0 {
        return evaluation.evaluate(position);
    }
    let children = (0..Tree::MOVES).map(|mv| position.play_unchecked(mv));
    let scores = children.map(|child| -minimax(&child, evaluation, depth - 1));
    scores.max().expect("there are moves")
}
