//! Read models: live rows equal rebuilt rows, viewers see what the domain says and nothing else, faults
//! leave nothing half done. Histories are random and made by the domain's own decider. What both stores promise
//! runs over both; what only one does has a file of its own.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod equality;
mod faults;
mod files;
pub(crate) mod histories;
mod leaderboard;
mod ledger;
mod lobby;
mod node;
mod nodes;
mod rebuilds;
mod replays;
mod rig;
mod schedule;
mod sight;
mod timetable;
mod trail;
mod upgrades;

/// The suite over one store.
macro_rules! store {
    ($module:ident, $store:expr) => {
        store! { $module, $store,
            equality::a_long_history_is_the_same_whole_and_in_single_steps,
            equality::one_read_model_is_rebuilt_alone,
            equality::what_is_far_behind_is_written_rarely_and_ends_the_same,
            faults::a_transaction_that_fails_leaves_nothing,
            faults::live_workers_get_over_faults_that_pass,
            faults::a_log_that_cannot_be_read_stops_them_until_it_can,
            faults::an_event_that_one_cannot_take_in_stops_that_one_alone,
            faults::an_unreadable_event_stops_before_it,
            faults::a_worker_that_was_taken_over_writes_nothing,
            faults::a_stream_with_a_hole_is_not_guessed_over,
            leaderboard::statistics_and_ranks_are_those_of_the_events,
            leaderboard::the_window_is_thirty_days_of_utc,
            leaderboard::house_players_and_who_is_gone_are_not_listed,
            ledger::entries_add_up_and_have_lasting_numbers,
            ledger::points_of_every_match_are_those_of_the_table,
            lobby::tables_and_vacancies_are_those_of_the_truth,
            lobby::players_find_their_matches_and_what_waits_for_them_first,
            lobby::limits_are_those_of_now,
            rebuilds::live_workers_follow_and_tell,
            rebuilds::readers_and_the_live_worker_go_on_during_a_rebuild,
            rebuilds::a_second_rebuild_of_the_same_is_refused,
            rebuilds::a_pulse_comes_for_everything_that_the_switch_brought,
            rebuilds::a_rebuild_tells_and_mends_rows_that_are_wrong,
            rebuilds::an_interrupted_rebuild_resumes_at_its_own_checkpoint,
            rebuilds::another_shape_is_rebuilt_before_anybody_is_served,
            rebuilds::rows_that_know_more_than_the_log_begin_again,
            replays::finished_matches_are_told_by_those_who_took_part,
            schedule::the_marks_are_those_of_the_clocks_that_run,
            sight::everybody_sees_what_the_domain_says,
            sight::no_shared_row_names_an_identity,
            sight::actions_are_the_public_events_in_order_without_gaps,
            sight::whoever_leaves_or_loses_a_chance_loses_the_sight_with_it,
            timetable::every_running_clock_is_listed_and_no_other,
            trail::the_trail_is_the_outside_of_the_log,
        }
    };
    ($module:ident, $store:expr, $($suite:ident::$test:ident),* $(,)?) => {
        mod $module {
            use super::rig::Store;
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $test() {
                    super::$suite::$test($store).await;
                }
            )*
        }
    };
}

store!(sqlite, Store::Sqlite);
store!(postgres, Store::Postgres);
