//! The one way of a command to a match: repeated key, then whether the match is any of the viewer's business,
//! then the decider. Must not let a stranger learn that a match exists.

use super::payload::MatchPayload;
use crate::app::App;
use crate::graphql::errors::{UserError, fault, rejected, unread};
use crate::graphql::ids::match_of;
use crate::graphql::scalars::Uuid;
use crate::graphql::viewer::{actor, app, audience, viewer, was_candidate};
use async_graphql::{Context, Error, ID};
use yibu_domain::kernel::{CommandId, MatchId, PlayerId};
use yibu_domain::matches::events::Occupant;
use yibu_domain::matches::{Guest, Match, MatchCommand, MatchRefusal, MatchState};
use yibu_infrastructure::executor::{Done, Rejected, Request, stream_name};

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
    let id = match_of(id);
    let state = match id {
        Some(id) => app.matches().state(id).await.map_err(unread)?,
        None => None,
    };
    let own_business = state.as_deref().is_some_and(|state| may_ask(state, player, &command));
    if !own_business {
        // Judged alike whether the match exists or not, before anything of it is touched.
        let known = app.log().find_command(player, key).await.map_err(fault)?;
        let here = id.map(|id| stream_name::<Match>(id.0));
        match known {
            Some(known) if Some(&known.stream) == here.as_ref() => {}
            Some(_) => {
                return Ok(MatchPayload::refused(rejected(
                    Rejected::<MatchRefusal>::IdempotencyConflict,
                )?));
            }
            None => return Ok(MatchPayload::refused(UserError::match_not_found())),
        }
    }
    let Some(id) = id else {
        return Ok(MatchPayload::refused(UserError::match_not_found()));
    };
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

/// Whether the match is any of the player's business: there is a view for the player, or the player asks
/// what became of the own candidacy.
fn may_ask(state: &MatchState, player: PlayerId, command: &MatchCommand) -> bool {
    let of_candidate =
        matches!(command, MatchCommand::ConfirmTakeover | MatchCommand::WithdrawTakeover);
    audience(state, player).is_some() || of_candidate && was_candidate(state, player)
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
    let state = app.matches().state(id).await.map_err(unread)?;
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
