//! Everything that a client can ask for. Each mutation reads its input, hands one command to the inside and
//! renders the answer; none decides anything.

pub mod account;
pub mod admin;
pub mod admin_players;
pub mod assembling;
pub mod changes;
pub mod marks;
pub mod payload;
pub mod play;
pub mod reminders;
pub mod resets;
pub mod run;
pub mod takeover;
pub mod votes;

use async_graphql::MergedObject;

/// Everything that can be changed.
#[derive(MergedObject, Default)]
pub struct Mutation(
    account::AccountMutation,
    resets::ResetMutation,
    changes::ChangesMutation,
    admin_players::AdminPlayersMutation,
    assembling::AssemblingMutation,
    play::PlayMutation,
    votes::VotesMutation,
    takeover::TakeoverMutation,
    marks::MarksMutation,
    admin::AdminMutation,
    reminders::RemindersMutation,
);
