//! What administrators do about players: suspending, reinstating, adjusting points. Each is an event with a reason
//! and the administrator. Whoever is none learns nothing.

use crate::graphql::errors::{UserError, fault, rejected};
use crate::graphql::ids::player_of;
use crate::graphql::scalars::Uuid;
use crate::graphql::types::admin::player::AdminPlayer;
use crate::graphql::viewer::{administrator, app};
use async_graphql::{Context, Error, ID, InputObject, Object, SimpleObject};
use yibu_domain::kernel::{Actor, CommandId, Reason};
use yibu_domain::players::PlayerCommand;
use yibu_infrastructure::executor::Request;

/// Something that an administrator does about a player.
#[derive(InputObject)]
pub struct AdminPlayerInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The player.
    pub player_id: ID,
    /// Why, as a code of 1 to 40 of `a`-`z`, `0`-`9` and `_`; it stands in the log for ever.
    pub reason: String,
}

/// Points given or taken.
#[derive(InputObject)]
pub struct AdminAdjustPointsInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The player.
    pub player_id: ID,
    /// How many: −1000 to 1000, not 0.
    pub points: i32,
    /// Why, as a code of 1 to 40 of `a`-`z`, `0`-`9` and `_`; the player sees it.
    pub reason: String,
}

/// The answer to an administrator.
#[derive(SimpleObject, Default)]
pub struct AdminPlayerPayload {
    /// The player as it stands now; null when nothing was done.
    pub player: Option<AdminPlayer>,
    /// Why nothing was done.
    pub user_errors: Vec<UserError>,
}

/// What administrators do about players.
#[derive(Default)]
pub struct AdminPlayersMutation;

/// What administrators do about players.
#[Object]
impl AdminPlayersMutation {
    /// Bars a player: all sessions end, logging in is refused, every seat is left as by a leave. For administrators,
    /// and never about oneself. Codes: `NOT_ALLOWED`, `INVALID_REASON`, `PLAYER_NOT_FOUND`, `HOUSE_PLAYER`,
    /// `IDEMPOTENCY_CONFLICT`.
    async fn admin_suspend(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminPlayerInput,
    ) -> Result<AdminPlayerPayload, Error> {
        let AdminPlayerInput { idempotency_key, player_id, reason } = input;
        let command = |reason| PlayerCommand::Suspend { reason };
        act(ctx, idempotency_key, &player_id, &reason, command).await
    }

    /// Lets a suspended player in again; seats do not come back. For administrators. Codes: as `adminSuspend`.
    async fn admin_reinstate(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminPlayerInput,
    ) -> Result<AdminPlayerPayload, Error> {
        let AdminPlayerInput { idempotency_key, player_id, reason } = input;
        let command = |reason| PlayerCommand::Reinstate { reason };
        act(ctx, idempotency_key, &player_id, &reason, command).await
    }

    /// Gives or takes points; the player's ledger shows it. For administrators, and never about oneself. Codes: as
    /// `adminSuspend`, and `INVALID_POINTS`.
    async fn admin_adjust_points(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AdminAdjustPointsInput,
    ) -> Result<AdminPlayerPayload, Error> {
        let AdminAdjustPointsInput { idempotency_key, player_id, points, reason } = input;
        let command = |reason| PlayerCommand::AdjustPoints { points: points.into(), reason };
        act(ctx, idempotency_key, &player_id, &reason, command).await
    }
}

/// Gives an administrator's command to a player's stream; the accounts follow it.
async fn act(
    ctx: &Context<'_>,
    key: Uuid,
    player: &ID,
    reason: &str,
    command: impl FnOnce(Reason) -> PlayerCommand,
) -> Result<AdminPlayerPayload, Error> {
    let refused = |error| AdminPlayerPayload { player: None, user_errors: vec![error] };
    let admin = match administrator(ctx).await? {
        Ok(admin) => admin,
        Err(error) => return Ok(refused(error)),
    };
    let reason = match reason.parse::<Reason>() {
        Ok(reason) => reason,
        Err(error) => {
            let error = UserError::new("INVALID_REASON", error.to_string()).about("reason");
            return Ok(refused(error));
        }
    };
    let Some(id) = player_of(player) else {
        let error = UserError::new("PLAYER_NOT_FOUND", "there is no such player");
        return Ok(refused(error.about("playerId")));
    };
    let app = app(ctx)?;
    let request = Request::new(id.0, command(reason), Actor::Admin(admin), app.entropy().uuid());
    match app.players().execute(request.keyed(CommandId(key.0))).await {
        // Also after a repeat: the first try may have stopped between the log and the accounts.
        Ok(_) => {
            app.follow_standing(id).await.map_err(fault)?;
            Ok(AdminPlayerPayload { player: Some(AdminPlayer { id }), user_errors: Vec::new() })
        }
        Err(rejection) => Ok(refused(rejected(rejection)?)),
    }
}
