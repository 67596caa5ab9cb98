//! What administrators set for everybody, and what the banner says. Must not check a value: the site does.

use crate::graphql::scalars::DateTime;
use async_graphql::SimpleObject;
use yibu_domain::site::{self, SiteState};

/// What the banner says to everybody.
#[derive(SimpleObject, Clone, PartialEq)]
pub struct Announcement {
    /// The text, in one line.
    pub text: String,
    /// Since when it says so.
    pub since: DateTime,
}

impl From<&site::Announcement> for Announcement {
    fn from(said: &site::Announcement) -> Self {
        Self { text: said.text.clone(), since: DateTime(said.since) }
    }
}

/// What administrators set for everybody.
#[derive(SimpleObject)]
pub struct SiteSettings {
    /// Full matches that a player may have at the same time, 0 to 100; 0 = no new ones.
    pub full_limit: u32,
    /// Seats taken over that a player may have at the same time, 0 to 100; 0 = no new ones.
    pub takeover_limit: u32,
    /// For so many minutes a turn is on before a normal mail tells of it, 1 to 1440.
    pub normal_mail_wait_minutes: u32,
    /// So many hours after the fourth person sat down, seats that are not ready are released; 0 = never. Holds for
    /// tables that open from now on.
    pub release_unready_hours: u32,
    /// What the banner says to everybody; null when nothing.
    pub announcement: Option<String>,
}

impl From<&SiteState> for SiteSettings {
    fn from(state: &SiteState) -> Self {
        Self {
            full_limit: state.full,
            takeover_limit: state.takeover,
            normal_mail_wait_minutes: state.normal_mail_wait_minutes,
            release_unready_hours: state.release_unready_hours,
            announcement: state.announcement.as_ref().map(|said| said.text.clone()),
        }
    }
}
