//! The contract of the event log, run over every store. A new store adds one `store!` line and one
//! constructor in `fixture`; what only one store promises has a file of its own.
//!
//! What not every store promises is a property: a store lists those that it has, and is held to them.

mod chains;
mod claims;
mod custody;
mod eventstore_recovery;
mod fixture;
mod order;
mod postgres_faults;
mod postgres_independent;
mod postgres_nodes;
mod postgres_order;
mod postgres_plans;
mod repeats;
mod sqlite_crash;
mod sqlite_files;
mod wakes;

/// Tests of one store.
macro_rules! run {
    ($store:ident: $($suite:ident::$test:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $test() {
                super::$suite::$test(super::fixture::$store().await).await;
            }
        )*
    };
}

/// The property of stores that keep events, claims and hash in one database: one transaction makes them all, so
/// that positions have no gaps, the head is never behind, and claims change at the instant of their commit.
macro_rules! one_transaction {
    ($store:ident) => {
        run! { $store:
            chains::the_head_moves_with_the_commit,
            claims::claims_change_with_the_commit,
            order::positions_are_gap_free_under_writers,
        }
    };
}

/// The property of stores that whole logs move between, and whose closed streams can be archived.
macro_rules! keeper {
    ($store:ident) => {
        run! { $store:
            custody::a_log_arrives_as_it_was_and_goes_on,
            custody::an_interrupted_import_goes_on_and_another_log_is_refused,
            custody::what_does_not_continue_the_log_leaves_nothing,
            custody::shelved_payloads_are_read_from_their_segment,
        }
    };
}

/// The suite over one store, and over the properties that it lists.
macro_rules! store {
    ($store:ident $(: $($property:ident),+)?) => {
        mod $store {
            run! { $store:
                chains::chains_verify_and_roll_to_the_head,
                chains::every_changed_field_shows,
                chains::a_missing_or_moved_event_shows,
                claims::limits_are_exact_under_races,
                claims::release_and_room,
                claims::a_lowered_limit_takes_nothing_away,
                claims::a_key_is_claimed_once,
                claims::a_refused_commit_leaves_nothing,
                claims::claims_in_one_commit_see_each_other,
                claims::the_table_is_what_the_commits_say,
                order::positions_rise_under_writers,
                order::versions_and_expectations,
                order::one_of_many_wins_a_version,
                order::events_come_back_as_they_went,
                order::pages,
                order::an_empty_commit_is_a_fault,
                repeats::a_repeat_is_recognised_before_everything_else,
                repeats::memos_are_per_account_and_fade,
                repeats::the_same_command_fifty_times,
                repeats::what_crosses_is_done_once,
                wakes::changes_wake,
                wakes::a_sender_that_goes_away_commits_all_the_same,
                wakes::heartbeats,
                wakes::a_closed_log_takes_nothing,
            }
            $( $( $property! { $store } )+ )?
        }
    };
}

store!(memory: one_transaction, keeper);
store!(sqlite: one_transaction, keeper);
store!(postgres: one_transaction, keeper);
store!(eventstore);
