//! The laws of [`Position`](crate::Position), [`Notation`](crate::Notation) and [`Explain`](crate::Explain) as
//! tests that any game can run: the feature `contract`.
//!
//! A crate with a game of its own asks for the feature in its tests,
//!
//! ```toml
//! [dev-dependencies]
//! crownhead = { version = "0.1", features = ["contract"] }
//! ```
//!
//! and says beside the game:
//!
//! ```
//! # use crownhead::games::checkers::Checkers as Othello;
//! crownhead::contract!(Othello);
//! ```
//!
//! That is a module of tests, one a law, under the name `contract`; where a module holds a game to the laws twice,
//! the second has a name of its own: `contract!(small: Othello)`. A failed test says in which position the law is broken.
//!
//! The laws are checked under each of the game's rule books, on the positions of random games, the same every time.
//! What is left out: the rules of the game. That its moves are the right ones, only tests of its own know; counts of
//! move trees ([`perft`](crate::perft)) are a good one.

pub mod laws;
mod minimax;
mod sample;

pub use minimax::{Minimax, Noise};

/// Holds a game to the laws of positions: a module with a test for each law. See [`contract`](mod@crate::contract).
///
/// ```
/// # use crownhead::games::checkers::Checkers as Othello;
/// crownhead::contract!(Othello);
/// crownhead::contract!(once_more: Othello);
/// ```
#[macro_export]
macro_rules! contract {
    ($game:ty) => {
        $crate::contract!(contract: $game);
    };
    ($name:ident: $game:ty) => {
        $crate::contract! { $name: $game;
            legal_moves_are_distinct_and_always_in_the_same_order
            playing_with_and_without_the_check_agrees
            a_move_that_is_not_legal_is_refused
            moves_are_counted_as_they_are_listed
            nothing_from_before_a_zeroing_move_comes_back
            captures_are_visited_apart_in_the_same_order
            a_game_is_over_exactly_where_there_are_no_moves
            a_piece_moves_for_one_side_only
            captures_are_what_leaves_the_board
            equal_positions_hash_alike_and_different_ones_apart
            a_hash_is_good_by_any_of_its_bits
            names_of_moves_are_distinct_and_read_back_in_either_case
            the_squares_of_a_move_lead_to_where_its_piece_ends
            rows_with_the_side_to_move_rebuild_an_equal_position
            every_refusal_has_a_reason_of_one_line
            rule_books_and_sides_have_names_of_their_own
            a_search_agrees_with_minimax
        }
    };
    ($name:ident: $game:ty; $($law:ident)*) => {
        #[cfg(test)]
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            $(
                #[test]
                fn $law() {
                    let books = <$game as $crate::Notation>::RULE_BOOKS;
                    books.iter().for_each($crate::contract::laws::$law::<$game>);
                }
            )*
        }
    };
}
