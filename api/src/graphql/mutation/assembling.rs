//! Finding a table and getting ready at it.

use super::payload::MatchPayload;
use super::run::{accepted, command, guest};
use crate::graphql::errors::{UserError, rejected};
use crate::graphql::scalars::{Hex256, Position, Uuid};
use crate::graphql::viewer::{actor, app, viewer};
use async_graphql::{Context, Error, ID, InputObject, Object};
use std::collections::BTreeMap;
use yibu_domain::kernel::CommandId;
use yibu_domain::matches::MatchCommand;
use yibu_domain::matches::events::{Nonce, NonceBy};

/// A wish for a new match.
#[derive(InputObject)]
pub struct MatchNewGameInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The player's own contribution to the draw of seat and first formation; the server makes one when absent.
    pub nonce: Option<Hex256>,
}

/// A whole formation.
#[derive(InputObject)]
pub struct ArrangeFormationInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The 25 pieces.
    pub formation: Vec<PlacedPiece>,
    /// The private version that the sender saw.
    pub expected_version: u64,
}

/// A piece on its position.
#[derive(InputObject)]
pub struct PlacedPiece {
    /// Where.
    pub at: Position,
    /// The piece's code, for instance `major_general`.
    pub piece: String,
}

/// Two pieces to change places.
#[derive(InputObject)]
pub struct SwapPiecesInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// Where the one stands.
    pub a: Position,
    /// Where the other stands.
    pub b: Position,
    /// The private version that the sender saw.
    pub expected_version: u64,
}

/// Being done arranging.
#[derive(InputObject)]
pub struct ReadyInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The player's own contribution to the draw of the first mover; the server makes one when absent.
    pub nonce: Option<Hex256>,
    /// The private version that the sender saw.
    pub expected_version: u64,
}

/// Not being done after all.
#[derive(InputObject)]
pub struct UnreadyInput {
    /// Names this command: sent again with the same key, it is done once.
    pub idempotency_key: Uuid,
    /// The match.
    pub match_id: ID,
    /// The private version that the sender saw.
    pub expected_version: u64,
}

/// The longest text that is judged as a piece's code.
const MOST_CODE: usize = 32;

fn by_client(nonce: Option<Hex256>) -> Option<Nonce> {
    nonce.map(|nonce| Nonce { value: nonce.0, by: NonceBy::Client })
}

/// The formation as a map; `None` when a position is named twice or a code is no word at all.
fn placed(formation: Vec<PlacedPiece>) -> Option<BTreeMap<String, String>> {
    let mut pieces = BTreeMap::new();
    for placed in formation {
        // Views name pieces as enum values (`COMMANDER`), files by their code (`commander`): both are meant.
        let piece = placed.piece.to_ascii_lowercase();
        if piece.len() > MOST_CODE || pieces.insert(placed.at.0, piece).is_some() {
            return None;
        }
    }
    Some(pieces)
}

/// Before the start.
#[derive(Default)]
pub struct AssemblingMutation;

/// Before the start.
#[Object]
impl AssemblingMutation {
    /// Finds a table with a free seat, or opens one (匹配新局). Table and seat are drawn at random.
    async fn match_new_game(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: MatchNewGameInput,
    ) -> Result<MatchPayload, Error> {
        let app = app(ctx)?;
        let Some(player) = viewer(ctx)?.player() else {
            return Ok(MatchPayload::refused(UserError::unauthenticated()));
        };
        app.welcome()?;
        let guest = guest(app, player).await?;
        let key = Some(CommandId(input.idempotency_key.0));
        let nonce = by_client(input.nonce);
        let correlation = app.entropy().uuid();
        let matched = app.matchmaker().match_new(guest, nonce, key, actor(player), correlation);
        match matched.await {
            Ok(matched) => Ok(accepted(app, &matched.done, player)),
            Err(rejection) => Ok(MatchPayload::refused(rejected(rejection)?)),
        }
    }

    /// Replaces the own formation (布阵).
    async fn arrange_formation(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ArrangeFormationInput,
    ) -> Result<MatchPayload, Error> {
        let Some(formation) = placed(input.formation) else {
            let text = "each position once, each piece by its code";
            let error = UserError::new("INVALID_INPUT", text).about("formation");
            return Ok(MatchPayload::refused(error));
        };
        let asked = MatchCommand::Arrange { formation, expected: Some(input.expected_version) };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Lets two own pieces change places.
    async fn swap_pieces(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: SwapPiecesInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::Swap {
            a: input.a.0,
            b: input.b.0,
            expected: Some(input.expected_version),
        };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Says that the own formation stands (完成调度). With the fourth seat ready the match starts.
    async fn ready(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: ReadyInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::Ready {
            nonce: by_client(input.nonce),
            expected: Some(input.expected_version),
        };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }

    /// Takes the ready back, before the start.
    async fn unready(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is asked for.")] input: UnreadyInput,
    ) -> Result<MatchPayload, Error> {
        let asked = MatchCommand::Unready { expected: Some(input.expected_version) };
        command(ctx, &input.match_id, input.idempotency_key, asked).await
    }
}
