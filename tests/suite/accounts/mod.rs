//! Accounts: every limit, race and ending, over a private database with a clock that the tests turn. The suite
//! runs over every place where accounts are kept; what only one of them promises has a file of its own.

mod codes;
mod devices;
mod files;
mod hashing_work;
mod login;
mod mailbox;
mod marks;
mod names;
mod nodes;
mod registration;
mod sessions;
mod shared_sessions;
mod stage;
mod tables;

/// The suite over one store.
macro_rules! store {
    ($name:ident, $store:ident) => {
        store! { $name, $store:
            codes::a_code_lives_ten_minutes_to_the_millisecond,
            codes::a_code_takes_five_tries,
            codes::a_code_fits_its_own_address_only_and_only_once,
            codes::an_address_gets_one_mail_a_minute_five_an_hour_ten_a_day,
            codes::a_network_and_the_whole_have_caps,
            codes::refused_requests_do_not_count,
            codes::fifty_requests_at_the_same_instant_are_one_mail,
            codes::a_thousand_answers_do_not_tell_who_has_an_account,
            codes::without_mail_nothing_begins,
            codes::a_letter_that_was_not_taken_does_not_count,
            devices::a_known_device_is_not_locked_out_by_others,
            devices::a_known_device_that_guesses_is_slowed_down_itself,
            devices::a_mark_of_another_account_or_without_form_is_worth_nothing,
            hashing_work::an_unknown_address_costs_the_same_hash,
            hashing_work::what_is_shut_or_wrong_costs_no_hash,
            login::address_and_password_make_a_session,
            login::an_address_is_shut_after_five_failures_for_times_that_double,
            login::waits_survive_a_restart,
            login::a_network_is_shut_after_fifty_failures_on_whatever_address,
            login::fifty_guesses_at_the_same_instant_are_five,
            mailbox::a_letter_is_listed_read_and_lies_as_a_file,
            mailbox::the_same_letter_twice_counts_once,
            mailbox::only_the_newest_are_kept,
            marks::a_mark_is_set_changed_and_taken_away_once_per_key,
            marks::marks_go_with_the_match,
            names::names_are_found_by_player_and_players_by_name,
            names::a_house_player_is_made_once_and_marked,
            names::house_and_people_do_not_share_names,
            registration::the_first_fault_in_order_is_told_and_costs_nothing,
            registration::twenty_want_one_nickname_and_one_gets_it,
            registration::twenty_use_one_code_and_one_account_is_made,
            registration::a_registration_waits_for_its_event_over_a_restart,
            sessions::only_whole_tokens_stand_for_anybody,
            sessions::a_session_ends_after_thirty_idle_days_and_not_before,
            sessions::the_sweep_ends_idle_sessions_and_spares_used_ones,
            sessions::an_ended_session_is_worth_nothing_at_once,
            sessions::all_others_can_be_ended_and_the_list_shows_what_is_left,
            sessions::no_reader_brings_an_ended_session_back,
            sessions::an_end_goes_through_when_the_asker_goes_away,
        }
    };
    ($name:ident, $store:ident: $($suite:ident::$test:ident),* $(,)?) => {
        mod $name {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    super::$suite::$test(super::stage::Store::$store).await;
                }
            )*
        }
    };
}

store!(sqlite, Sqlite);
store!(postgres, Postgres);
