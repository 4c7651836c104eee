//! Whole runs of ladders in a file.

mod damage;
mod lost_file;
mod played;
mod versions;

use libtest_mimic::Trial;

/// A trial for each of these tests of a module.
macro_rules! trials {
    ($module:ident: $($name:ident),* $(,)?) => {
        [$(Trial::test(stringify!($name), || { $module::$name(); Ok(()) })),*]
    };
}

pub(super) fn trials() -> Vec<Trial> {
    let played = trials![played:
        every_pair_is_played_once_with_colours_swapped_from_its_opening_and_never_again,
        a_new_bot_plays_the_others_and_one_that_is_retired_plays_no_more,
        in_a_gauntlet_the_newcomer_plays_everyone_and_a_matched_ladder_stops_at_its_pairs,
        a_bot_that_fails_is_told_of_and_disabled_and_the_others_play_on,
        a_bot_whose_build_fails_is_disabled_with_the_last_line_that_it_wrote,
        games_by_other_rules_or_limits_are_not_mixed,
        a_running_ladder_takes_up_changes_of_bots_and_the_next_run_other_settings,
        the_next_run_plays_what_an_interrupted_run_left_open,
        a_run_that_ends_with_an_error_gives_its_pairs_back_and_keeps_what_it_has_stored,
    ];
    let damage = trials![damage:
        a_lock_of_a_stranger_holds_a_run_up_and_does_not_end_it,
        each_damage_is_found_and_mended_with_a_copy_kept_and_the_pair_is_played_again,
        rows_that_no_crownhead_can_have_written_are_told_and_refused,
        void_pairs_are_counted_apart_and_disable_nobody,
        a_file_that_is_damaged_itself_is_told_with_the_way_out_and_left_as_it_is,
        mistakes_of_the_configuration_are_found_and_what_a_build_makes_is_none,
    ];
    let lost_file = trials![lost_file:
        a_run_whose_file_is_removed_stops_and_what_it_stored_goes_on_where_it_was,
        a_run_whose_file_is_replaced_by_another_ladders_stops_and_leaves_that_alone,
    ];
    let versions = trials![versions:
        games_of_a_bot_that_changes_meanwhile_are_not_stored_and_the_run_ends,
        a_change_that_is_accepted_while_a_bot_plays_has_all_pairs_played_by_the_new_version,
        a_version_that_has_played_nothing_gives_way_unasked,
        an_earlier_version_that_is_back_plays_on_as_itself,
        command_environment_and_who_may_run_a_file_are_part_of_a_version,
        files_of_allow_read_are_part_of_a_bot_that_names_its_files,
        a_bot_runs_in_the_folder_of_its_first_file_or_in_the_one_that_the_configuration_names,
    ];
    let trials = damage.into_iter().chain(played).chain(lost_file);
    trials.chain(versions).collect()
}
