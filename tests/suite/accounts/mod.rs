//! Accounts: every limit, race and ending, over a private database with a clock that the tests turn. The suite
//! runs over every place where accounts are kept; what only one of them promises has a file of its own.

mod codes;
mod departures;
mod devices;
mod email_changes;
mod files;
mod hashing_work;
mod links;
mod login;
mod mailbox;
mod marks;
mod names;
mod nickname_changes;
mod nodes;
mod password_changes;
mod probes;
mod registration;
mod resets;
mod sessions;
mod shared_changes;
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
            departures::a_marked_account_is_shut_and_waits_over_a_restart,
            departures::nothing_of_an_erased_account_is_left_but_its_bare_id,
            departures::a_suspended_account_is_told_so_at_the_right_password_alone,
            devices::a_known_device_is_not_locked_out_by_others,
            devices::a_known_device_that_guesses_is_slowed_down_itself,
            devices::a_mark_of_another_account_or_without_form_is_worth_nothing,
            email_changes::the_code_goes_to_the_new_address_and_the_news_to_the_old,
            email_changes::a_code_is_for_one_person_and_one_purpose,
            email_changes::an_address_with_an_account_is_answered_like_any_other,
            hashing_work::an_unknown_address_costs_the_same_hash,
            hashing_work::what_is_shut_or_wrong_costs_no_hash,
            links::who_shares_a_device_is_kept_apart_and_a_network_is_a_hint,
            links::who_is_barred_may_not_sit_down,
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
            nickname_changes::two_in_any_365_days_to_the_millisecond,
            nickname_changes::what_is_refused_costs_nothing_and_the_same_is_no_change,
            nickname_changes::twenty_changes_at_the_same_instant_are_two,
            nickname_changes::names_that_are_swapped_do_not_wait_for_each_other,
            password_changes::all_other_sessions_end_at_once_and_the_address_is_told,
            password_changes::a_wrong_password_changes_nothing_and_is_slowed_down,
            password_changes::a_key_is_good_for_one_change,
            password_changes::twenty_changes_of_one_password_are_one,
            password_changes::the_language_of_mails_changes,
            registration::the_first_fault_in_order_is_told_and_costs_nothing,
            registration::twenty_want_one_nickname_and_one_gets_it,
            registration::twenty_use_one_code_and_one_account_is_made,
            registration::a_registration_waits_for_its_event_over_a_restart,
            resets::a_link_is_good_once_and_for_half_an_hour,
            resets::a_later_link_voids_an_earlier_one_and_a_change_voids_both,
            resets::an_address_without_an_account_hears_of_it_and_nobody_else,
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
