//! What holds of every game: the laws of [`crownhead::contract`], and what [`Game`](crownhead::Game) makes of
//! each.
//!
//! What is special to a game is tested elsewhere, under the game's name. The last game of the list exists only
//! here: it lets a side move twice in a row, so that a law or a search that assumes alternating sides fails.

mod broken;
mod game;
pub(crate) mod lanes;

use self::lanes::Lanes;
use crownhead::games::checkers::Checkers;
use crownhead::games::chess::Chess;
use crownhead::games::everchess::EverChess;
use crownhead::{Notation, RuleBook};

crownhead::contract!(checkers: Checkers);
crownhead::contract!(everchess: EverChess);
crownhead::contract!(chess: Chess);
crownhead::contract!(lanes_game: Lanes);

/// Runs a test for every game, under each of its rule books.
macro_rules! for_every_game {
    ($($subject:ident::$test:ident)*) => {
        $(
            mod $test {
                use super::*;

                #[test]
                fn checkers() {
                    under_each_rule_book::<Checkers>($subject::$test::<Checkers>);
                }

                #[test]
                fn everchess() {
                    under_each_rule_book::<EverChess>($subject::$test::<EverChess>);
                }

                #[test]
                fn chess() {
                    under_each_rule_book::<Chess>($subject::$test::<Chess>);
                }

                #[test]
                fn lanes() {
                    under_each_rule_book::<Lanes>($subject::$test::<Lanes>);
                }
            }
        )*
    };
}

fn under_each_rule_book<G: Notation>(test: fn(&RuleBook)) {
    G::RULE_BOOKS.iter().for_each(test);
}

for_every_game! {
    game::undo_and_redo_return_to_equal_positions_turns_and_counts
    game::a_new_move_after_undo_forgets_what_could_be_redone
    game::an_illegal_move_leaves_the_game_as_it_was
    game::counters_do_not_disturb_equality_or_hash
    game::length_rules_draw_a_game_that_the_board_has_not_decided
}
