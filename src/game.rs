//! A game being played: the positions so far, undo and redo, length rules and the result.
//!
//! Turn numbers and the count of turns without a capture live here, for they are part of the game and not
//! of its positions. Who chose the moves and how long they took is up to the referee.

use crate::position::{IllegalMove, Outcome, Position};
use crate::rules::{LengthRules, RuleBook};

/// One game, from its first position to the current one.
///
/// ```
/// use crownhead::position::Outcome;
/// use crownhead::games::checkers::{rules, Checkers};
/// use crownhead::board::Side;
/// use crownhead::game::{Ending, Game};
/// use crownhead::notation::Notation;
///
/// let rows = "
/// ........
/// ........
/// ...r....
/// ........
/// .r......
/// b.......
/// ........
/// ........";
/// let position = Checkers::from_rows(&rows.trim().parse().unwrap(), Side::Black).unwrap();
/// let mut game = Game::from_position(position, rules::CONTEST);
///
/// game.play(position.parse_move("A3C5E7").unwrap()).unwrap();
/// assert_eq!(game.result(), Some((Outcome::Win(Side::Black), Ending::NoMoves)));
///
/// assert!(game.undo());
/// assert_eq!((game.position(), game.turn(), game.result()), (&position, 1, None));
/// assert!(game.redo());
/// assert_eq!(game.turn(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Game<G: Position> {
    rules: RuleBook,
    first: G,
    /// The moves played and the positions after them, oldest first; those at `now` and after were taken back and can
    /// be redone.
    turns: Vec<(G::Move, G)>,
    now: usize,
}

/// How a game ended by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The board decided it: the game's own goal was reached.
    Goal,
    /// The side to move has no legal move.
    NoMoves,
    /// Too many turns in a row without a capture.
    WithoutCapture,
    /// Too many turns.
    TurnLimit,
}

impl<G: Position> Game<G> {
    /// A game that begins at the starting position.
    pub fn new(rules: RuleBook) -> Game<G> {
        Game::from_position(G::start(&rules), rules)
    }

    /// A game that begins at `position`, with turn 1 and no turns without a capture.
    pub fn from_position(position: G, rules: RuleBook) -> Game<G> {
        Game {
            rules,
            first: position,
            turns: Vec::new(),
            now: 0,
        }
    }

    /// The rule book in force.
    pub fn rules(&self) -> &RuleBook {
        &self.rules
    }

    /// The current position.
    pub fn position(&self) -> &G {
        match self.now {
            0 => &self.first,
            now => &self.turns[now - 1].1,
        }
    }

    /// The positions so far, oldest first, the first and the current one included, without those taken
    /// back.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &G> {
        let played = self.turns[..self.now].iter().map(|(_, after)| after);
        std::iter::once(&self.first).chain(played)
    }

    /// The moves so far, oldest first.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = G::Move> + '_ {
        self.turns[..self.now].iter().map(|&(mv, _)| mv)
    }

    /// The move that led to the current position.
    pub fn last_move(&self) -> Option<G::Move> {
        self.moves().last()
    }

    /// The number of the turn to be played, from 1. A turn is one side's move.
    pub fn turn(&self) -> u32 {
        self.now as u32 + 1
    }

    /// The number of the turn to be played as people count, from 1: all that a side plays until the other is to
    /// move is one turn. No more than [`turn`](Game::turn), and less where a side has moved again.
    pub fn whole_turn(&self) -> u32 {
        let movers = || self.positions().map(G::side_to_move);
        let changes = movers().zip(movers().skip(1)).filter(|(a, b)| a != b);
        changes.count() as u32 + 1
    }

    /// How many turns in a row, up to now, went by without a capture; 0 right after one.
    pub fn turns_without_capture(&self) -> u32 {
        self.turns_since(|position, mv| position.captures(mv) > 0)
    }

    /// How many turns in a row, up to now, were moves that later ones can take back: no
    /// [zeroing](Position::is_zeroing) ones.
    pub fn turns_since_zeroing(&self) -> u32 {
        self.turns_since(G::is_zeroing)
    }

    /// How many turns in a row, up to now, had moves of which `ends` is not true.
    fn turns_since(&self, ends: impl Fn(&G, G::Move) -> bool) -> u32 {
        let turns = self.positions().zip(self.moves());
        turns.fold(
            0,
            |turns, (position, mv)| {
                if ends(position, mv) {
                    0
                } else {
                    turns + 1
                }
            },
        )
    }

    /// Plays a legal move, and drops the turns that could be redone.
    ///
    /// A game that is drawn by its length can be played on; [`result`](Game::result) says whether it has ended.
    ///
    /// # Errors
    /// When the move is not legal; the game is as it was.
    pub fn play(&mut self, mv: G::Move) -> Result<(), IllegalMove> {
        let after = self.position().play(mv)?;
        self.turns.truncate(self.now);
        self.turns.push((mv, after));
        self.now += 1;
        Ok(())
    }

    /// Takes the last turn back. `false` when there is none.
    pub fn undo(&mut self) -> bool {
        let possible = self.now > 0;
        self.now -= usize::from(possible);
        possible
    }

    /// Plays a turn again that was taken back. `false` when there is none.
    pub fn redo(&mut self) -> bool {
        let possible = self.now < self.turns.len();
        self.now += usize::from(possible);
        possible
    }

    /// How the game has ended, or `None` before that.
    ///
    /// What the board decides comes before the length rules: a side that is mated, or has lost its last
    /// piece, has lost, however many turns were played.
    pub fn result(&self) -> Option<(Outcome, Ending)> {
        let position = self.position();
        if let Some(outcome) = position.ended() {
            return Some((outcome, Ending::Goal));
        }
        if position.count_moves() == 0 {
            return Some((position.without_moves(&self.rules), Ending::NoMoves));
        }
        let LengthRules {
            max_turns,
            max_turns_without_capture,
        } = self.rules.length;
        if max_turns_without_capture.is_some_and(|limit| self.turns_without_capture() >= limit) {
            Some((Outcome::Draw, Ending::WithoutCapture))
        } else if max_turns.is_some_and(|limit| self.now as u32 >= limit) {
            Some((Outcome::Draw, Ending::TurnLimit))
        } else {
            None
        }
    }
}
