//! What mutations answer. Must render a match from the executor's state of now, never from a stored answer.

use crate::app::App;
use crate::graphql::errors::UserError;
use crate::graphql::scalars::LogPosition;
use crate::graphql::types::MatchView;
use crate::graphql::viewer::audience;
use async_graphql::SimpleObject;
use yibu_domain::kernel::PlayerId;
use yibu_domain::matches::MatchState;
use yibu_domain::matches::view::view;

/// The answer to a command to a match.
#[derive(SimpleObject)]
pub struct MatchPayload {
    /// The match as the viewer sees it now, also when the command was refused; null when there is nothing
    /// for the viewer to see (any more).
    #[graphql(name = "match")]
    pub shown: Option<MatchView>,
    /// The match's public version.
    pub version: Option<u64>,
    /// The version of what is private to the viewer's seat; null without a seat.
    pub private_version: Option<u64>,
    /// How far the log had come with this command: handed back as `after`, other answers show its effect.
    /// Null when nothing was changed.
    pub position: Option<LogPosition>,
    /// Why nothing was done; empty when the command stands.
    pub user_errors: Vec<UserError>,
}

impl MatchPayload {
    /// An answer without a view.
    pub fn refused(error: UserError) -> Self {
        Self {
            shown: None,
            version: None,
            private_version: None,
            position: None,
            user_errors: vec![error],
        }
    }

    /// The match as it stands for the player, with the log's position of the command where it has one.
    pub fn of(app: &App, state: &MatchState, player: PlayerId, position: Option<u64>) -> Self {
        let shown = audience(state, player).zip(state.live()).map(|(audience, live)| {
            MatchView::new(view(&live.sheet, audience), app.clock().now(), position)
        });
        Self {
            version: shown.as_ref().map(MatchView::version),
            private_version: shown.as_ref().and_then(MatchView::private_version),
            position: position.map(|position| LogPosition(app.seal().seal(position))),
            shown,
            user_errors: Vec::new(),
        }
    }

    /// The same with the reason why nothing was done.
    #[must_use]
    pub fn with_error(mut self, error: UserError) -> Self {
        self.user_errors.push(error);
        self
    }
}
