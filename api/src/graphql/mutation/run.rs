//! The one way of a command to a match: repeated key, then whether the match is any of the viewer's business,
//! then the decider. Must not let a stranger learn that a match exists.

use super::payload::MatchPayload;
use crate::app::App;
use crate::graphql::errors::{UserError, fault, rejected};
use crate::graphql::ids::match_of;
use crate::graphql::scalars::Uuid;
use crate::graphql::viewer::{actor, app, audience, viewer, was_candidate};
use async_graphql::{Context, Error, ID};
use yibu_domain::kernel::{CommandId, MatchId, PlayerId};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::{Guest, Match, MatchCommand, MatchRefusal, MatchState};
use yibu_infrastructure::executor::{Done, Rejected, Request};

/// Gives a command to the match that an id names.
///
/// # Errors
/// Faults, and a server that takes no commands now.
pub async fn command(
    ctx: &Context<'_>,
    id: &ID,
    key: Uuid,
    command: MatchCommand,
) -> Result<MatchPayload, Error> {
    let (app, viewer) = (app(ctx)?, viewer(ctx)?);
    let Some(player) = viewer.player() else {
        return Ok(MatchPayload::refused(UserError::unauthenticated()));
    };
    let key = CommandId(key.0);
    let Some(id) = match_of(id) else {
        return Ok(MatchPayload::refused(UserError::match_not_found()));
    };
    let state = app.matches().state(id).await.map_err(fault)?;
    if !may_ask(app, state.as_deref(), player, &command, key).await? {
        return Ok(MatchPayload::refused(UserError::match_not_found()));
    }
    let request = Request {
        id: id.0,
        command,
        actor: actor(player),
        key: Some(key),
        correlation: app.entropy().uuid(),
        causation: None,
    };
    match app.matches().execute(request).await {
        Ok(done) => Ok(accepted(app, &done, player)),
        Err(rejection) => refused(app, id, player, rejection).await,
    }
}

/// Whether the match is any of the player's business: there is a view for the player, or the command is a
/// repeat of one that stands, or the player asks what became of the own candidacy.
async fn may_ask(
    app: &App,
    state: Option<&MatchState>,
    player: PlayerId,
    command: &MatchCommand,
    key: CommandId,
) -> Result<bool, Error> {
    if state.is_some_and(|state| audience(state, player).is_some()) {
        return Ok(true);
    }
    let of_candidate =
        matches!(command, MatchCommand::ConfirmTakeover | MatchCommand::WithdrawTakeover);
    if of_candidate && state.is_some_and(|state| was_candidate(state, player)) {
        return Ok(true);
    }
    Ok(app.log().find_command(player, key).await.map_err(fault)?.is_some())
}

/// The answer to a command that stands, now or since an earlier try.
pub fn accepted(app: &App, done: &Done<Match>, player: PlayerId) -> MatchPayload {
    let now = done.receipt.as_ref().map(|receipt| receipt.position);
    let then = done.repeated.as_ref().map(|repeated| repeated.position);
    MatchPayload::of(app, &done.state, player, now.or(then))
}

/// The answer to a command that does not stand, with the view of now.
///
/// # Errors
/// Faults, and a server that takes no commands now.
async fn refused(
    app: &App,
    id: MatchId,
    player: PlayerId,
    rejection: Rejected<MatchRefusal>,
) -> Result<MatchPayload, Error> {
    let error = rejected(rejection)?;
    let state = app.matches().state(id).await.map_err(fault)?;
    let payload = match &state {
        Some(state) => MatchPayload::of(app, state, player, None),
        None => MatchPayload::refused(UserError::match_not_found()),
    };
    Ok(payload.with_error(error))
}

/// The viewer as somebody who asks for a place.
///
/// # Errors
/// Faults of the accounts.
pub async fn guest(app: &App, player: PlayerId) -> Result<Guest, Error> {
    let names = app.accounts().nickname_of(&[player]).await;
    let names = names.map_err(crate::graphql::errors::account_fault)?;
    // A session without a nickname belongs to an account that is being erased.
    let nickname = names.get(&player).map_or(0, |named| named.revision);
    Ok(Guest { player, occupant: Occupant::Player, nickname })
}
