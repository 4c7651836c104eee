//! A ladder in a database: the laws of its store, which also hold for a file, and whole runs of workers in this
//! process, with shell scripts as bots that travel there. Workers that are killed or stopped are tested as processes in
//! `referee/tests/ladder/workers.rs`.

mod cluster;
mod files;
mod fixture;
mod machine;
mod network;
mod played;
mod proxy;
mod refused;
mod store;

use cluster::{Cluster, cluster};
use libtest_mimic::Trial;

/// A trial for each of these tests, which `$with` gives the server.
macro_rules! trials {
    ($with:ident: $($group:ident::$name:ident),* $(,)?) => {
        [$(Trial::test(stringify!($name), || { $with($group::$name); Ok(()) })),*]
    };
}

/// Nothing is tested where there is no server.
fn with_server(test: fn(&Cluster)) {
    cluster().map(test);
}

/// Tests that also run over files run all the same.
fn with_server_if_there(test: fn(Option<&Cluster>)) {
    test(cluster());
}

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = Vec::from(trials![with_server:
        network::a_pair_whose_answer_was_swallowed_is_stored_once,
        network::a_pair_that_comes_after_its_lease_was_given_to_another_is_refused,
        network::a_lease_lasts_by_the_servers_clock_and_once_it_has_ended_nothing_is_stored_under_it,
        network::a_lost_connection_is_told_after_a_moment_by_who_plays,
        played::workers_play_what_is_published_and_the_same_as_one_run_from_a_file,
        played::a_playing_worker_takes_up_what_is_published_anew,
        played::a_run_renews_its_leases_while_it_plays,
        played::a_bot_that_does_not_start_on_a_worker_is_not_played_there_any_more,
        refused::a_ladder_that_is_not_published_or_not_in_a_database_has_no_workers,
        refused::a_machine_far_slower_than_the_first_plays_nothing,
        refused::another_version_of_the_search_is_not_mixed_with_that_of_the_ladder,
        refused::a_worker_ends_when_another_joins_under_its_name,
        refused::a_server_that_is_not_there_is_waited_for_until_that_is_interrupted,
        files::what_a_worker_keeps_of_bots_is_fetched_again_where_it_was_changed,
        files::files_changed_while_a_bot_plays_are_fetched_again,
        files::openings_travel_with_the_ladder,
        files::a_bot_of_more_than_64_mb_does_not_travel,
        files::a_bot_that_cannot_be_built_is_told_and_the_others_are_published,
        files::a_bot_reads_on_a_worker_what_that_grants_where_it_is_what_its_version_is_made_of,
    ]);
    trials.extend(trials![with_server_if_there:
        store::a_finished_pair_reads_back_whole_and_is_never_claimed_again,
        store::a_game_is_found_by_its_number_as_it_was_written_and_listed_without_its_record,
        store::a_round_of_three_bots_is_stored_and_read_whole,
        store::two_runs_never_hold_the_same_pair_and_who_lost_it_cannot_store,
        store::a_run_that_claims_its_own_lost_pair_again_cannot_store_what_it_played_before,
        store::a_pair_that_is_given_back_is_claimed_again_and_a_void_one_is_not,
        store::impossible_pairs_are_played_again_and_their_games_kept,
        store::a_bot_is_disabled_until_it_is_enabled_or_another_version_plays,
        store::a_reader_beside_sixteen_writers_sees_each_pair_exactly_once,
    ]);
    trials
}
