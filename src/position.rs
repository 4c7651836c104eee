//! What a game is: a position, its legal moves, and how it ends.
//!
//! Text belongs to [`Notation`](crate::notation::Notation), evaluation to
//! [`Evaluate`](crate::evaluate::Evaluate), the positions so far to [`Game`](crate::game::Game). Code that is
//! generic over what remains is compiled once per game: there are no boxed positions.

use crate::board::Side;
use crate::rules::RuleBook;
use std::fmt;

/// A position of a game for two, with its rules.
///
/// Code that is generic over it plays any game. This plays the first legal move, again and again:
///
/// ```
/// use crownhead::position::{Position, Outcome};
/// use crownhead::games::checkers::{rules, Checkers};
/// use crownhead::game::{Ending, Game};
/// use crownhead::rules::RuleBook;
///
/// fn play_out<G: Position>(rules: RuleBook) -> (Outcome, Ending) {
///     let mut game: Game<G> = Game::new(rules);
///     loop {
///         if let Some(result) = game.result() {
///             return result;
///         }
///         let first = game.position().legal_moves()[0];
///         game.play(first).expect("the first legal move is legal");
///     }
/// }
///
/// // In the end kings go to and fro, until the 200 turns of the contest are over.
/// let result = play_out::<Checkers>(rules::CONTEST);
/// assert_eq!(result, (Outcome::Draw, Ending::TurnLimit));
/// ```
///
/// # Laws
/// The feature `contract` holds any game to these, by one line beside it, `crownhead::contract!(Othello)`:
///
/// - **Mover.** The mover is the side that [`side_to_move`](Position::side_to_move) gives. A move may leave
///   it unchanged: sides need not alternate. What one side may move, the other may not.
/// - **Legality.** [`each_move`](Position::each_move) gives every legal move once, always in the same order.
///   [`play`](Position::play) accepts exactly those, and agrees with
///   [`play_unchecked`](Position::play_unchecked) on them.
/// - **Outcome.** When [`ended`](Position::ended) gives an outcome there are no legal moves. When it does not
///   and there are none, [`without_moves`](Position::without_moves) says what that means. Otherwise the game
///   goes on.
/// - **Equality and hash.** Two positions are equal when the same can happen from them by the rules of the
///   board: pieces, side to move and whatever else restricts the moves. Turn numbers and counts of moves
///   without a capture are *not* part of it. Equal positions have equal [`hash`](Position::hash); different
///   ones practically never share it.
pub trait Position: Clone + Eq + fmt::Debug {
    /// A complete turn's worth of movement, meaningful in the position it was generated from.
    type Move: Copy + Eq + fmt::Debug;

    /// The starting position under `rules`.
    fn start(rules: &RuleBook) -> Self;

    /// Whose move it is.
    fn side_to_move(&self) -> Side;

    /// Calls `visit` with every legal move, in an order that depends on the position alone.
    fn each_move(&self, visit: impl FnMut(Self::Move));

    /// The position after `mv`, which the caller vouches is legal here.
    #[must_use]
    fn play_unchecked(&self, mv: Self::Move) -> Self;

    /// How many of the opponent's pieces the move, which is legal here, takes off the board; 0 in a game without captures.
    fn captures(&self, _mv: Self::Move) -> u32 {
        0
    }

    /// Whether no position from before the move, which is legal here, can come back after it: it captures, or moves
    /// a piece that only goes forwards (a zeroing move, as the counters of chess start anew with it).
    fn is_zeroing(&self, mv: Self::Move) -> bool {
        self.captures(mv) > 0
    }

    /// A hash of all that equality looks at, good enough to index a table by any of its bits.
    fn hash(&self) -> u64;

    /// The outcome, where the board alone decides it (a pawn on the far row). Generates no moves.
    ///
    /// Unless a game says otherwise, only being without moves decides.
    fn ended(&self) -> Option<Outcome> {
        None
    }

    /// What it means that the side to move has no legal move here, where [`ended`](Position::ended) leaves
    /// that open. Called only by [`outcome`](Position::outcome), where the side has no move.
    ///
    /// Unless a game says otherwise, it has lost.
    fn without_moves(&self, _rules: &RuleBook) -> Outcome {
        Outcome::Win(self.side_to_move().opponent())
    }

    /// All legal moves, in the order of [`each_move`](Position::each_move).
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.each_move(|mv| moves.push(mv));
        moves
    }

    /// Calls `visit` with every legal move that captures, in the order of [`each_move`](Position::each_move), and
    /// says whether there are others. A game may know how to do so without making those.
    fn each_capture(&self, mut visit: impl FnMut(Self::Move)) -> bool {
        let mut others = false;
        self.each_move(|mv| {
            if self.captures(mv) > 0 {
                visit(mv);
            } else {
                others = true;
            }
        });
        others
    }

    /// The number of legal moves.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.each_move(|_| count += 1);
        count
    }

    /// Whether `mv` is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut found = false;
        self.each_move(|legal| found |= legal == mv);
        found
    }

    /// The position after `mv`, or a refusal: the checked sibling of
    /// [`play_unchecked`](Position::play_unchecked).
    ///
    /// ```
    /// use crownhead::position::Position;
    /// use crownhead::games::checkers::{rules, Checkers};
    /// use crownhead::notation::Notation;
    ///
    /// let start = Checkers::start(&rules::CONTEST);
    /// let mv = start.parse_move("A3B4").unwrap();
    /// let after = start.play(mv).unwrap();
    /// assert!(after.play(mv).is_err(), "black has moved; it is red's turn");
    /// ```
    ///
    /// # Errors
    /// When `mv` is not legal here.
    fn play(&self, mv: Self::Move) -> Result<Self, IllegalMove> {
        if self.is_legal(mv) {
            Ok(self.play_unchecked(mv))
        } else {
            Err(IllegalMove)
        }
    }

    /// A static score of `mv`, which is legal here: a search tries moves with a higher one earlier, unless it has learnt
    /// more of them. The number of captured pieces, unless a game knows more.
    fn move_score(&self, mv: Self::Move) -> i32 {
        self.captures(mv) as i32
    }

    /// Whether the opponent threatens to capture, so that the position is not quiet although its side to move has
    /// nothing to capture. A search does not prune such a position for its high evaluation.
    fn is_threatened(&self) -> bool {
        false
    }

    /// The index of `mv` in a search's history tables, below [`HISTORY_INDEXES`] and the same in any position: made of
    /// the squares it goes from and to, for example. Moves of one index share what a search learns of them.
    fn history_index(_mv: Self::Move) -> u16 {
        0
    }

    /// The outcome of the game under `rules`, or `None` before its end.
    ///
    /// Length rules are not asked: they belong to [`Game`](crate::game::Game).
    fn outcome(&self, rules: &RuleBook) -> Option<Outcome> {
        self.ended()
            .or_else(|| (self.count_moves() == 0).then(|| self.without_moves(rules)))
    }
}

/// How many history indexes there are: from and to on 64 squares; see [`Position::history_index`].
pub const HISTORY_INDEXES: usize = 1 << 12;

/// How a game came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

/// The move is not legal in the position it was played in.
///
/// [`Explain::refusal`](crate::explain::Explain::refusal) says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove;

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("that move is not legal in this position")
    }
}

impl std::error::Error for IllegalMove {}
