//! Where mails lead: addresses of this site. Must not know who they are for.

use crate::graphql::ids::Global;
use yibu_domain::kernel::MatchId;

/// The site's address as browsers see it, for links in mails.
#[derive(Clone, Debug)]
pub struct Links {
    base: String,
}

impl Links {
    /// Links of the site at this origin, for instance `https://play.example`.
    pub fn new(base: &str) -> Self {
        Self { base: base.trim_end_matches('/').to_owned() }
    }

    /// The first page.
    pub fn site(&self) -> String {
        format!("{}/", self.base)
    }

    /// Where a match is played.
    pub fn table(&self, id: MatchId) -> String {
        format!("{}/table/{}", self.base, Global::Match(id).id().as_str())
    }

    /// Where a new password is set; the token goes into the fragment.
    pub fn reset(&self) -> String {
        format!("{}/reset", self.base)
    }

    /// Where replay files are opened.
    pub fn replay(&self) -> String {
        format!("{}/replay", self.base)
    }

    /// Where turn mails are ended with this token.
    pub fn unsubscribe(&self, token: &str) -> String {
        format!("{}/unsubscribe/{token}", self.base)
    }
}
