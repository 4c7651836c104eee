//! Whole runs of ladders in this process.
//!
//! A run starts this program again to watch over its bots, so that it has a `main` of its own, in the place of the one that
//! Rust's tests have.

mod ladder;
mod played;

use crownhead_sandbox::run_if_supervisor;
use libtest_mimic::{Arguments, Trial, run};
use std::process::ExitCode;

/// A trial for each of these tests.
macro_rules! trials {
    ($($name:ident),* $(,)?) => {
        vec![$(Trial::test(stringify!($name), || { played::$name(); Ok(()) })),*]
    };
}

fn main() -> ExitCode {
    run_if_supervisor().unwrap_or_else(|| {
        let trials = trials![
            every_pair_is_played_once_with_colours_swapped_from_its_opening_and_never_again,
            a_new_bot_plays_the_others_and_one_that_is_retired_plays_no_more,
            of_a_gauntlet_the_newcomer_plays_all_and_a_matched_ladder_ends_with_its_number_of_pairs,
            a_bot_that_fails_is_told_of_and_disabled_and_the_others_play_on,
            a_bot_whose_build_fails_is_disabled_with_the_last_line_that_it_wrote,
            a_bot_that_has_changed_plays_on_only_where_that_is_accepted_and_is_rated_anew,
            games_by_other_rules_or_limits_are_not_mixed,
            what_is_said_of_bots_while_a_run_plays_is_taken_up_and_other_settings_by_the_next,
            what_an_interrupted_run_has_not_finished_is_played_by_the_next,
            a_run_that_ends_with_an_error_gives_its_pairs_back_and_keeps_what_it_has_stored,
        ];
        run(&Arguments::from_args(), trials).exit_code()
    })
}
