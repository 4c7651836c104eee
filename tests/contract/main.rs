//! The laws that every game obeys, as [`Position`](crownhead::position::Position) and
//! [`Notation`](crownhead::notation::Notation) state them: one suite, and a new game is one line of it.
//!
//! The laws are checked on every position of many random games. What is special to a game is tested
//! elsewhere, under the game's name. The last game of the list exists only here: it lets a side move twice in
//! a row, so that a law or a search that assumes alternating sides fails.

mod game;
mod lanes;
#[path = "../support/minimax.rs"]
mod minimax;
#[path = "../support/plain.rs"]
mod plain;
mod position;
mod search;
#[path = "../support/mod.rs"]
mod support;
mod text;

use crownhead::games::checkers::{rules, Checkers};
use crownhead::games::chess::{self, Chess};
use crownhead::games::everchess::{self, EverChess};

/// Holds a game under one of its rule books to every law: a module with a test for each.
macro_rules! contract {
    ($name:ident, $game:ty, $rules:expr) => {
        contract! { $name, $game, $rules;
            position::legal_moves_are_distinct_and_always_in_the_same_order
            position::playing_with_and_without_the_check_agrees
            position::a_move_that_is_not_legal_is_refused
            position::the_count_of_moves_is_the_number_of_moves
            position::nothing_from_before_a_zeroing_move_comes_back
            position::captures_are_visited_apart_in_the_same_order
            position::a_game_is_over_exactly_where_there_are_no_moves
            position::a_piece_moves_for_one_side_only
            position::captures_are_what_leaves_the_board
            position::equal_positions_hash_alike_and_different_ones_apart
            position::a_hash_is_good_by_any_of_its_bits
            text::names_of_moves_are_distinct_and_read_back_in_either_case
            text::the_squares_of_a_move_lead_from_the_piece_to_where_it_ends
            text::rows_with_the_side_to_move_rebuild_an_equal_position
            text::every_refusal_has_a_reason_of_one_line
            text::rule_books_and_sides_have_names_of_their_own
            game::undo_and_redo_return_to_equal_positions_turns_and_counts
            game::a_new_move_after_undo_forgets_what_could_be_redone
            game::an_illegal_move_leaves_the_game_as_it_was
            game::counters_do_not_disturb_equality_or_hash
            game::length_rules_draw_a_game_that_the_board_has_not_decided
            search::a_search_values_a_position_as_plain_negamax_does
            search::the_line_of_best_play_can_be_played
        }
    };
    ($name:ident, $game:ty, $rules:expr; $($subject:ident::$law:ident)*) => {
        mod $name {
            use super::*;
            $(
                #[test]
                fn $law() {
                    crate::$subject::$law::<$game>(&$rules);
                }
            )*
        }
    };
}

contract!(checkers_contest, Checkers, rules::CONTEST);
contract!(checkers_classroom, Checkers, rules::CLASSROOM);
contract!(everchess_standard, EverChess, everchess::rules::STANDARD);
contract!(chess_two_player, Chess, chess::rules::TWO_PLAYER);
contract!(lanes_game, lanes::Lanes, lanes::RULES);
