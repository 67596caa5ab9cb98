//! Draw offers and team surrender.

use super::payload::MatchPayload;
use super::run::command;
use crate::graphql::scalars::Uuid;
use async_graphql::{Context, Error, ID, InputObject, Object};
use yibu_domain::matches::MatchCommand;

/// A draw offer.
#[derive(InputObject)]
pub struct OfferDrawInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// An answer to a draw offer.
#[derive(InputObject)]
pub struct VoteDrawInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The offer's ordinal.
    pub offer: u32,
    /// Yes or no; one no ends the offer.
    pub accept: bool,
}

/// A proposal to the team-mate.
#[derive(InputObject)]
pub struct ProposeTeamSurrenderInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
}

/// An answer to the team-mate's proposal.
#[derive(InputObject)]
pub struct AnswerTeamSurrenderInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The proposal's ordinal.
    pub proposal: u32,
    /// Yes ends the match, no the proposal.
    pub accept: bool,
}

/// Taking the own proposal back.
#[derive(InputObject)]
pub struct WithdrawTeamSurrenderInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The proposal's ordinal.
    pub proposal: u32,
}

/// Votes.
#[derive(Default)]
pub struct VotesMutation;

/// Votes.
#[Object]
impl VotesMutation {
    /// Offers a draw (求和). Only on the own turn, once per turn.
    async fn offer_draw(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: OfferDrawInput,
    ) -> Result<MatchPayload, Error> {
        command(ctx, &input.match_id, input.idempotency_key, MatchCommand::OfferDraw).await
    }

    /// Answers a draw offer. All others who still play must accept.
    async fn vote_draw(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: VoteDrawInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::VoteDraw { offer: Some(input.offer), accept: input.accept };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Proposes to the team-mate to give up together (团队投降). The other side does not learn of it.
    async fn propose_team_surrender(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ProposeTeamSurrenderInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::ProposeTeamSurrender;
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Answers the team-mate's proposal.
    async fn answer_team_surrender(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: AnswerTeamSurrenderInput,
    ) -> Result<MatchPayload, Error> {
        let proposal = Some(input.proposal);
        let asked = if input.accept {
            MatchCommand::ConfirmTeamSurrender { proposal }
        } else {
            MatchCommand::DeclineTeamSurrender { proposal }
        };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Takes the own proposal back.
    async fn withdraw_team_surrender(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: WithdrawTeamSurrenderInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::WithdrawTeamSurrender { proposal: Some(input.proposal) };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }
}
