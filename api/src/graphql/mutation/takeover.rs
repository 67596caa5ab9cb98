//! Taking over a vacant seat.

use super::payload::MatchPayload;
use super::run::{accepted, command, guest};
use crate::graphql::errors::{UserError, rejected};
use crate::graphql::scalars::Uuid;
use crate::graphql::viewer::{actor, app, viewer};
use async_graphql::{Context, Error, ID, InputObject, Object};
use yibu_domain::kernel::CommandId;
use yibu_domain::matches::MatchCommand;

/// A wish for a vacant seat.
#[derive(InputObject)]
pub struct MatchTakeoverInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
}

/// Taking the seat over.
#[derive(InputObject)]
pub struct ConfirmTakeoverInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// Giving the candidacy up.
#[derive(InputObject)]
pub struct WithdrawTakeoverInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// Takeover.
#[derive(Default)]
pub struct TakeoverMutation;

/// Takeover.
#[Object]
impl TakeoverMutation {
    /// Becomes a candidate for a vacant seat on turn, drawn at random (匹配残局). Uses up the one chance for
    /// that match.
    async fn match_takeover(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: MatchTakeoverInput,
    ) -> Result<MatchPayload, Error> {
        let app = app(ctx)?;
        let Some(player) = viewer(ctx)?.player() else {
            return Ok(MatchPayload::refused(UserError::unauthenticated()));
        };
        app.welcome()?;
        let guest = guest(app, player).await?;
        let key = Some(CommandId(input.idempotency_key.0));
        let correlation = app.entropy().uuid();
        let matched = app.matchmaker().match_takeover(guest, key, actor(player), correlation);
        match matched.await {
            Ok(matched) => Ok(accepted(app, &matched.done, player)),
            Err(rejection) => Ok(MatchPayload::refused(rejected(rejection)?)),
        }
    }

    /// Takes the seat over (正式接手). The first confirmation wins.
    async fn confirm_takeover(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ConfirmTakeoverInput,
    ) -> Result<MatchPayload, Error> {
        command(ctx, &input.match_id, input.idempotency_key, MatchCommand::ConfirmTakeover).await
    }

    /// Gives the candidacy up; the chance stays used.
    async fn withdraw_takeover(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: WithdrawTakeoverInput,
    ) -> Result<MatchPayload, Error> {
        command(ctx, &input.match_id, input.idempotency_key, MatchCommand::WithdrawTakeover).await
    }
}
