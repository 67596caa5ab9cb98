//! What a seat does on its turn, and giving up.

use super::payload::MatchPayload;
use super::run::command;
use crate::graphql::scalars::{Position, Uuid};
use async_graphql::{Context, Error, ID, InputObject, Object};
use yibu_domain::matches::MatchCommand;

/// A move of a piece.
#[derive(InputObject)]
pub struct MoveInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// Where the piece stands.
    pub from: Position,
    /// Where it goes.
    pub to: Position,
    /// The public version that the sender saw.
    pub expected_version: u64,
}

/// A turn passed on.
#[derive(InputObject)]
pub struct SkipInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The public version that the sender saw.
    pub expected_version: u64,
}

/// Giving up the own seat.
#[derive(InputObject)]
pub struct SurrenderInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// Leaving.
#[derive(InputObject)]
pub struct LeaveInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// Play.
#[derive(Default)]
pub struct PlayMutation;

/// Play.
#[Object]
impl PlayMutation {
    /// Moves a piece (走棋). Only on the own turn.
    #[graphql(name = "move")]
    async fn move_piece(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: MoveInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::Move {
            from: input.from.0,
            to: input.to.0,
            expected: Some(input.expected_version),
        };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Passes the turn on (跳过). Only on the own turn, and so often as the rules say.
    async fn skip(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: SkipInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::Skip { expected: Some(input.expected_version) };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Gives up the own seat (个人投降); its pieces leave the board. At any time while active.
    async fn surrender(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: SurrenderInput,
    ) -> Result<MatchPayload, Error> {
        command(ctx, &input.match_id, input.idempotency_key, MatchCommand::Surrender).await
    }

    /// Leaves: before the start the seat, free of charge; after it the match, for the points that the rules
    /// say, and without a way back.
    async fn leave(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: LeaveInput,
    ) -> Result<MatchPayload, Error> {
        command(ctx, &input.match_id, input.idempotency_key, MatchCommand::Leave).await
    }
}
