//! Everything that a client can ask for. Each mutation reads its input, hands one command to the inside and
//! renders the answer; none decides anything.

mod account;
mod assembling;
mod payload;
mod play;
mod run;
mod takeover;
mod votes;

use async_graphql::MergedObject;

/// Everything that can be changed.
#[derive(MergedObject, Default)]
pub struct Mutation(
    account::AccountMutation,
    assembling::AssemblingMutation,
    play::PlayMutation,
    votes::VotesMutation,
    takeover::TakeoverMutation,
);
