//! What clients see, as GraphQL objects over the domain's views. Nothing here may read a match in any other
//! way than through a [`yibu_domain::matches::view::MatchView`] and the public actions.

pub mod account;
pub mod actions;
pub mod admin;
pub mod board;
pub mod enums;
pub mod export;
pub mod ledger;
pub mod lobby;
pub mod match_view;
pub mod notices;
pub mod outcome;
pub mod pages;
pub mod people;
pub mod reminders;
pub mod replay;
pub mod rules;
pub mod seats;
pub mod standings;

pub use match_view::MatchView;
