//! Who asks, and what that person is to a match: the one way from a person to an [`Audience`]. Must not
//! have a default: nobody sees a match by omission.

use crate::app::App;
use async_graphql::{Context, Error};
use std::sync::Arc;
use yibu_domain::kernel::{Actor, PlayerId};
use yibu_domain::matches::MatchState;
use yibu_domain::matches::view::{Audience, Role};
use yibu_infrastructure::accounts::{Origin, Session};

use super::errors::{UserError, account_fault, fault};

/// Whoever sent the request: a visitor, or a person with a session.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The session, where there is one.
    pub session: Option<Session>,
    /// Where the request comes from.
    pub origin: Origin,
}

impl Viewer {
    /// The player behind the session.
    pub fn player(&self) -> Option<PlayerId> {
        self.session.as_ref().map(|session| session.player)
    }
}

/// The viewer of a request.
///
/// # Errors
/// The request came past the doors: a fault.
pub fn viewer<'a>(ctx: &Context<'a>) -> Result<&'a Viewer, Error> {
    ctx.data::<Viewer>().map_err(|_| fault("a request without a viewer"))
}

/// The inside.
///
/// # Errors
/// The schema was built without one: a fault.
pub fn app<'a>(ctx: &Context<'a>) -> Result<&'a Arc<App>, Error> {
    ctx.data::<Arc<App>>().map_err(|_| fault("a schema without an inside"))
}

/// The viewer, where an administrator: `UNAUTHENTICATED` without a session, `NOT_ALLOWED` for everybody else. The
/// one place that says who may act and look as administrator.
///
/// # Errors
/// Faults of the accounts.
pub async fn administrator(ctx: &Context<'_>) -> Result<Result<PlayerId, UserError>, Error> {
    let Some(player) = viewer(ctx)?.player() else {
        return Ok(Err(UserError::unauthenticated()));
    };
    let is_admin = app(ctx)?.accounts().is_admin(player).await.map_err(account_fault)?;
    Ok(if is_admin { Ok(player) } else { Err(UserError::not_allowed()) })
}

/// How a player acts.
pub fn actor(player: PlayerId) -> Actor {
    Actor::Player(player)
}

/// What the player may see of a match, if anything.
pub fn audience(state: &MatchState, player: PlayerId) -> Option<Audience> {
    state.live()?.sheet.audience(player)
}

/// Whether the player may still learn what became of the own candidacy, although there is nothing left to see.
pub fn was_candidate(state: &MatchState, player: PlayerId) -> bool {
    let role = state.live().and_then(|live| live.sheet.people.role(player));
    matches!(role, Some(Role::Candidate { .. } | Role::Missed | Role::Withdrew | Role::Lost))
}
